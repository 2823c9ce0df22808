"""Which of the things in view is the one that an order is aimed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist, sqrt

from foretree.skills.embodied.senses import Seen
from foretree.skills.robot import Target
from foretree.world_model.entities import Extent, Pose
from foretree.world_model.observation import Detection

#: What looks as it should may be so far from where it should be (metres), and a part of its size farther.
_THEREABOUTS, _OF_SIZE = 0.3, 0.5
#: What looks otherwise is it all the same if its middle is on the very spot (metres), a part of its size
#: farther off at most: of some things one has seen a part only. On what is larger than this, things lie.
_SPOT, _PART, _LARGE = 0.05, 0.25, 0.45
#: How alike two sets of class scores are that mean the same thing, and that may.
ALIKE, MAYBE = 0.6, 0.15
#: What a difference in looks and in appearance counts, in metres.
_LOOKS, _FEATURES = 0.5, 0.2


def recognise(target: Target, seen: Iterable[Seen], plainly: bool = False) -> Seen | None:
    """The thing in view that the target is; None if it is none of them.

    Args:
        target: what is looked for.
        seen: what is in view.
        plainly: whether it must look as it should, wherever it is: for what cannot be undone.
    """
    if target.pose is None:
        return None
    best: tuple[float, str, Seen] | None = None
    for one in seen:
        off = distance_from(target.pose, one.detection)
        alike = likeness(target.classes, one.detection.classes)
        around = _THEREABOUTS + _OF_SIZE * _size(one.detection.extent)
        looks_so = alike >= ALIKE and off <= around
        if looks_so or (not plainly and alike >= MAYBE and is_on_spot(target.pose, one.detection)):
            cost = off + _LOOKS * (1 - alike) + _FEATURES * _unlike(target.features, one.detection.features)
            best = min(best or (cost, one.detection.id, one), (cost, one.detection.id, one))
    return best[2] if best is not None else None


def instead_of(target: Target, seen: Iterable[Seen]) -> Seen | None:
    """What is on the very spot of the target and is something else."""
    pose = target.pose
    if pose is None:
        return None
    there = [
        (dist(pose, one.detection.pose), one.detection.id, one)
        for one in seen
        if is_on_spot(pose, one.detection)
        and _size(one.detection.extent) <= _LARGE
        and likeness(target.classes, one.detection.classes) < MAYBE
    ]
    return min(there)[2] if there else None


def is_on_spot(pose: Pose, detection: Detection) -> bool:
    """Whether a thing is so exactly where something should be that it cannot be another thing beside it."""
    return dist(pose, detection.pose) <= _SPOT + _PART * _size(detection.extent)


def likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How much two sets of class scores agree: from 0, nothing in common, to 1."""
    return sum(sqrt(score * other[name]) for name, score in one.items() if name in other)


def distance_from(pose: Pose, detection: Detection) -> float:
    """How far a point is from what is seen of a thing."""
    if detection.extent is None:
        return dist(pose, detection.pose)
    low, high = detection.extent[:3], detection.extent[3:]
    nearest = [min(max(at, a), b) for at, a, b in zip(pose, low, high, strict=True)]
    return dist(pose, nearest)


def called(classes: Mapping[str, float]) -> str:
    """What a thing is called: the likeliest class, as people say it."""
    name = min(classes, key=lambda one: (-classes[one], one), default="thing")
    return name.replace("_", " ")


def a(classes: Mapping[str, float]) -> str:
    """The same with an article, but for what comes in pairs."""
    name = called(classes)
    if name.endswith("s") and not name.endswith("ss"):
        return name
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _size(extent: Extent | None) -> float:
    return 0.0 if extent is None else max(b - a for a, b in zip(extent[:3], extent[3:], strict=True))


def _unlike(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """How different two appearances are, 0 to 2; 0 when one of them is not known."""
    if not one or len(one) != len(other):
        return 0.0
    product = sum(p * q for p, q in zip(one, other, strict=True))
    lengths = sqrt(sum(p * p for p in one) * sum(q * q for q in other))
    return 1 - product / lengths if lengths > 0 else 0.0
