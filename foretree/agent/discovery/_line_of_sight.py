"""Lines of sight of a robot, on the map that it has drawn of the floor."""

from __future__ import annotations

from math import ceil, dist

from foretree.skills.embodied.senses import Senses
from foretree.skills.robot import Robot
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Entity, Pose, Truth, holding
from foretree.world_model.occupancy.occupancy_grid import CellState

#: How far a robot sees what it looks for (metres), and what is this much above the line of sight hides it.
_VIEW_RANGE, _HEIGHT_TOLERANCE = 4.0, 0.1


def is_in_sight(atom: Atom, beliefs: Snapshot, robot: Robot, senses: Senses) -> bool:
    """Return whether a look from here could tell about *atom*: it is about what is near, not hidden.

    Args:
        atom: what is in question.
        beliefs: where things are.
        robot: the robot, whose hands are always in view.
        senses: what the robot knows of the floor, and where its eye is.
    """
    return any(_is_in_view(name, beliefs, robot, senses) for name in atom[1:])


def _is_in_view(name: str, beliefs: Snapshot, robot: Robot, senses: Senses) -> bool:
    if any(beliefs.truth(holding((robot.name, hand), name)) is Truth.TRUE for hand in robot.hands):
        return True
    entity = beliefs.entity(name)
    return (
        entity is not None
        and entity.pose is not None
        and name not in (robot.name, *robot.hands)
        and not _is_shut_in(name, beliefs)
        and (not entity.fixed or entity.extent is not None)
        and _sees(entity.pose, entity, senses)
    )


def _sees(pose: Pose, entity: Entity, senses: Senses) -> bool:
    occupancy, stance = senses.occupancy, senses.stance
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
