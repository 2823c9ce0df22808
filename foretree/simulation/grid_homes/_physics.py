"""Physics of objects: slicing, filling, and the consequences of heat, cold, coffee and boiling."""

from __future__ import annotations

from foretree.simulation.grid_homes.home import Home, HomeObject

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
