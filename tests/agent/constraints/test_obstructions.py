from __future__ import annotations

import pytest

from foretree.agent.constraints.obstructions import Obstructions, thing_at
from foretree.planning.constraints.constraints import ConstraintError, describe_constraint
from foretree.planning.plan import Action
from foretree.runs.events import Tape
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import End, Outcome, Target
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.facts import Entity

CATALOGUE = load_catalogue("household")
PICK = Action("a1", "pick", ("robot1", "left", "apple1", "table1"))
PLACE = Action("a2", "place_on", ("robot1", "left", "apple1", "table1"))
CLOSE = Action("a3", "close", ("robot1", "left", "fridge1"))


class Kitchen:
    def __init__(self):
        self.belief = Belief(CATALOGUE.vocabulary)
        for name, kind, pose in (
            ("apple1", "apple", (1.0, 1.0, 0.9)),
            ("mug1", "mug", (1.2, 1.0, 0.9)),
            ("mug2", "mug", (1.6, 1.0, 0.9)),
            ("table1", "table", (1.0, 1.0, 0.4)),
            ("pillar", "lamp", (0.8, 1.0, 0.9)),
        ):
            self.belief.put_entity(Entity(name, {kind: 1.0}, pose))
        for name in ("apple1", "mug1", "mug2"):
            self.belief.tell(("on", name, "table1"), source="look")
        self.tape = Tape()
        self.changes = 0
        self.obstructions = Obstructions(self.belief, self.tape, self._changed)

    def _changed(self):
        self.changes += 1

    def learn(self, action, **end):
        end = End(Outcome.FAILED, "no", **end)
        return self.obstructions.learn(action, CATALOGUE.skills[action.skill], end)

    def said(self):
        return [describe_constraint(one) for one in self.obstructions.constraints]

    def move(self, name, pose):
        entity = self.belief.entity(name)
        self.belief.put_entity(Entity(name, entity.classes, pose))


MUG = Target({"mug": 0.9}, (1.25, 1.0, 0.92))


@pytest.mark.parametrize(
    ("action", "then"),
    [
        (PICK, "(exists (?hand) (holding robot1 ?hand apple1))"),
        (PLACE, "(on apple1 table1)"),
        (CLOSE, "(not (open fridge1))"),
    ],
    ids=["pick", "place", "close"],
)
def test_an_obstacle_has_to_go_before_what_the_action_is_for(action, then):
    kitchen = Kitchen()
    assert kitchen.learn(action, obstacle=MUG)
    assert kitchen.said() == [f"(not (on mug1 table1)) comes before {then}"]
    assert kitchen.changes == 1
    assert "mug1" in kitchen.tape.of("log")[0].data["text"]


def test_a_failure_without_such_a_cause_teaches_nothing():
    kitchen = Kitchen()
    assert not kitchen.learn(PICK)
    assert kitchen.said() == []
    assert kitchen.changes == 0


def test_the_same_is_learned_once():
    kitchen = Kitchen()
    assert kitchen.learn(PICK, obstacle=MUG)
    assert not kitchen.learn(PICK, obstacle=MUG)
    assert len(kitchen.said()) == 1


def test_an_obstacle_that_the_belief_does_not_have_teaches_nothing():
    kitchen = Kitchen()
    assert not kitchen.learn(PICK, obstacle=Target({}, (5.0, 5.0, 1.0)))
    assert not kitchen.learn(PICK, obstacle=Target({"mug": 1.0}, None))


def test_what_stands_fast_rules_the_action_out_as_what_is_out_of_reach_does():
    for end in ({"obstacle": Target({"lamp": 1.0}, (0.8, 1.0, 0.9))}, {"out_of_reach": True}):
        kitchen = Kitchen()
        assert kitchen.learn(PICK, **end)
        assert kitchen.said() == ["no pick with robot1 and left and apple1 and table1"]


def test_what_is_held_has_to_be_put_down_first():
    kitchen = Kitchen()
    kitchen.belief.tell(("holding", "robot1", "right", "mug1"), source="look")
    assert kitchen.learn(PICK, obstacle=MUG)
    assert kitchen.said()[0].startswith("(not (holding robot1 right mug1)) comes before")


@pytest.mark.parametrize(
    "moved", ["the obstacle to another place", "the obstacle aside", "the thing", "nothing"]
)
def test_it_counts_until_something_has_moved(moved):
    kitchen = Kitchen()
    kitchen.learn(PICK, obstacle=MUG)
    if moved == "the obstacle to another place":
        kitchen.belief.tell(("on", "mug1", "fridge1"), source="look")
    elif moved == "the obstacle aside":
        kitchen.move("mug1", (1.5, 1.0, 0.9))
    elif moved == "the thing":
        kitchen.move("apple1", (1.0, 1.4, 0.9))
    else:
        kitchen.move("mug1", (1.21, 1.0, 0.9))
    kitchen.obstructions.update()
    assert bool(kitchen.said()) is (moved == "nothing")
    assert kitchen.changes == (1 if moved == "nothing" else 2)


def test_what_is_not_known_any_more_still_counts():
    kitchen = Kitchen()
    kitchen.learn(PICK, obstacle=MUG)
    kitchen.belief.retract([("on", "mug1", "table1")])
    kitchen.obstructions.update()
    assert kitchen.said()


def test_everything_is_forgotten_before_a_last_try():
    kitchen = Kitchen()
    assert not kitchen.obstructions.forget()
    kitchen.learn(PICK, out_of_reach=True)
    assert kitchen.obstructions.forget()
    assert kitchen.said() == []


def test_what_the_domain_cannot_keep_is_not_learned():
    kitchen = Kitchen()

    def refuse():
        raise ConstraintError("no")

    kitchen.obstructions = Obstructions(kitchen.belief, kitchen.tape, refuse)
    assert not kitchen.learn(PICK, obstacle=MUG)
    assert kitchen.said() == []


@pytest.mark.parametrize(
    ("classes", "pose", "name"),
    [
        ({"mug": 1.0}, (1.45, 1.0, 0.9), "mug2"),
        ({}, (1.21, 1.0, 0.9), "mug1"),
        ({"mug": 1.0}, (1.08, 1.0, 0.9), "mug1"),  # an apple is nearer, but it is no mug
        ({"mug": 1.0}, (3.0, 1.0, 0.9), None),
    ],
)
def test_a_thing_is_known_by_where_it_is_and_what_it_looks_like(classes, pose, name):
    assert thing_at(Target(classes, pose), Kitchen().belief.snapshot(), ("table1",)) == name
