"""Points of a depth image in the map's frame: the pixels that show the floor, and the surfaces in others.

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
_ONE = np.float32(1)


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """The rays through the pixels of a camera, per metre of depth.

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
class SurfaceImage:
    """The surfaces in a depth image, by pixel.

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


def surfaces(depth: Floats, labels: NDArray[np.int16] | None, stance: Stance, lens: Lens) -> SurfaceImage:
    """Estimate the surfaces in a depth image.

    Args:
        depth: for each pixel the distance along the camera's axis; infinite where nothing is seen.
        labels: for each pixel the mask that it belongs to: surfaces end where masks do.
        stance: how the camera stands.
        lens: how it is built.
    """
    # Arrays are flat here: what is beside a pixel is a fixed number of places on.
    shape = depth.shape
    ways = [
        (step, beside if labels is None else beside & (labels.ravel()[step:] == labels.ravel()[:-step]))
        for step, beside in _ways(*shape)
    ]
    nearness, company = _nearness(depth.ravel()), np.ones(depth.size, dtype=np.float32)
    for _ in range(_ROUNDS):
        nearness, company = _smooth(nearness, ways)
    unseen = None if nearness.min(initial=1.0) > 0 else nearness <= 0
    image = _image_rays(lens, stance.pitch)
    with np.errstate(divide="ignore", invalid="ignore"):
        smoothed: Floats = _ONE / nearness
        height: Floats = np.float32(stance.eye) + smoothed * image.up
    # A plane is where a * ahead + b * left + c * up = 1; so over the image, one over the depth grows by b per
    # ray to the left, and by c per ray upwards; and (a, b, c) points straight into the surface.
    focal, pitch = np.float32(lens.focal), radians(stance.pitch)
    left = -focal * _slope(nearness, *ways[0])
    up = -focal * _slope(nearness, *ways[1])
    forward = nearness - left * image.left - up * image.rise
    length = np.sqrt(forward * forward + left * left + up * up)
    if unseen is not None:
        smoothed[unseen], height[unseen], length[unseen] = np.inf, np.nan, 1
    ahead = forward * np.float32(cos(pitch)) - up * np.float32(sin(pitch))
    lean: Floats = ahead / length
    slant: Floats = left / length
    return SurfaceImage(*(part.reshape(shape) for part in (smoothed, height, lean, slant, company)))


class _ImageRays(NamedTuple):
    """Of all pixels of a picture, as flat arrays, how far their rays go per metre of depth.

    Attributes:
        up: upwards.
        left: to the left.
        rise: upwards, as the camera has it before it nods.
    """

    up: Floats
    left: Floats
    rise: Floats


@lru_cache(maxsize=64)
def _image_rays(lens: Lens, pitch: int) -> _ImageRays:
    rays, focal = rays_of(lens, pitch), np.float32(lens.focal)
    rise = (np.float32(lens.height / 2 - 0.5) - np.arange(lens.height, dtype=np.float32)) / focal
    return _ImageRays(rays.up.repeat(lens.width), np.tile(rays.left, lens.height), rise.repeat(lens.width))


#: How many places on in a flat picture a neighbour is, and for each pixel that has a successor there whether
#: that is a neighbour: none is beyond the edge.
_Way: TypeAlias = tuple[int, Flags]


@lru_cache(maxsize=8)
def _ways(height: int, width: int) -> tuple[_Way, ...]:
    """The neighbours to the right, below, and below to either side."""
    pixels = np.arange(height * width)
    column = pixels % width
    found = []
    for step, edge in ((1, width - 1), (width, None), (width + 1, width - 1), (width - 1, 0)):
        beside: Flags = np.ones(len(pixels), dtype=bool) if edge is None else column != edge
        found.append((step, beside[:-step]))
    return tuple(found)


def _nearness(depth: Floats) -> Floats:
    """One over the depth; 0 where nothing is seen."""
    if depth.min(initial=np.inf) > 0:
        found: Floats = _ONE / depth
        return found
    nearness = np.zeros(depth.shape, dtype=np.float32)
    np.divide(1.0, depth, out=nearness, where=np.isfinite(depth) & (depth > 0))
    return nearness


def _steps(nearness: Floats, step: int, together: Flags) -> tuple[Floats, Flags]:
    """The difference in nearness to the neighbours in a direction, and which are on the same surface."""
    nearer: Floats = nearness[step:] - nearness[:-step]
    same: Flags = np.abs(nearer) < nearness[:-step] * np.float32(_SAME_SURFACE)
    same &= together
    return nearer, same


def _smooth(nearness: Floats, ways: Sequence[_Way]) -> tuple[Floats, Floats]:
    """For each pixel the mean over itself and those pairs of neighbours, on either side, on its surface.

    In pairs, because one of two neighbours alone on a surface that is seen at a slant would pull the mean to
    its side.

    Returns:
        The mean, and over how many pixels.
    """
    change = np.zeros_like(nearness)
    pairs = np.zeros(nearness.size, dtype=np.int8)
    for step, together in ways:
        nearer, same = _steps(nearness, step, together)
        paired = same[step:] & same[:-step]
        change[step:-step] += (nearer[step:] - nearer[:-step]) * paired.astype(np.float32)
        pairs[step:-step] += paired.view(np.int8)
    company = (2 * pairs + 1).astype(np.float32)
    return nearness + change / company, company


def _slope(nearness: Floats, step: int, together: Flags) -> Floats:
    """The change of nearness over one pixel, from the neighbours on the same surface."""
    nearer, same = _steps(nearness, step, together)
    nearer *= same.astype(np.float32)
    slope, known = np.zeros_like(nearness), np.zeros(nearness.size, dtype=np.int8)
    for part in (slice(None, -step), slice(step, None)):
        slope[part] += nearer
        known[part] += same.view(np.int8)
    slope /= np.maximum(known, 1).astype(np.float32)
    return slope


def places(
    seen: SurfaceImage, pixels: Counts, into: float, at_most: float, stance: Stance, lens: Lens
) -> tuple[Floats, Floats]:
    """The points that some pixels show: x and y in the map's frame.

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
    depth = seen.depth.reshape(-1).take(pixels)
    inwards = np.minimum(depth * np.float32(into), np.float32(at_most))
    ahead = depth * rays.ahead.take(rows) + inwards * seen.lean.reshape(-1).take(pixels)
    left = depth * rays.left.take(columns) + inwards * seen.slant.reshape(-1).take(pixels)
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
    """The greatest distance of a point ahead, behind or aside, per metre of its depth."""
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
