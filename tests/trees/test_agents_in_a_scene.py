"""Agents that can do different things: robots that share a task, and people who are asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretree.bringup.embedded import open_household, plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan
from foretree.config import find_config
from foretree.runs.events import Silent
from foretree.simulation.household.scene_file import load_scene


class Started(Silent):
    """Notes what robots were told to do."""

    def __init__(self):
        self.actions = []

    def commit(self, kind, /, **data):
        if kind == "action.intent":
            self.actions.append((data["action"]["skill"], *data["action"]["arguments"]))


def scene(name, **changes):
    return load_scene(find_config("scenes", name), changes=changes)


def carried_out(scene, wish):
    recorder = Started()
    session, world = open_household(scene, wish, Options(), recorder=recorder)
    return session.run(), world, recorder.actions, session


def test_what_neither_robot_can_do_alone_passes_from_one_to_the_other():
    result, world, actions, session = carried_out(scene("arm_and_cart"), Wish(goal="(in book1 dresser1)"))
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    assert world.illegal == []
    book = [(name, *arguments[:1]) for name, *arguments in actions if "book1" in arguments]
    assert book == [("pick", "cart"), ("place_on", "cart"), ("pick", "arm"), ("place_in", "arm")]


def test_a_person_is_asked_for_what_the_robot_cannot_do():
    result, world, actions, session = carried_out(scene("helping_hand"), Wish("put the mug on the table"))
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    asked = [action for action in actions if action[0].startswith("ask")]
    assert asked == [("ask_to_open", "robot1", "person1", "cupboard1")]
    before = actions[actions.index(asked[0]) - 1]
    assert before == ("move", "robot1", "kitchen", "person1")


def test_no_person_is_asked_for_what_the_robot_can_do_itself():
    able = scene("helping_hand")
    able = replace(able, robot=replace(able.robot, skills=None))
    for goal in ("(on mug1 table1)", "(turned_on lamp1)"):
        session, _ = open_household(able, Wish(goal=goal))
        plan = make_plan(session.context, session.mission.goal)
        assert not any(action.skill.startswith("ask") for action in plan.actions)
        assert plan.cost < 1000


def test_what_a_person_is_asked_is_a_sentence():
    session, world = open_household(scene("helping_hand"), Wish(goal="(turned_on lamp1)"))
    said = []
    start = world.robot.start

    def listening(order, execution_id):
        said.append(order.parameters.get("say"))
        return start(order, execution_id)

    world.robot.start = listening
    assert session.run().outcome == "reached"
    assert [words for words in said if words] == ["Please turn on the lamp."]


@pytest.mark.parametrize("answers", ["refuses", "silent"])
def test_a_person_who_refuses_or_does_not_answer_is_asked_once_and_the_robot_gives_up(answers):
    unhelpful = scene("helping_hand", **{"people.person1.answers": answers})
    result, world, actions, session = carried_out(unhelpful, Wish("turn on the lamp"))
    assert result.outcome == "given-up"
    assert not world.holds(session.mission.goal)
    assert [action[0] for action in actions].count("ask_to_turn_on") == 1
    assert "person1 is not willing to turn on" in result.reason


def test_another_person_is_asked_when_the_first_refuses():
    one = scene("helping_hand", **{"people.person1.answers": "refuses"})
    people = {**one.people, "person2": replace(one.people["person1"], name="person2", at=(3.0, 1.0))}
    places = one.places.copy()
    places.add("person2", (3.0, 1.0, 0.0), "kitchen", "person")
    for other in ("kitchen", "person1", "table1"):
        places.connect("person2", other, 40)
    helpers = {**one.helpers, "person2": replace(one.helpers["person1"], answers="done")}
    both = replace(one, people=people, places=places, helpers=helpers)
    result, world, actions, session = carried_out(both, Wish(goal="(turned_on lamp1)"))
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    asked = [action[2] for action in actions if action[0] == "ask_to_turn_on"]
    assert asked == ["person1", "person2"]


def test_what_no_agent_can_do_is_not_planned():
    session = plan_household("helping_hand", Wish(goal="(not (open fridge1))"))
    with pytest.raises(Exception, match="able_to_close"):
        make_plan(session.context, session.mission.goal)


def test_the_world_refuses_what_a_robot_is_not_able_to_do():
    with_all = scene("arm_and_cart")
    world = open_household(with_all, Wish(goal="(on mug1 table1)"))[1]
    cart = world.teammates[0]
    assert "open" in world._abilities
    assert "open" not in cart._abilities
    assert "move" not in world._abilities
