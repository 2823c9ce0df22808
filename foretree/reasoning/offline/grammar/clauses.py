"""Clauses of commands: the forms that the grammar is made of, and the words that fill them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from foretree.planning.pddl.syntax import Formula, Literal, literals_of, variables_in
from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.lexicon import Phrase, Phrases
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.words.spots import FIRST_WORDS
from foretree.reasoning.phrase_templates import PhraseTemplate


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a thing in a phrase template.

    Attributes:
        name: the parameter (``item``).
        type: the PDDL type that the thing must be of.
        must_afford: static predicates that must hold of it for the skill to do anything with it.
        destination: whether the goal says of it only that another thing is there.
        beside: whether the goal says nothing of it: a tool, or where something is taken from.
        how: ``me`` if it is the speaker, without a word for it; ``from`` if the words must say from where the
            thing is to be taken.
    """

    name: str
    type: str
    must_afford: tuple[str, ...] = ()
    destination: bool = False
    beside: bool = False
    how: str = ""

    @property
    def stand_in(self) -> str:
        """The name that stands for the thing in the template's goal."""
        return f"_{self.name}_"


@dataclass(frozen=True)
class Pattern:
    """A phrase template, compiled.

    Attributes:
        form: where it comes from.
        parts: slots, and choices of phrases, in order.
        goal: the form's goal, over the slots' stand-ins.
        undoes: the facts that the skill deletes, over the same.
        needs: the preconditions that all its skills share, over the same; ``?`` is any other thing.
        states: whether it says that something is so, or shall be, and names no deed.
    """

    form: PhraseTemplate
    parts: tuple[Slot | Phrases, ...]
    goal: Formula
    undoes: tuple[Literal, ...] = ()
    needs: tuple[Literal, ...] = ()
    states: bool = False

    @property
    def needed(self) -> tuple[frozenset[str], ...]:
        """Sets of words of which a command of this form has one each; "there" may stand for a place."""
        there = [
            (*lexicon.THERE, *FIRST_WORDS) if at and is_place(self, at + 1) else ()
            for at in range(len(self.parts))
        ]
        return tuple(
            frozenset((*part.by_first, *there[index]))
            for index, part in enumerate(self.parts)
            if not isinstance(part, Slot)
        )

    @cached_property
    def is_short(self) -> bool:
        """True for "the mug on the table", which leaves out that this shall be so."""
        said = self.parts[1] if self.states and isinstance(self.parts[0], Slot) else None
        return len(self.slots) > 1 and isinstance(said, Phrases) and "be" not in said.by_first

    @cached_property
    def is_to_speaker(self) -> bool:
        """True for what goes to the speaker, or happens there, without a word for it: "hand over the mug"."""
        return any(slot.how == "me" for slot in self.slots)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, in the order in which they are said."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @cached_property
    def means(self) -> frozenset[str]:
        """The slots of what something is done with: the milk of "fill the mug with milk"."""
        return self._told_with - self.bearers

    @cached_property
    def bearers(self) -> frozenset[str]:
        """The slots of what has the outcome of what is done with it: the ladle of "scoop from … with …"."""
        alone = {literal.atom[1] for literal in literals_of(self.goal) if len(literal.atom) == 2}
        return frozenset(slot.name for slot in self.slots if slot.stand_in in alone) & self._told_with

    @cached_property
    def has_unnamed_bearer(self) -> bool:
        """True if some item has the outcome of what is done with another: "scoop from {item}"."""
        return bool(self.slots) and any(one.type == "item" for one in variables_in(self.goal))

    @cached_property
    def _told_with(self) -> frozenset[str]:
        """The slots behind "with"."""
        pairs = pairwise(self.parts)
        return frozenset(
            part.name
            for before, part in pairs
            if isinstance(part, Slot) and not isinstance(before, Slot) and ("with",) in before
        )

    @property
    def is_for_somebody(self) -> bool:
        """True if it says for whom a thing is fetched: "get {item} for {person}"."""
        if len(self.parts) < 2 or not isinstance(self.parts[-1], Slot) or isinstance(self.parts[-2], Slot):
            return False
        return self.parts[-1].type == "person" and ("for",) in self.parts[-2]

    @cached_property
    def leads_nowhere(self) -> bool:
        """True if it says of no place that something shall be there."""
        return not any(slot.destination for slot in self.slots)

    def say(self, names: Mapping[str, str], verb: Phrase | None = None) -> str:
        """The form in its simplest wording, with *names* in its slots."""
        words: list[str] = []
        for part in self.parts:
            if isinstance(part, Slot):
                if part.how == "me":
                    continue
                # A domain written in single letters says more by its types.
                unnamed = part.name if len(part.name) > 1 else part.type
                words.append(names.get(part.name, f"<{unnamed}>"))
            elif not words and verb is not None and verb in part:
                words.extend(verb)
            else:
                shortest: Phrase = min(part, key=len) if words else part[0]
                words.extend(shortest)
        return " ".join(words)


#: What a substance comes from, "the bag" of "soil from the bag", and the predicate of what has it.
Source: TypeAlias = "tuple[NounPhrase, str]"


@dataclass(frozen=True)
class Clause:
    """One command as it may be read.

    Attributes:
        pattern: which form it takes.
        things: what fills its slots.
        words: what was said for the pattern's other parts, in order; the first are the verb.
        start: its first word.
        end: the word after its last.
        sources: what a substance comes from, with the predicate of what has it; no part of the goal.
    """

    pattern: Pattern
    things: Mapping[str, NounPhrase]
    words: tuple[Phrase, ...]
    start: int
    end: int
    sources: tuple[Source, ...] = ()

    @property
    def verb(self) -> Phrase:
        """The words that the command begins with, or that it goes on with from the one before."""
        return self.words[0]

    def say(self, names: Mapping[str, str]) -> str:
        """The command as it was said, with *names* in its slots."""
        is_state = isinstance(self.pattern.parts[0], Slot)
        said = iter((("shall", *self.words[0]), *self.words[1:]) if is_state else self.words)
        return " ".join(
            ("to " * (part.how == "me") + names[part.name])
            if isinstance(part, Slot)
            else " ".join(next(said))
            for part in self.pattern.parts
        )


def is_place(pattern: Pattern, index: int) -> bool:
    """Return whether the part of a pattern at an index is where something shall be, or for whom."""
    part = pattern.parts[index] if index < len(pattern.parts) else None
    return isinstance(part, Slot) and (part.destination or part.type == "person")
