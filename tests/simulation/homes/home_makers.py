"""Bodies to be made in other processes, as a user's own module would have them."""

from __future__ import annotations

import sys
import time

from foretree.errors import ForetreeError
from foretree.perception.frame import Frame
from foretree.simulation.homes.body import GridBody, open_body
from foretree.simulation.homes.home import Posture
from foretree.skills.embodied.body import Control
from foretree.world_model.camera_model import Lens


def furnished(seed: int) -> GridBody:
    """A body before a table in a kitchen in which things lie about."""
    print("a word that must not come between frames")
    body = open_body("l_kitchen/0", seed, things=40)
    home = body.rules.home
    table = home.of_class("table")[0].piece
    assert table is not None
    home.posture = Posture(home.layout.spots_before(table)[0], (table.facing + 180) % 360, -30)
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
