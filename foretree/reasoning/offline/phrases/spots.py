"""Spots: the places that are told by what is there, "next to the lamp", "where the plate is"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.grammar.clauses import Slot
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.discourse import Discourse, Group, Referent
from foretree.reasoning.offline.phrases.known_things import KnownThings
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import WHEREABOUTS, Truth, hand_of

#: What a place needs for things to rest there, by relation.
_NEEDS = {"on": "surface", "in": "container"}
#: Words for where a thing is now, even if it shall be elsewhere in the end.
_NOW = frozenset({"where", "same"})
#: Words for what a thing has in or on it, or is put with.
_HAVING = frozenset({"with"})


class Spots:
    """The places of things as places for others, in one situation."""

    def __init__(self, situation: Situation, things: KnownThings) -> None:
        self._beliefs = situation.beliefs
        self._ontology = situation.ontology
        self._things = things

    def place(
        self,
        phrase: NounPhrase,
        slot: Slot,
        discourse: Discourse,
        meant: Callable[[NounPhrase], tuple[str, ...]],
    ) -> Referent:
        """Return the place where the thing is, or shall be, by which a phrase tells it.

        Args:
            meant: the entities that a phrase may mean.

        Raises:
            InstructionError: there is none, or it is not known, or things rest there in another way.
        """
        assert phrase.nearby is not None
        laden = phrase.nearby.where is not None and phrase.text.split()[0] in _HAVING
        if laden and self._bears(one for group in discourse[-1:] for one in group):
            # "The cup with the knife on the table" has a knife in it, and shall be on the table.
            raise NotUnderstoodError(f'Whether "{phrase.text}" is where it shall be is not said.')
        by_pronoun = phrase.nearby.picks in ("it", "them")
        names = () if by_pronoun else meant(phrase.nearby)
        if by_pronoun or not _NOW & {*phrase.text.split()}:
            group, place = self._spoken_of(phrase.nearby, names, discourse)
            if place is not None:
                return self._one_way(place, phrase)
            names = names or tuple(referent.term for referent in group if referent.quantifier is None)
        moved = {one.term for group in discourse[-1:] for one in group}
        names = tuple(name for name in names if name not in moved)
        if not names:
            raise NoSuchThingError(f'I know of nothing that is "{phrase.nearby.text}".')
        places = {self._resting(name) for name in names}
        if len(places) > 1:
            raise AmbiguousError(self._things.ambiguous(phrase.nearby, names), phrase.nearby.text, names)
        [(relation, place_name)] = places
        need = _NEEDS.get(relation)
        fits = need in slot.must_afford if need else not {*_NEEDS.values()} & {*slot.must_afford}
        if not fits:
            raise NotPossibleError(f"{names[0]} is {self._things.describe_place(names[0])}")
        return Referent(place_name, self._things.classes[place_name], says=place_name)

    def _spoken_of(
        self, nearby: NounPhrase, names: Collection[str], discourse: Discourse
    ) -> tuple[Group, Referent | None]:
        """Return the things spoken of before that a phrase means, and where they shall be, if that was said.

        After "put a mug on the table", what goes next to it goes there, wherever the mug is now.
        """
        before = [group for group in discourse[:-1] if not group[0].beside]
        following: Group = ()
        for group in reversed(before):
            is_item = not group[0].destination and self._ontology.type_of(group[0].type) == "item"
            if is_item and (nearby.picks in ("it", "them") or _is_same(group, nearby, names)):
                said = len(following) == 1 and following[0].destination
                return group, following[0] if said else None
            following = group
        return (), None

    def _one_way(self, place: Referent, phrase: NounPhrase) -> Referent:
        """The place, if things can be there in one way only."""
        if any(all(self._is(name, need) for need in _NEEDS.values()) for name in place.possible):
            raise NotUnderstoodError(
                f'Whether "{phrase.text}" is on or in {place.says or place.term} is not said. Name the place.'
            )
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

    def _bears(self, things: Iterable[Referent]) -> bool:
        """Return whether others can be in or on any of some things."""
        needs = {*_NEEDS.values()}
        kinds = [one.type for one in things if one.type in self._ontology]
        return any(self._ontology.affords(kind, need) for kind in kinds for need in needs)

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


def _is_same(group: Group, phrase: NounPhrase, names: Collection[str]) -> bool:
    """Return whether a phrase stands for what a group does: "the mug" after "a mug"."""
    first = group[0]
    if first.quantifier is None:
        return bool(names) and {*names} <= {referent.term for referent in group}
    plain = phrase.where is None and not phrase.states and not phrase.other
    return plain and phrase.picks == "the" and len(group) == 1 and first.type == phrase.class_name
