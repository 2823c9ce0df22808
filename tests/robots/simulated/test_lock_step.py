"""Robots of a simulation behind a link: the agent does the same as with the world in its own process."""

from dataclasses import replace

import pytest
from hosted_link import HostedLink

from foretree.bringup.embedded import open_household, open_robots
from foretree.bringup.options import Options, Wish
from foretree.clock import SimulatedClock
from foretree.config import ConfigError, find_config
from foretree.robots.simulated.simulation import RosSimulation
from foretree.runs.events import Tape
from foretree.simulation.household.scene import Noise
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import LookRequest, Order, Outcome, RobotError, Target

UNKNOWN_TO_THE_AGENT = ("run.started", "fault.injected")
SOME_NOISE = Noise(confusion=0.05, misread=0.05, missed=0.1)


def scene_of(name):
    path = find_config("scenes", name)
    return load_scene(path, load_catalogue(scene_domain(path)).ontology)


def record(session, tape):
    session.run()
    return [tuple(event[1:]) for event in tape.events if event.kind not in UNKNOWN_TO_THE_AGENT]


def embedded(scene, wish, faults, seed=0):
    tape = Tape()
    session, world = open_household(scene, wish, Options(faults=faults, seed=seed), recorder=tape)
    return session, record(session, tape), world


def behind_a_link(link, wish, faults=(), seed=0, tape=None):
    tape = tape or Tape()
    simulation = RosSimulation(link, patience=5.0)
    options = Options(faults=faults, seed=seed)
    session = open_robots(simulation.robots, link.scene, wish, options, recorder=tape, clock=simulation.clock)
    return session, tape


@pytest.mark.parametrize(
    ("name", "instruction", "faults"),
    [
        ("kitchen", "put a mug on table2", ()),
        ("kitchen", "put a mug on table2", ("after 1: move mug1 counter1", "after 2: fail next action")),
        ("kitchen", "put a mug on table2", ("during 2: disconnect for 1.5",)),
        ("kitchen", "put a mug on table2", ("during 1: disconnect for 4",)),
        ("kitchen", "put a mug on table2", ("after 1: hang next pick",)),
        ("two_robots", "put the mango on table2", ()),
    ],
)
@pytest.mark.parametrize("noise", [Noise(), SOME_NOISE])
def test_the_record_is_the_same_to_the_letter(name, instruction, faults, noise):
    scene, wish = replace(scene_of(name), noise=noise), Wish(instruction)
    alone, expected, world = embedded(scene, wish, faults, 3)
    assert len(world.injected) >= len(faults)
    session, tape = behind_a_link(HostedLink(scene, faults, 3), wish, faults, 3)
    assert record(session, tape) == expected
    assert session.result.counts == alone.result.counts
