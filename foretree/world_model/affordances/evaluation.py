"""Precision and recall of the affordances that a mapping gives to objects, against a labelled file."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from foretree.config import ConfigError, read_text
from foretree.printable import quote
from foretree.world_model.affordances.mapping import LIKELY, AffordanceMapping, UnknownAffordanceError
from foretree.world_model.affordances.placement import Placer

#: The columns of a labelled file.
COLUMNS = ("object", "affordances")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many pairs of object and affordance were found, missed, or claimed wrongly."""

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

    A row without an affordance names an object that may have none.

    Raises:
        ConfigError: with the file and the line.
    """
    rows = csv.reader(StringIO(read_text(path).removeprefix("\ufeff")), skipinitialspace=True)
    truth: dict[str, set[str]] = {}
    try:
        header = tuple(cell.strip() for cell in next(rows, ()))
        if header != COLUMNS:
            expected = ",".join(COLUMNS)
            raise ConfigError(f"{path}:1: expected the columns {expected}, not {quote(','.join(header))}.")
        for row in rows:
            if any(cell.strip() for cell in row):
                _read_row(f"{path}:{rows.line_num}", row, mapping, truth)
    except csv.Error as error:
        raise ConfigError(f"{path}:{rows.line_num}: not valid CSV: {error}.") from error
    if not truth:
        raise ConfigError(f"{path}: it names no object; write one pair per row, such as mug,grasp.")
    return {name: frozenset(affordances) for name, affordances in truth.items()}


def _read_row(where: str, row: list[str], mapping: AffordanceMapping, truth: dict[str, set[str]]) -> None:
    if len(row) != len(COLUMNS):
        raise ConfigError(f"{where}: expected an object and one affordance, not {quote(','.join(row))}.")
    name, affordance = (cell.strip() for cell in row)
    if not name:
        raise ConfigError(f"{where}: there is no object before {quote(affordance)}.")
    labels = truth.setdefault(name, set())
    if affordance:
        try:
            labels.add(mapping.checked(affordance))
        except UnknownAffordanceError as error:
            raise ConfigError(f"{where}: {error}") from error


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
