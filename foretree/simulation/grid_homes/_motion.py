"""Motions of the robot in a home, and the reasons for which they are refused."""

from __future__ import annotations

from math import atan2, degrees

from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, centre_of
from foretree.skills.embodied.body import NOD, TURN

#: The range of the camera's pitch in degrees, and how far to the side of the heading a lamp may be that
#: lights what is held.
LOWEST, HIGHEST = -60, 30
_BESIDE = 45.0

#: The direction of each step relative to the heading, and by how much other motions change the posture.
_STEP_DIRECTIONS = {"move_ahead": 0, "move_back": 180, "strafe_left": 90, "strafe_right": 270}
_TURNS = {"rotate_left": TURN, "rotate_right": -TURN}
_NODS = {"look_up": NOD, "look_down": -NOD}
_LIFTS = {"lift_held": 1, "lower_held": -1}

#: The motions that take the robot somewhere else, and those that are part of a walk as well.
STEPS = frozenset(_STEP_DIRECTIONS)
WALKING = STEPS | set(_TURNS)


def move(home: Home, name: str) -> str:
    """Carry out a motion.

    Returns:
        The reason for which it is refused, for people; empty if it was carried out.
    """
    posture = home.posture
    if name in STEPS:
        di, dj = AHEAD[(posture.heading + _STEP_DIRECTIONS[name]) % 360]
        cell = posture.cell[0] + di, posture.cell[1] + dj
        if cell not in home.layout.standable:
            return "something is in the way"
        posture.cell = cell
    elif name in _TURNS:
        posture.heading = (posture.heading + _TURNS[name]) % 360
    elif name in _NODS:
        pitch = posture.pitch + _NODS[name]
        if not LOWEST <= pitch <= HIGHEST:
            return f"the camera does not look farther {'up' if name == 'look_up' else 'down'}"
        posture.pitch = pitch
    elif name != "wait":
        return _show_held(home, name)
    return ""


def _show_held(home: Home, name: str) -> str:
    if home.held is None:
        return "there is nothing in the hand"
    if name == "turn_held":
        home.posture.turn = (home.posture.turn + 1) % 4
        return ""
    lift = home.posture.lift + _LIFTS[name]
    if not -1 <= lift <= 1:
        return f"the arm does not go farther {'up' if name == 'lift_held' else 'down'}"
    home.posture.lift = lift
    return ""


def faces(home: Home, thing: HomeObject) -> bool:
    """Tell whether the robot looks towards an object with no wall in between."""
    x, y = centre_of(home.posture.cell)
    x0, y0, _, x1, y1, _ = thing.extent
    dx, dy = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
    aside = (degrees(atan2(dy, dx)) - home.posture.heading + 180) % 360 - 180
    if abs(aside) > _BESIDE:
        return False
    steps = max(2, round(4 * max(abs(dx), abs(dy)) / CELL))
    between = ((x + dx * k / steps, y + dy * k / steps) for k in range(1, steps))
    return not any((int(px // CELL), int(py // CELL)) in home.layout.walls for px, py in between)
