"""Detections of ``vision_msgs`` on the map: class scores, pose and extent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite
from typing import Any, TypeAlias

import numpy as np

from foretree.errors import ForetreeError
from foretree.robots.ros.senses.settings import DetectionSettings, SurfaceSettings
from foretree.robots.ros.senses.transforms import Points, PoseError, RigidPose, box_around
from foretree.robots.ros.senses.view import CameraView, on_top
from foretree.world_model.beliefs.facts import centre
from foretree.world_model.look_image import PixelBox
from foretree.world_model.observation import Detection

#: Of a box in two dimensions, points count that lie so far before or behind the middle one (metres).
_THICK = 0.25
#: So much of the middle of a box (in both directions) tells how far off the thing is.
_MIDDLE = 0.5
#: A box without depth in so many of its pixels is no detection.
_LEAST = 0.1
#: A thing is not flat if so much of what its box shows is above the surface below it.
_NOT_FLAT = 0.2
#: Of the points of a thing, this share (in percent) at either end of an axis is taken for noise.
_STRAY = 2.0


#: Returns the points of a detection on the map, and its box in the image if there is one.
_Place: TypeAlias = Callable[[Any], tuple[Points, PixelBox | None]]


class DetectionError(ForetreeError):
    """A detection that says nothing usable: no depth, no size, or scores that are none."""


@dataclass(frozen=True, slots=True)
class Detected:
    """The detections of a message.

    Attributes:
        detections: those that can be used.
        boxes: where they are in the image, by their ids.
        refused: why others cannot be used.
    """

    detections: tuple[Detection, ...]
    boxes: Mapping[str, PixelBox]
    refused: tuple[str, ...]


def detections_3d(message: Any, pose: RigidPose, settings: DetectionSettings) -> Detected:
    """Return the detections of a ``Detection3DArray``.

    Args:
        message: the message.
        pose: the pose of its frame on the map.
        settings: class labels, and the least score.
    """
    return _detected(message, settings, lambda one: (_corners(one, message, pose), None))


def detections_2d(
    message: Any, view: CameraView, settings: DetectionSettings, surfaces: Sequence[SurfaceSettings] = ()
) -> Detected:
    """Return the detections of a ``Detection2DArray``, placed by a depth image that was taken with it.

    Args:
        message: the message.
        view: the depth image, and where it was taken from.
        settings: class labels, and the least score.
        surfaces: what things rest on; what a box shows of it is not the thing.
    """
    return _detected(message, settings, lambda one: _points(one, view, surfaces))


def class_scores(results: Any, labels: Mapping[str, str]) -> dict[str, float]:
    """Return the scores of classes, which sum to 1 at most; scores of one class are added up.

    Raises:
        DetectionError: a score is none.
    """
    scores: dict[str, float] = {}
    for result in results:
        label, score = str(result.hypothesis.class_id), float(result.hypothesis.score)
        if not isfinite(score) or not 0 <= score <= 1:
            raise DetectionError(f"a score of {score:g} for {label!r}: scores are from 0 to 1")
        if label and score:
            name = labels.get(label, label)
            scores[name] = scores.get(name, 0.0) + score
    total = max(1.0, sum(scores.values()))
    return {name: round(score / total, 6) for name, score in scores.items()}


def _detected(message: Any, settings: DetectionSettings, place: _Place) -> Detected:
    detections: list[Detection] = []
    boxes: dict[str, PixelBox] = {}
    refused: list[str] = []
    for number, one in enumerate(message.detections):
        try:
            scores = class_scores(one.results, settings.labels)
            if max(scores.values(), default=0.0) < settings.at_least:
                continue
            points, box = place(one)
        except (DetectionError, PoseError) as error:
            refused.append(str(error))
            continue
        extent = box_around(points)
        name = f"d{number}"
        detections.append(Detection(name, scores, centre(extent), extent=extent))
        if box is not None:
            boxes[name] = box
    return Detected(tuple(detections), boxes, tuple(refused))


def _corners(one: Any, message: Any, pose: RigidPose) -> Points:
    """The corners of a box on the map."""
    frame = str(one.header.frame_id)
    if frame and frame != str(message.header.frame_id):
        raise DetectionError(f"a detection in the frame {frame!r} among those in {message.header.frame_id!r}")
    size = np.array((float(one.bbox.size.x), float(one.bbox.size.y), float(one.bbox.size.z)))
    if not np.isfinite(size).all() or (size < 0).any():
        raise DetectionError(f"a box of the size {tuple(size.tolist())}")
    inner = RigidPose.of(one.bbox.center.position, one.bbox.center.orientation)
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * size
    return pose.then(inner).apply(corners)


def _points(one: Any, view: CameraView, surfaces: Sequence[SurfaceSettings]) -> tuple[Points, PixelBox]:
    """The points of what a box in the image shows, on the map, and the box."""
    bbox = one.bbox
    column, row = float(bbox.center.position.x), float(bbox.center.position.y)
    wide, high = float(bbox.size_x), float(bbox.size_y)
    if not all(map(isfinite, (column, row, wide, high))) or wide <= 0 or high <= 0:
        raise DetectionError(f"a box of {wide:g} x {high:g} pixels at {column:g}, {row:g}")
    if bbox.center.theta:
        raise DetectionError("a box that is turned in the image, which is not supported")
    middle = _slices(view, column, row, wide * _MIDDLE, high * _MIDDLE)
    depths = view.depth[middle]
    measured = depths[np.isfinite(depths)]
    if not depths.size or len(measured) < _LEAST * depths.size:
        raise DetectionError(f"a box without depth around {column:.0f}, {row:.0f} in the image")
    away = float(np.median(measured))
    if not view.near <= away <= view.far:
        raise DetectionError(f"a thing {away:.2f} m off; from {view.near:g} to {view.far:g} m is usable")
    rows, columns = _slices(view, column, row, wide, high)
    points = view.camera.points(view.depth, columns, rows)
    points = points[np.abs(points[:, 2] - away) <= _THICK]
    on_map = _without_surfaces(view.pose.apply(points), surfaces)
    ends: Points = np.percentile(on_map, (_STRAY, 100 - _STRAY), axis=0)
    return ends, (column - wide / 2, row - high / 2, column + wide / 2, row + high / 2)


def _without_surfaces(points: Points, surfaces: Sequence[SurfaceSettings]) -> Points:
    """Points that are not on top of a surface; all of them, if the thing is as flat as that."""
    thing = np.ones(len(points), dtype=bool)
    for surface in surfaces:
        thing &= ~on_top(points, surface)
    return points[thing] if np.count_nonzero(thing) >= _NOT_FLAT * len(points) else points


def _slices(view: CameraView, column: float, row: float, wide: float, high: float) -> tuple[slice, slice]:
    """The rows and columns of a box, as far as it is in the image."""
    height, width = view.depth.shape
    rows = slice(max(0, round(row - high / 2)), max(0, min(height, round(row + high / 2) + 1)))
    columns = slice(max(0, round(column - wide / 2)), max(0, min(width, round(column + wide / 2) + 1)))
    return rows, columns
