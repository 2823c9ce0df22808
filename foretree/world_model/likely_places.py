"""Likely places of objects, by class: prior expectations, corrected by sightings in past runs.

The search for missing objects asks it where to look first. Sightings are kept in a file. It can be frozen: a
suite of scenarios must not depend on the order in which they are run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat

from foretree.config import data_directory, find_config, read_yaml, stamp
from foretree.errors import ForetreeError
from foretree.file_errors import error_at
from foretree.locking import locked
from foretree.schema import Strict, validate
from foretree.world_model.learned_file import read_learned, replace_learned

#: How many sightings the expectation counts as.
STRENGTH = 8.0
#: How many sightings a hint counts as, and that the hint is about a class that is called likewise.
HINT, ALIKE_HINT = 24, 4
#: The file below the data directory that sightings are kept in.
FILE = "likely_places.json"


class LikelyPlacesError(ForetreeError):
    """The file of sightings cannot be read or written."""


class LikelyPlaces:
    """The probability that an object is on, in or under each class of furniture.

    Attributes:
        path: where sightings are kept; None if they are not.
        frozen: whether nothing is learned and nothing written.
    """

    def __init__(
        self,
        expected: Mapping[str, Mapping[str, float]],
        otherwise: float = 1.0,
        sightings: Mapping[str, Mapping[str, int]] | None = None,
        path: Path | None = None,
        frozen: bool = False,
    ) -> None:
        """Begin with expectations and former sightings.

        Args:
            expected: by class of a thing and class of furniture, how often it is there, compared with
                elsewhere.
            otherwise: how often it is at furniture that is not named.
            sightings: by class of a thing and of furniture, how often it was found there.
            path: where sightings are kept.
            frozen: learn nothing, write nothing.
        """
        self.path = path
        self.frozen = frozen
        self._expected = expected
        self._otherwise = otherwise
        self._seen = _counters(sightings or {})
        self._unsaved: dict[str, Counter[str]] = {}
        self._hinted: dict[str, Counter[str]] = {}

    def likelihood(self, thing: str, places: Iterable[str]) -> dict[str, float]:
        """The probability of each class of furniture, given that the object is at one of them.

        Args:
            thing: the class of the object.
            places: the classes of furniture that exist.
        """
        names = sorted(set(places))
        expected = self._expected.get(thing, {})
        weights = {name: expected.get(name, self._otherwise) for name in names}
        whole = sum(weights.values())
        seen = self._seen.get(thing, Counter()) + self._hinted.get(thing, Counter())
        found = sum(seen[name] for name in names)
        return {
            name: (STRENGTH * weights[name] / whole + seen[name]) / (STRENGTH + found) if whole else 0.0
            for name in names
        }

    def expects(self, thing: str) -> bool:
        """Return whether anything is expected of where an object of a class is."""
        return thing in self._expected or thing in self._seen or thing in self._hinted

    def things(self) -> Iterator[str]:
        """Iterate over the classes of which it is expected where they are."""
        yield from self._expected

    def places(self) -> frozenset[str]:
        """The classes of furniture at which anything is expected."""
        known = (*self._expected.values(), *self._hinted.values())
        return frozenset(place for places in known for place in places)

    def hint(self, thing: str, place: str, alike: Iterable[str] = ()) -> None:
        """Expect an object at furniture of a class, because a person has said so; in this run only.

        Args:
            thing: the class of the object.
            place: the class of the furniture.
            alike: classes of furniture that the person may have meant, too.
        """
        counts = self._hinted.setdefault(thing, Counter())
        counts[place] = max(counts[place], HINT)
        for other in alike:
            counts[other] = max(counts[other], ALIKE_HINT)

    def confirm(self, thing: str, place: str) -> None:
        """Count a sighting of an object at furniture of a class, unless this is frozen."""
        if self.frozen:
            return
        for counts in (self._seen, self._unsaved):
            counts.setdefault(thing, Counter())[place] += 1

    def save(self) -> None:
        """Add the sightings since the last time to the file, unless this is frozen or has none.

        Other runs may do so at the same time: none of their sightings is lost, and a reader never finds
        a part of the file only.

        Raises:
            LikelyPlacesError: the file cannot be read or written; the sightings are kept for the next time.
        """
        if self.frozen or self.path is None or not self._unsaved:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.path):
                counts = _counters(read_sightings(self.path))
                for thing, places in self._unsaved.items():
                    counts.setdefault(thing, Counter()).update(places)
                replace_learned(self.path, {"sightings": counts})
        except OSError as error:
            raise LikelyPlacesError(f"Cannot write {self.path}: {error.strerror}.") from error
        self._seen = counts
        self._unsaved = {}


class _Expectation(Strict):
    things: tuple[str, ...] = Field(min_length=1)
    places: dict[str, Annotated[FiniteFloat, Field(ge=0)]]


class _Expectations(Strict):
    otherwise: Annotated[FiniteFloat, Field(gt=0)]
    expect: tuple[_Expectation, ...]


class _Sightings(Strict):
    sightings: dict[str, dict[str, Annotated[int, Field(ge=0)]]]


def own_places_path() -> Path:
    """The file that sightings are kept in."""
    return data_directory() / FILE


def load_likely_places(
    path: Path | None = None, expectations: str = "likely_places", frozen: bool = False
) -> LikelyPlaces:
    """Read the expectations and the sightings of past runs.

    Args:
        path: the file that sightings are kept in; the one in the data directory unless stated.
        expectations: the file among the configs of homes that says what people expect.
        frozen: learn nothing, write nothing.

    Raises:
        ConfigError: the expectations are not as they should be.
        LikelyPlacesError: what was learned cannot be read.
    """
    expected, otherwise = _read_expectations(stamp(find_config("homes", expectations)))
    path = path or own_places_path()
    return LikelyPlaces(expected, otherwise, read_sightings(path), path, frozen)


def load_expectations(expectations: str = "likely_places") -> LikelyPlaces:
    """Read what people expect; nothing is learned from past runs, nor for later ones.

    Raises:
        ConfigError: the expectations are not as they should be.
    """
    return LikelyPlaces(*_read_expectations(stamp(find_config("homes", expectations))), frozen=True)


@lru_cache(maxsize=4)
def _read_expectations(file: tuple[Path, int, int]) -> tuple[Mapping[str, Mapping[str, float]], float]:
    """The expectations in a file, and that for furniture they do not name."""
    source = file[0]
    data = validate(_Expectations, read_yaml(source), source)
    expected: dict[str, dict[str, float]] = {}
    for number, row in enumerate(data.expect):
        for thing in row.things:
            if thing in expected:
                raise error_at(
                    source, ("expect", number, "things"), f"{thing} is in a row for the second time."
                )
            expected[thing] = dict(row.places)
    return expected, data.otherwise


def read_sightings(path: Path) -> Mapping[str, Mapping[str, int]]:
    """Sightings by class of object and of furniture; none if there is no such file.

    Raises:
        LikelyPlacesError: the file cannot be read, or is not what was written.
    """
    read = read_learned(path, _Sightings, LikelyPlacesError)
    return read.sightings if read else {}


def _counters(sightings: Mapping[str, Mapping[str, int]]) -> dict[str, Counter[str]]:
    return {thing: Counter(dict(places)) for thing, places in sightings.items()}
