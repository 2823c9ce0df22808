"""What a control costs in a grid home: acting, seeing, and getting the frame to whoever asked.

Then what whole episodes cost, everything counted: perception, beliefs, every planning request, all processes.

    python -m pytest benchmarks/bench_homes.py

The body strolls about, looks up and down, opens what can be opened and picks up what is there, in homes with
60 items and all their furniture. The tests at the end compare with a peer that runs in between, by processor
time, so that they come out the same on a slow machine and on a busy one. How whole episodes compare with
those of another state of the code, ``home_episodes.py`` tells.
"""

from __future__ import annotations

import statistics
from functools import partial
from random import Random

import pytest
from home_episodes import HERE, compare
from peers import beside_sorting

from foretree.perception.frame import Frame, Lens
from foretree.simulation.grid_homes.body.body import GridBody
from foretree.simulation.grid_homes.body.remote_body import RemoteBody
from foretree.simulation.grid_homes.camera._raycast import raycast
from foretree.simulation.grid_homes.camera.camera import CEILING
from foretree.simulation.grid_homes.episode import open_episode
from foretree.skills.embodied.body import Body, Control

LAYOUTS = ("galley_kitchen/0", "studio/0", "hall_flat/0")
ITEMS = 60
#: What a stroll is made of.
STROLL = ("move_ahead",) * 6 + ("rotate_left", "rotate_right", "look_down", "look_up", "strafe_left", "hand")


def furnished(layout: str) -> GridBody:
    """A body in a home with 60 items."""
    empty = open_episode(layout, seed=1, things=0)
    return open_episode(layout, seed=1, things=ITEMS + len(empty.rules.home.things))


class Stroll:
    """A body that does one thing after the other."""

    def __init__(self, body: Body, seed: int = 1) -> None:
        self.body = body
        self.frame: Frame = body.step(Control("wait"))
        self._rng = Random(seed)

    def step(self) -> Frame:
        """Do the next thing."""
        name = self._rng.choice(STROLL)
        if name != "hand":
            control = Control(name)
        elif self.frame.masks:
            control = Control(
                self._rng.choice(("pick_up", "put", "open", "close")),
                self._rng.choice(self.frame.masks).label,
            )
        else:
            control = Control("wait")
        self.frame = self.body.step(control)
        return self.frame


@pytest.mark.benchmark(group="one control")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_control(benchmark, layout):
    benchmark(Stroll(furnished(layout)).step)


@pytest.mark.benchmark(group="one control")
def test_control_of_a_remote_body(benchmark):
    with RemoteBody(
        "foretree.simulation.grid_homes.episode:open_episode", {"layout": "studio/0", "seed": 1, "things": 80}
    ) as body:
        benchmark(Stroll(body).step)


# -- what the project is held to -------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_takes_no_longer_than_so_many_sorts_of_its_pixels(layout, capsys):
    body = furnished(layout)
    stroll = Stroll(body)
    taken = []
    for _ in range(60):
        stance = stroll.step().stance
        taken.append(beside_sorting(partial(raycast, body.camera.solids(), stance, Lens(), CEILING), 5))
    mean = statistics.mean(taken)
    with capsys.disabled():
        print(f"\n{layout}: a picture takes as long as {mean:.0f} sorts of its pixels")
    assert mean <= 50


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_control_takes_no_longer_than_so_many_sorts_of_a_picture(layout, capsys):
    ratio = beside_sorting(Stroll(furnished(layout)).step, 500)
    with capsys.disabled():
        print(f"\n{layout}: a control takes as long as {ratio:.0f} sorts of a picture's pixels")
    assert ratio <= 80


def test_whole_episodes_with_everything_counted(capsys):
    (side,) = compare([HERE], 4, "diverse", 0, "all-guards")
    with capsys.disabled():
        print(f"\n{side.rate:.0f} controls per second of the processor, everything counted")
    assert len(side.outcomes) == 4
    assert not any(one[-1] for one in side.outcomes), "none crashed or hung"
