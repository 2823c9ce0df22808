"""Spots: the places that are told by what is there, "next to the lamp", "where the plate is"."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.patterns import Slot
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth, hand_of

#: What a place needs for things to rest there, by relation.
_NEEDS = {"on": "surface", "in": "container"}


class Spots:
    """The places of things as places for others, in one situation."""

    def __init__(self, situation: Situation, things: KnownThings) -> None:
        self._beliefs = situation.beliefs
        self._things = things

    def place(
        self,
        phrase: NounPhrase,
        slot: Slot,
        discourse: Discourse,
        meant: Callable[[NounPhrase], tuple[str, ...]],
    ) -> str:
        """Return the name of the place where the thing is by which a phrase tells it.

        Args:
            meant: the entities that a phrase may mean.

        Raises:
            InstructionError: there is none, or it is not known, or things rest there in another way.
        """
        assert phrase.nearby is not None
        moved = {one.term for group in discourse[-1:] for one in group}
        names = tuple(name for name in meant(phrase.nearby) if name not in moved)
        if not names:
            raise NoSuchThingError(f'I know of nothing that is "{phrase.nearby.text}".')
        places = {self._resting(name) for name in names}
        if len(places) > 1:
            raise AmbiguousError(self._things.ambiguous(phrase.nearby, names), phrase.nearby.text, names)
        [(relation, place)] = places
        need = _NEEDS.get(relation)
        fits = need in slot.must_afford if need else not {*_NEEDS.values()} & {*slot.must_afford}
        if not fits:
            raise NotPossibleError(f"{names[0]} is {self._things.describe_place(names[0])}")
        return place

    def somewhere(self, phrase: NounPhrase, slot: Slot, there: Collection[str]) -> NounPhrase:
        """Return the phrase for any surface in a room, where there are some.

        Args:
            there: the places in the room.

        Raises:
            NotPossibleError: there are surfaces, and the slot is for what is in something.
        """
        if not slot.must_afford or not any(self._is(name, "surface") for name in there):
            return phrase
        if "surface" not in slot.must_afford:
            raise NotPossibleError(f"{phrase.text} is no place to be in", misfits=1)
        return replace(phrase, picks="a")

    def are_all_workplaces(self, names: Collection[str], needs: Collection[Literal]) -> bool:
        """Return whether *names* are all the places where something can be done, by what that needs."""
        for need in needs:
            if need.positive and need.atom[1:] == ("?",):
                places = {name for name in self._things.classes if self._is(name, need.atom[0])}
                if places and places == {*names}:
                    return True
        return False

    def _is(self, name: str, predicate: str) -> bool:
        return self._beliefs.truth((predicate, name)) is Truth.TRUE

    def _resting(self, name: str) -> tuple[str, str]:
        """Relation by which a thing rests, and its place."""
        placement = self._beliefs.placement(WHEREABOUTS, name)
        if placement is not None and (len(placement) < 3 or hand_of(placement)):
            placement = None
        if placement is None and self._beliefs.entities()[name].fixed:
            raise NotUnderstoodError(
                f"Things can be put on, in or under furniture, not beside it as beside {name}. "
                "Name the place itself."
            )
        if placement is None:
            raise NoSuchThingError(f"I do not know where {name} is. Name the place.")
        return placement[0], placement[2]
