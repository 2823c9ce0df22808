"""The words of an answer: which action, class or placeholder each may stand for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from foretree.errors import ForetreeError
from foretree.world_model.ontology import Ontology

#: A step as it is written: its words in the order in which they stand. ``("Pass",)`` takes a step away.
Written: TypeAlias = tuple[str, ...]

#: The word that takes away what follows it.
PASS = "Pass"
#: What stands for "nothing": the parent of a fridge, the target of waiting.
NOTHING = "none"
_NOTHINGS = frozenset({NOTHING, "null", "nil", "nothing", "n/a", "na", ""})

#: What models and simulators call types of actions, by what these are called here. Verbs that could mean to
#: take something out of the plan ("remove", "drop") are not among them.
_ALSO_CALLED: Mapping[str, tuple[str, ...]] = {
    "pick": ("pick_up", "pickup", "take", "grab", "grasp", "get", "lift", "fetch", "take_out"),
    "place_on": ("put_on", "put_onto", "place_onto", "put", "put_down", "place", "set_down"),
    "place_in": ("put_in", "put_into", "place_into", "put_inside", "place_inside", "insert", "put", "place"),
    "place_under": ("put_under", "place_underneath", "put_underneath"),
    "turn_on": ("toggle_on", "switch_on"),
    "turn_off": ("toggle_off", "switch_off"),
    "cut": ("slice", "chop"),
    "wash": ("clean", "rinse"),
    "clean": ("wash", "rinse"),
    "heat": ("cook", "warm", "warm_up"),
    "cool": ("chill", "cool_down"),
    "close": ("shut",),
    "pour": ("pour_out",),
    "fill": ("fill_up",),
}
#: What moves are called; for the robot they go without saying.
_MOVES = frozenset(
    {
        "move",
        "move_to",
        "go",
        "go_to",
        "goto",
        "walk",
        "walk_to",
        "navigate",
        "navigate_to",
        "find",
        "approach",
    }
)
#: What a placeholder stands for: the thing of the action at hand, or what that rests on or in.
_PLACEHOLDERS = {
    "target": "target",
    "object": "target",
    "parent": "parent",
    "recep": "parent",
    "receptacle": "parent",
}


class UnreadableAnswerError(ForetreeError):
    """A model's answer that has not exactly one reading, or names what there is not."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class AnswerVocabulary:
    """The names that may stand in an answer.

    Attributes:
        actions: the types of actions there are.
        moves: types that only move the robot, which need not be named.
        classes: the classes there are, and whether something of each is known.
        stands_for: the class that each placeholder, ``target`` or ``parent``, stands for.
        ontology: knows other words for classes, if there is one.
    """

    actions: Collection[str]
    moves: Collection[str]
    classes: Mapping[str, bool]
    stands_for: Mapping[str, str] = field(default_factory=dict)
    ontology: Ontology | None = None

    def actions_called(self, word: str) -> tuple[str, ...]:
        """Return the types of actions that *word* may mean: one, several of which one is meant, or none."""
        name = canonical(word)
        if name in self.actions:
            return (name,)
        name = re.sub(r"_object(?=_|$)", "", name)
        if name in self.actions:
            return (name,)
        return tuple(kind for kind, others in _ALSO_CALLED.items() if name in others and kind in self.actions)

    def is_move(self, word: str) -> bool:
        """Return whether *word* means going somewhere."""
        name = canonical(word)
        return name in self.moves or (name not in self.actions and re.sub(r"_object$", "", name) in _MOVES)

    def is_action(self, word: str) -> bool:
        """Return whether *word* means to do something, going somewhere and *Pass* included."""
        return is_pass(word) or self.is_move(word) or bool(self.actions_called(word))

    def class_called(self, word: str) -> str:
        """The class that *word* names; the word as domains write it if there is none."""
        name = canonical(word)
        if name in self.classes:
            return name
        meant = _PLACEHOLDERS.get(name)
        if meant is not None:
            return self.stands_for.get(meant, name)
        joined = name.replace("_", "")
        found = [other for other in self.classes if other.replace("_", "") == joined]
        if len(found) == 1:
            return found[0]
        naming = self.ontology.named(name) if self.ontology is not None else None
        return name if naming is None or naming.others else naming.class_name

    def is_unbound(self, word: str) -> bool:
        """Return whether *word* is a placeholder that stands for nothing here."""
        name = canonical(word)
        return name not in self.classes and _PLACEHOLDERS.get(name, "") not in {"", *self.stands_for}

    def names_thing(self, word: str) -> bool:
        """Return whether *word* is a class, a placeholder or nothing."""
        name = canonical(word)
        return is_nothing(word) or name in _PLACEHOLDERS or self.class_called(word) in self.classes


def canonical(word: str) -> str:
    """A word as domains write it: ``Coffee Machine`` and ``CoffeeMachine`` are ``coffee_machine``."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word.strip().strip("\"'“”‘’").strip())
    return re.sub(r"[\s_-]+", "_", apart).lower()


def is_pass(word: str) -> bool:
    """Return whether *word* is *Pass*."""
    return canonical(word) == PASS.lower()


def is_nothing(word: str) -> bool:
    """Return whether *word* says that there is nothing."""
    return canonical(word) in _NOTHINGS


def phrase(text: str, words: AnswerVocabulary) -> Written | None:
    """A step in plain words, ``Pickup Mug`` or ``put the mug in the fridge``; None if it is none."""
    parts = [
        part for part in text.strip().strip("\"'“”‘’.").split() if part.lower() not in ("the", "a", "an")
    ]
    for length in range(min(3, len(parts)), 0, -1):
        verb, rest = " ".join(parts[:length]), parts[length:]
        if is_pass(verb) or not (words.actions_called(verb) or words.is_move(verb)):
            continue
        if rest and words.names_thing(" ".join(rest)):
            return verb, " ".join(rest)
        for index, word in enumerate(rest):
            relation = word.lower()
            if 0 < index < len(rest) - 1 and relation in (
                "in",
                "on",
                "into",
                "onto",
                "inside",
                "from",
                "at",
                "under",
            ):
                target, parent = " ".join(rest[:index]), " ".join(rest[index + 1 :])
                if words.names_thing(target) and words.names_thing(parent):
                    return _related(verb, relation, words), target, parent
    return None


def _related(verb: str, relation: str, words: AnswerVocabulary) -> str:
    """The verb with what its preposition says of it: to put in."""
    together = f"{verb}_{ {'into': 'in', 'inside': 'in', 'onto': 'on'}.get(relation, relation) }"
    return together if relation not in ("from", "at") and words.actions_called(together) else verb
