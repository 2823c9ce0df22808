"""What a frame's pixels show in space: points, and for each mask the box around what is seen of it.

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

from foretree.perception.frame import Frame
from foretree.world_model.camera_model import Lens

Floats: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.intp]

#: The index of pixels that belong to no mask.
NONE = -1
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
class Surfaces:
    """What a frame shows in space. Masks are numbered as in the frame; one without pixels has no box.

    Attributes:
        index: for each pixel the number of its mask, or NONE. points: for each pixel x, y, z in the map's
        frame; of pixels without depth, anything. depth: for each pixel its depth, smoothed where it belongs
        to a mask; infinite where nothing was measured. pixels: of each mask, how many of its pixels have a
        depth. boxes: around what is seen of each mask, x0, y0, z0, x1, y1, z1; NaN without pixels. distance:
        of each mask, from the eye to the nearest point of its box.
    """

    index: NDArray[np.intp]
    points: Floats
    depth: Floats
    pixels: Indices
    boxes: NDArray[np.float64]
    distance: NDArray[np.float64]


def surfaces_of(frame: Frame, lens: Lens) -> Surfaces:
    """What *frame*, taken through *lens*, shows in space."""
    count = len(frame.masks)
    number = np.full(max([int(frame.labels.max(initial=0)), *(mask.label for mask in frame.masks)]) + 1, NONE)
    for at, mask in enumerate(frame.masks):
        number[mask.label] = at
    number[0] = NONE
    index = number[frame.labels]
    depth = _smooth(frame.depth, index)
    points = _points(depth, frame, lens)
    flat = np.flatnonzero((index.ravel() >= 0) & np.isfinite(depth.ravel()))
    owner = index.ravel()[flat]
    pixels = np.bincount(owner, minlength=count)
    boxes = _boxes(points.reshape(-1, 3)[flat], owner, pixels)
    eye = np.array((frame.stance.x, frame.stance.y, frame.stance.eye))
    # A pixel shows half of itself beyond its middle.
    half = np.linalg.norm((boxes[:, :3] + boxes[:, 3:]) / 2 - eye, axis=1) / (2 * lens.focal)
    boxes[:, :3] -= half[:, None]
    boxes[:, 3:] += half[:, None]
    away = np.maximum(np.maximum(boxes[:, :3] - eye, eye - boxes[:, 3:]), 0)
    return Surfaces(index, points, depth, pixels, boxes, np.linalg.norm(away, axis=1))


@lru_cache(maxsize=64)
def _rays(lens: Lens, pitch: int, heading: int) -> Floats:
    """For each pixel the way from the eye to what it shows, per metre of depth, in the map's frame."""
    rise = (lens.height / 2 - 0.5 - np.arange(lens.height))[:, None] / lens.focal
    left = (lens.width / 2 - 0.5 - np.arange(lens.width))[None, :] / lens.focal
    nod, turn = radians(pitch), radians(heading)
    ahead = cos(nod) - rise * sin(nod)
    up = sin(nod) + rise * cos(nod)
    x = ahead * cos(turn) - left * sin(turn)
    y = ahead * sin(turn) + left * cos(turn)
    return np.stack((x, y, np.broadcast_to(up, x.shape)), axis=2).astype(np.float32)


def _points(depth: Floats, frame: Frame, lens: Lens) -> Floats:
    stance = frame.stance
    known = np.where(np.isfinite(depth), depth, np.float32(0))
    points: Floats = known[:, :, None] * _rays(lens, stance.pitch, stance.heading % 360)
    points += np.array((stance.x, stance.y, stance.eye), dtype=np.float32)
    return points


def _smooth(depth: Floats, index: Indices) -> Floats:
    """Depth averaged over the pixels around each that show the same surface of the same mask."""
    height, width = depth.shape
    usable = np.isfinite(depth) & (depth > 0) & (index != NONE)
    # The logarithm of the depth with the mask's number: near each other only on the same surface of the
    # same mask.
    surface = np.full((height + 2, width + 2), -_DISTINCT, dtype=np.float32)
    np.log(depth, out=surface[1:-1, 1:-1], where=usable)
    np.add(surface[1:-1, 1:-1], index * np.float32(_DISTINCT), out=surface[1:-1, 1:-1], where=usable)
    nearness = np.zeros((height + 2, width + 2), dtype=np.float32)
    np.divide(1.0, depth, out=nearness[1:-1, 1:-1], where=usable)
    middle = surface[1:-1, 1:-1]
    total = nearness[1:-1, 1:-1].copy()
    company = np.ones((height, width), dtype=np.float32)
    # Opposite neighbours count together or not at all: their mean is right on slopes, too, up to the edge.
    for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = slice(1 + down, 1 + down + height), slice(1 + across, 1 + across + width)
        other = slice(1 - down, 1 - down + height), slice(1 - across, 1 - across + width)
        both = np.abs(surface[one] - middle) < _SAME_SURFACE
        both &= np.abs(surface[other] - middle) < _SAME_SURFACE
        total += (nearness[one] + nearness[other]) * both
        company += 2 * both
    known = np.where(np.isfinite(depth) & (depth > 0), depth, np.float32(np.inf))
    smoothed: Floats = np.divide(company, total, out=known, where=usable)
    return smoothed


def _boxes(points: Floats, owner: Indices, pixels: Indices) -> NDArray[np.float64]:
    """The box around the points of each mask, but for a few strays."""
    boxes = np.full((len(pixels), 6), np.nan)
    # Sorted all at once: no value of one mask comes between those of another.
    offset = (owner * _APART).astype(np.float32)
    ordered = np.sort(points.T + offset, axis=1)
    some = np.flatnonzero(pixels)
    first = (np.cumsum(pixels) - pixels)[some]
    stray = (_STRAY * pixels[some]).astype(np.intp)
    last = first + pixels[some] - 1
    boxes[some, :3] = (ordered[:, first + stray] - some * _APART).T
    boxes[some, 3:] = (ordered[:, last - stray] - some * _APART).T
    return boxes
