"""What follows by itself: heat, cold, coffee and boiling, whenever something has changed."""

from __future__ import annotations

from foretree.simulation.homes.home import Home, Thing

#: What a vessel can be full of.
CONTENTS = ("has_water", "has_coffee")


def settle(home: Home) -> None:
    """Let everything that is switched on, and every closed fridge, do its work.

    Nothing needs time here: what lies in a closed fridge is cold, what stands on a fire is hot.
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


def fill_with(home: Home, vessel: Thing, content: str) -> None:
    """Fill a vessel."""
    home.set_state(vessel, "filled")
    home.set_state(vessel, content)


def empty_out(home: Home, vessel: Thing) -> None:
    """Empty a vessel."""
    for state in ("filled", *CONTENTS):
        home.set_state(vessel, state, False)


def _heat(home: Home, thing: Thing) -> None:
    home.set_state(thing, "hot")
    home.set_state(thing, "cold", False)


def _cool(home: Home, thing: Thing) -> None:
    home.set_state(thing, "cold")
    home.set_state(thing, "hot", False)


def _burn(home: Home, thing: Thing) -> None:
    """What stands on a fire is hot. In a metal vessel everything becomes hot; what can be cooked is cooked, in one
    that could hold water only if it does."""
    _heat(home, thing)
    if not thing.can("metal"):
        return
    dry = thing.can("vessel") and "has_water" not in thing.states
    for inside in home.loads_of(thing):
        _heat(home, inside)
        if inside.can("cookable") and not dry:
            home.set_state(inside, "cooked")


def _toast(home: Home, thing: Thing) -> None:
    _heat(home, thing)
    if getattr(thing.body, "toasts", False):
        home.set_state(thing, "cooked")
