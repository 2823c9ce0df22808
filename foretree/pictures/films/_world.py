"""The world as a run believes it to be: what rests where, and where the robots are and were."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, degrees
from typing import Any

from foretree.pictures._site_floors import beside
from foretree.runs.event_kinds import BeliefChanged
from foretree.runs.views.run_state import RunState
from foretree.world_model.beliefs.facts import HOLDING, ROBOT_AT
from foretree.world_model.maps.building_map import MapRoom, Point

#: Classes of entities that are no things.
_NO_THINGS = frozenset({"hand", "waypoint", "robot"})
_PEOPLE = frozenset({"person", "human"})

#: Predicates of two things, the first of which is where the second is.
_RESTS = frozenset({"on", "in", "under", "hung_on", "given"})

#: How many things may rest on each other.
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class FloorDoor:
    """A door of the floor of a run."""

    name: str
    at: Point


@dataclass(frozen=True)
class RunFloor:
    """The floor on which a run takes place, as far as its record has it."""

    rooms: tuple[MapRoom, ...] = ()
    doors: tuple[FloorDoor, ...] = ()
    openings: tuple[tuple[Point, Point], ...] = ()

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> RunFloor:
        """Return the floor that a record has; none if it is not as it should be."""
        try:
            return cls(
                tuple(
                    MapRoom(str(room["name"]), _point(room["low"]), _point(room["high"]))
                    for room in said.get("rooms", ())
                ),
                tuple(FloorDoor(str(door["name"]), _point(door["at"])) for door in said.get("doors", ())),
                tuple((_point(start), _point(end)) for start, end in said.get("passages", ())),
            )
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return cls()

    def room_at(self, at: Point) -> MapRoom | None:
        """The room that a point is in."""
        return next((room for room in self.rooms if room.contains(*at)), None)


def _point(said: Sequence[float]) -> Point:
    return float(said[0]), float(said[1])


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is believed to be somewhere.

    Attributes:
        name: its name.
        at: where it is; of what rests on something else, where that is; no matter for what a robot holds.
        holder: the furniture, the person or the robot that it rests on, in the end; empty if none is known.
    """

    name: str
    at: Point
    holder: str = ""


@dataclass(frozen=True)
class World:
    """Everything that is believed to be somewhere at one moment; robots aside."""

    furniture: tuple[Thing, ...] = ()
    people: tuple[Thing, ...] = ()
    items: tuple[Thing, ...] = ()
    open_doors: frozenset[str] = frozenset()


def world_of(state: RunState, robots: Sequence[str]) -> World:
    """Return the world of a run's state."""
    rests: dict[str, str] = {}
    open_doors = set()
    for atom, standing in state.facts.items():
        if standing.truth != "true":
            continue
        if len(atom) == 3 and atom[0] in _RESTS:
            rests[atom[1]] = atom[2]
        elif atom[0] == HOLDING and len(atom) == 4:
            rests[atom[3]] = atom[1]
        elif atom[0] == "open" and len(atom) == 2:
            open_doors.add(atom[1])
    furniture, people, items = [], [], []
    for name, entity in state.entities.items():
        class_name, at = entity.get("class"), _pose(entity)
        if class_name in _NO_THINGS or class_name == "door" or name in robots:
            continue
        if class_name in _PEOPLE:
            people += [Thing(name, at)] if at else []
        elif entity.get("fixed"):
            furniture += [Thing(name, at)] if at else []
        else:
            holder = _holder(name, rests)
            at = _pose(state.entities.get(holder, {})) or at
            items += [Thing(name, at or (0.0, 0.0), holder)] if at or holder in robots else []
    return World(tuple(furniture), tuple(people), tuple(items), frozenset(open_doors))


def _holder(name: str, rests: Mapping[str, str]) -> str:
    """Support of a thing in the end; empty if that is not known."""
    holder = ""
    for _ in range(_DEEPEST):
        if name not in rests:
            break
        holder = name = rests[name]
    return holder


def _pose(entity: Mapping[str, Any]) -> Point | None:
    pose = entity.get("pose")
    return _point(pose) if isinstance(pose, list | tuple) and len(pose) >= 2 else None


@dataclass
class Ways:
    """Position of each robot at any time: at a node, or on the straight way to the next."""

    _times: dict[str, list[float]] = field(default_factory=dict)
    _points: dict[str, list[Point]] = field(default_factory=dict)

    def robots(self) -> Iterator[str]:
        """The robots of which it is known where they are."""
        return iter(self._times)

    def note(self, state: RunState, floor: RunFloor) -> None:
        """Take down what the last event says about where robots are."""
        data = state.latest
        if not isinstance(data, BeliefChanged):
            return
        for atom, truth, _, _ in data.facts:
            if len(atom) != 3 or atom[0] != ROBOT_AT:
                continue
            robot, node = atom[1], atom[2]
            if truth == "true" and (at := _stand(state, node, floor)) is not None:
                self._add(robot, state.time, at)
            elif truth != "true" and robot in self._points:
                self._add(robot, state.time, self._points[robot][-1])

    def _add(self, robot: str, time: float, at: Point) -> None:
        self._times.setdefault(robot, []).append(time)
        self._points.setdefault(robot, []).append(at)

    def moves(self, start: float, end: float) -> bool:
        """Return whether a robot moves between two times."""
        middle = (start + end) / 2
        return any(
            self.at(robot, start) != self.at(robot, middle) or self.at(robot, end) != self.at(robot, middle)
            for robot in self._times
        )

    def at(self, robot: str, time: float) -> Point:
        """The position of a robot."""
        times, points = self._times[robot], self._points[robot]
        after = bisect_right(times, time)
        if after == 0 or after == len(times):
            return points[0 if after == 0 else -1]
        start, end = times[after - 1], times[after]
        share = (time - start) / (end - start)
        (x, y), (to_x, to_y) = points[after - 1], points[after]
        return x + share * (to_x - x), y + share * (to_y - y)

    def heading(self, robot: str, time: float) -> int | None:
        """The direction in which a robot goes or went last, in degrees; None before its first step."""
        times, points = self._times[robot], self._points[robot]
        for index in range(min(bisect_right(times, time), len(points) - 1), 0, -1):
            (x, y), (to_x, to_y) = points[index - 1], points[index]
            if (x, y) != (to_x, to_y):
                return round(degrees(atan2(to_y - y, to_x - x)))
        return None

    def until(self, robot: str, time: float) -> list[Point]:
        """The way of a robot up to a time."""
        return [*self._points[robot][: bisect_right(self._times[robot], time)], self.at(robot, time)]


def _stand(state: RunState, node: str, floor: RunFloor) -> Point | None:
    """The point where a robot stands at a node."""
    entity = state.entities.get(node, {})
    at = _pose(entity)
    if at is None or entity.get("class") == "waypoint":
        return at
    return beside(at, floor.room_at(at))
