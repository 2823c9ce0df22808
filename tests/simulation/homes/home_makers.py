"""Bodies to be made in other processes, as a user's own module would have them."""

from __future__ import annotations

import sys
import time
from random import Random

from foretree.errors import ForetreeError
from foretree.perception.frame import Frame, Lens
from foretree.simulation.homes.architect import draw_layout
from foretree.simulation.homes.bodies import load_bodies
from foretree.simulation.homes.body import GridBody
from foretree.simulation.homes.habits import load_habits, place_of
from foretree.simulation.homes.home import Home, Posture
from foretree.simulation.homes.noise import load_noise
from foretree.skills.embodied.body import Control


def furnished(seed: int) -> GridBody:
    """A body before the counter of a kitchen in which things lie about."""
    print("a word that must not come between frames")
    layout, bodies, rng = draw_layout("l_kitchen/0"), load_bodies(), Random(seed)
    home = Home(layout, bodies, Posture(min(layout.reachable), 0))
    for name in ("mug", "cup", "apple", "bread", "plate", "knife", "milk", "pan"):
        found = place_of(home, bodies.items[name], load_habits(), rng)
        assert found is not None
        home.add(name, set(), bodies.items[name].colour, *found)
    counter = home[next(iter(home.items())).rests.support].piece  # type: ignore[union-attr]
    assert counter is not None
    home.posture = Posture(layout.spots_before(counter)[0], (counter.facing + 180) % 360, -30)
    return GridBody(home, Lens(), load_noise(), seed)


def impossible() -> GridBody:
    raise ForetreeError("There is no such home.")


def broken() -> GridBody:
    raise ValueError("a slip")


class Stubborn:
    """A body that does nothing it is told."""

    lens = Lens()
    reach = 1.0

    def __init__(self, how: str) -> None:
        self.how = how

    def step(self, control: Control) -> Frame:
        if self.how == "sleep":
            time.sleep(60)
        if self.how == "exit":
            print("gone for good", file=sys.stderr)
            sys.exit(3)
        raise ForetreeError("It will not.")
