"""Observations: what one look saw, and what it covered. They name no entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeAlias

from foretree.world_model.beliefs.facts import Extent, Hand, Pose
from foretree.world_model.look_image import LookImage

#: How wide and how high a thing is (metres).
Size: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing in one look.

    Attributes:
        id: fresh per look; means nothing in the next one.
        classes: class scores; they sum to at most 1.
        pose: where it is, in the map's frame.
        states: probability that a unary state holds (``{"open": 0.97, "clean": 0.03}``); states that this
            look could not judge are absent.
        rests: how it rests on another detection of the same look, ``("in", "d4")``, or None.
        features: an appearance descriptor; may be empty.
        extent: the box around what is seen of it: x0, y0, z0, x1, y1, z1 in the map's frame; None if the look
            cannot tell. Of what is partly hidden or out of the picture it is a part.
        viewpoint: where it was seen from, if that is not the viewpoint of the look.
        rests_certainty: the probability that it does rest there.
    """

    id: str
    classes: Mapping[str, float]
    pose: Pose
    states: Mapping[str, float] = field(default_factory=dict)
    rests: tuple[str, str] | None = None
    features: tuple[float, ...] = ()
    extent: Extent | None = None
    viewpoint: str = ""
    rests_certainty: float = 0.9


@dataclass(frozen=True, slots=True)
class Covered:
    """A region that the look saw the whole of: had something been there, it would have been detected.

    ``relation`` and ``support`` read as in :attr:`Detection.rests`: ``("on", "d2")`` is the top of the
    table that was detected as ``d2``. ``certainty`` is the probability that a thing there would have been
    seen.
    """

    relation: str
    support: str
    certainty: float = 0.98


@dataclass(frozen=True, slots=True)
class Observation:
    """The detections of one look, and the regions that it covered.

    Attributes:
        time: when, on the session's clock.
        source: ``look`` when it was asked for, ``view`` when it came by the way.
        detections: what was seen.
        covered: the regions that were seen completely.
        body: what the robot feels of itself, as ground atoms over the agent's names with their truth
            (``{("rob_at_node", "robot1", "table1"): True}``): it knows its own hands and its place on its
            map.
        held: detections that are in a hand, or in two: detection id -> each as the robot and its hand.
        passable: passages of the agent's map, as pairs of nodes, that are blocked by something (False), or
            not any more (True). Of all others the look says nothing.
        viewpoint: a name of the place it was seen from: looks from one viewpoint share their mistakes. Empty
            if every look has mistakes of its own.
        shows: the probability that an object of some size at some pose would have been detected; None if the
            look cannot tell one spot of a region from another.
        image: what the camera delivered, for viewers of the run; None where there is no camera.
    """

    time: float
    source: str
    detections: tuple[Detection, ...] = ()
    covered: tuple[Covered, ...] = ()
    body: Mapping[tuple[str, ...], bool] = field(default_factory=dict)
    held: Mapping[str, tuple[Hand, ...]] = field(default_factory=dict)
    passable: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    viewpoint: str = ""
    shows: Callable[[Pose, Size | None], float] | None = field(default=None, compare=False, repr=False)
    image: LookImage | None = field(default=None, compare=False, repr=False)

    def viewpoint_of(self, detection: Detection) -> str:
        """The viewpoint from which *detection* was seen."""
        return detection.viewpoint or self.viewpoint


#: What of an observation, and of a detection, is the same whatever the detections are called.
_observation_content = attrgetter("source", "body", "passable", "viewpoint")
_detection_content = attrgetter(
    "pose", "classes", "states", "features", "extent", "viewpoint", "rests_certainty"
)


def same_content(one: Observation, other: Observation) -> bool:
    """Return whether two looks saw and felt the same; their times and the detections' ids do not matter."""
    if _observation_content(one) != _observation_content(other) or _counts(one) != _counts(other):
        return False
    pairs = list(zip(one.detections, other.detections, strict=True))
    alias = {a.id: b.id for a, b in pairs}
    return (
        all(_detection_content(a) == _detection_content(b) for a, b in pairs)
        and all(_rests(a, alias) == b.rests for a, b in pairs)
        and all(
            a.relation == b.relation and alias.get(a.support) == b.support and a.certainty == b.certainty
            for a, b in zip(one.covered, other.covered, strict=True)
        )
        and all(other.held.get(alias.get(d, "")) == hand for d, hand in one.held.items())
    )


def _counts(observation: Observation) -> tuple[int, int, int]:
    return len(observation.detections), len(observation.covered), len(observation.held)


def _rests(detection: Detection, alias: Mapping[str, str]) -> tuple[str, str | None] | None:
    return None if detection.rests is None else (detection.rests[0], alias.get(detection.rests[1]))
