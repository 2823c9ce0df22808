"""What rests on what, from masks: the neighbour that a mask touches most, where it can bear it.

Masks are dilated; of those that then overlap, the one of the largest overlap over the union of their outlines
is what a thing rests on, if what both show is also close in space, the thing is above it or within it, and
such things bear others. A thing on the floor below a surface that it cannot touch is under that. Where the
foot of a thing is hidden, it rests on the nearest of what is beneath the part of it that shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Protocol

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


class Bearing(Protocol):
    """What can rest on what."""

    def relations(self, class_name: str) -> tuple[str, ...]:
        """How things can rest on or in such a thing: of ``on``, ``in`` and ``under``."""
        ...

    def is_furniture(self, class_name: str) -> bool:
        """Whether such things stand where they stand."""
        ...


class AffordedBearing:
    """What can rest on what, by what the classes of an ontology afford.

    Args:
        ontology: the classes.
        item: the type of what can be carried.
        ways: an affordance and how things rest on what has it, in the order in which they are tried.
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
        """How things can rest on or in such a thing."""
        return self._relations.get(class_name, ())

    def is_furniture(self, class_name: str) -> bool:
        """Whether such things stand where they stand."""
        return class_name in self._furniture


@dataclass(frozen=True, slots=True)
class SupportRelation:
    """How one mask rests on another.

    Attributes:
        relation: ``on``, ``in`` or ``under``.
        support: the number of the mask that it rests on.
        score: how plain that is, 0 to 1.
    """

    relation: str
    support: int
    score: float


def find_support_relations(
    surfaces: FrameGeometry,
    class_names: Sequence[str],
    bearing: Bearing,
    opened: Mapping[int, float] | None = None,
) -> tuple[SupportRelation | None, ...]:
    """For each mask what it rests on, as far as the frame shows it.

    Args:
        surfaces: what the frame shows in space.
        class_names: for each mask what it most likely is.
        bearing: what can rest on what.
        opened: of masks of what can be closed, how likely it is open: what shows is in nothing that is shut.
    """
    count = len(class_names)
    if count < 2:
        return (None,) * count
    ways = [bearing.relations(name) for name in class_names]
    fixed = [bearing.is_furniture(name) for name in class_names]
    touching = _touching(surfaces, count)
    outside = _outside(surfaces.boxes, surfaces.distance, fixed)
    boxes = surfaces.boxes.tolist()
    found: list[SupportRelation | None] = []
    for thing in range(count):
        best: SupportRelation | None = None
        if surfaces.pixels[thing]:
            slack = _FLOOR + _FLOOR_PER_METRE * float(surfaces.distance[thing])
            on_floor = boxes[thing][2] < slack
            for other in np.flatnonzero(touching[thing] > 0).tolist():
                if not ways[other] or (fixed[thing] and (on_floor or not fixed[other])):
                    continue
                relation = _relation(boxes[thing], boxes[other], ways[other], slack)
                score = float(touching[thing, other] * outside[thing, other])
                if relation == "in" and opened is not None and other in opened:
                    score = min(1.0, score) * opened[other]
                if relation and score > (best.score if best else _LEAST):
                    best = SupportRelation(relation, other, min(1.0, score))
            if on_floor and not fixed[thing]:
                best = _sheltered(thing, boxes, ways, fixed, outside, slack) or best
        found.append(best)
    homeless = [n for n in range(count) if found[n] is None and surfaces.pixels[n] and not fixed[n]]
    if homeless:
        outside = _outside(_grown(surfaces.boxes, found), surfaces.distance, fixed)
        for thing in homeless:
            slack = _FLOOR + _FLOOR_PER_METRE * float(surfaces.distance[thing])
            found[thing] = _beneath(thing, boxes, ways, fixed, outside, slack)
    return without_cycles(found)


def without_cycles(rests: Sequence[SupportRelation | None]) -> tuple[SupportRelation | None, ...]:
    """*rests* without the least plain of each circle: two pots do not stand in each other."""
    kept = list(rests)
    for start in range(len(kept)):
        chain = [start]
        while (rest := kept[chain[-1]]) is not None and rest.support not in chain:
            chain.append(rest.support)
        if rest is not None:
            circle = chain[chain.index(rest.support) :]
            kept[min(circle, key=lambda thing: (_score(kept[thing]), thing))] = None
    return tuple(kept)


def _score(rest: SupportRelation | None) -> float:
    return rest.score if rest is not None else 0.0


def _touching(surfaces: FrameGeometry, count: int) -> NDArray[np.float64]:
    """How much each mask (row), dilated, overlaps each other (column) from above or beside."""
    points, depth, flat = surfaces.points, surfaces.depth.ravel(), surfaces.index.ravel()
    width = surfaces.index.shape[1]
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
    outline = 4 * np.sqrt(surfaces.pixels)
    union = outline[:, None] + np.minimum(outline[:, None], outline[None, :]) - shared
    touching: NDArray[np.float64] = shared / np.maximum(union, 1.0)
    return touching


def _outside(
    boxes: NDArray[np.float64], distance: NDArray[np.float64], fixed: Sequence[bool]
) -> NDArray[np.float64]:
    """From above, how little each mask's middle (row) is outside each other's box (column): 1 to 0."""
    known = np.where(np.isnan(boxes), 1e6, boxes)
    middle = (known[:, None, :2] + known[:, None, 3:5]) / 2
    beyond = np.maximum(np.maximum(known[None, :, :2] - middle, middle - known[None, :, 3:5]), 0)
    far = np.where(np.isnan(distance), 0.0, distance)[:, None]
    is_fixed = np.array(fixed)
    slack = np.where(is_fixed, _OUTSIDE, _OFF) + np.where(is_fixed, _OUTSIDE_PER_METRE, _OFF_PER_METRE) * far
    apart = np.einsum("ijk,ijk->ij", beyond, beyond) / slack**2
    share: NDArray[np.float64] = np.exp(-np.minimum(apart, 50.0))
    return share


def _grown(boxes: NDArray[np.float64], rests: Sequence[SupportRelation | None]) -> NDArray[np.float64]:
    """The boxes of masks with those of what rests on them: what lies on a thing hides where it ends."""
    grown: NDArray[np.float64] = boxes.copy()
    for thing, rest in enumerate(rests):
        if rest is not None and rest.relation != "under":
            below = grown[rest.support]
            below[:2] = np.minimum(below[:2], boxes[thing, :2])
            below[3:5] = np.maximum(below[3:5], boxes[thing, 3:5])
    return grown


def _beneath(
    thing: int,
    boxes: list[list[float]],
    ways: list[tuple[str, ...]],
    fixed: list[bool],
    outside: NDArray[np.float64],
    slack: float,
) -> SupportRelation | None:
    """What a thing whose foot is hidden most likely rests on."""
    best: SupportRelation | None = None
    for other in range(len(boxes)):
        if other == thing or not fixed[other] or not ways[other]:
            continue
        relation = _relation(boxes[thing], boxes[other], ways[other], slack + _HIDDEN)
        above = max(0.0, boxes[thing][2] - boxes[other][5]) if relation else inf
        score = _GUESSED * float(outside[thing, other]) * exp(-((above / _HIDDEN) ** 2))
        if score > (best.score if best else 0.2 * _GUESSED):
            best = SupportRelation(relation, other, score)
    return best


def _relation(thing: list[float], other: list[float], ways: tuple[str, ...], slack: float) -> str:
    """How a thing would rest on another, by their boxes; empty if it does not."""
    bottom, top = thing[2], other[5]
    if bottom > top + 2 * slack or thing[5] < other[2] - slack:
        return ""
    if len(ways) > 1 and "on" in ways:
        inside = next(way for way in ways if way != "on")
        return inside if bottom < top - _SUNK - slack else "on"
    return ways[0]


def _sheltered(
    thing: int,
    boxes: list[list[float]],
    ways: list[tuple[str, ...]],
    fixed: list[bool],
    outside: NDArray[np.float64],
    slack: float,
) -> SupportRelation | None:
    """The surface that a thing on the floor is under."""
    best: SupportRelation | None = None
    for other in range(len(boxes)):
        over = fixed[other] and ways[other] == ("on",) and boxes[other][5] > boxes[thing][5] + slack
        score = float(outside[thing, other])
        if over and score > (best.score if best else 0.5):
            best = SupportRelation("under", other, score)
    return best
