"""Trimming: which actions of a plan its goal may do without.

An action can be left out together with all that would not be possible without it. To find that, the plan is
simulated once; afterwards only the later actions that mention a changed atom are looked at, and what is known
of a later action saves following it once more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from heapq import heappop, heappush

from foretree.planning.incremental import Increments
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.work_limit import WorkLimit
from foretree.revision._simulator import Simulator, StateDelta, UndoableState
from foretree.world_model.beliefs.facts import Atom

#: So many looks at an action are one piece of work.
_AT_A_TIME = 16


class Timeline:
    """The values of each atom along a plan.

    Attributes:
        changed: for each action, the atoms whose value it changes.
    """

    def __init__(self, start: StateDelta) -> None:
        self._start = start
        self._flips: dict[Atom, list[int]] = {}
        self._mentions: dict[Atom, list[int]] = {}
        self.changed: list[list[Atom]] = []

    def follow(
        self, grounds: Sequence[GroundAction], simulator: Simulator, work: WorkLimit
    ) -> Increments[None]:
        """Simulate the plan."""
        course = UndoableState(self._start, {})
        for index, ground in enumerate(grounds):
            if index % _AT_A_TIME == 0:
                yield 1
            so_far = len(course.changes)
            course.change(*simulator.changes(course, ground))
            self.changed.append(course.changes[so_far:])
            for atom in self.changed[-1]:
                self._flips.setdefault(atom, []).append(index)
        for index, ground in enumerate(grounds):
            if index % _AT_A_TIME == 0:
                yield 1
            for atom in simulator.mentions(ground):
                if atom in self._flips:
                    self._mentions.setdefault(atom, []).append(index)
        work.use(len(grounds))

    def value(self, atom: Atom, index: int) -> bool:
        """Return whether *atom* is true before the action at *index*."""
        return (atom in self._start) != bool(bisect_left(self._flips.get(atom, ()), index) % 2)

    def since(self, atom: Atom, index: int) -> int:
        """The first index before whose action *atom* has the value that it has at *index*, up to there."""
        flips = self._flips[atom]
        place = bisect_left(flips, index)
        return flips[place - 1] + 1 if place else 0

    def mentions(self, atom: Atom) -> Sequence[int]:
        """The actions whose preconditions speak of *atom*."""
        return self._mentions.get(atom, ())


class StateWithout(Container[Atom]):
    """The state at the end of a plan, in which *atoms* have kept the values that they had at *index*."""

    def __init__(self, timeline: Timeline, atoms: Collection[Atom], index: int) -> None:
        self._timeline, self._atoms, self._index = timeline, atoms, index

    def __contains__(self, atom: object) -> bool:
        assert isinstance(atom, tuple)
        end = len(self._timeline.changed)
        return self._timeline.value(atom, self._index if atom in self._atoms else end)


def find_dispensable(
    timeline: Timeline,
    candidates: Collection[int],
    wanted: Mapping[Atom, bool],
    is_good: Callable[[Container[Atom]], bool],
    work: WorkLimit,
) -> Increments[list[frozenset[int]]]:
    """Return each of *candidates* with all that depends on it, where the goal may do without them.

    Args:
        timeline: of the plan, which reaches the goal.
        candidates: the actions to begin with, by index.
        wanted: the values that the goal wants of atoms.
        is_good: whether all else that the goal wants is so in a state.
        work: nothing is found when it is spent.
    """
    groups: list[frozenset[int]] = []
    # For each action that the goal cannot do without: from which index on this holds for the same reason of
    # each earlier action without which this one is not possible.
    needed: dict[int, int] = {}
    for index in reversed(range(len(timeline.changed))):
        group = _Group(timeline, index, wanted)
        looks = 0
        while not group.complete(needed):
            looks += 1
            if looks % _AT_A_TIME == 0:
                work.use(_AT_A_TIME)
                if work.is_spent:
                    return []
                yield 1
        work.use()
        if work.is_spent:
            return []
        if index % _AT_A_TIME == 0:
            yield 1
        if group.needed_since is not None:
            needed[index] = group.needed_since
        elif index in candidates and is_good(StateWithout(timeline, group.changed, index)):
            groups.append(frozenset(group.members))
    groups.reverse()
    return groups


class _Group:
    """An action and all that would not be possible without it, found one after the other.

    Attributes:
        members: their indices.
        changed: the atoms that they change. Each with the first index from which on an action that is not
            possible without the first member takes that atom along.
        needed_since: if the goal cannot do without them, from which index on the reason holds.
    """

    def __init__(self, timeline: Timeline, index: int, wanted: Mapping[Atom, bool]) -> None:
        self._timeline = timeline
        self._index = index
        self._wanted = wanted
        #: The next mention of each changed atom: where, which atom, and the how manyth mention it is.
        self._next: list[tuple[int, Atom, int]] = []
        self.members: set[int] = set()
        self.changed: dict[Atom, int] = {}
        self.needed_since: int | None = None
        self._add(index, 0)

    def complete(self, needed: Mapping[int, int]) -> bool:
        """Look at one more mention; whether all has been looked at or the goal cannot do without them.

        Args:
            needed: later actions that the goal cannot do without, and from which index on.
        """
        if self.needed_since is not None or not self._next:
            return True
        later, atom, number = heappop(self._next)
        self._push(atom, number + 1)
        timeline, index = self._timeline, self._index
        if later not in self.members and timeline.value(atom, later) != timeline.value(atom, index):
            since = max(self.changed[atom], timeline.since(atom, index))
            known = needed.get(later)
            if known is not None and known <= index:
                self.needed_since = max(since, known)
            else:
                self._add(later, since)
        return False

    def _add(self, member: int, since: int) -> None:
        timeline, index = self._timeline, self._index
        self.members.add(member)
        for atom in timeline.changed[member]:
            if atom in self.changed:
                continue
            if atom in self._wanted and timeline.value(atom, index) != self._wanted[atom]:
                self.needed_since = max(since, timeline.since(atom, index))
                return
            self.changed[atom] = since
            self._push(atom, bisect_right(timeline.mentions(atom), member))

    def _push(self, atom: Atom, number: int) -> None:
        mentions = self._timeline.mentions(atom)
        if number < len(mentions):
            heappush(self._next, (mentions[number], atom, number))
