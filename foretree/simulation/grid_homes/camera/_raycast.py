"""Ray casting of axis-aligned solids: the owner and the depth of the surface in each pixel.

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
from itertools import groupby
from math import cos, radians, sin
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foretree.world_model.camera_model import Lens, Stance

Floats: TypeAlias = NDArray[np.float64]

#: The owner of floor, walls and ceiling, and of what is too far away.
BACKGROUND = -1
#: Rays are kept from running exactly along a face: the depth of a face through the eye would be 0 times
#: infinity.
_SLANT = 1e-12
#: A corner at or behind the camera is taken to be this far ahead when estimating how much of an object is cut
#: off.
_AT_LEAST_AHEAD = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The boxes of a scene.

    Attributes:
        bounds: n x 6: ``x0, y0, z0, x1, y1, z1`` in metres.
        owner: for each box the number of the object it is a part of, or NOBODY. The boxes of a thing are
            adjacent.
        owners: the number of objects; some may have no box.
    """

    bounds: Floats
    owner: NDArray[np.intp]
    owners: int

    @classmethod
    def of(cls, bounds: ArrayLike, owner: ArrayLike) -> Solids:
        """Solids from anything that can be made into arrays."""
        numbers = np.asarray(owner, dtype=np.intp).reshape(-1)
        boxes = np.asarray(bounds, dtype=np.float64).reshape(-1, 6)
        return cls(boxes, numbers, int(numbers.max(initial=BACKGROUND)) + 1)

    def same_as(self, other: Solids) -> bool:
        """Tell whether others look exactly the same."""
        return (
            self.owners == other.owners
            and np.array_equal(self.owner, other.owner)
            and np.array_equal(self.bounds, other.bounds)
        )


@dataclass(frozen=True, slots=True, eq=False)
class RenderedView:
    """A rendered view.

    Attributes:
        owner: for each pixel the number of the object it shows, or NOBODY.
        depth: for each pixel the distance along the camera's axis; infinite where nothing is near enough.
        pixels: for each object the number of pixels that show it.
        visible: for each object the share of its silhouette that shows: not hidden, and within the picture.
            What lies beyond the edge is estimated from the rectangle around the silhouette. 0 for what is out
            of view.
    """

    owner: NDArray[np.int16]
    depth: Floats
    pixels: NDArray[np.intp]
    visible: Floats


def raycast(solids: Solids, stance: Stance, lens: Lens, ceiling: float) -> RenderedView:
    """Render *solids*, the floor at height 0 and the ceiling.

    Of two surfaces at the same depth, the one of the first box is seen. A surface nearer than the lens can
    see is ignored: from within a box the camera looks out of it.
    """
    rays = _rays(lens, stance.pitch)
    depth = _background(lens, stance.pitch, stance.eye, ceiling).copy()
    boxes = _before_camera(solids.bounds, stance)
    in_range = _in_range(boxes, rays, lens)
    passage = _passage(boxes.take(in_range, axis=0), rays, lens)
    in_view = in_range.take(passage.index)
    owners = solids.owner.take(in_view)
    # Walls come first: they are large, and need not be told apart.
    named = owners != BACKGROUND
    walls = int(named.argmax()) if named.any() else len(owners)
    for wall in range(walls):
        passage.raise_wall(wall, depth, lens.near)
    # What is hidden altogether is left out; of what shows, the whole silhouette counts.
    shows = np.zeros(solids.owners + 1, dtype=bool)
    shows[owners[~passage.behind(depth)]] = True
    hits = passage.hits(walls + np.flatnonzero(shows.take(owners[walls:])), lens)
    owner = _draw(hits, owners, depth)
    depth[depth > lens.far] = np.inf
    pixels = np.bincount(owner.reshape(-1) + 1, minlength=solids.owners + 1)[1:]
    visible = np.zeros(solids.owners)
    # Walls that come later have no silhouette.
    things = walls + np.flatnonzero(named[walls:])
    if len(things):
        names = owners.take(things)
        starts = np.flatnonzero(np.append(True, names[1:] != names[:-1]))
        framed = _framed(boxes.take(in_view.take(things), axis=0), starts, stance.pitch, lens)
        names = names.take(starts)
        whole = _silhouettes(hits, owners, solids.owners, lens).take(names)
        visible[names] = pixels.take(names) / np.maximum(whole, 1) * framed
    return RenderedView(owner, depth, pixels, visible)


@dataclass(frozen=True, slots=True, eq=False)
class _Hits:
    """Intersections of rays with boxes, box by box.

    Attributes:
        box: the number of the box, of those that can be in view.
        pixel: the flat index of the pixel.
        depth: where its ray enters the box.
    """

    box: NDArray[np.intp]
    pixel: NDArray[np.intp]
    depth: Floats


def _draw(hits: _Hits, owners: NDArray[np.intp], depth: Floats) -> NDArray[np.int16]:
    """Draw boxes into an image where they are nearer than what is there, and return the owner in each pixel.

    Args:
        hits: where rays enter the boxes.
        owners: by box, what it is a part of.
        depth: of what is there; brought in step.
    """
    flat = depth.reshape(-1)
    nearer = np.flatnonzero(hits.depth < flat.take(hits.pixel))
    pixel, entered = hits.pixel.take(nearer), hits.depth.take(nearer)
    np.minimum.at(flat, pixel, entered)
    nearest = np.flatnonzero(entered == flat.take(pixel))
    # Of several that are equally near, the first.
    box = np.full(flat.size, len(owners), dtype=np.intp)
    np.minimum.at(box, pixel.take(nearest), hits.box.take(nearer.take(nearest)))
    return np.append(owners, BACKGROUND).astype(np.int16).take(box).reshape(depth.shape)


def _silhouettes(hits: _Hits, owners: NDArray[np.intp], count: int, lens: Lens) -> NDArray[np.intp]:
    """The number of pixels in the silhouette of each object if nothing stood before it."""
    of_box = np.bincount(hits.box, minlength=len(owners))
    ends = of_box.cumsum().tolist()
    whole = np.bincount(owners + 1, of_box, count + 1)[1:].astype(np.intp)
    together = np.flatnonzero((owners[1:] == owners[:-1]) & (owners[1:] != BACKGROUND)).tolist()
    for name, number in groupby(together, key=owners.tolist().__getitem__):
        parts = list(number)
        # What one part hides of another counts once.
        outline = np.zeros(lens.height * lens.width, dtype=bool)
        outline[hits.pixel[ends[parts[0]] - of_box[parts[0]] : ends[parts[-1] + 1]]] = True
        whole[name] = np.count_nonzero(outline)
    return whole


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """Directions of the rays of a pitched camera.

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


@lru_cache(maxsize=64)
def _background(lens: Lens, pitch: int, eye: float, ceiling: float) -> Floats:
    """The depth of the floor or the ceiling in each pixel, or more than the lens can see."""
    per_up = _rays(lens, pitch).per_up
    rows = np.minimum(np.where(per_up < 0, -eye, ceiling - eye) * per_up, np.nextafter(lens.far, np.inf))
    return np.repeat(rows[:, None], lens.width, axis=1)


#: By heading, which bounds are ahead, to the left and above, and which of them point the other way.
_TURNED: dict[int, tuple[list[int], Floats]] = {
    0: ([0, 1, 2, 3, 4, 5], np.array((1.0, 1, 1, 1, 1, 1))),
    90: ([1, 3, 2, 4, 0, 5], np.array((1.0, -1, 1, 1, -1, 1))),
    180: ([3, 4, 2, 0, 1, 5], np.array((-1.0, -1, 1, -1, -1, 1))),
    270: ([4, 0, 2, 1, 3, 5], np.array((-1.0, 1, 1, -1, 1, 1))),
}


def _before_camera(bounds: Floats, stance: Stance) -> Floats:
    """The bounds relative to a camera before it is pitched: ahead, to the left, and above."""
    eye = np.array((stance.x, stance.y, stance.eye, stance.x, stance.y, stance.eye))
    sides, signs = _TURNED[stance.heading % 360]
    boxes: Floats = (bounds - eye).take(sides, axis=1)
    boxes *= signs
    return boxes


def _in_range(boxes: Floats, rays: _Rays, lens: Lens) -> NDArray[np.intp]:
    """The boxes that are not clearly behind the camera, beside its view, or too far away."""
    ahead0, left0, _, ahead1, left1, _ = boxes.T
    # A ray that runs ahead at least so fast is past the box at this depth.
    past = np.full(len(boxes), lens.far) if rays.slowest <= 0 else np.minimum(lens.far, ahead1 / rays.slowest)
    aside = past * (lens.width / 2 / lens.focal)
    seen = (past >= lens.near) & (ahead0 <= lens.far * rays.fastest) & (left0 <= aside) & (left1 >= -aside)
    return np.flatnonzero(seen)


@dataclass(frozen=True, slots=True, eq=False)
class _Passage:
    """Passages of rays through boxes.

    Attributes:
        index: which boxes may be in view; of these only:
        windows: the pixels that the box can touch: from which to before which row, the same for columns.
        columns: which of the columns those are.
        earliest: no ray of the window enters the box at a smaller depth.
        row_in: by row, the depth from which on a ray can be inside; the next three likewise.
        row_out: by row, up to which depth.
        column_in: by column, from which depth on.
        column_out: by column, up to which depth.
    """

    index: NDArray[np.intp]
    windows: NDArray[np.intp]
    columns: NDArray[np.bool_]
    earliest: Floats
    row_in: Floats
    row_out: Floats
    column_in: Floats
    column_out: Floats

    def raise_wall(self, number: int, depth: Floats, near: float) -> None:
        """Draw a box whose owner is not needed."""
        rows, columns = (slice(*ends) for ends in self.windows[number].reshape(2, 2).tolist())
        entered = np.maximum(self.row_in[number, rows, None], self.column_in[number, columns])
        left_again = np.minimum(self.row_out[number, rows, None], self.column_out[number, columns])
        hit = entered <= left_again
        if self.earliest[number] < near:
            hit &= entered >= near
        shown = depth[rows, columns]
        np.minimum(shown, entered, out=shown, where=hit)

    def hits(self, boxes: NDArray[np.intp], lens: Lens) -> _Hits:
        """Intersect rays with some boxes, all at once: most windows are small."""
        top, bottom, left, right = self.windows.take(boxes, axis=0).T
        # Of all rows of all windows: in whose it is, which, how wide, and where it begins among all pixels.
        high = bottom - top
        at = np.repeat(np.arange(len(boxes)), high)
        row = np.arange(len(at)) + (top - high.cumsum() + high).take(at)
        wide = (right - left).take(at)
        skew = left.take(at) - wide.cumsum() + wide
        box = boxes.take(at)
        of_row = box * lens.height + row
        # Of all pixels of those rows.
        line = np.repeat(np.arange(len(at)), wide)
        number = np.arange(len(line))
        column = (box * lens.width + skew).take(line)
        column += number
        entered = np.maximum(self.row_in.take(of_row).take(line), self.column_in.take(column))
        left_again = np.minimum(self.row_out.take(of_row).take(line), self.column_out.take(column))
        hit = entered <= left_again
        if self.earliest.min(initial=np.inf) < lens.near:
            hit &= entered >= lens.near
        number = np.flatnonzero(hit)
        line = line.take(number)
        pixel = (row * lens.width + skew).take(line)
        pixel += number
        return _Hits(box.take(line), pixel, entered.take(number))

    def behind(self, depth: Floats) -> NDArray[np.bool_]:
        """Tell for each box whether it is clearly hidden by what is drawn so far, in all its columns."""
        deepest = np.where(self.columns, depth.max(axis=0), -np.inf).max(axis=1, initial=-np.inf)
        hidden: NDArray[np.bool_] = deepest <= self.earliest
        return hidden


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
    seen = tuple(values.take(index, axis=0) for values in (row_in, row_out, column_in, column_out))
    rows, columns = rows.take(index, axis=0), columns.take(index, axis=0)
    windows = np.stack((*_span(rows), *_span(columns)), axis=1)
    earliest = np.maximum(earliest.take(index), seen[2].min(axis=1, initial=np.inf))
    return _Passage(index, windows, columns, earliest, *seen)


def _slab(low: Floats, high: Floats, inverse: Floats) -> tuple[Floats, Floats]:
    """The depths at which each ray passes the nearer and the farther of two parallel faces of each box."""
    one, other = low[:, None] * inverse, high[:, None] * inverse
    return np.minimum(one, other), np.maximum(one, other)


def _span(true: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first column and the column after the last that is true, of each row; no row is empty."""
    return true.argmax(axis=1), true.shape[1] - true[:, ::-1].argmax(axis=1)


def _framed(boxes: Floats, starts: NDArray[np.intp], pitch: int, lens: Lens) -> Floats:
    """The share of the rectangle around each object that is in the image; its boxes begin at *starts*."""
    nod, ahead, up = radians(pitch), boxes[:, 0::3, None], boxes[:, None, 2::3]
    depth = np.maximum(ahead * cos(nod) + up * sin(nod), _AT_LEAST_AHEAD).reshape(-1, 4)
    rise = (up * cos(nod) - ahead * sin(nod)).reshape(-1, 4)
    rise /= depth
    # What is farthest to one side is so of all four edges that run across.
    place = np.stack(
        (
            (-boxes[:, 4, None] / depth).min(axis=1),
            rise.min(axis=1),
            (boxes[:, 1, None] / depth).min(axis=1),
            (-rise).min(axis=1),
        )
    )
    low = np.minimum.reduceat(place[:2], starts, axis=1)
    high = -np.minimum.reduceat(place[2:], starts, axis=1)
    half = np.array(((lens.width / 2 / lens.focal,), (lens.height / 2 / lens.focal,)))
    inside = np.minimum(np.maximum(high, -half), half) - np.minimum(np.maximum(low, -half), half)
    shares = np.divide(inside, high - low, out=np.ones_like(low), where=high > low)
    share: Floats = shares[0] * shares[1]
    return share
