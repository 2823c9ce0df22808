"""Resemblance: how far what is seen is from what is known, and how differently it looks."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, hypot, sqrt

from foretree.world_model.beliefs.entities import Entity, Pose
from foretree.world_model.observation import Detection

#: Not moved at all.
NOWHERE: Pose = (0.0, 0.0, 0.0)

_FEATURES_WEIGHT = 0.5


def gap(detection: Detection, entity: Entity, moved: Pose = NOWHERE) -> float:
    """How far the detection is from where the entity would be, had it *moved* so far."""
    here, there = detection.pose, entity.pose or detection.pose
    return hypot(*(h - t - m for h, t, m in zip(here, there, moved, strict=True)))


def way_moved(detections: Sequence[Detection], entities: Sequence[Entity]) -> Pose:
    """How far things have moved together, if these are they."""
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
    """What differing looks cost; nothing when either has no descriptor."""
    one, other = detection.features, entity.features
    if not one or len(one) != len(other):
        return 0.0
    norm = sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    if norm == 0.0:
        return 0.0
    return _FEATURES_WEIGHT * (1.0 - sum(x * y for x, y in zip(one, other, strict=True)) / norm)
