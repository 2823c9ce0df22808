"""The static predicates of planning domains, derived from what classes of objects afford."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import lru_cache
from pathlib import Path

from foretree.config import find_config, read_text, stamp
from foretree.world_model.affordances.mapping import RELIABLE
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer


class StaticPredicates:
    """The static predicates that things have by the object-affordance mapping among the configs.

    Raises:
        ConfigError: the mapping cannot be read, or says something that makes no sense.
    """

    def __init__(self) -> None:
        files = tuple(find_config("affordances", name) for name in ("affordances", "classes"))
        for file in files:
            read_text(file)  # whoever keeps what comes of it has to know of the files
        self._placer = _placer(tuple(map(stamp, files)))

    @property
    def names(self) -> Set[str]:
        """The predicates that state an affordance."""
        affordances = self._placer.mapping.affordances.values()
        return {predicate for affordance in affordances for predicate in affordance.predicates}

    def of(self, class_name: str, among: Iterable[str]) -> tuple[str, ...]:
        """Return those of *among* that plans rely on for things of a class."""
        mapping = self._placer.mapping
        return tuple(
            predicate
            for predicate in among
            if (affordance := mapping.of_predicate(predicate)) is not None
            and self._placer.probability(class_name, affordance) >= RELIABLE
        )


@lru_cache(maxsize=2)
def _placer(files: tuple[tuple[Path, int, int], ...]) -> Placer:
    del files  # they tell versions of the mapping apart
    return shipped_placer()
