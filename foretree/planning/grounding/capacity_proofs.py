"""Return whether a goal asks for more at once than there is room for: seven things in hand, and two hands.

Of the atoms of a kind that are about the same thing, at most one holds at any time
(:mod:`foretree.planning.grounding.mutex_groups`): a hand holds one thing. If each part of a goal takes an
atom of its own, and these atoms are about fewer things than there are parts, the goal never holds, by Hall's
theorem. A search would have to walk through everything that can be done to find that out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foretree.planning.grounding.compilation import Compiled
from foretree.planning.grounding.mutex_groups import MutexGroups, Room, find_mutex_groups
from foretree.planning.pddl.syntax import And, Literal
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Atom

#: A part of a goal: atoms of which at least one has to hold.
GoalPart: TypeAlias = tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class CapacityConflict:
    """Parts of a goal of which only so many can hold at once as there is *room* for."""

    parts: tuple[GoalPart, ...]
    room: int


def find_capacity_conflict(compiled: Compiled) -> CapacityConflict | None:
    """Parts of the goal that are too many, if there are such; None says nothing."""
    parts = _parts(compiled)
    if len(parts) < 2:
        return None
    chosen = _choose(parts, find_mutex_groups(compiled.problem))
    # What has no room to be in takes none.
    parts = [part for part in parts if all(atom in chosen for atom in part)]
    rooms = [tuple(dict.fromkeys(chosen[atom] for atom in part)) for part in parts]
    taken: dict[Room, int] = {}
    for number in range(len(parts)):
        tried: set[Room] = set()
        if not _take(number, rooms, taken, tried):
            # A part that has one of the rooms that were tried can have none but these either.
            conflicting = sorted({number, *(taken[room] for room in tried)})
            return CapacityConflict(tuple(parts[one] for one in conflicting), len(tried))
    return None


def _parts(compiled: Compiled) -> list[GoalPart]:
    """Return the parts of the goal, each with atoms that no other one has."""
    problem = compiled.problem
    fluent = index_of(problem.domain).fluents

    def alternatives(atom: Atom) -> Iterator[Atom | None]:
        verdict = compiled.judgements.get(atom)
        if verdict is None:
            yield atom
            return
        for alternative in verdict.alternatives:
            fixed = [literal for literal in alternative if literal.atom[0] not in fluent]
            if all((literal.atom in problem.init) == literal.positive for literal in fixed):
                changing = (lit.atom for lit in alternative if lit.positive and lit.atom[0] in fluent)
                yield next(changing, None)

    goal = problem.goal.parts if isinstance(problem.goal, And) else (problem.goal,)
    parts: list[GoalPart] = []
    spoken_of: set[Atom] = set()
    for literal in goal:
        if isinstance(literal, Literal) and literal.positive and literal.atom[0] in fluent:
            found = list(alternatives(literal.atom))
            part = tuple(atom for atom in found if atom is not None)
            if len(part) == len(found) and spoken_of.isdisjoint(part):
                spoken_of.update(part)
                parts.append(part)
    return parts


def _choose(parts: Sequence[GoalPart], mutexes: MutexGroups) -> Mapping[Atom, Room]:
    """For each atom one of the rooms that it is in: the one that most parts want."""
    rooms = {atom: [*mutexes.rooms(atom)] for part in parts for atom in part}
    wanted = Counter(room for part in parts for room in {room for atom in part for room in rooms[atom]})
    return {atom: max(there, key=lambda room: wanted[room]) for atom, there in rooms.items() if there}


def _take(number: int, rooms: Sequence[Sequence[Room]], taken: dict[Room, int], tried: set[Room]) -> bool:
    """Find a room for a part, and others for those who have to make way (Kuhn's algorithm)."""
    for room in rooms[number]:
        if room not in tried:
            tried.add(room)
            if room not in taken or _take(taken[room], rooms, taken, tried):
                taken[room] = number
                return True
    return False
