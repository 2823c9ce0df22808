"""Noise of a simulated body: errors of its camera by distance, and how often its manipulations fail.

Errors of recognition last as long as the view, or over as many metres as the noise says. Nothing is drawn in
sequence: missed objects, mistaken classes and misread states follow from the seed, the object at its place,
and the viewpoint. Looking again without moving, or coming back, shows the same errors. Once an object has
changed, its states are read afresh.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from hashlib import blake2b
from math import floor
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import Field

from foretree.config import ConfigError, find_config, read_yaml, stamp
from foretree.errors import suggest
from foretree.file_errors import FileError, error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes.disturbances import DisturbanceRates

#: How far the shares of a row of look-alikes may be from adding up to 1: they are written with two decimals.
_ROUNDING = 0.011
_Share = Annotated[float, Field(ge=0, le=1)]
_Length = Annotated[float, Field(ge=0)]
#: A standard deviation in shades of 256.
_Shade = Annotated[float, Field(ge=0, le=255)]

F = TypeVar("F", bound=float)


class NoiseError(ConfigError):
    """An impossible amount of noise."""


class Band(IntEnum):
    """Band of distance and visibility, on which errors depend."""

    FAR = 0
    MIDDLE = 1
    NEAR = 2


class ByBand(Strict, Generic[F]):
    """A figure for each band."""

    far: F
    middle: F
    near: F

    def of(self, band: Band) -> float:
        """The figure for *band*."""
        return (self.far, self.middle, self.near)[band]

    def times(self, factor: float, limit: float) -> ByBand[F]:
        """Every figure *factor* times as large, but at most *limit*."""
        return self.model_copy(update={name: min(limit, factor * figure) for name, figure in self})


class NoiseModel(Strict):
    """Errors of a body's camera and hand, as a file states them.

    Attributes:
        far: objects farther away than this (metres) are in the far band.
        near: objects nearer than this are in the near band.
        hidden: objects of which less than this share is visible are in the far band at any distance.
        confused: how often an object is taken for a look-alike.
        missed: how often an object is not segmented.
        misread: how often a state is taken for its opposite.
        grain: the standard deviation of a crop's pixels.
        depth: the standard deviation of the depth, relative.
        smallest: what shows in fewer pixels is not segmented.
        persistence: over so many metres views show the same errors, whatever their heading; with 0, each
            cell and heading has errors of its own.
        odds: how often manipulations fail, and other people change something.
        look_alikes: by class, what it is taken for and how often, of all times that it is mistaken.
    """

    far: _Length
    near: _Length
    hidden: _Share
    confused: ByBand[_Share]
    missed: ByBand[_Share]
    misread: ByBand[_Share]
    grain: ByBand[_Shade]
    depth: _Share
    smallest: Annotated[int, Field(ge=1)]
    persistence: _Length = 0.0
    odds: DisturbanceRates
    look_alikes: dict[str, dict[str, _Share]]

    def band(self, distance: float, visible: float) -> Band:
        """The band of an object at *distance* of which the share *visible* is in view."""
        if distance > self.far or visible < self.hidden:
            return Band.FAR
        return Band.MIDDLE if distance >= self.near else Band.NEAR

    def times(self, factor: float) -> NoiseModel:
        """All rates *factor* times as large. At 0, nothing ever goes wrong.

        Raises:
            NoiseError: *factor* is negative or no number.
        """
        if not 0 <= factor < float("inf"):
            raise NoiseError(f"Noise can be 0 or more times the default, not {factor} times.")
        rates = {name: getattr(self, name).times(factor, 1) for name in ("confused", "missed", "misread")}
        scaled = {
            "grain": self.grain.times(factor, 255),
            "depth": self.depth * factor,
            "odds": self.odds.times(factor),
        }
        return self.model_copy(update={**rates, **scaled})

    def lasting(self, metres: float) -> NoiseModel:
        """The same rates with errors that last over so many metres.

        Raises:
            NoiseError: *metres* is negative or no number.
        """
        if not 0 <= metres < float("inf"):
            raise NoiseError(f"Errors can last over 0 or more metres, not over {metres}.")
        return self.model_copy(update={"persistence": metres})


def load_noise(name: str = "noise", classes: Collection[str] | None = None) -> NoiseModel:
    """The noise in ``configs/homes/NAME.yaml``, or in the file at that path.

    Args:
        name: of the file.
        classes: the object classes of the homes; if given, look-alikes must be among them.

    Raises:
        ConfigError: there is no such file, or it makes no sense; with file, line and key.
    """
    path = find_config("homes", name)
    noise = _read_noise(stamp(path))
    _check_look_alikes(noise.look_alikes, classes, path)
    return noise


@lru_cache(maxsize=4)
def _read_noise(stamped: tuple[Path, int, int]) -> NoiseModel:
    """The noise in a file that is as it was when it was stamped."""
    path = stamped[0]
    noise = validate(NoiseModel, read_yaml(path), path)
    if noise.near > noise.far:
        raise error_at(path, ("near",), f"{noise.near} is farther than `far`, {noise.far}.")
    if noise.odds.fail + noise.odds.silent > 1:
        raise error_at(path, ("odds",), "`fail` and `silent` together are more than always.")
    return noise


def _check_look_alikes(
    look_alikes: Mapping[str, Mapping[str, float]], classes: Collection[str] | None, path: Path
) -> None:
    def mistake(problem: str, *keys: str) -> FileError:
        return error_at(path, ("look_alikes", *keys), problem)

    for name, row in look_alikes.items():
        if classes is not None and name not in classes:
            raise mistake(f"there is no class {name!r}. {suggest(name, classes)}", name)
        for other in row:
            if other == name:
                raise mistake(f"{name} cannot be mistaken for what it is.", name, other)
            if classes is not None and other not in classes:
                raise mistake(f"there is no class {other!r}. {suggest(other, classes)}", name, other)
            if name not in look_alikes.get(other, {}):
                problem = f"{name} is taken for {other}, so {other} must be taken for {name} at times."
                raise mistake(problem, name, other)
        if abs(sum(row.values()) - 1) > _ROUNDING:
            raise mistake(f"the shares must add up to 1, not to {sum(row.values()):g}.", name)


# -- errors of recognition ---

#: The highest score of a class.
CERTAIN = 0.99
#: States that exclude each other.
EXCLUSIVE = (("hot", "cold"), ("has_water", "has_coffee"))

#: Of a digest, as eight numbers.
_EIGHT = struct.Struct("<8Q")
_RANGE = float(1 << 64)


@dataclass(frozen=True, slots=True)
class Recognition:
    """Recognition of an object in one look.

    Attributes:
        looks_like: the class that it is taken for, and that its crop shows.
        scores: class scores; the first is the highest, that of *looks_like*.
        states: the states that it seems to be in, in alphabetical order.
        grain: decides the grain of its crop.
    """

    looks_like: str
    scores: Mapping[str, float]
    states: tuple[str, ...]
    grain: int


class RecognitionErrors:
    """Seeded recognition errors.

    Attributes:
        noise: their rates.
    """

    def __init__(self, noise: NoiseModel, seed: int) -> None:
        self.noise = noise
        self._key = f"eyesight {seed}".encode()[:64]
        #: Where areas of lasting errors begin: not at the walls.
        self._offsets = [draw / _RANGE for draw in self._draw("areas", "", "")[:2]]

    def viewpoint(self, own: str, at: tuple[float, float]) -> str:
        """Identify the views that share their errors: *own* alone, or all *at* places (metres) near by."""
        size = self.noise.persistence
        if not size:
            return own
        areas = (floor(place / size + offset) for place, offset in zip(at, self._offsets, strict=True))
        return f"area {tuple(areas)}"

    def recognise(
        self, thing: str, class_name: str, states: Mapping[str, bool], viewpoint: str, band: Band
    ) -> Recognition | None:
        """Recognise an object from a viewpoint; None if it is overlooked.

        Args:
            thing: identifies the object at its place.
            class_name: its class.
            states: all visible states, and whether it is in them.
            viewpoint: identifies the viewpoint.
            band: how well it is in view.
        """
        missed, difficulty, mistaken, which, grain, *_ = self._draw("class", thing, viewpoint)
        if missed / _RANGE < self.noise.missed.of(band):
            return None
        doubt = self._doubt(difficulty / _RANGE, band) if class_name in self.noise.look_alikes else 0.0
        looks_like = class_name
        if mistaken / _RANGE < doubt:
            looks_like = _pick(self.noise.look_alikes[class_name], which / _RANGE)
        seen = self._misread(thing, states, viewpoint, band)
        return Recognition(looks_like, self._scores(looks_like, doubt), seen, grain)

    def _doubt(self, difficulty: float, band: Band) -> float:
        """The probability that this look errs; over all looks, the rate of the band.

        Scores are calibrated by it: of all that is reported with a score of 0.75, three quarters are right.
        """
        rate = self.noise.confused.of(band)
        return rate + min(rate, 1 - rate) * (2 * difficulty - 1)

    def _scores(self, looks_like: str, doubt: float) -> dict[str, float]:
        first = min(CERTAIN, 1 - doubt)
        scores = {looks_like: first}
        for name, share in self.noise.look_alikes.get(looks_like, {}).items():
            # No look-alike is reported as likelier than the first; doubt beyond that is of no class.
            score = min(share * doubt, 0.99 * first)
            if score > 0:
                scores[name] = score
        return scores

    def _misread(self, thing: str, states: Mapping[str, bool], viewpoint: str, band: Band) -> tuple[str, ...]:
        truth = sorted(states)
        shown = {name for name in truth if states[name]}
        rate = self.noise.misread.of(band)
        if rate > 0 and truth:
            looks = f"{thing} {sorted(shown)}"
            wrong = [
                name
                for start in range(0, len(truth), 8)
                for name, draw in zip(
                    truth[start : start + 8], self._draw(f"states {start}", looks, viewpoint), strict=False
                )
                if draw / _RANGE < rate
            ]
            for name in wrong:
                if name in shown:
                    shown.discard(name)
                else:
                    shown.add(name)
                    for pair in EXCLUSIVE:
                        if name in pair:
                            shown.difference_update(other for other in pair if other != name)
        return tuple(sorted(shown))

    def _draw(self, kind: str, thing: str, viewpoint: str) -> tuple[int, ...]:
        return _EIGHT.unpack(blake2b(f"{kind}|{thing}|{viewpoint}".encode(), key=self._key).digest())


def _pick(row: Mapping[str, float], at: float) -> str:
    """Pick a name by its share, for *at* from 0 to 1."""
    rest = at * sum(row.values())
    for name, share in row.items():
        rest -= share
        if rest < 0:
            return name
    return next(reversed(list(row)))
