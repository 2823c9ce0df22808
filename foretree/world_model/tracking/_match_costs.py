"""Costs of matching a detection with an entity, from distance, classes and appearance; the cheapest first.

Entities are kept by class and sorted along one axis, so that most are never looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush, heapreplace, merge
from math import dist, fsum, hypot, inf, sqrt
from operator import itemgetter
from typing import TypeAlias

from foretree.world_model.beliefs.facts import Entity, Pose
from foretree.world_model.observation import Detection
from foretree.world_model.ontology import Ontology

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


#: Metres from its last pose within which an object counts as unmoved.
NEAR = 0.35
#: The same for what belongs to the map, which is bigger.
NEAR_FIXED = 0.5
#: Metres within which there is no room for two objects: the detection is the one that was there.
SAME_SPOT = 0.1
#: The share of class scores left to other classes from which on a detection may be a quite different object.
ROOM = 0.15
#: The agreement of classes that it takes to recognise an object where it was not before.
RATHER = 0.3

_LOOK_ALIKE_COST = 0.4
ODD_COST = 0.8
_FAR_COST = 0.1
#: Metres from which on any distance costs the same.
_FAR = 10.0
#: More than the error of rounding.
_DUST = 1e-9

#: A detection and an entity that may be one, with the cost of matching them.
Pair: TypeAlias = tuple[float, Detection, Entity]
#: No shift.
NOWHERE: Pose = (0.0, 0.0, 0.0)

_FEATURES_WEIGHT = 0.5


def gap(detection: Detection, entity: Entity, moved: Pose = NOWHERE) -> float:
    """The distance of a detection from an entity's pose, were that shifted by *moved*."""
    here, there = detection.pose, entity.pose or detection.pose
    return hypot(*(h - t - m for h, t, m in zip(here, there, moved, strict=True)))


def way_moved(detections: Sequence[Detection], entities: Sequence[Entity]) -> Pose:
    """The shift from the mean of the entities' poses to that of the detections, if there are as many."""
    before = [entity.pose for entity in entities if entity.pose is not None]
    if len(before) != len(detections):
        return NOWHERE
    after = [detection.pose for detection in detections]
    x, y, z = (
        _mean(a) - _mean(b) for a, b in zip(zip(*after, strict=True), zip(*before, strict=True), strict=True)
    )
    return x, y, z


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def unlike(detection: Detection, entity: Entity) -> float:
    """The cost of different appearance; 0 when either has no descriptor."""
    one, other = detection.features, entity.features
    if not one or len(one) != len(other):
        return 0.0
    norm = sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    if norm == 0.0:
        return 0.0
    return _FEATURES_WEIGHT * (1.0 - sum(x * y for x, y in zip(one, other, strict=True)) / norm)


class MatchCosts:
    """Costs of matching the detections of a look with the entities of a belief.

    Args:
        ontology: the classes of objects.
        seen_as: by detection, its likeliest class.
        best: by entity, its likeliest class.
        left_at: the last poses of entities whose place is unknown.
    """

    def __init__(
        self,
        ontology: Ontology,
        seen_as: Mapping[str, str],
        best: Mapping[str, str],
        left_at: Mapping[str, Pose],
    ) -> None:
        self._ontology = ontology
        self._seen_as = seen_as
        self._best = best
        self._left_at = left_at

    def cheapest_first(
        self, detection: Detection, candidates: Candidates, moved: Pose = NOWHERE
    ) -> Iterator[tuple[float, str]]:
        """The entities that a detection may be that has moved, each with its cost, the least first."""
        classes, seen = detection.classes, self._seen_as[detection.id]
        # Whatever it is taken for, so much speaks against it, and more the farther away that is.
        least = min(0.1 * (1.0 - classes[seen]), 1.0 - sum(classes.values())) - _DUST
        waiting: list[tuple[float, str]] = []
        for away, entity in candidates.of(classes, detection.pose[0], moved[0], _FAR, NEAR):
            while waiting and waiting[0][0] < least + away * _FAR_COST:
                yield heappop(waiting)
            for cost, _, _ in self.pairs(detection, entity, moved):
                heappush(waiting, (cost, entity.name))
        while waiting:
            yield heappop(waiting)

    def pairs(self, detection: Detection, entity: Entity, moved: Pose = NOWHERE) -> Iterator[Pair]:
        cost = self.class_cost(detection, entity, inf)
        if cost is not None:
            yield (
                cost + self._far(detection, entity, moved) * _FAR_COST + unlike(detection, entity),
                detection,
                entity,
            )

    def _far(self, detection: Detection, entity: Entity, moved: Pose) -> float:
        """The distance of a detection from where the entity was, as a share of what counts as far."""
        if entity.pose is not None:
            return min(1.0, gap(detection, entity, moved) / _FAR)
        # What was overlooked for a while, one of three slices, say, is where it was.
        left_at = self._left_at.get(entity.name)
        return 1.0 if left_at is None else min(1.0, dist(detection.pose, left_at) / NEAR)

    def class_cost(self, detection: Detection, entity: Entity, apart: float) -> float | None:
        """The cost of different classes, from 0 to 1; None when it cannot be the same object."""
        seen, believed = self._seen_as[detection.id], self._best[entity.name]
        if seen == believed:
            return 0.1 * (1.0 - detection.classes[seen])
        same_spot = apart <= SAME_SPOT
        odd = False
        if self._ontology.type_of(seen) == self._ontology.type_of(believed):
            # What belongs to the map does not move: whatever is seen there is it.
            odd = same_spot and (entity.fixed or sum(detection.classes.values()) <= 1.0 - ROOM)
        elif not same_spot:
            return None
        scores = detection.classes.items()
        shared = sum(min(score, entity.classes.get(name, 0.0)) for name, score in scores)
        if apart > NEAR_FIXED:
            # Nothing but its looks says that it is the same thing.
            return 1.0 - shared if shared >= RATHER else None
        if self._ontology.look_alike(seen, believed):
            return min(_LOOK_ALIKE_COST, 1.0 - shared)
        if shared >= 0.1:
            return 1.0 - shared
        return ODD_COST if odd else None
