"""What a camera sees of axis-aligned solids: whose surface each pixel shows, and how far away it is.

A body turns by quarters and nods, so its camera never rolls. Turned with it, the solids are still axis-
aligned, and of a ray ``(ahead, left, up)`` through a pixel only ``left`` depends on the column, the others
only on the row. A ray is inside a box where it is between all three pairs of its faces at once; so the depths
at which a box is entered and left are, before they are combined, one number per row and one per column. That
makes an exact image cheap: a few short vectors per box, and two-dimensional work only inside the window of
pixels that the box can touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foretree.world_model.camera_model import Lens, Stance

Floats: TypeAlias = NDArray[np.float64]

#: The owner of what is no thing: floor, walls, ceiling, and what is too far away.
NOBODY = -1
#: Rays are kept from running exactly along a face: the depth of a face through the eye would be 0 times
#: infinity.
_SLANT = 1e-12
#: A corner at or behind the camera is taken to be this far ahead when estimating how much of a thing is cut
#: off.
_AT_LEAST_AHEAD = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The boxes of a scene.

    Attributes:
        bounds: n x 6: ``x0, y0, z0, x1, y1, z1`` in metres.
        owner: for each box the number of the thing it is a part of, or NOBODY. The boxes of a thing are
            adjacent.
        owners: how many things there are; some may have no box.
    """

    bounds: Floats
    owner: NDArray[np.intp]
    owners: int

    @classmethod
    def of(cls, bounds: ArrayLike, owner: ArrayLike) -> Solids:
        """Solids from anything that can be made into arrays."""
        numbers = np.asarray(owner, dtype=np.intp).reshape(-1)
        boxes = np.asarray(bounds, dtype=np.float64).reshape(-1, 6)
        return cls(boxes, numbers, int(numbers.max(initial=NOBODY)) + 1)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a camera sees.

    Attributes:
        owner: for each pixel the number of the thing it shows, or NOBODY.
        depth: for each pixel the distance along the camera's axis; infinite where nothing is near enough.
        pixels: for each thing how many pixels show it.
        visible: for each thing the share of its silhouette that shows: not hidden, and within the picture.
            What lies beyond the edge is estimated from the rectangle around the silhouette. 0 for what is out
            of view.
    """

    owner: NDArray[np.int16]
    depth: Floats
    pixels: NDArray[np.intp]
    visible: Floats


def cast(solids: Solids, stance: Stance, lens: Lens, ceiling: float) -> View:
    """What the camera sees of *solids*, of the floor at height 0 and of the ceiling.

    Of two surfaces at the same depth, the one of the box that comes first is seen. A surface nearer than the
    lens can see is not there: from within a box one looks out of it.
    """
    rays = _rays(lens, stance.pitch)
    too_far = np.nextafter(lens.far, np.inf)
    depth = np.empty((lens.height, lens.width))
    depth[:] = np.minimum(_floor_and_ceiling(rays, stance.eye, ceiling), too_far)[:, None]
    owner = np.full((lens.height, lens.width), NOBODY, dtype=np.int16)
    # How many pixels each silhouette has if nothing stands before it; NOBODY's, which is -1, comes last.
    whole = np.zeros(solids.owners + 1)
    outline = np.zeros((lens.height, lens.width), dtype=bool)

    boxes = _before_camera(solids.bounds, stance)
    in_range = _in_range(boxes, rays, lens)
    passage = _passage(boxes[in_range], rays, lens)
    in_view = in_range[passage.index]
    owners = solids.owner[in_view]
    is_first = np.diff(owners, prepend=NOBODY - 1) != 0
    starts = np.flatnonzero(is_first | (owners == NOBODY))
    ends = np.append(starts, len(owners))[1:]
    is_bare = True  # nobody's walls are all that was seen so far
    for thing, start, end in zip(owners[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
        is_bare &= thing == NOBODY
        parts = range(start, end)
        if all(passage.is_behind(part, depth) for part in parts):
            continue
        outline[:] = False
        for part in parts:
            top, bottom, left, right = passage.windows[part]
            entered, hit = passage.through(part, lens.near)
            if len(parts) > 1:
                outline[top:bottom, left:right] |= hit  # what one part hides of another counts once
            else:
                whole[thing] = np.count_nonzero(hit)
            shown = depth[top:bottom, left:right]
            if thing == NOBODY and is_bare:
                np.minimum(shown, entered, out=shown, where=hit)
                continue
            hit &= entered < shown
            np.copyto(shown, entered, where=hit)
            np.copyto(owner[top:bottom, left:right], thing, where=hit)
        if len(parts) > 1:
            whole[thing] = np.count_nonzero(outline)

    depth[depth > lens.far] = np.inf
    pixels = np.bincount(owner.ravel() + 1, minlength=solids.owners + 1)[1:]
    visible = np.divide(pixels, whole[:-1], out=np.zeros(solids.owners), where=whole[:-1] > 0)
    if len(starts):
        things = owners[starts]
        framed = _framed(boxes[in_view], starts, stance.pitch, lens)
        visible[things[things != NOBODY]] *= framed[things != NOBODY]
    return View(owner, depth, pixels, visible)


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """How the rays of a nodding camera run.

    Attributes:
        per_ahead: by row, the depth that a ray gains for each metre that it goes ahead.
        per_up: by row, likewise for each metre up.
        per_left: by column, likewise for each metre to the left.
        slowest: the least that any ray goes ahead for each metre of depth; below 0, some go back.
        fastest: the most.
    """

    per_ahead: Floats
    per_up: Floats
    per_left: Floats
    slowest: float
    fastest: float


@lru_cache(maxsize=64)
def _rays(lens: Lens, pitch: int) -> _Rays:
    rise = (lens.height / 2 - 0.5 - np.arange(lens.height)) / lens.focal
    left = (lens.width / 2 - 0.5 - np.arange(lens.width)) / lens.focal
    ahead = cos(radians(pitch)) - rise * sin(radians(pitch))
    up = sin(radians(pitch)) + rise * cos(radians(pitch))
    per_ahead, per_up, per_left = (
        1 / np.where(np.abs(axis) < _SLANT, _SLANT, axis) for axis in (ahead, up, left)
    )
    return _Rays(per_ahead, per_up, per_left, float(ahead.min()), float(ahead.max()))


def _floor_and_ceiling(rays: _Rays, eye: float, ceiling: float) -> Floats:
    """The depth of the floor or the ceiling in each row."""
    return np.where(rays.per_up < 0, -eye, ceiling - eye) * rays.per_up


def _before_camera(bounds: Floats, stance: Stance) -> Floats:
    """The bounds as a camera has them before it nods: ahead of it, to its left, and above it."""
    x0, y0, z0, x1, y1, z1 = bounds.T
    x0, x1, y0, y1 = x0 - stance.x, x1 - stance.x, y0 - stance.y, y1 - stance.y
    ahead0, left0, ahead1, left1 = (
        (x0, y0, x1, y1),
        (y0, -x1, y1, -x0),
        (-x1, -y1, -x0, -y0),
        (-y1, x0, -y0, x1),
    )[stance.heading // 90 % 4]
    return np.stack((ahead0, left0, z0 - stance.eye, ahead1, left1, z1 - stance.eye), axis=1)


def _in_range(boxes: Floats, rays: _Rays, lens: Lens) -> NDArray[np.intp]:
    """Which boxes are not plainly behind the camera, beside its view, or too far away."""
    ahead0, left0, _, ahead1, left1, _ = boxes.T
    # A ray that runs ahead at least so fast is past the box at this depth.
    past = np.full(len(boxes), lens.far) if rays.slowest <= 0 else np.minimum(lens.far, ahead1 / rays.slowest)
    aside = past * (lens.width / 2 / lens.focal)
    seen = (past >= lens.near) & (ahead0 <= lens.far * rays.fastest) & (left0 <= aside) & (left1 >= -aside)
    return np.flatnonzero(seen)


@dataclass(frozen=True, slots=True, eq=False)
class _Passage:
    """Where rays pass boxes.

    Attributes:
        index: which boxes may be in view; of these only:
        windows: the pixels that the box can touch: from which to before which row, the same for columns.
        earliest: no ray of the window enters the box at a smaller depth.

        row_in: for all boxes, by row, the depth from which on a ray can be inside; the next three likewise.
        row_out: by row, up to which depth.
        column_in: by column, from which depth on.
        column_out: by column, up to which depth.
    """

    index: NDArray[np.intp]
    windows: list[tuple[int, int, int, int]]
    earliest: list[float]
    row_in: Floats
    row_out: Floats
    column_in: Floats
    column_out: Floats

    def through(self, number: int, near: float) -> tuple[Floats, NDArray[np.bool_]]:
        """At which depth the rays in a box's window enter it, and which of them go through it."""
        box = self.index[number]
        top, bottom, left, right = self.windows[number]
        entered = np.maximum(self.row_in[box, top:bottom, None], self.column_in[box, left:right])
        left_again = np.minimum(self.row_out[box, top:bottom, None], self.column_out[box, left:right])
        hit = entered <= left_again
        if self.earliest[number] < near:
            hit &= entered >= near
        return entered, hit

    def is_behind(self, number: int, depth: Floats) -> bool:
        """Whether all of a box is plainly hidden by what has been seen so far."""
        top, bottom, left, right = self.windows[number]
        return bool(depth[top:bottom, left:right].max() <= self.earliest[number])


def _passage(boxes: Floats, rays: _Rays, lens: Lens) -> _Passage:
    row_in, row_out = _slab(boxes[:, 0], boxes[:, 3], rays.per_ahead)
    up_in, up_out = _slab(boxes[:, 2], boxes[:, 5], rays.per_up)
    np.maximum(row_in, up_in, out=row_in)
    np.minimum(row_out, up_out, out=row_out)
    column_in, column_out = _slab(boxes[:, 1], boxes[:, 4], rays.per_left)
    rows = (row_in <= row_out) & (row_out >= lens.near) & (row_in <= lens.far)
    earliest = np.where(rows, row_in, np.inf).min(axis=1)
    latest = np.where(rows, row_out, -np.inf).max(axis=1)
    columns = column_in <= np.minimum(latest, lens.far)[:, None]
    columns &= column_out >= np.maximum(earliest, lens.near)[:, None]
    index = np.flatnonzero(rows.any(axis=1) & columns.any(axis=1))
    windows = np.concatenate((_span(rows[index]), _span(columns[index])), axis=1)
    earliest = np.maximum(earliest[index], column_in[index].min(axis=1))
    return _Passage(index, windows.tolist(), earliest.tolist(), row_in, row_out, column_in, column_out)


def _slab(low: Floats, high: Floats, inverse: Floats) -> tuple[Floats, Floats]:
    """The depths at which each ray passes the nearer and the farther of two parallel faces of each box."""
    one, other = low[:, None] * inverse, high[:, None] * inverse
    return np.minimum(one, other), np.maximum(one, other)


def _span(true: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where in each row of *true*, none of which is empty, it begins to be so, and where it ends."""
    return np.stack((true.argmax(axis=1), true.shape[1] - true[:, ::-1].argmax(axis=1)), axis=1)


def _framed(boxes: Floats, starts: NDArray[np.intp], pitch: int, lens: Lens) -> Floats:
    """How much of the rectangle around each thing is in the picture; its boxes begin at *starts*."""
    ahead = boxes[:, [0, 0, 0, 0, 3, 3, 3, 3]]
    left = boxes[:, [1, 1, 4, 4, 1, 1, 4, 4]]
    up = boxes[:, [2, 5, 2, 5, 2, 5, 2, 5]]
    depth = np.maximum(ahead * cos(radians(pitch)) + up * sin(radians(pitch)), _AT_LEAST_AHEAD)
    share = np.ones(len(starts))
    for length, offset in (
        (lens.width, -left),
        (lens.height, up * cos(radians(pitch)) - ahead * sin(radians(pitch))),
    ):
        half = length / 2 / lens.focal
        place = offset / depth
        low = np.minimum.reduceat(place.min(axis=1), starts)
        high = np.maximum.reduceat(place.max(axis=1), starts)
        inside = np.clip(high, -half, half) - np.clip(low, -half, half)
        share *= np.divide(inside, high - low, out=np.ones_like(low), where=high > low)
    return share
