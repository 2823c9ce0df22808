"""Geometry of a frame: the point in space of each pixel, and for each mask the box around its points.

Depth is noisy in each pixel on its own. Over a flat surface one over the depth is linear in the picture, so
the mean over a pixel's neighbours on the same surface of the same mask is its own value with a third of the
noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import Frame, Lens

Floats: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.intp]
Numbers: TypeAlias = NDArray[np.int16]

#: The index of pixels that belong to no mask.
NO_MASK = -1
#: Of the points of a mask, this share at either end of an axis is taken for noise.
_STRAY = 0.02
#: Two pixels show the same surface if their depths differ by less than this share: several times the noise.
_SAME_SURFACE = 0.1
#: More than the logarithms of depths differ.
_DISTINCT = 16.0
#: Masks of different labels are kept apart by this much when their points are sorted (metres): more than a
#: home measures.
_APART = 256.0


@dataclass(frozen=True, slots=True, eq=False)
class FrameGeometry:
    """Points and boxes of a frame. Masks are numbered as in the frame; one without pixels has no box.

    Attributes:
        index: for each pixel the number of its mask, or NONE.
        points: x, y and z in the map's frame, each of all pixels, row after row; of pixels without depth,
            anything.
        depth: for each pixel its depth, smoothed where it belongs to a mask; infinite where nothing was
            measured.
        pixels: of each mask, the number of its pixels that have a depth.
        boxes: around what is seen of each mask, x0, y0, z0, x1, y1, z1; NaN without pixels.
        distance: of each mask, from the eye to the nearest point of its box.
    """

    index: Numbers
    points: Floats
    depth: Floats
    pixels: Indices
    boxes: NDArray[np.float64]
    distance: NDArray[np.float64]


def frame_geometry(frame: Frame, lens: Lens) -> FrameGeometry:
    """The geometry of *frame*, taken through *lens*."""
    count = len(frame.masks)
    most = max([int(frame.labels.max(initial=0)), *(mask.label for mask in frame.masks)])
    number = np.full(most + 1, NO_MASK, dtype=np.int16)
    for at, mask in enumerate(frame.masks):
        number[mask.label] = at
    number[0] = NO_MASK
    index = number.take(frame.labels)
    depth = _smooth(frame.depth, index)
    points = _points(depth, frame, lens)
    flat = np.flatnonzero((index.ravel() >= 0) & np.isfinite(depth.ravel()))
    owner = index.ravel().take(flat)
    pixels = np.bincount(owner, minlength=count)
    boxes = _boxes(points.take(flat, axis=1), owner, pixels)
    eye = np.array((frame.stance.x, frame.stance.y, frame.stance.eye))
    # A pixel shows half of itself beyond its middle.
    half = np.linalg.norm((boxes[:, :3] + boxes[:, 3:]) / 2 - eye, axis=1) / (2 * lens.focal)
    boxes[:, :3] -= half[:, None]
    boxes[:, 3:] += half[:, None]
    away = np.maximum(np.maximum(boxes[:, :3] - eye, eye - boxes[:, 3:]), 0)
    return FrameGeometry(index, points, depth, pixels, boxes, np.linalg.norm(away, axis=1))


@lru_cache(maxsize=64)
def _rays(lens: Lens, pitch: int, heading: int) -> Floats:
    """The ray of each pixel per metre of depth: along x, y and z of the map."""
    rise = (lens.height / 2 - 0.5 - np.arange(lens.height))[:, None] / lens.focal
    left = (lens.width / 2 - 0.5 - np.arange(lens.width))[None, :] / lens.focal
    nod, turn = radians(pitch), radians(heading)
    ahead = cos(nod) - rise * sin(nod)
    up = sin(nod) + rise * cos(nod)
    x = ahead * cos(turn) - left * sin(turn)
    y = ahead * sin(turn) + left * cos(turn)
    return np.stack((x, y, np.broadcast_to(up, x.shape))).reshape(3, -1).astype(np.float32)


def _points(depth: Floats, frame: Frame, lens: Lens) -> Floats:
    stance = frame.stance
    known = depth.ravel()
    finite = np.isfinite(known)
    if not finite.all():
        known = np.where(finite, known, np.float32(0))
    points: Floats = known * _rays(lens, stance.pitch, stance.heading % 360)
    points += np.array((stance.x, stance.y, stance.eye), dtype=np.float32)[:, None]
    return points


def _smooth(depth: Floats, index: Numbers) -> Floats:
    """Depth averaged over the pixels around each that show the same surface of the same mask."""
    height, width = depth.shape
    is_seen = np.isfinite(depth) & (depth > 0)
    usable = is_seen & (index != NO_MASK)
    # The logarithm of the depth with the mask's number: near each other only on the same surface of the
    # same mask. With a rim of nothing around it the picture is flat: a neighbour is so many places on.
    rim = np.full((height + 2, width + 2), -_DISTINCT, dtype=np.float32)
    nearness = np.zeros((height + 2, width + 2), dtype=np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.copyto(rim[1:-1, 1:-1], np.log(depth) + index * np.float32(_DISTINCT), where=usable)
        np.copyto(nearness[1:-1, 1:-1], 1 / depth, where=usable)
    surface, near = rim.ravel(), nearness.ravel()
    total, pairs = near.copy(), np.zeros(near.size, dtype=np.int8)
    # Opposite neighbours count together or not at all: their mean is right on slopes, too, up to the edge.
    row = width + 2
    for step in (1, row, row + 1, row - 1):
        same = np.abs(surface[step:] - surface[:-step]) < _SAME_SURFACE
        both = same[step:] & same[:-step]
        total[step:-step] += (near[2 * step :] + near[: -2 * step]) * both.astype(np.float32)
        pairs[step:-step] += both.view(np.int8)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (2 * pairs + 1).astype(np.float32) / total
    smoothed = depth.copy() if is_seen.all() else np.where(is_seen, depth, np.float32(np.inf))
    np.copyto(smoothed, mean.reshape(height + 2, row)[1:-1, 1:-1], where=usable)
    return smoothed


def _boxes(points: Floats, owner: Numbers, pixels: Indices) -> NDArray[np.float64]:
    """The box around the points of each mask, but for a few strays."""
    boxes = np.full((len(pixels), 6), np.nan)
    # Sorted all at once: no value of one mask comes between those of another.
    ordered = np.sort(points + owner * np.float32(_APART), axis=1)
    some = np.flatnonzero(pixels)
    first = (np.cumsum(pixels) - pixels)[some]
    stray = (_STRAY * pixels[some]).astype(np.intp)
    last = first + pixels[some] - 1
    boxes[some, :3] = (ordered[:, first + stray] - some * _APART).T
    boxes[some, 3:] = (ordered[:, last - stray] - some * _APART).T
    return boxes
