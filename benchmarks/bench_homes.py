"""What a control costs in a grid home: acting, seeing, and getting the frame to whoever asked.

Then what it costs with all that a robot makes of it: seeing, mapping, and deciding what to do next.

    python -m pytest benchmarks/bench_homes.py

The body strolls about, looks up and down, opens what can be opened and picks up what is there, in homes with
60 items and all their furniture. The tests at the end hold the project to its figures, by processor time.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

import pytest

from foretree.clock import SimulatedClock
from foretree.config import find_config
from foretree.perception.frame import Frame
from foretree.perception.opening import open_eyes
from foretree.perception.relations import AffordedBearing
from foretree.simulation.homes.body import GridBody, open_body
from foretree.simulation.homes.in_sight import CEILING
from foretree.simulation.homes.raycast import cast
from foretree.simulation.homes.remote import RemoteBody
from foretree.skills.embodied.body import STEP_TIME, Body, Control
from foretree.skills.embodied.body_robot import BodyRobot
from foretree.skills.robot import LookRequest, Order, Target
from foretree.world_model.camera_model import Lens
from foretree.world_model.ontology import load_ontology

LAYOUTS = ("galley_kitchen/0", "studio/0", "hall_flat/0")
ITEMS = 60
#: What a stroll is made of.
STROLL = ("move_ahead",) * 6 + ("rotate_left", "rotate_right", "look_down", "look_up", "strafe_left", "hand")


def furnished(layout: str) -> GridBody:
    """A body in a home with 60 items."""
    empty = open_body(layout, seed=1, things=0)
    return open_body(layout, seed=1, things=ITEMS + len(empty.rules.home.things))


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


class Errands:
    """A robot with a body that goes to what it sees, picks things up, puts them down, and looks around."""

    def __init__(self, body: Body, seed: int = 1) -> None:
        ontology = load_ontology(find_config("domains", "home"))
        self.clock = SimulatedClock()
        self.robot = BodyRobot(body, open_eyes(body.lens, AffordedBearing(ontology), frozen=True), self.clock)
        self._rng = Random(seed)
        self._count = 0

    @property
    def controls(self) -> int:
        """How many controls there have been."""
        return self.robot.senses.frame.step

    def run(self) -> None:
        """Do the next thing, whatever comes of it."""
        self._count += 1
        name = f"e{self._count}"
        seen = [
            one for one in self.robot.senses.sight.detections if one.id not in self.robot.senses.sight.held
        ]
        if self._count % 5 == 1 or not seen:
            execution = self.robot.look(LookRequest(), name)
        else:
            thing = self._rng.choice(seen)
            target = Target(thing.classes, thing.pose, thing.features, None, thing.extent)
            held = self.robot.senses.held()
            if self._rng.random() < 0.5:
                order = Order("move", {"to": target})
            elif held is None:
                order = Order("pick", {"item": target})
            else:
                order = Order(
                    "place_on", {"item": Target(held.classes, None, held_in="hand"), "place": target}
                )
            execution = self.robot.start(order, name)
        while execution.poll() is None:
            self.clock.sleep_until(self.clock.now() + STEP_TIME)
            self.robot.observations()


def processor_time(act: Callable[[], object], count: int) -> list[float]:
    """Seconds of the processor that each of so many calls takes."""
    spent = []
    for _ in range(count):
        begin = process_time()
        act()
        spent.append(process_time() - begin)
    return spent


@pytest.mark.benchmark(group="one control")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_control(benchmark, layout):
    benchmark(Stroll(furnished(layout)).step)


@pytest.mark.benchmark(group="one control")
def test_control_of_a_remote_body(benchmark):
    with RemoteBody(
        "foretree.simulation.homes.body:open_body", {"layout": "studio/0", "seed": 1, "things": 80}
    ) as body:
        benchmark(Stroll(body).step)


# -- what the project is held to -------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_takes_at_most_two_milliseconds(layout, capsys):
    body = furnished(layout)
    stroll, spent = Stroll(body), []
    for _ in range(300):
        stance = stroll.step().stance
        solids = body.camera.solids()
        spent += processor_time(partial(cast, solids, stance, Lens(), CEILING), 1)
    mean = 1000 * statistics.mean(spent)
    with capsys.disabled():
        print(f"\n{layout}: {mean:.2f} ms a picture, {solids.owners} things, {len(solids.bounds)} boxes")
    assert mean <= 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_at_least_150_controls_per_second(layout, capsys):
    stroll = Stroll(furnished(layout))
    rate = 1 / statistics.mean(processor_time(stroll.step, 1000))
    with capsys.disabled():
        print(f"\n{layout}: {rate:,.0f} controls per second of processor time")
    assert rate >= 150


@pytest.mark.parametrize("layout", LAYOUTS)
def test_at_least_150_controls_per_second_with_all_that_a_robot_makes_of_them(layout, capsys):
    errands = Errands(furnished(layout))
    begun, spent = errands.controls, 0.0
    while errands.controls < begun + 800:
        spent += sum(processor_time(errands.run, 1))
    rate = (errands.controls - begun) / spent
    with capsys.disabled():
        print(
            f"\n{layout}: {rate:,.0f} controls per second of processor time, perception and mapping included"
        )
    assert rate >= 150
