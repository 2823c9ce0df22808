"""The static predicates of planning domains, derived from what classes of objects afford."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from foretree.config import config_roots, find_config, read_text, stamp
from foretree.world_model.affordances.mapping import RELIABLE
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer

#: A file, with what tells its versions apart.
_Stamp: TypeAlias = tuple[Path, int, int]


class StaticPredicates:
    """The static predicates that things have by the object-affordance mapping among the configs.

    Classes that a user's own mapping does not list have those of the mapping that Foretree brings: domains
    need them.

    Raises:
        ConfigError: the mapping cannot be read, or says something that makes no sense.
    """

    def __init__(self) -> None:
        definitions, classes = (find_config("affordances", name) for name in ("affordances", "classes"))
        brought = config_roots()[-1] / "affordances" / "classes.yaml"
        for file in dict.fromkeys((definitions, classes, brought)):
            read_text(file)  # what is kept of a domain has to know of the files
        self._placer = _placer(stamp(definitions), stamp(classes))
        own = classes == brought
        self._brought = self._placer if own else _brought_placer(stamp(definitions), stamp(brought))

    @property
    def names(self) -> Set[str]:
        """The predicates that state an affordance."""
        affordances = self._placer.mapping.affordances.values()
        return {predicate for affordance in affordances for predicate in affordance.predicates}

    def of(self, class_name: str, among: Iterable[str]) -> tuple[str, ...]:
        """Return those of *among* that plans rely on for things of a class."""
        placer = self._placer if class_name in self._placer.mapping.classes else self._brought
        mapping = placer.mapping
        return tuple(
            predicate
            for predicate in among
            if (affordance := mapping.of_predicate(predicate)) is not None
            and placer.probability(class_name, affordance) >= RELIABLE
        )


@lru_cache(maxsize=2)
def _placer(definitions: _Stamp, classes: _Stamp) -> Placer:
    del definitions, classes  # they tell versions of the mapping apart
    return shipped_placer()


@lru_cache(maxsize=1)
def _brought_placer(definitions: _Stamp, classes: _Stamp) -> Placer:
    from foretree.world_model.affordances.mapping_file import load_mapping  # reading takes more modules

    return Placer(load_mapping(definitions[0], classes[0]))
