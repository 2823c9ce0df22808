"""Approaching a target: recognising it among the things in view, and standing where it is in reach."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from enum import Enum
from math import dist, sqrt

from foretree.skills.embodied._walking import (
    ControlFeedback,
    LooksWrong,
    Routine,
    RoutineFailed,
    cells_to_stand,
    face,
    walk,
)
from foretree.skills.embodied.body import Control
from foretree.skills.embodied.senses import Seen, Senses
from foretree.skills.robot import Target
from foretree.world_model.beliefs.facts import Extent, Pose
from foretree.world_model.observation import Detection
from foretree.world_model.occupancy.occupancy_grid import Cell
from foretree.world_model.occupancy.standing_spots import BoundingBox

#: What looks as it should may be so far from where it should be (metres), and a part of its size farther.
_THEREABOUTS, _OF_SIZE = 0.3, 0.5
#: What looks otherwise is it all the same if its middle is on the very spot (metres), a part of its size
#: farther off at most: of some things one has seen a part only. On what is larger than this, things lie.
_SPOT, _PART, _LARGE = 0.05, 0.25, 0.45
#: Of furniture, at most this share may be seen outside of where it stands and of what is so near (metres).
_OUTSIDE, _AROUND = 0.4, 0.1
#: How alike two sets of class scores are that mean the same thing, and that may.
ALIKE, MAYBE = 0.6, 0.15
#: What a difference in looks and in appearance counts, in metres.
_LOOKS, _FEATURES = 0.5, 0.2

#: From so many places a thing is looked for where it should be.
_VIEWS = 4
#: What is seen is in reach if it is nearer than the body reaches by this (metres).
SLACK = 0.15


class RequiredLook(Enum):
    """Required appearance of the target of an order."""

    #: Of furniture as of LIKELY; else anything: what is there, is no larger than things are, and is not what
    #: it should lie on or in.
    ANY = "any"
    #: As it should; or, on the very spot, as it might.
    LIKELY = "likely"
    #: As it should, wherever it is: for what cannot be undone.
    PLAIN = "plain"


def recognise(target: Target, seen: Iterable[Seen], looks: RequiredLook = RequiredLook.LIKELY) -> Seen | None:
    """The thing in view that the target is; None if it is none of them.

    Args:
        target: what is looked for.
        seen: what is in view.
        looks: what it has to look like.
    """
    if target.pose is None:
        return None
    costs: dict[tuple[float, str], Seen] = {}
    for one in seen:
        alike = likeness(target.classes, one.detection.classes)
        off = _off(target, target.pose, one.detection, alike, looks)
        if off is not None:
            cost = off + _LOOKS * (1 - alike) + _FEATURES * _unlike(target.features, one.detection.features)
            costs[cost, one.detection.id] = one
    return costs[min(costs)] if costs else None


def _off(target: Target, pose: Pose, detection: Detection, alike: float, looks: RequiredLook) -> float | None:
    """Return the distance of a thing from where the target should be, in metres; None if it is another."""
    if target.extent is not None and detection.extent is not None:
        # What stands where it stands is told by where it is; what is beside it may look the same.
        outside = 1 - _share_within(detection.extent, target.extent)
        return outside if alike >= MAYBE and outside <= _OUTSIDE else None
    off = distance_from(pose, detection)
    size = _size(detection.extent)
    enough = alike >= ALIKE or (looks is RequiredLook.ANY and size <= _LARGE)
    if enough and off <= _THEREABOUTS + _OF_SIZE * size:
        return off
    return off if looks is not RequiredLook.PLAIN and alike >= MAYBE and is_on_spot(pose, detection) else None


def instead_of(
    target: Target, seen: Iterable[Seen], looks: RequiredLook = RequiredLook.LIKELY
) -> Seen | None:
    """Return what is on the very spot of the target and does not look as required."""
    enough = ALIKE if looks is RequiredLook.PLAIN else MAYBE
    pose = known_pose(target)
    there = (
        one
        for one in seen
        if is_on_spot(pose, one.detection)
        and _size(one.detection.extent) <= _LARGE
        and likeness(target.classes, one.detection.classes) < enough
    )
    return min(there, key=lambda one: (dist(pose, one.detection.pose), one.detection.id), default=None)


def is_on_spot(pose: Pose, detection: Detection) -> bool:
    """Return whether a thing is so close to a pose that it cannot be another thing beside it."""
    return dist(pose, detection.pose) <= _SPOT + _PART * _size(detection.extent)


def likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return how much two sets of class scores agree, 0 to 1."""
    return sum(sqrt(score * other[name]) for name, score in one.items() if name in other)


def distance_from(pose: Pose, detection: Detection) -> float:
    """Return the distance of a point from the visible part of a thing."""
    if detection.extent is None:
        return dist(pose, detection.pose)
    low, high = detection.extent[:3], detection.extent[3:]
    return dist(pose, [min(max(at, a), b) for at, a, b in zip(pose, low, high, strict=True)])


def _share_within(part: Extent, whole: Extent) -> float:
    """Share of a box, seen from above, lies within another one or close around it."""
    share = 1.0
    for axis in (0, 1):
        low, high = max(part[axis], whole[axis] - _AROUND), min(part[axis + 3], whole[axis + 3] + _AROUND)
        share *= max(0.0, high - low) / max(part[axis + 3] - part[axis], 1e-6)
    return share


def class_phrase(classes: Mapping[str, float]) -> str:
    """Return the likeliest class of a thing, as people say it."""
    name = min(classes, key=lambda one: (-classes[one], one), default="thing")
    return name.replace("_", " ")


def with_article(classes: Mapping[str, float]) -> str:
    """The same with an article, but for what comes in pairs."""
    name = class_phrase(classes)
    if name.endswith("s") and not name.endswith("ss"):
        return name
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _size(extent: Extent | None) -> float:
    return 0.0 if extent is None else max(b - a for a, b in zip(extent[:3], extent[3:], strict=True))


def _unlike(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Return the distance of two appearances, 0 to 2; 0 when one of them is not known."""
    if not one or len(one) != len(other):
        return 0.0
    product = sum(p * q for p, q in zip(one, other, strict=True))
    lengths = sqrt(sum(p * p for p in one) * sum(q * q for q in other))
    return 1 - product / lengths if lengths > 0 else 0.0


def known_pose(target: Target) -> Pose:
    """Return where the target is.

    Raises:
        RoutineFailed: the order does not say.
    """
    if target.pose is None:
        raise RoutineFailed(f"it is not known where the {class_phrase(target.classes)} is")
    return target.pose


def approach(senses: Senses, target: Target, within: Target | None = None) -> Routine:
    """Go to where the target can be handled best, and face it.

    Args:
        senses: what is known.
        target: where to go.
        within: the furniture that it is in or on, if it is.
    """
    pose = known_pose(target)
    choice = cells_to_stand(senses, target, within)
    yield from walk(senses, choice, f"the {class_phrase(target.classes)}", squeezing=True)
    yield from face(senses, pose)


def reach_target(
    senses: Senses,
    target: Target,
    within: Target | None = None,
    looks: RequiredLook = RequiredLook.LIKELY,
    closely: bool = False,
) -> Generator[Control, ControlFeedback, Seen]:
    """Find the target, from several places if need be, and stand so that it is in reach.

    Args:
        senses: what is known.
        target: what to find.
        within: the furniture that it is in or on, if it is.
        looks: what it has to look like.
        closely: whether to go where one sees it best, even if it is in view and in reach before.

    A robot that looks from no further sides takes the first view for the truth that shows something else.

    Returns:
        What it is in the last frame.
    """
    pose = known_pose(target)
    what = f"the {class_phrase(target.classes)}"

    def in_reach(seen: Seen | None) -> bool:
        return seen is not None and floor_distance(senses, seen) <= senses.reach - SLACK

    def found() -> Seen | None:
        in_view = list(senses.seen())
        if looks is RequiredLook.ANY and within is not None:
            holder = recognise(within, in_view)
            in_view = [one for one in in_view if one is not holder]
        seen = recognise(target, in_view, looks)
        return seen if in_reach(seen) else None

    def is_found() -> bool:
        seen = found()
        if seen is not None:
            return target.extent is not None or is_on_spot(pose, seen.detection)
        return is_decided()

    def is_decided() -> bool:
        """The first view within reach decides, whatever it shows, where there are to be no further ones."""
        return one_view and in_reach(instead_of(target, senses.seen(), looks))

    one_view = looks is not RequiredLook.ANY and not senses.sides
    until = None if closely else is_found
    tried: set[Cell] = set()
    instead: Seen | None = None
    for _ in range(_VIEWS):
        choice = cells_to_stand(senses, target, within, but=tried)
        try:
            yield from walk(senses, choice, what, until, squeezing=not tried)
        except RoutineFailed:
            if not tried:
                raise
            break
        if closely or (found() is None and not is_decided()):
            yield from face(senses, pose)
        seen = found()
        if seen is not None:
            return seen
        instead = instead or instead_of(target, senses.seen(), looks if one_view else RequiredLook.LIKELY)
        if instead is not None and one_view:
            break
        tried.add(senses.cell)
    looks_like = with_article(target.classes)
    if instead is None:
        raise RoutineFailed(f"nothing that looks like {looks_like} is where it should be")
    there = with_article(instead.detection.classes)
    raise LooksWrong(f"what is where it should be looks like {there}, not like {looks_like}")


def floor_distance(senses: Senses, seen: Seen) -> float:
    """Return the distance on the floor from the body to something seen."""
    pose, extent = seen.detection.pose, seen.detection.extent
    return BoundingBox(*(extent or (*pose, *pose))).away(senses.stance.x, senses.stance.y)
