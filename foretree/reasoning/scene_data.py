"""Data on a scene for a language model, in which no text of the scene can pass for an instruction.

A model is told names, classes, places and states, never what a label or a note says. A name that says more
than its class does, as one read from a label may, is replaced by a neutral one; goals and sentences that the
model writes get the true names back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from foretree.planning.pddl.syntax import Formula, substitute
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS, Entity, Truth, show_atom

#: The class of what has none that can be told.
_UNKNOWN = "thing"
#: Classes that are told although the domain does not have them have so many letters at most.
_LONGEST_CLASS = 24
_CLASS = re.compile(r"[a-z]+(_[a-z]+)?")
_WORD = re.compile(r"[\w-]+")


class SceneData:
    """Data of a situation for a model.

    Args:
        situation: as it is believed.
        instruction: what the person said; names that occur in it stay as they are.

    Attributes:
        classes: the classes of the objects, by the names that the model is told.
    """

    def __init__(self, situation: Situation, instruction: str = "") -> None:
        self._situation = situation
        said = frozenset(_WORD.findall(instruction))
        entities = situation.beliefs.entities()
        self._told: dict[str, str] = {}
        taken = set(entities)
        for name, entity in sorted(entities.items()):
            plain = entity.fixed or name in said or self._is_plain(name, entity)
            self._told[name] = name if plain else _free(self._class_of(entity), taken)
        self.classes = {told: entities[name].best_class for name, told in self._told.items()}

    def _is_plain(self, name: str, entity: Entity) -> bool:
        """Return whether *name* is its class and a number, with a word more at most: ``red_mug2``."""
        before, its_class, number = name.rpartition(entity.best_class)
        return bool(its_class) and _is_number(number) and "_" not in before.removesuffix("_")

    def _class_of(self, entity: Entity) -> str:
        name = entity.best_class
        if name in self._situation.domain.types:
            return name
        return name if _CLASS.fullmatch(name) and len(name) <= _LONGEST_CLASS else _UNKNOWN

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return {told: name for name, told in self._told.items() if told != name}

    def with_names(self, goal: Formula) -> Formula:
        """A goal of the model, with the true names."""
        return substitute(goal, self._names)

    def with_names_in(self, text: str) -> str:
        """A sentence of the model, with the true names."""
        return _replaced(text, self._names)

    def told_in(self, text: str) -> str:
        """A sentence for the model, with the names that it is told."""
        return _replaced(text, {name: told for told, name in self._names.items()})

    def described(self) -> dict[str, Any]:
        """The speaker, the predicates, the types and the objects."""
        situation, domain = self._situation, self._situation.domain
        return {
            "speaker": self._told.get(situation.speaker or "", situation.speaker),
            "predicates": {
                name: [f"{parameter.name} - {parameter.type}" for parameter in parameters]
                for name, parameters in domain.predicates.items()
            },
            "types": dict(domain.types),
            "objects": [
                self._object(name, entity) for name, entity in sorted(situation.beliefs.entities().items())
            ],
        }

    def _object(self, name: str, entity: Entity) -> dict[str, Any]:
        beliefs = self._situation.beliefs
        told: dict[str, Any] = {"name": self._told[name], "class": self._class_of(entity)}
        place = beliefs.placement(WHEREABOUTS, name)
        if place is not None:
            told["place"] = self._atom(place)
        elif name in self._situation.rooms:
            told["room"] = self._situation.rooms[name]
        states = [
            self._atom(atom)
            for predicate, info in beliefs.vocabulary.predicates.items()
            if info.kind == "attribute" and beliefs.truth(atom := (predicate, name)) is Truth.TRUE
        ]
        return {**told, "states": states} if states else told

    def _atom(self, atom: tuple[str, ...]) -> str:
        return show_atom((atom[0], *(self._told.get(term, term) for term in atom[1:])))


def _is_number(text: str) -> bool:
    return text.removeprefix("_").isdecimal() or not text


def _free(stem: str, taken: set[str]) -> str:
    """Return a name of *stem* and a number that is not among those *taken*; it is one of them then."""
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    taken.add(f"{stem}{number}")
    return f"{stem}{number}"


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """*text* with other names, where they are words of their own."""
    if not names:
        return text
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    any_name = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<![\w-])(?:{any_name})(?![\w-])", lambda word: names[word.group()], text)
