"""The skills and the executive against the household world, whose rules know nothing of the skills' PDDL."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import yaml
from household_uses import REFUSALS, USES

from foretree.clock import SimulatedClock
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import TypedObjects, instantiate
from foretree.runs.events import Tape
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.scene_file import load_scene
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.executive.executive import Executive
from foretree.skills.executors import find_executor
from foretree.skills.robot import End, Outcome
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.tracking.tracker import Tracker

CATALOGUE = load_catalogue()
SCENE = """
scene: bench
rooms:
  kitchen: {from: [0, 0], to: [6, 6]}
  hall: {from: [6, 0], to: [9, 6]}
doors:
  door1: {between: [kitchen, hall], at: [6, 3], open: false}
furniture:
  table1: {class: table, room: kitchen, at: [1, 1]}
  fridge1: {class: fridge, room: kitchen, at: [1, 3]}
  microwave1: {class: microwave, room: kitchen, at: [1, 5]}
  sink1: {class: sink, room: kitchen, at: [3, 5]}
  rack1: {class: drying_rack, room: kitchen, at: [5, 5]}
items:
  mug1: {class: mug, on: table1}
  jug1: {class: jug, on: table1}
  knife1: {class: knife, on: table1}
  spoon1: {class: spoon, on: table1}
  apple1: {class: apple, on: table1}
  towel1: {class: towel, on: table1}
  cloth1: {class: cloth, on: table1}
people:
  ann: {room: kitchen, at: [4, 2]}
robot: {name: robot1, hands: [left, right], at: table1}
"""


class Household:
    """The bench scene, and as much of an agent as it takes to carry out one action after the other."""

    def __init__(self, path: Path, faults: tuple[str, ...] = (), **where: str) -> None:
        described = yaml.safe_load(SCENE.replace("on:", "'on':"))
        for item, rests in where.items():
            relation, place = rests.split()
            del described["items"][item]["on"]
            described["items"][item][relation] = place
        path.write_text(yaml.safe_dump(described), encoding="utf-8")
        scene = load_scene(path, CATALOGUE.ontology)
        self.clock = SimulatedClock()
        self.tape = Tape()
        self.world = HouseholdWorld(scene, self.clock, faults=faults)
        self.executive = Executive(self.world.robot, self.clock, self.tape)
        self.belief = initial_belief(scene, self.clock)
        self.tracker = Tracker(self.belief, CATALOGUE.ontology, scene.places)
        entities = self.belief.entities()
        self.objects = TypedObjects(CATALOGUE.domain, {n: e.best_class for n, e in entities.items()})
        self.count = 0

    def begin(self, step: str):
        self.count += 1
        execution = f"e{self.count}"
        name, *arguments = step.split()
        action = Action(execution, name, ("robot1", *arguments))
        skill = CATALOGUE[name]
        beliefs = self.belief.snapshot()
        return self.executive.start(
            execution,
            lambda: find_executor(skill.executor).begin(action, skill, beliefs, self.world.robot, execution),
            skill.resources_of(action),
            skill.time_out,
        )

    def finish(self, lease) -> End:
        while (end := lease.poll()) is None:
            self.wait(0.05)
        return end

    def wait(self, seconds: float) -> None:
        limit = self.clock.now() + seconds
        while self.clock.now() < limit:
            self.clock.sleep_until(min(limit, self.clock.now() + 0.05))
            self.executive.poll_unattended()

    def do(self, steps: str) -> None:
        """Carry out steps; after each, its effects are believed first, and then what is seen."""
        for step in filter(None, steps.split("; ")):
            end = self.finish(self.begin(step))
            assert end.outcome is Outcome.DONE, (step, end, self.world.illegal)
            name, *arguments = step.split()
            ground = instantiate(CATALOGUE.domain.operators[name], ["robot1", *arguments], self.objects)
            for effect in ground.effects:
                self.belief.tell(
                    effect.literal.atom, effect.literal.positive, confidence=0.9, source="action"
                )
            for observation in self.world.robot.observations():
                self.tracker.observe(observation)
            for effect in ground.effects:
                believed = self.belief.truth(effect.literal.atom)
                assert (believed is Truth.TRUE) == effect.literal.positive, (step, effect.literal, believed)


@pytest.fixture
def household(tmp_path):
    """Makes households."""
    return partial(Household, tmp_path / "bench.yaml")


@pytest.mark.parametrize(
    ("steps", "where", "true", "false"), USES, ids=[use[0].split("; ")[-1] for use in USES]
)
def test_the_world_does_what_the_skill_promises_and_it_can_be_seen(household, steps, where, true, false):
    home = household(**where)
    home.do(steps)
    assert home.world.illegal == []
    assert home.executive.alive() == ()


@pytest.mark.parametrize(
    ("step", "before", "why"),
    [refusal for refusal in REFUSALS if not refusal[0].startswith("inspect")],
    ids=[f"{step}: {why}" for step, _, why in REFUSALS if not step.startswith("inspect")],
)
def test_what_the_domain_rules_out_the_world_refuses(household, step, before, why):
    home = household(apple1="in fridge1")
    home.do(before)
    assert home.finish(home.begin(step)).outcome is Outcome.FAILED, why
    assert len(home.world.illegal) == 1
    assert home.executive.held() == {}, "what was refused holds nothing"


def test_a_hung_skill_is_cancelled_when_its_time_is_up(household):
    home = household(("after 0: hang next move",))
    end = home.finish(home.begin("move table1 sink1"))
    assert end.outcome is Outcome.FAILED
    assert "too long" in end.reason
    assert CATALOGUE["move"].time_out <= home.clock.now() <= CATALOGUE["move"].time_out + 1.0
    assert home.executive.held() == {}


def test_a_short_disconnection_does_no_harm(household):
    home = household(("during 1: disconnect for 1",))
    assert home.finish(home.begin("move table1 sink1")).outcome is Outcome.DONE
    assert home.executive.held() == {}


def test_after_a_long_disconnection_the_robot_is_free_once_it_can_say_so(household):
    home = household(("during 1: disconnect for 8",))
    lease = home.begin("move table1 sink1")
    assert home.finish(lease).outcome is Outcome.LOST
    assert home.executive.held() == {"base": "e1"}
    home.wait(10.0)
    assert home.executive.held() == {}
    assert lease.poll().outcome is Outcome.LOST
    assert home.tape.of("log")[-1].data["text"].startswith("e1 was lost; the robot now says: ")


def test_stop_all_leaves_nothing_running(household):
    home = household()
    home.begin("move table1 sink1")
    assert [end.outcome for end in home.executive.stop_all().values()] == [Outcome.CANCELLED]
    assert home.executive.alive() == ()
    assert not home.world.busy
