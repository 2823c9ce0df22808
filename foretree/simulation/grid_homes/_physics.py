"""Motions of the robot, and physics of objects: slicing, filling, heat, cold, coffee and boiling."""

from __future__ import annotations

from math import atan2, degrees

from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, centre_of
from foretree.skills.embodied.body import NOD, TURN

#: The contents of vessels.
CONTENTS = ("has_water", "has_coffee")
#: The number of slices of an object, the share of its length that is left, and the states that slices
#: inherit.
SLICES = 3
_LEFT = 0.4
_KEPT = frozenset({"clean", "hot", "cold", "cooked"})


def settle(home: Home) -> None:
    """Apply the consequences of everything that is switched on, and of closed fridges.

    Nothing takes time: what lies in a closed fridge is cold, what stands on a fire is hot.
    """
    for thing in home.furniture():
        if thing.can("cools"):
            if not thing.is_open:
                for inside in home.loads_of(thing):
                    _cool(home, inside)
        elif "turned_on" not in thing.states:
            continue
        elif thing.can("heats"):
            for inside in home.loads_of(thing):
                _heat(home, inside)
        elif thing.can("burns"):
            for on_it in [home.things[one] for one in thing.load]:
                _burn(home, on_it)
        elif thing.can("toasts"):
            for inside in [home.things[one] for one in thing.load]:
                _toast(home, inside)
        elif thing.can("brews"):
            for below in [home.things[one] for one in thing.load]:
                if below.can("cup") and "filled" not in below.states and "broken" not in below.states:
                    fill_with(home, below, "has_coffee")
                    _heat(home, below)


def cut(home: Home, thing: HomeObject) -> None:
    """Slice an object; the slices lie beside what is left of it, or on it where there is no room.

    Args:
        home: the home.
        thing: of a class that has slices, and not in the hand.
    """
    assert thing.object_class.slices is not None
    assert thing.rests is not None
    x0, y0, z0, x1, y1, z1 = thing.extent
    home.resize(thing, (x0, y0, z0, x0 + _LEFT * (x1 - x0), y1, z1))
    home.set_state(thing, "sliced")
    like = home.classes.items[thing.object_class.slices]
    support = home[thing.rests.support]
    x, y = x0 + _LEFT * (x1 - x0) / 2, (y0 + y1) / 2
    for _ in range(SLICES):
        spot = home.spot(like.size, support, thing.rests.relation, (x, y, z0))
        if spot is None:
            w, d, h = like.size
            spot = (x - w / 2, y - d / 2, z1, x + w / 2, y + d / 2, z1 + h)
        home.add(like.name, thing.states & _KEPT, like.colour, thing.rests, spot)


def fill_with(home: Home, vessel: HomeObject, content: str) -> None:
    """Fill a vessel."""
    home.set_state(vessel, "filled")
    home.set_state(vessel, content)


def empty_out(home: Home, vessel: HomeObject) -> None:
    """Empty a vessel."""
    for state in ("filled", *CONTENTS):
        home.set_state(vessel, state, False)


def _heat(home: Home, thing: HomeObject) -> None:
    home.set_state(thing, "hot")
    home.set_state(thing, "cold", False)


def _cool(home: Home, thing: HomeObject) -> None:
    home.set_state(thing, "cold")
    home.set_state(thing, "hot", False)


def _burn(home: Home, thing: HomeObject) -> None:
    """Heat what stands on a fire, and what is in it if it is of metal.

    What can be cooked is cooked there; in a vessel, only if it has water.
    """
    _heat(home, thing)
    if not thing.can("metal"):
        return
    dry = thing.can("vessel") and "has_water" not in thing.states
    for inside in home.loads_of(thing):
        _heat(home, inside)
        if inside.can("cookable") and not dry:
            home.set_state(inside, "cooked")


def _toast(home: Home, thing: HomeObject) -> None:
    _heat(home, thing)
    if thing.object_class.toasts:
        home.set_state(thing, "cooked")


# -- motions ---

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
