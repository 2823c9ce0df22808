"""Objects of ARMAR's memory as observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foretree.clock import Clock
from foretree.errors import takes_extra
from foretree.robots.armar.armar_file import ObjectSenses
from foretree.world_model.beliefs.facts import Extent, Pose
from foretree.world_model.observation import Detection, Observation

_Vector = Sequence[float]


class MemorySenses:
    """Turns what the memory says of objects into observations: each localisation once, while it is fresh.

    The memory does not say what it looked at in vain. So nothing is covered, and that a thing is gone from
    where it was is not noticed from it.

    Args:
        settings: what is reported.
        clock: the session's clock.
    """

    def __init__(self, settings: ObjectSenses, clock: Clock) -> None:
        self._settings, self._clock = settings, clock
        if settings.surfaces:
            with takes_extra("homes", "Surfaces on which things rest"):
                import numpy  # noqa: F401 - said now, and not in the middle of a run
        self._seen: dict[str, int] = {}
        self._new: list[Observation] = []
        self._count = 0
        #: How often the memory was read.
        self.readings = 0
        #: Why it could not be read the last time; empty if it could.
        self.failure = ""

    def hear(self, objects: Sequence[Mapping[str, Any]]) -> None:
        """Take notice of what the memory says now."""
        now = self._clock.now()
        fresh = [each for each in objects if self._is_news(each)]
        self.readings += 1
        self.failure = ""
        if not fresh:
            return
        for each in fresh:
            self._seen[_name(each)] = int(each["time"])
        oldest = max(float(each["age"]) for each in fresh)
        things = self._on_surfaces([self._detection(each) for each in fresh])
        self._new.append(Observation(now - max(oldest, 0.0), "view", things))

    def fail(self, why: str) -> None:
        """Take notice that the memory could not be read."""
        self.failure = why

    def take(self) -> list[Observation]:
        """Return what is new since the last call."""
        new, self._new = self._new, []
        return new

    def _is_news(self, each: Mapping[str, Any]) -> bool:
        settings = self._settings
        return (
            _class(each) in settings.classes
            and float(each["age"]) <= settings.localised_within
            and float(each["confidence"]) >= settings.confidence
            and self._seen.get(_name(each)) != int(each["time"])
        )

    def _on_surfaces(self, things: Sequence[Detection]) -> tuple[Detection, ...]:
        """*things* with what each rests on, and the surfaces on which anything does."""
        surfaces = self._settings.surfaces
        if not surfaces:
            return tuple(things)
        from foretree.robots.ros.senses.view import resting_on, surface_detection

        placed = [
            replace(thing, rests=resting_on(thing.extent, surfaces)) if thing.extent else thing
            for thing in things
        ]
        used = {thing.rests[1] for thing in placed if thing.rests is not None}
        supports = map(surface_detection, surfaces)
        return (*(each for each in supports if each.id in used), *placed)

    def _fresh_id(self) -> str:
        self._count += 1
        return str(self._count)

    def _detection(self, each: Mapping[str, Any]) -> Detection:
        position, orientation, box = each["position"], each["orientation"], each["box"]
        confidence = min(1.0, float(each["confidence"]))
        return Detection(
            f"object{self._fresh_id()}",
            {self._settings.classes[_class(each)]: confidence},
            _metres(position),
            extent=None if box is None else extent_of(position, orientation, box),
        )


def extent_of(position: _Vector, orientation: _Vector, box: Mapping[str, Any]) -> Extent:
    """Return the box along the axes of the map, in metres, around an oriented one in millimetres.

    Args:
        position, orientation: of the object; the orientation as w, x, y, z.
        box: position, orientation and extents of the box, in the object's frame.
    """
    middle = _plus(position, _turned(orientation, box["position"]))
    low, high = list(middle), list(middle)
    for axis, length in enumerate(box["extents"]):
        edge = [0.0, 0.0, 0.0]
        edge[axis] = length / 2
        for index, reach in enumerate(_turned(orientation, _turned(box["orientation"], edge))):
            low[index] -= abs(reach)
            high[index] += abs(reach)
    return (*_metres(low), *_metres(high))


def _name(each: Mapping[str, Any]) -> str:
    return f"{each['provider']}: {each['dataset']}/{each['class']}/{each['instance']}"


def _class(each: Mapping[str, Any]) -> str:
    return f"{each['dataset']}/{each['class']}"


def _metres(position: _Vector) -> Pose:
    x, y, z = (round(value / 1000, 4) for value in position)
    return x, y, z


def _plus(a: _Vector, b: _Vector) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _turned(orientation: _Vector, vector: _Vector) -> list[float]:
    """*vector*, turned by a quaternion w, x, y, z."""
    w, x, y, z = orientation
    a, b, c = vector
    # v + 2 w (u x v) + 2 u x (u x v), with u the quaternion's vector
    p, q, r = y * c - z * b, z * a - x * c, x * b - y * a
    return [
        a + 2 * (w * p + y * r - z * q),
        b + 2 * (w * q + z * p - x * r),
        c + 2 * (w * r + x * q - y * p),
    ]
