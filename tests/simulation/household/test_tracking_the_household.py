"""An agent that looks keeps up with the world: initial belief, observations and tracker together."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from foretree.clock import SimulatedClock
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.world import HouseholdWorld
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.tracking.tracker import Tracker


class Onlooker:
    """A belief that is fed everything a robot observes."""

    def __init__(self, d):
        self.d = d
        scene = d.house.scene
        self.belief = initial_belief(scene, SimulatedClock())
        self.tracker = Tracker(self.belief, scene.ontology, scene.places)

    def watch(self):
        for observation in self.d.robot.observations():
            self.tracker.observe(observation)

    def wrong(self):
        """What is believed otherwise than it is, of the things in view."""
        house, mistakes = self.d.house, []
        names: Mapping[str, str] = {i: n for n, i in house.names.items()}
        for key, value in self.d.world.view().facts.items():
            what, *ids = key
            if what == "rests":
                name = names[ids[0]]
                relation, support = value
                atom = (relation, name, names.get(support, support))
                if relation == "held":
                    atom = ("holding", "robot1", support, name)
                if self.belief.truth(atom) is not Truth.TRUE:
                    mistakes.append(atom)
            elif what != "found" and what in house[ids[0]].possible:
                atom = (what, names[ids[0]])
                if self.belief.truth(atom) is not (Truth.TRUE if value else Truth.FALSE):
                    mistakes.append((atom, value))
        return mistakes


@pytest.fixture
def seen(drive):
    def start(**options):
        d = drive(**options)
        return d, Onlooker(d)

    return start


def test_the_first_sight_confirms_the_initial_belief(shipped):
    for name in ("kitchen", "flat"):
        scene, clock = shipped(name), SimulatedClock()
        world = HouseholdWorld(scene, clock)
        tracker = Tracker(initial_belief(scene, clock), scene.ontology, scene.places)
        for observation in world.robot.observations():
            changes = tracker.observe(observation)
            assert changes.appeared == changes.lost == changes.reclassified == changes.moved == ()


def test_a_belief_keeps_up_with_what_the_robot_does(seen):
    d, agent = seen()
    steps = [
        ("pick", {"item": "mango1", "place": "table1"}),
        ("move", {"from_": "table1", "to": "fridge1"}),
        ("open", {"place": "fridge1", "hand": "right"}),
        ("place_in", {"item": "mango1", "place": "fridge1"}),
        ("pick", {"item": "milk1", "place": "fridge1"}),
        ("close", {"place": "fridge1", "hand": "right"}),
        ("move", {"from_": "fridge1", "to": "person1"}),
        ("handover", {"item": "milk1", "person": "person1"}),
        ("move", {"from_": "person1", "to": "table1"}),
        ("pick", {"item": "kettle1", "place": "table1"}),
        ("pour", {"item": "kettle1", "target": "mug1", "place": "table1"}),
        ("place_under", {"item": "kettle1", "place": "table1"}),
    ]
    agent.watch()
    for skill, names in steps:
        end = d.do(skill, **names)
        assert end.outcome.value == "done", (skill, end)
        agent.watch()
        assert agent.wrong() == [], skill
    assert agent.belief.truth(("in", "mango1", "fridge1")) is Truth.TRUE


def test_a_belief_keeps_up_with_what_somebody_does(seen):
    d, agent = seen(
        faults=["at 2: open fridge1", "at 3: swap mug1 cloth1", "at 4: dirty mug1",
                "at 5: move coat1 rack1", "at 6: move shoe1 table1"],
    )  # fmt: skip
    agent.watch()
    for _ in range(7):
        d.wait(1.0)
        agent.watch()
        assert agent.wrong() == []


def test_what_is_taken_away_is_missed(seen):
    d, agent = seen(faults=["at 1: move mango1 table2"])
    agent.watch()
    d.wait(1.0)
    agent.watch()
    assert agent.belief.truth(("on", "mango1", "table1")) is Truth.FALSE
    assert agent.belief.truth(("on", "mango1", "table2")) is Truth.UNKNOWN
