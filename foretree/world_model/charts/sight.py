"""From a depth image to points in the home: which pixels show the floor, and where the others' surfaces are.

A body's camera turns by quarters and nods, but never rolls. So how far a pixel's ray goes ahead and up is the
same along a row, how far it goes to the left the same along a column, and all of it is known before the
picture is taken. Where the floor would be in each pixel is known, too: a pixel whose depth is that of the
floor tells exactly where the floor is, however noisy the depth.

Depth is noisy in each pixel on its own. Over a flat surface one over the depth is linear in the image, so the
mean over a pixel's neighbours on the same surface is its own value with a third of the noise, and no blur at
edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.world_model.camera_model import Lens, Stance

Floats: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]
Counts: TypeAlias = NDArray[np.intp]

#: Two pixels show the same surface if their depths differ by less than this share: several times the noise.
_SAME_SURFACE = 0.08
#: Each round of taking the mean over neighbours makes the noise less.
_ROUNDS = 2
#: A surface less than this above or below the floor is the floor (metres).
FLOOR = 0.04
_LEVEL = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """How far the rays through the pixels of a camera go per metre of depth.

    Attributes:
        ahead: by row, in the direction of the heading.
        up: by row.
        left: by column.
    """

    ahead: Floats
    up: Floats
    left: Floats

    def floor_depth(self, eye: float) -> Floats:
        """By row, the depth at which the floor is; infinite at the horizon and above it."""
        down = -self.up
        return np.divide(eye, down, out=np.full_like(down, np.inf), where=down > _LEVEL)


@lru_cache(maxsize=64)
def rays_of(lens: Lens, pitch: int) -> Rays:
    """The rays of a camera that nods by *pitch*."""
    rise = (lens.height / 2 - 0.5 - np.arange(lens.height)) / lens.focal
    left = (lens.width / 2 - 0.5 - np.arange(lens.width)) / lens.focal
    ahead = cos(radians(pitch)) - rise * sin(radians(pitch))
    up = sin(radians(pitch)) + rise * cos(radians(pitch))
    return Rays(*(axis.astype(np.float32) for axis in (ahead, up, left)))


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """What the pixels of a picture show.

    Attributes:
        depth: along the camera's axis, with less noise; infinite where nothing is seen.
        height: above the floor, in metres; not a number where nothing is seen.
        lean: which part of a step straight into the surface goes along the camera's heading.
        slant: which part of it goes to the left. Both are 0 on a level surface.
        company: how many pixels, itself included, the depth of each is the mean of. At the edges of things
            there are few, and the noise is large.
    """

    depth: Floats
    height: Floats
    lean: Floats
    slant: Floats
    company: Floats


def surfaces(depth: Floats, labels: NDArray[np.int16] | None, stance: Stance, lens: Lens) -> Surfaces:
    """Make out the surfaces in a picture.

    Args:
        depth: for each pixel the distance along the camera's axis; infinite where nothing is seen.
        labels: for each pixel the mask that it belongs to: surfaces end where masks do.
        stance: how the camera stands.
        lens: how it is built.
    """
    nearness = np.zeros(depth.shape, dtype=np.float32)
    np.divide(1.0, depth, out=nearness, where=np.isfinite(depth) & (depth > 0))
    together = [None if labels is None else labels[way.far] == labels[way.near] for way in _WAYS]
    company = np.ones_like(nearness)
    for _ in range(_ROUNDS):
        nearness, company = _smooth(nearness, together)
    seen = nearness > 0
    smoothed = np.divide(1.0, nearness, out=np.full_like(nearness, np.inf), where=seen)
    rays = rays_of(lens, stance.pitch)
    height = np.full_like(nearness, np.nan)
    np.add(np.float32(stance.eye), smoothed * rays.up[:, None], out=height, where=seen)
    # A plane is where a * ahead + b * left + c * up = 1; so over the image, one over the depth grows by b per
    # ray to the left, and by c per ray upwards; and (a, b, c) points straight into the surface.
    focal, pitch = np.float32(lens.focal), radians(stance.pitch)
    left = -focal * _slope(nearness, _RIGHT, together[0])
    up = -focal * _slope(nearness, _DOWN, together[1])
    rise = (np.float32(lens.height / 2 - 0.5) - np.arange(lens.height, dtype=np.float32)) / focal
    forward = nearness - left * rays.left - up * rise[:, None]
    length = np.sqrt(forward * forward + left * left + up * up)
    length[~seen] = 1
    ahead = forward * np.float32(cos(pitch)) - up * np.float32(sin(pitch))
    return Surfaces(smoothed, height, ahead / length, left / length, company)


_Part: TypeAlias = tuple[slice, slice]


class _Neighbours(NamedTuple):
    """Pixels and those next to them in one direction.

    Attributes:
        near: the pixels that have such a neighbour.
        far: the neighbours.
        onward: of the steps from the first to the second, those from pixels with a neighbour on either side.
        back: those to such pixels.
        between: those pixels.
    """

    near: _Part
    far: _Part
    onward: _Part
    back: _Part
    between: _Part


_ALL, _FIRST, _LAST, _INNER = slice(None), slice(None, -1), slice(1, None), slice(1, -1)
_RIGHT = _Neighbours((_ALL, _FIRST), (_ALL, _LAST), (_ALL, _LAST), (_ALL, _FIRST), (_ALL, _INNER))
_DOWN = _Neighbours((_FIRST, _ALL), (_LAST, _ALL), (_LAST, _ALL), (_FIRST, _ALL), (_INNER, _ALL))
_WAYS = (
    _RIGHT,
    _DOWN,
    _Neighbours((_FIRST, _FIRST), (_LAST, _LAST), (_LAST, _LAST), (_FIRST, _FIRST), (_INNER, _INNER)),
    _Neighbours((_FIRST, _LAST), (_LAST, _FIRST), (_LAST, _FIRST), (_FIRST, _LAST), (_INNER, _INNER)),
)


def _steps(nearness: Floats, way: _Neighbours, together: Flags | None) -> tuple[Floats, Flags]:
    """How much nearer the neighbours in a direction are, and which of them are on the same surface."""
    step: Floats = nearness[way.far] - nearness[way.near]
    same: Flags = np.abs(step) < nearness[way.near] * np.float32(_SAME_SURFACE)
    if together is not None:
        same &= together
    return step, same


def _smooth(nearness: Floats, together: Sequence[Flags | None]) -> tuple[Floats, Floats]:
    """For each pixel the mean over itself and those pairs of neighbours, on either side, on its surface.

    In pairs, because one of two neighbours alone on a surface that is seen at a slant would pull the mean to
    its side.

    Returns:
        The mean, and over how many pixels.
    """
    change = np.zeros_like(nearness)
    company = np.ones_like(nearness)
    for way, of_one_mask in zip(_WAYS, together, strict=True):
        step, same = _steps(nearness, way, of_one_mask)
        paired = same[way.onward] & same[way.back]
        change[way.between] += (step[way.onward] - step[way.back]) * paired
        company[way.between] += paired
        company[way.between] += paired
    return nearness + change / company, company


def _slope(nearness: Floats, way: _Neighbours, together: Flags | None) -> Floats:
    """How much nearer each pixel's surface is one pixel on, from its neighbours on that surface."""
    step, same = _steps(nearness, way, together)
    step *= same
    slope, known = np.zeros_like(nearness), np.zeros_like(nearness)
    for part in (way.near, way.far):
        slope[part] += step
        known[part] += same
    mean: Floats = slope / np.maximum(known, np.float32(1))
    return mean


def places(
    seen: Surfaces, pixels: Counts, into: float, at_most: float, stance: Stance, lens: Lens
) -> tuple[Floats, Floats]:
    """Where what some pixels show is: x and y in the map's frame.

    Args:
        seen: the surfaces in the picture.
        pixels: their flat indices in the image.
        into: go so far into the surface, as a share of the depth,
        at_most: but not farther than this, in metres.
        stance: how the camera stands.
        lens: how it is built.
    """
    rays = rays_of(lens, stance.pitch)
    rows = pixels // lens.width
    columns = pixels - rows * lens.width
    depth = seen.depth.reshape(-1)[pixels]
    inwards = np.minimum(depth * np.float32(into), np.float32(at_most))
    ahead = depth * rays.ahead[rows] + inwards * seen.lean.reshape(-1)[pixels]
    left = depth * rays.left[columns] + inwards * seen.slant.reshape(-1)[pixels]
    return to_map(ahead, left, stance)


def to_map(ahead: Floats, left: Floats, stance: Stance) -> tuple[Floats, Floats]:
    """Points so far ahead of a body and to its left, in the map's frame."""
    dx, dy = {0: (ahead, left), 90: (-left, ahead), 180: (-ahead, -left), 270: (left, -ahead)}[
        stance.heading % 360
    ]
    return np.float32(stance.x) + dx, np.float32(stance.y) + dy


@dataclass(frozen=True, slots=True, eq=False)
class FloorSamples:
    """Points of the floor, each between two pixels of a column (or in one of them).

    Attributes:
        upper: the flat index of the pixel above the point.
        lower: that of the pixel below it. If both show the floor, so does what is between them.
        ahead: where the point is, in metres.
        left: where the point is, in metres.
    """

    upper: Counts
    lower: Counts
    ahead: Floats
    left: Floats


@lru_cache(maxsize=64)
def widest(lens: Lens, pitch: int) -> float:
    """How far a point can be ahead, behind or aside, per metre of its depth in the picture."""
    rays = rays_of(lens, pitch)
    return float(max(np.abs(rays.ahead).max(), np.abs(rays.left).max()))


@lru_cache(maxsize=64)
def floor_samples(lens: Lens, pitch: int, eye: float, spacing: float, reach: float) -> FloorSamples:
    """Points of the floor at most *spacing* apart along each column, as deep in the picture as *reach*.

    Towards the horizon the rows of an image meet the floor farther and farther apart. A ray between two that
    meet the floor passes so low above what is between them that an obstacle there would have stopped it.
    """
    rays = rays_of(lens, pitch)
    depth = rays.floor_depth(eye)
    met = [row for row in range(lens.height) if depth[row] <= min(reach, lens.far)]
    upper: list[int] = []
    lower: list[int] = []
    share: list[float] = []
    for row in met:
        steps = 1
        if row + 1 in met:
            gap = float(depth[row] * rays.ahead[row] - depth[row + 1] * rays.ahead[row + 1])
            steps = max(1, int(np.ceil(gap / spacing)))
        for step in range(steps):
            upper.append(row)
            lower.append(row if step == 0 else row + 1)
            share.append(step / steps)
    above, below = np.array(upper, dtype=np.intp), np.array(lower, dtype=np.intp)
    mix = np.array(share, dtype=np.float32)

    def between(of_row: Floats) -> Floats:
        return of_row[above] * (1 - mix) + of_row[below] * mix

    finite = np.where(np.isfinite(depth), depth, 0)
    ahead, scale = between(finite * rays.ahead), between(finite)
    columns = np.arange(lens.width)
    return FloorSamples(
        upper=(above[:, None] * lens.width + columns).ravel(),
        lower=(below[:, None] * lens.width + columns).ravel(),
        ahead=np.repeat(ahead, lens.width),
        left=(scale[:, None] * rays.left).ravel(),
    )
