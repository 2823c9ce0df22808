"""How the robot moves in a home, and when it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2, degrees

from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, centre_of
from foretree.skills.embodied.body import NOD, TURN

#: How far the camera nods, in degrees, and how far to the side it sees what is held under a lamp.
LOWEST, HIGHEST = -60, 30
_BESIDE = 45.0


def move(home: Home, name: str) -> str:
    """Carry out a motion.

    Returns:
        Why it cannot be done, in words of a person; empty if it was.
    """
    return _MOTIONS[name](home)


def _step(turn: int) -> Callable[[Home], str]:
    def go(home: Home) -> str:
        di, dj = AHEAD[(home.posture.heading + turn) % 360]
        i, j = home.posture.cell
        if (i + di, j + dj) not in home.layout.standable:
            return "something is in the way"
        home.posture.cell = i + di, j + dj
        return ""

    return go


def _rotate(by: int) -> Callable[[Home], str]:
    def turn(home: Home) -> str:
        home.posture.heading = (home.posture.heading + by) % 360
        return ""

    return turn


def _nod(by: int) -> Callable[[Home], str]:
    def nod(home: Home) -> str:
        pitch = home.posture.pitch + by
        if not LOWEST <= pitch <= HIGHEST:
            return f"the camera does not look farther {'up' if by > 0 else 'down'}"
        home.posture.pitch = pitch
        return ""

    return nod


def _lift(by: int) -> Callable[[Home], str]:
    def lift(home: Home) -> str:
        if home.held is None:
            return "there is nothing in the hand"
        if not -1 <= home.posture.lift + by <= 1:
            return f"the arm does not go farther {'up' if by > 0 else 'down'}"
        home.posture.lift += by
        return ""

    return lift


def _turn_held(home: Home) -> str:
    if home.held is None:
        return "there is nothing in the hand"
    home.posture.turn = (home.posture.turn + 1) % 4
    return ""


def _wait(home: Home) -> str:
    return ""


_MOTIONS: Mapping[str, Callable[[Home], str]] = {
    "move_ahead": _step(0),
    "move_back": _step(180),
    "strafe_left": _step(90),
    "strafe_right": _step(270),
    "rotate_left": _rotate(TURN),
    "rotate_right": _rotate(-TURN),
    "look_up": _nod(NOD),
    "look_down": _nod(-NOD),
    "lift_held": _lift(1),
    "lower_held": _lift(-1),
    "turn_held": _turn_held,
    "wait": _wait,
}

#: The motions that take the robot somewhere else, and those that are part of a walk as well.
STEPS = frozenset({"move_ahead", "move_back", "strafe_left", "strafe_right"})
WALKING = STEPS | {"rotate_left", "rotate_right"}


def faces(home: Home, thing: HomeObject) -> bool:
    """Whether the robot looks towards a thing with no wall in between."""
    x, y = centre_of(home.posture.cell)
    x0, y0, _, x1, y1, _ = thing.extent
    dx, dy = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
    aside = (degrees(atan2(dy, dx)) - home.posture.heading + 180) % 360 - 180
    if abs(aside) > _BESIDE:
        return False
    steps = max(2, round(4 * max(abs(dx), abs(dy)) / CELL))
    between = ((x + dx * k / steps, y + dy * k / steps) for k in range(1, steps))
    return not any((int(px // CELL), int(py // CELL)) in home.layout.walls for px, py in between)
