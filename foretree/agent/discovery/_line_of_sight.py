"""Lines of sight of a robot, on the map that it has drawn of the floor."""

from __future__ import annotations

from math import ceil, dist
from typing import Protocol

from foretree.skills.robot import Robot
from foretree.world_model.beliefs.belief import Belief, Snapshot
from foretree.world_model.beliefs.facts import Atom, Entity, Pose, Truth, holding
from foretree.world_model.camera_model import Stance
from foretree.world_model.occupancy.occupancy_grid import CellState, OccupancyGrid

#: How far a robot sees what it looks for (metres), and what is this much above the line of sight hides it.
_VIEW_RANGE, _HEIGHT_TOLERANCE = 4.0, 0.1


class MapSource(Protocol):
    """The knowledge of a robot that maps the floor.

    Attributes:
        occupancy: the floor as far as it is known.
    """

    occupancy: OccupancyGrid

    @property
    def stance(self) -> Stance:
        """The pose of the robot's body and camera."""
        ...


class LineOfSight:
    """Tells what is near enough to be seen, and not hidden.

    Args:
        source: what the robot knows of the floor.
        belief: where things are.
        robot: the robot, whose hands are always in view.
    """

    def __init__(self, source: MapSource, belief: Belief, robot: Robot) -> None:
        self._source = source
        self._belief = belief
        self._robot = robot.name
        self._hands = robot.hands

    def is_in_sight(self, atom: Atom) -> bool:
        """Return whether a look from here could tell about *atom*: it is about what is near, not hidden."""
        beliefs = self._belief.snapshot()
        return any(self._is_in_view(name, beliefs) for name in atom[1:])

    def _is_in_view(self, name: str, beliefs: Snapshot) -> bool:
        if any(beliefs.truth(holding((self._robot, hand), name)) is Truth.TRUE for hand in self._hands):
            return True
        entity = beliefs.entity(name)
        if entity is None or entity.pose is None or name == self._robot or name in self._hands:
            return False
        if _is_shut_in(name, beliefs):
            return False
        if entity.fixed and entity.extent is None:
            return False
        return self._sees(entity.pose, entity)

    def _sees(self, pose: Pose, entity: Entity) -> bool:
        occupancy, stance = self._source.occupancy, self._source.stance
        away = dist((stance.x, stance.y), pose[:2])
        if away > _VIEW_RANGE:
            return False
        samples = ceil(away / (occupancy.grid.cell / 2))
        for number in range(1, samples):
            part = number / samples
            x, y = stance.x + part * (pose[0] - stance.x), stance.y + part * (pose[1] - stance.y)
            height = stance.eye + part * (pose[2] - stance.eye)
            if dist((x, y), pose[:2]) <= 0.5 or _is_in(entity, x, y):
                break
            cell = occupancy.grid.cell_at(x, y)
            if (
                occupancy.height(cell) > height + _HEIGHT_TOLERANCE
                and occupancy.state(cell) is CellState.OCCUPIED
            ):
                return False
        return True


def _is_shut_in(name: str, beliefs: Snapshot) -> bool:
    """Return whether something is in what is believed to be shut, so that no look finds it."""
    rests = beliefs.placement("rests", name)
    while rests is not None and len(rests) == 3:
        way, _, support = rests
        may_be_shut = way == "in" and beliefs.truth(("openable", support)) is Truth.TRUE
        if may_be_shut and beliefs.truth(("open", support)) is not Truth.TRUE:
            return True
        rests = beliefs.placement("rests", support)
    return False


def _is_in(entity: Entity, x: float, y: float) -> bool:
    if entity.extent is None:
        return False
    x0, y0, _, x1, y1, _ = entity.extent
    return x0 <= x <= x1 and y0 <= y <= y1
