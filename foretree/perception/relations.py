"""Support relations between masks: which rests on, in or under which.

Masks are dilated; of those that then overlap, a mask rests on the one with the largest overlap over the union
of their outlines, if what both show is also close in space, the first is above or within the second, and
objects like the second bear others. An object on the floor below a surface that it cannot touch is under that
surface. Where the foot of an object is hidden, it rests on the nearest surface beneath the part of it that
shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.perception._frame_geometry import FrameGeometry
from foretree.world_model.ontology import Ontology

#: Masks are dilated until they touch over gaps of so many pixels, less one.
_DILATED = 2
#: What two neighbouring pixels show is close if it is not farther apart than this, and this much per metre
#: away.
_CLOSE, _CLOSE_PER_METRE = 0.10, 0.05
#: How far what is seen of a thing may be outside what is seen of its support, as far as noise and partial
#: views go.
_OUTSIDE, _OUTSIDE_PER_METRE = 0.10, 0.05
#: The same for what rests on a thing that can be carried: of that, most is seen.
_OFF, _OFF_PER_METRE = 0.02, 0.015
#: A contact below a thing counts as so many beside it.
_BELOW = 3.0
#: What stands no higher than this (and this much per metre) stands on the floor.
_FLOOR, _FLOOR_PER_METRE = 0.06, 0.02
#: So much of a thing is inside what it is in rather than on it: metres below the top.
_SUNK = 0.04
#: Less than this and a neighbour is no support.
_LEAST = 0.015
#: What hides the foot of a thing is about as high as this (metres), and leaves this much of the certainty.
_HIDDEN, _GUESSED = 0.15, 0.5


Floats: TypeAlias = NDArray[np.float64]
#: A score, how an object would rest, and on which mask.
_Candidate: TypeAlias = tuple[float, str, int]


class Bearing(Protocol):
    """Support between classes of objects."""

    def relations(self, class_name: str) -> tuple[str, ...]:
        """The relations in which others can rest there, of ``on``, ``in`` and ``under``."""
        ...

    def is_furniture(self, class_name: str) -> bool:
        """Tell whether objects of a class cannot be carried."""
        ...


class AffordedBearing:
    """Support between the classes of an ontology, by what they afford.

    Args:
        ontology: the classes.
        item: the type of what can be carried.
        ways: pairs of an affordance and the relation that it gives, in the order in which they are tried.
    """

    def __init__(
        self,
        ontology: Ontology,
        item: str = "item",
        ways: Sequence[tuple[str, str]] = (("container", "in"), ("surface", "on"), ("brews", "under")),
    ) -> None:
        self._relations = {
            name: tuple(relation for has, relation in ways if has in known.affords)
            for name, known in ontology.classes.items()
        }
        self._furniture = {name for name, known in ontology.classes.items() if known.parent != item}

    def relations(self, class_name: str) -> tuple[str, ...]:
        """The relations in which others can rest there."""
        return self._relations.get(class_name, ())

    def is_furniture(self, class_name: str) -> bool:
        """Tell whether objects of a class cannot be carried."""
        return class_name in self._furniture


@dataclass(frozen=True, slots=True)
class SupportRelation:
    """A mask that rests on another.

    Attributes:
        relation: ``on``, ``in`` or ``under``.
        support: the number of the other mask.
        score: how certain that is, 0 to 1.
    """

    relation: str
    support: int
    score: float


def find_support_relations(
    geometry: FrameGeometry,
    class_names: Sequence[str],
    bearing: Bearing,
    opened: Mapping[int, float] | None = None,
) -> tuple[SupportRelation | None, ...]:
    """For each mask the one that it rests on, as far as the frame shows it.

    Args:
        geometry: what the frame shows in space.
        class_names: for each mask its most likely class.
        bearing: what can rest on what.
        opened: for masks of what can be closed, the probability that it is open: nothing that shows is in
            something shut.
    """
    count = len(class_names)
    if count < 2:
        return (None,) * count
    masks = _Masks(
        geometry,
        geometry.boxes.tolist(),
        [bearing.relations(name) for name in class_names],
        [bearing.is_furniture(name) for name in class_names],
    )
    touching = _touching(geometry, count)
    outside = _outside(geometry.boxes, geometry.distance, masks.fixed)
    found = [masks.touched(thing, touching[thing], outside[thing], opened or {}) for thing in range(count)]
    unsupported = [n for n in range(count) if found[n] is None and geometry.pixels[n] and not masks.fixed[n]]
    if unsupported:
        outside = _outside(_grown(geometry.boxes, found), geometry.distance, masks.fixed)
        for thing in unsupported:
            found[thing] = masks.beneath(thing, outside[thing])
    return without_cycles(found)


@dataclass(frozen=True, slots=True)
class _Masks:
    """The masks of a frame: their boxes, how others can rest on each, and which are furniture."""

    geometry: FrameGeometry
    boxes: list[list[float]]
    ways: list[tuple[str, ...]]
    fixed: list[bool]

    def touched(
        self, thing: int, touching: Floats, outside: Floats, opened: Mapping[int, float]
    ) -> SupportRelation | None:
        """The mask that a mask rests on, of those that it touches, or that it stands under."""
        if not self.geometry.pixels[thing]:
            return None
        on_floor = self.boxes[thing][2] < self._slack(thing)
        best = _best(self._touched(thing, touching, outside, opened, on_floor), _LEAST)
        if on_floor and not self.fixed[thing]:
            return _best(self._sheltering(thing, outside), 0.5) or best
        return best

    def beneath(self, thing: int, outside: Floats) -> SupportRelation | None:
        """The mask that a mask whose foot is hidden most likely rests on."""
        return _best(self._beneath(thing, outside), 0.2 * _GUESSED)

    def _touched(
        self, thing: int, touching: Floats, outside: Floats, opened: Mapping[int, float], on_floor: bool
    ) -> Iterator[_Candidate]:
        slack = self._slack(thing)
        for other in np.flatnonzero(touching > 0).tolist():
            if self.fixed[thing] and (on_floor or not self.fixed[other]):
                continue
            relation = self._relation(thing, other, slack)
            score = float(touching[other] * outside[other])
            if relation == "in" and other in opened:
                score = min(1.0, score) * opened[other]
            yield score, relation, other

    def _sheltering(self, thing: int, outside: Floats) -> Iterator[_Candidate]:
        above = self.boxes[thing][5] + self._slack(thing)
        for other, box in enumerate(self.boxes):
            if self.fixed[other] and self.ways[other] == ("on",) and box[5] > above:
                yield float(outside[other]), "under", other

    def _beneath(self, thing: int, outside: Floats) -> Iterator[_Candidate]:
        slack = self._slack(thing) + _HIDDEN
        for other, box in enumerate(self.boxes):
            if other != thing and self.fixed[other]:
                relation = self._relation(thing, other, slack)
                above = max(0.0, self.boxes[thing][2] - box[5])
                yield _GUESSED * float(outside[other]) * exp(-((above / _HIDDEN) ** 2)), relation, other

    def _slack(self, thing: int) -> float:
        return _FLOOR + _FLOOR_PER_METRE * float(self.geometry.distance[thing])

    def _relation(self, thing: int, other: int, slack: float) -> str:
        """The relation of a mask to another, by their boxes; empty if it does not rest there."""
        ways, box, below = self.ways[other], self.boxes[thing], self.boxes[other]
        bottom, top = box[2], below[5]
        if not ways or bottom > top + 2 * slack or box[5] < below[2] - slack:
            return ""
        if len(ways) > 1 and "on" in ways:
            inside = next(way for way in ways if way != "on")
            return inside if bottom < top - _SUNK - slack else "on"
        return ways[0]


def _best(candidates: Iterable[_Candidate], least: float) -> SupportRelation | None:
    """The first candidate with the highest score above the least."""
    best = None
    for score, relation, other in candidates:
        if relation and score > least:
            least = min(1.0, score)
            best = SupportRelation(relation, other, least)
    return best


def without_cycles(rests: Sequence[SupportRelation | None]) -> tuple[SupportRelation | None, ...]:
    """*rests* without the least certain of each cycle: two pots do not stand in each other."""
    kept = list(rests)

    def score(thing: int) -> float:
        rest = kept[thing]
        return rest.score if rest is not None else 0.0

    for start in range(len(kept)):
        chain = [start]
        while (rest := kept[chain[-1]]) is not None and rest.support not in chain:
            chain.append(rest.support)
        if rest is not None:
            cycle = chain[chain.index(rest.support) :]
            kept[min(cycle, key=lambda thing: (score(thing), thing))] = None
    return tuple(kept)


def _touching(geometry: FrameGeometry, count: int) -> Floats:
    """The overlap of each dilated mask (row) with each other (column), from above or beside."""
    points, depth, flat = geometry.points, geometry.depth.ravel(), geometry.index.ravel()
    width = geometry.index.shape[1]
    firsts, steps, weights = [], [], []
    for step in range(1, _DILATED + 1):
        for on, weight in ((step * width, _BELOW), (step, 1.0)):
            one, other = flat[:-on], flat[on:]
            first = np.flatnonzero((one != other) & (np.minimum(one, other) >= 0))
            if on < width:  # what comes next in the row after it is not beside it
                first = first[first % width < width - on]
            firsts.append(first)
            steps.append(on)
            weights.append(weight)
    number = [len(first) for first in firsts]
    first = np.concatenate(firsts)
    second = first + np.repeat(steps, number)
    near = np.minimum(depth.take(first), depth.take(second))
    apart = points.take(first, axis=1) - points.take(second, axis=1)
    close = np.flatnonzero((apart * apart).sum(axis=0) < (_CLOSE + _CLOSE_PER_METRE * near) ** 2)
    its, others = (flat.take(end.take(close)).astype(np.intp) for end in (first, second))
    overlap = np.bincount(its * count + others, np.repeat(weights, number).take(close), count * count)
    overlap += np.bincount(others * count + its, minlength=count * count)
    shared = overlap.reshape(count, count) / _DILATED
    # What a thing touches is a line; its own outline is what that line can be at most.
    outline = 4 * np.sqrt(geometry.pixels)
    union = outline[:, None] + np.minimum(outline[:, None], outline[None, :]) - shared
    touching: Floats = shared / np.maximum(union, 1.0)
    return touching


def _outside(boxes: Floats, distance: Floats, fixed: Sequence[bool]) -> Floats:
    """The degree, 0 to 1, to which each mask's centre (row) is above each other's box (column)."""
    known = np.where(np.isnan(boxes), 1e6, boxes)
    middle = (known[:, None, :2] + known[:, None, 3:5]) / 2
    beyond = np.maximum(np.maximum(known[None, :, :2] - middle, middle - known[None, :, 3:5]), 0)
    far = np.where(np.isnan(distance), 0.0, distance)[:, None]
    is_fixed = np.array(fixed)
    slack = np.where(is_fixed, _OUTSIDE, _OFF) + np.where(is_fixed, _OUTSIDE_PER_METRE, _OFF_PER_METRE) * far
    apart = np.einsum("ijk,ijk->ij", beyond, beyond) / slack**2
    share: Floats = np.exp(-np.minimum(apart, 50.0))
    return share


def _grown(boxes: Floats, rests: Sequence[SupportRelation | None]) -> Floats:
    """The boxes of masks with those of what rests on them: what lies on a thing hides where it ends."""
    grown: Floats = boxes.copy()
    for thing, rest in enumerate(rests):
        if rest is not None and rest.relation != "under":
            below = grown[rest.support]
            below[:2] = np.minimum(below[:2], boxes[thing, :2])
            below[3:5] = np.maximum(below[3:5], boxes[thing, 3:5])
    return grown
