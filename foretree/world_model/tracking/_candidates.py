"""Candidates: the entities that a detection may be, the nearest first, without trying all.

Entities are kept by class and sorted along one axis, so that most are never looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heapreplace, merge
from operator import itemgetter
from typing import TypeAlias

from foretree.world_model.beliefs.facts import Entity, Pose

#: By class: entities by where they are along x.
_Line: TypeAlias = dict[str, list[tuple[float, str, Entity]]]


class Candidates:
    """Entities by their possible classes and their poses.

    Args:
        entities: the candidates.
        left_at: the last poses of entities whose place is unknown.
    """

    def __init__(self, entities: Iterable[Entity], left_at: Mapping[str, Pose]) -> None:
        self._placed: _Line = {}
        self._left: _Line = {}
        self._nowhere: dict[str, list[Entity]] = {}
        for entity in entities:
            left = left_at.get(entity.name)
            for name in entity.classes:
                if entity.pose is not None:
                    self._placed.setdefault(name, []).append((entity.pose[0], entity.name, entity))
                elif left is not None:
                    self._left.setdefault(name, []).append((left[0], entity.name, entity))
                else:
                    self._nowhere.setdefault(name, []).append(entity)
        for line in (*self._placed.values(), *self._left.values()):
            line.sort(key=itemgetter(0, 1))

    def of(
        self, classes: Collection[str], x: float, moved: float, far: float, lost: float
    ) -> Iterator[tuple[float, Entity]]:
        """Entities that can be of one of some classes, each with a lower bound of its distance, from 0 to 1.

        The bounds grow from one to the next.

        Args:
            classes: the possible classes of the detection.
            x: its x coordinate.
            moved: the shift along x of objects that have moved together.
            far: the distance that counts as 1.
            lost: the same for entities whose place is unknown.
        """
        lines = [
            _outwards(line[name], at, most)
            for line, at, most in ((self._placed, x - moved, far), (self._left, x, lost))
            for name in classes
            if name in line
        ]
        lines += [((1.0, entity) for entity in self._nowhere.get(name, ())) for name in classes]
        if len(lines) == 1:
            yield from lines[0]
            return
        met = set()
        for away, entity in merge(*lines, key=itemgetter(0)):
            if entity.name not in met:
                met.add(entity.name)
                yield away, entity


def _outwards(line: list[tuple[float, str, Entity]], x: float, far: float) -> Iterator[tuple[float, Entity]]:
    """The entities on a line, from *x* outwards, with their distance as a share of *far*, 1 at most."""
    after = bisect_left(line, x, key=itemgetter(0))
    before = after - 1
    while before >= 0 or after < len(line):
        if before < 0 or (after < len(line) and line[after][0] - x <= x - line[before][0]):
            yield min(1.0, (line[after][0] - x) / far), line[after][2]
            after += 1
        else:
            yield min(1.0, (x - line[before][0]) / far), line[before][2]
            before -= 1


def one_to_one(
    rows: Iterable[tuple[str, Iterator[tuple[float, str]]]], taken: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Match one to one, greedily: yield pairs, the cheapest first.

    Args:
        rows: the second sides that each first side can be paired with, with their costs, the cheapest first.
        taken: second sides that are in pairs already; the caller adds that of each pair.
    """
    open_rows = []
    for first, row in rows:
        ahead = next(row, None)
        if ahead is not None:
            open_rows.append((ahead[0], first, ahead[1], row))
    heapify(open_rows)
    while open_rows:
        _, first, second, row = open_rows[0]
        if second not in taken:
            heappop(open_rows)
            yield first, second
            continue
        ahead = next((pair for pair in row if pair[1] not in taken), None)
        if ahead is None:
            heappop(open_rows)
        else:
            heapreplace(open_rows, (ahead[0], first, ahead[1], row))
