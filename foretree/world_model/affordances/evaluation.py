"""Precision and recall of the affordances that a mapping gives to objects, against a labelled file."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from foretree.config import ConfigError, read_text
from foretree.printable import quote
from foretree.world_model.affordances.mapping import LIKELY, AffordanceMapping, UnknownAffordanceError
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.ontology import plain

#: The columns of a labelled file.
COLUMNS = ("object", "affordances")
#: Other names that the columns may have.
_OBJECT = frozenset({"object", "objects", "class", "classes", "name", "object class", "object_class"})
_AFFORDANCE = frozenset({"affordances", "affordance"})
#: Marks between affordances in one cell, and around a list of them.
_PARTS = re.compile(r"[\s\[\]'\"]*[,;|\[\]][\s\[\]'\"]*")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:able|ible|ance|ant|ing|ed|er|e|s)$")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Numbers of pairs of object and affordance that were found, missed, or claimed wrongly."""

    found: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(self.found + other.found, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """The share of what was claimed that is right; 1 where nothing was claimed."""
        claimed = self.found + self.wrong
        return self.found / claimed if claimed else 1.0

    @property
    def recall(self) -> float:
        """The share of what is right that was claimed; 1 where there was nothing to claim."""
        right = self.found + self.missed
        return self.found / right if right else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        whole = 2 * self.found + self.wrong + self.missed
        return 2 * self.found / whole if whole else 1.0


@dataclass(frozen=True, slots=True)
class AffordanceEvaluation:
    """The agreement with a labelled file.

    Attributes:
        by_affordance: for each affordance that was judged.
        wrong: pairs of object and affordance that were claimed and are not in the file.
        missed: pairs that are in the file and were not claimed.
        placed: objects that the mapping does not list, each with how it was placed.
    """

    by_affordance: Mapping[str, Agreement]
    wrong: tuple[tuple[str, str], ...]
    missed: tuple[tuple[str, str], ...]
    placed: Mapping[str, str]

    @property
    def overall(self) -> Agreement:
        """The agreement over all pairs."""
        return sum(self.by_affordance.values(), Agreement())


def read_ground_truth(path: Path, mapping: AffordanceMapping) -> Mapping[str, frozenset[str]]:
    """Read the affordances of each object from a CSV file, with a pair of object and affordance per row.

    Slips that have one meaning are no errors: other separators and other names of the columns, several
    affordances in a row, other forms of an affordance (``graspable``), an object in several spellings. A row
    without an affordance names an object that may have none.

    Raises:
        ConfigError: with the file and the line.
    """
    text = read_text(path).removeprefix("\ufeff")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(StringIO(text), delimiter=separator, skipinitialspace=True)
    truth: dict[str, set[str]] = {}
    spelt: dict[str, str] = {}
    try:
        header = tuple(cell.strip().lower() for cell in next(rows, ()))
        if len(header) < 2 or header[0] not in _OBJECT or header[1] not in _AFFORDANCE:
            expected, found = ",".join(COLUMNS), quote(",".join(header))
            raise ConfigError(f"{path}:1: expected the columns {expected}, not {found}.")
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                _read_row(f"{path}:{rows.line_num}", cells, mapping, truth, spelt)
    except csv.Error as error:
        raise ConfigError(f"{path}:{rows.line_num}: not valid CSV: {error}.") from error
    if not truth:
        raise ConfigError(f"{path}: it names no object; write one pair per row, such as mug,grasp.")
    return {name: frozenset(affordances) for name, affordances in truth.items()}


def _read_row(
    where: str,
    cells: list[str],
    mapping: AffordanceMapping,
    truth: dict[str, set[str]],
    spelt: dict[str, str],
) -> None:
    """Read a row: an object, and its affordances.

    Args:
        where: the file and the line.
        cells: the row.
        mapping: knows the affordances.
        truth: takes the affordances of each object.
        spelt: by the plain form of an object's name, how it is spelt first.
    """
    name, *listed = cells
    if not name:
        raise ConfigError(f"{where}: there is no object before {quote(' '.join(listed).strip())}.")
    if not listed:
        raise ConfigError(f"{where}: expected an object and one affordance, not {quote(name)}.")
    labels = truth.setdefault(spelt.setdefault(plain(name), name), set())
    for affordance in (part for cell in listed for part in _PARTS.split(cell) if part):
        try:
            labels.add(_affordance(affordance, mapping))
        except UnknownAffordanceError as error:
            raise ConfigError(f"{where}: {error}") from error


def _affordance(named: str, mapping: AffordanceMapping) -> str:
    """The affordance of that name, in another form (*cutting*, *graspable*), or that only it has a word for.

    Raises:
        UnknownAffordanceError: there is none, or there are several.
    """
    try:
        return mapping.checked(named)
    except UnknownAffordanceError:
        form = _bare_form(plain(named))
        every = mapping.affordances.values()
        for meant in (
            [known.name for known in every if plain(known.name) == form],
            [known.name for known in every if _bare_form(plain(known.name)) == form],
            [known.name for known in every if form in map(_bare_form, known.words)],
        ):
            if len(meant) == 1:
                return meant[0]
        raise


def _bare_form(phrase: str) -> str:
    """A verb without its endings, nearly: ``cut`` of *cutting*, ``liquid contain`` of *liquid container*."""
    return _ENDING.sub("", re.sub(r"([b-df-hj-np-tv-z])\1(?=(?:able|ible|ing|ed|er)$)", r"\1", phrase))


def evaluate(
    placer: Placer,
    truth: Mapping[str, Iterable[str]],
    threshold: float = LIKELY,
    judged: Iterable[str] | None = None,
) -> AffordanceEvaluation:
    """Compare what objects are likely to afford with labels.

    Args:
        placer: the mapping, and where names have their place in it.
        truth: the affordances of each object.
        threshold: affordances at least so likely are claimed.
        judged: the affordances to compare; by default those that the labels name.
    """
    labelled = {name: frozenset(affordances) for name, affordances in truth.items()}
    named = frozenset().union(*labelled.values()) if judged is None else frozenset(judged)
    compared = [known for known in placer.mapping.affordances if known in named]
    found: list[tuple[str, str]] = []
    wrong: list[tuple[str, str]] = []
    missed: list[tuple[str, str]] = []
    for affordance in compared:
        for name, affordances in labelled.items():
            claimed = placer.probability(name, affordance) >= threshold
            right = affordance in affordances
            if claimed or right:
                (found if claimed and right else wrong if claimed else missed).append((name, affordance))
    counts = [Counter(affordance for _, affordance in pairs) for pairs in (found, wrong, missed)]
    agreements = {known: Agreement(*(count[known] for count in counts)) for known in compared}
    places = {name: placer.place(name) for name in labelled}
    placed = {name: place.reason for name, place in places.items() if place.confidence < 1.0}
    return AffordanceEvaluation(agreements, tuple(wrong), tuple(missed), placed)
