"""Bodies to be made in other processes, as a user's own module would have them."""

from __future__ import annotations

import sys
import time

from foretree.errors import ForetreeError
from foretree.perception.frame import Frame, Lens
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.episode import open_episode
from foretree.simulation.grid_homes.home import Placement, Posture
from foretree.skills.embodied.body import Control


def furnished(seed: int, noise: float = 1.0) -> GridBody:
    """A body in a kitchen in which things lie about, before a piece of furniture with a mug and an apple on it."""
    print("a word that must not come between frames")
    body = open_episode("l_kitchen/0", seed, things=40, noise=noise)
    home = body.rules.home
    wide = [thing for thing in home.furniture() if thing.class_name in ("counter", "table", "drawer")]
    for name in ("mug", "apple"):
        item = home.classes.items[name]
        for support in wide:
            x0, y0, _, x1, y1, z1 = support.extent
            spot = home.spot(item.size, support, "on", ((x0 + x1) / 2, (y0 + y1) / 2, z1))
            if spot is not None:
                home.add(name, set(), item.colour, Placement("on", support.id), spot)
                wide = [support]
                break
    piece = wide[0].piece
    assert piece is not None
    home.posture = Posture(home.layout.spots_before(piece)[0], (piece.facing + 180) % 360, -30)
    return body


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
