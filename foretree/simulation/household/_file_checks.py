"""Checks of scene files beyond keys and types: names that exist, states and placements that are possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import Field

from foretree.config import ConfigError
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict
from foretree.simulation.household.states_and_relations import (
    RELATIONS,
    relations_of,
    states_of,
    ways_to_rest,
)
from foretree.world_model.ontology import Ontology


class PlacedEntry(Strict):
    """An entry for something that rests ``on``, ``in``, ``under`` or ``hung_on`` something: one of these."""

    on: str | None = None
    in_: str | None = Field(default=None, alias="in")
    under: str | None = None
    hung_on: str | None = None

    def placement(self, path: Path, location: KeyPath) -> tuple[str, str]:
        """Return how it rests, and where.

        Args:
            path: the file of the entry.
            location: the entry's place in it.

        Raises:
            FileError: none of the keys is given, or several.
        """
        said = {"on": self.on, "in": self.in_, "under": self.under, "hung_on": self.hung_on}
        given = [(relation, place) for relation, place in said.items() if place is not None]
        if len(given) != 1:
            raise error_at(path, location, f"say where it is with exactly one of {', '.join(RELATIONS)}.")
        return given[0]


class Checks:
    """Checks of one file against an ontology. All raise ConfigError, with the key and what would be valid."""

    def __init__(self, path: Path, ontology: Ontology) -> None:
        self.path = path
        self.ontology = ontology

    def error(self, key: KeyPath, problem: str) -> ConfigError:
        """The error to raise about a key of the file."""
        return error_at(self.path, key, problem)

    def one_of(self, key: KeyPath, name: str, valid: Iterable[str], kind: str) -> str:
        """Return *name* if it is valid."""
        names = list(valid)
        if name not in names:
            raise self.error(key, f"there is no {kind} {name!r}. {suggest(name, names)}")
        return name

    def names(self, groups: Mapping[str, Iterable[str]]) -> None:
        """Check that names, given by the key under which the file has them, are well formed and unique."""
        owner: dict[str, str] = {}
        for group, names in groups.items():
            for name in names:
                if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
                    raise self.error(
                        (group, name),
                        "a name starts with a small letter and goes on with small letters, digits, _ and -.",
                    )
                if name in owner:
                    raise self.error((group, name), f"the name is taken already, in {owner[name]}.")
                owner[name] = group

    def class_name(self, key: KeyPath, name: str, parent: str) -> str:
        """Return the name of a class below *parent*."""
        names = [c.name for c in self.ontology.classes.values() if c.parent == parent]
        return self.one_of(key, name, names, f"class of {parent}")

    def states(self, key: KeyPath, class_name: str, states: Iterable[str]) -> frozenset[str]:
        """Return states of a thing of a class."""
        valid = states_of(self.ontology, class_name)
        return frozenset(self.one_of(key, state, valid, f"state of a {class_name}") for state in states)

    def placement(
        self, key: KeyPath, class_name: str, entry: PlacedEntry, classes: Mapping[str, str]
    ) -> tuple[str, str]:
        """Return how and where a thing of a class rests, given the classes of all things by name."""
        relation, place = entry.placement(self.path, key)
        kind = classes[self.one_of((*key, relation), place, classes, "piece of furniture or item")]
        valid = relations_of(self.ontology[kind])
        if relation not in valid:
            can = f"it can be {' or '.join(valid)} it" if valid else "nothing can be put there"
            raise self.error((*key, relation), f"a thing cannot be {relation} a {kind}; {can}.")
        if relation not in ways_to_rest(self.ontology[class_name], self.ontology[kind]):
            raise self.error((*key, relation), f"a {class_name} cannot be {relation} a {kind}.")
        return relation, place
