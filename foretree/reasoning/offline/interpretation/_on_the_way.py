"""Deeds on the way: said only because another deed takes them, so that what they bring about need not last.

"Go to the sink and wash the mug", "open the cupboard and take out the bowl", "take the mug and fill it":
where the robot stands, what is open and what it holds in the end is not what these ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from foretree.planning.pddl.syntax import Literal, atoms_of, literals_of
from foretree.reasoning.offline.grammar.clauses import Pattern, Slot
from foretree.reasoning.offline.grammar.goal_assembly import PartialGoal
from foretree.reasoning.offline.phrases.descriptions import LocationPhrase, NounPhrase
from foretree.reasoning.offline.phrases.discourse import Referent
from foretree.reasoning.offline.phrases.known_things import known_things
from foretree.reasoning.offline.phrases.slot_needs import SlotNeeds
from foretree.reasoning.offline.phrases.words.rooms import RoomPart
from foretree.reasoning.reasoner import Situation
from foretree.world_model.beliefs.facts import BODY, WHEREABOUTS, Atom

#: The parts of the goals of several requests, in order.
Goals = Sequence[Sequence[PartialGoal]]


class WayFinder:
    """Tells what shall last from what is on the way, in one situation."""

    def __init__(self, situation: Situation) -> None:
        self._things = known_things(situation)
        self._needs = SlotNeeds(situation, self._things)
        self._vocabulary = situation.beliefs.vocabulary
        self._domain = situation.domain
        self._rooms = situation.rooms

    def lasting(
        self, parts: Sequence[PartialGoal], later: Goals, pattern: Pattern | None
    ) -> list[PartialGoal]:
        """Return those *parts* of a request's goal that shall hold in the end.

        Args:
            parts: the parts of the goal.
            later: those of the requests after it.
            pattern: the form of the request, where it has one; a state is wished for itself.
        """
        after = [part for others in later for part in others]
        does = any(self._vocabulary[atom[0]].kind != "robot" for atom in _atoms(after))
        if does and self._goes(parts):
            return []
        if pattern is None or pattern.states:
            return [*parts]
        if (
            pattern.is_to_speaker
        ):  # "Fetch the mug and put it in the sink", "fetch the sponge and wipe the table"
            return [
                part for part in parts if not (self._goes_elsewhere(part, after) or self._helps(part, after))
            ]
        return [part for part in parts if not (self._serves(part, after) or self._takes(part, after))]

    def takes(self, parts: Sequence[PartialGoal]) -> bool:
        """Return whether a request is for nothing but having things in hands."""
        return all(map(self._is_held, parts))

    def _goes_elsewhere(self, part: PartialGoal, after: Sequence[PartialGoal]) -> bool:
        """Return whether the things of a part are put somewhere then."""
        moved = {atom[1] for atom in _atoms(after) if atom[0] in self._relations and len(atom) > 2}
        return any(thing.term in moved for thing in part.about)

    # -- fetching ----------------------------------------------------------------------------------
    def source(self, pattern: Pattern, before: Goals) -> LocationPhrase | None:
        """Return where things are likely fetched from: "open the cupboard and take out a mug".

        Args:
            pattern: the form of the request.
            before: the parts of the goals of the requests before it.
        """
        place = self._reached(before) if before and self._is_for_fetching(pattern) else None
        if place is None or place not in self._things.classes:
            return None
        if self._domain.is_a(self._things.classes[place], "asset"):
            return LocationPhrase(self._relations, NounPhrase(place, "name", name=place), likely=True)
        room = self._rooms.get(place)
        return None if room is None else LocationPhrase((), room=RoomPart(room), likely=True)

    def meaning_all(self, phrase: NounPhrase, slot: Slot, pattern: Pattern) -> NounPhrase:
        """Return the phrase for all where "any" says that: "any dirty mug must be washed".

        "Bring me anything to eat" and "put any mug on the table" leave the choice to the hearer.
        """
        free = slot.destination or slot.beside or self._is_for_fetching(pattern)
        if free or not phrase.is_any:
            return phrase
        told = phrase.where or phrase.states or phrase.qualities or phrase.class_name
        undone = phrase.states and not phrase.wishes
        if not (pattern.states or undone or (phrase.names_no_kind and told)):
            return phrase
        return replace(phrase, picks="all", plural=True)

    def _reached(self, before: Goals) -> str | None:
        """Return the place that was just opened, or gone to."""
        for parts in reversed(before):
            if not parts or not all(map(self._fetches, _atoms(parts))):
                found = (atom[-1] for atom in _atoms(parts) if self._goes(parts) or self._opens(parts[0]))
                return next(found, None) if len(parts) == 1 else None
        return None

    def _is_for_fetching(self, pattern: Pattern) -> bool:
        """Return whether a form is for getting things into hands: "take out", "bring me"."""
        places = any(slot.type == "asset" for slot in pattern.slots)
        return not places and all(map(self._fetches, atoms_of(pattern.goal)))

    @cached_property
    def _relations(self) -> tuple[str, ...]:
        """The predicates that say where things rest."""
        binary = [name for name, of in self._domain.predicates.items() if len(of) == 2]
        return tuple(
            name
            for name in binary
            if self._vocabulary[name].group == WHEREABOUTS
            and self._domain.predicates[name][1].type != "person"
        )

    def _fetches(self, atom: Atom) -> bool:
        """Return whether a thing is in hands."""
        return self._vocabulary[atom[0]].group == WHEREABOUTS and atom[0] not in self._relations

    # -- going, opening ----------------------------------------------------------------------------
    def _goes(self, parts: Sequence[PartialGoal]) -> bool:
        """Return whether the robot shall be somewhere."""
        goes = [self._vocabulary[atom[0]].group == BODY for atom in _atoms(parts)]
        return bool(goes) and all(goes)

    def _opens(self, part: PartialGoal) -> bool:
        """Return whether a place shall be so that things can be put there, or taken from there."""
        literal = part.formula
        if not isinstance(literal, Literal) or len(literal.atom) != 2:
            return False
        return (literal.atom[0], literal.positive) in self._giving_access

    def _serves(self, part: PartialGoal, after: Sequence[PartialGoal]) -> bool:
        """Return whether a place is opened where things are put, or from where they are taken, then."""
        if not self._opens(part):
            return False
        [place] = [atom[1] for atom in _atoms([part])]
        return any(self._moves_at(place, other) for other in after)

    def _moves_at(self, place: str, part: PartialGoal) -> bool:
        """Return whether things come to a place, or away from there."""
        inside = {one.term for one in part.about if self._is_at(one, place)}
        moved = [atom for atom in _atoms([part]) if self._vocabulary[atom[0]].group == WHEREABOUTS]
        return any((place in atom) is inside.isdisjoint(atom) for atom in moved)

    def _is_at(self, thing: Referent, place: str) -> bool:
        return bool(thing.possible) and all(place in self._things.around(name) for name in thing.possible)

    @cached_property
    def _giving_access(self) -> frozenset[tuple[str, bool]]:
        """States of a place that a skill needs by which things come there, or away: "open"."""
        found: set[tuple[str, bool]] = set()
        for operator in self._domain.operators.values():
            moved = [e.literal.atom for e in operator.effects if e.literal.atom[0] in self._relations]
            places = {atom[2] for atom in moved}
            needs = [need for need in literals_of(operator.precondition) if len(need.atom) == 2]
            found.update((need.atom[0], need.positive) for need in needs if need.atom[1] in places)
        return frozenset(found)

    # -- taking ------------------------------------------------------------------------------------
    def _takes(self, part: PartialGoal, after: Sequence[PartialGoal]) -> bool:
        """Return whether something shall be held that something else is done with then."""
        if not self._is_held(part):
            return False
        done = [other for other in after if not self._is_held(other)]
        moved = [one for other in done for one in other.about]
        # "Take the two mugs and put one of them on the table": either may be the one.
        chosen = {name for one in moved if one.quantifier == "exists" for name in one.among}
        return self._helps(part, done) or any(one in moved or chosen & {*one.possible} for one in part.about)

    def _helps(self, part: PartialGoal, after: Sequence[PartialGoal]) -> bool:
        """Return whether what shall be held is what something is done with then."""
        return any(self._is_tool(thing, other) for other in after for thing in part.about)

    def _is_held(self, part: PartialGoal) -> bool:
        said = [self._vocabulary[atom[0]] for atom in _atoms([part])]
        return bool(said) and all(info.kind == "robot" and info.group == WHEREABOUTS for info in said)

    def _is_tool(self, thing: Referent, part: PartialGoal) -> bool:
        """Return whether a thing may be what a skill is done with that names no tool."""
        unnamed = [need.atom for need in part.needs if {*need.atom[1:]} == {"?"}]
        if not any(self._vocabulary[atom[0]].group == WHEREABOUTS for atom in unnamed):
            return False
        slots = (Slot("tool", thing.type, (atom[0],)) for atom in unnamed if len(atom) == 2)
        return any(not self._needs.misfits(thing, slot) for slot in slots)


def _atoms(parts: Iterable[PartialGoal]) -> Iterator[Atom]:
    return (atom for part in parts for atom in atoms_of(part.formula))
