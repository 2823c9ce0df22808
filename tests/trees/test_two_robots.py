from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from foretree.agent.plan_request import makespan_of
from foretree.bringup.embedded import open_household, plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan
from foretree.config import ConfigError, find_config
from foretree.runs.events import Silent, Tape
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.robot import RobotError

BOTH = "(and (clean mug1) (on book1 shelf1))"


class Noted(Silent):
    """Notes when each action began and ended, and which robot it is for."""

    def __init__(self):
        self.time = 0.0
        self.spans: dict[str, list] = {}

    def mark(self, tick, time):
        self.time = time

    def record(self, kind, /, **data):
        if kind == "action.ended":
            self.spans[data["execution"]].append((data["outcome"], self.time))

    def commit(self, kind, /, **data):
        if kind == "action.intent":
            action = data["action"]
            self.spans[data["execution"]] = [action["arguments"][0], action["skill"], self.time]


def carried_out(goal, *faults, scene="two_robots", **overrides):
    recorder = Noted()
    options = Options(faults=faults, overrides=overrides)
    session, world = open_household(scene, Wish(goal=goal), options, recorder=recorder)
    result = session.run()
    return result, world, recorder, session


def test_one_plan_is_made_for_both_and_takes_less_time_than_it_costs():
    session = plan_household("two_robots", Wish(goal=BOTH))
    plan = make_plan(session.context, session.mission.goal)
    assert {action.arguments[0] for action in plan.actions} == {"robot1", "robot2"}
    assert makespan_of(session.context, plan) < 0.6 * plan.cost


def test_both_act_at_once():
    result, world, recorder, session = carried_out(BOTH)
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    spans = [(span[0], span[2], span[3][1]) for span in recorder.spans.values()]
    ones, others = ([s for s in spans if s[0] == name] for name in ("robot1", "robot2"))
    assert ones
    assert others
    assert any(a[1] < b[2] and b[1] < a[2] for a in ones for b in others)
    # Neither robot does two things with its base at once.
    for own in (ones, others):
        assert all(a[2] <= b[1] + 0.11 for a, b in pairwise(own))


def test_each_robot_holds_what_it_picks_with_its_own_hands():
    result, world, _, session = carried_out(
        "(and (exists (?h - hand) (holding robot1 ?h mug1)) (exists (?h - hand) (holding robot2 ?h book1)))"
    )
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    house = world.house
    assert house.seen_by("robot2").hands["robot2_left_hand"] == house.names["book1"]
    assert set(house.hands) == {"robot1_left_hand", "robot1_right_hand"}
    assert house.node_of(house.named("book1")) == house.robots["robot2"].node


@pytest.mark.parametrize("moved", ["book1", "mug1"])
def test_a_surprise_for_one_leaves_the_other_at_its_work(moved):
    result, world, recorder, session = carried_out(BOTH, f"at 1: move {moved} sideboard1")
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    assert len(recorder.spans) > 8  # more than the first plan
    robots = {span[0] for span in recorder.spans.values()}
    assert robots == {"robot1", "robot2"}


def test_a_lost_connection_keeps_one_robot_from_beginning_and_not_the_other():
    result, world, recorder, session = carried_out(BOTH, "at 3: disconnect for 6")
    assert result.outcome == "reached"
    assert world.holds(session.mission.goal)
    during = {span[0] for span in recorder.spans.values() if 3.2 < span[2] < 9.0}
    assert during == {"robot2"}


def told_of(goal, *faults, **overrides):
    tape = Tape()
    options = Options(faults=faults, overrides=overrides)
    session, world = open_household("two_robots", Wish(goal=goal), options, recorder=tape)
    return session.run(), world, tape, session


def intents(tape):
    return [(event.time, event.data["action"]["arguments"][0]) for event in tape.of("action.intent")]


def test_when_one_robot_does_not_answer_any_more_the_other_does_its_part():
    result, world, tape, session = told_of(BOTH, "at 3: disconnect for 5000", contact_patience="10")
    assert result.outcome == "reached", result.reason
    assert world.holds(session.mission.goal)
    (told,) = (event.data["text"] for event in tape.of("person.told"))
    assert told.startswith("robot1: ")
    assert "lost" in told
    assert told.endswith("robot2 will do what can be done without it.")
    assert {robot for time, robot in intents(tape) if time > 3.1} == {"robot2"}
    assert result.counts["revised"] >= 1


def test_a_silent_robot_that_has_nothing_to_do_keeps_no_other_from_its_work(monkeypatch):
    def unreachable():
        raise RobotError("no route to host")

    tape = Tape()
    options = Options(overrides={"contact_patience": "3"})
    session, world = open_household("two_robots", Wish(goal="(on book1 shelf1)"), options, recorder=tape)
    monkeypatch.setattr(session.context.team.first.robot, "observations", unreachable)
    result = session.run()
    assert result.outcome == "reached", result.reason
    assert world.holds(session.mission.goal)
    (told,) = (event.data["text"] for event in tape.of("person.told"))
    assert told.startswith("robot1 has sent no observations for 3 s: no route to host. robot2 will do")


def test_what_only_the_silent_robot_could_do_is_given_up_with_the_reason():
    needed = "(exists (?h - hand) (holding robot1 ?h mug1))"
    result, _, tape, _ = told_of(needed, "at 3: disconnect for 5000", contact_patience="6")
    assert result.outcome == "given-up"
    assert result.reason.startswith("robot1: ")
    assert "(never-use * robot1)" in result.reason


def test_a_robot_that_is_back_takes_part_again():
    result, world, tape, session = told_of(BOTH, "at 0: disconnect for 12", contact_patience="6")
    assert result.outcome == "reached", result.reason
    assert [event.data["text"] for event in tape.of("person.told")][-1] == "robot1 is back."


def test_when_a_session_is_stopped_both_robots_stop():
    session, world = open_household("two_robots", Wish(goal=BOTH))
    session.before_tick.append(
        lambda session: session.cancel("enough") if session.ticks == 20 else None  # both drive then
    )
    assert session.run().outcome == "cancelled"
    assert not world.busy
    assert session.context.team.alive() == ()


def test_one_robot_looks_for_the_other_where_it_can_see_what_the_other_cannot():
    session, _ = open_household("two_robots", Wish(goal=BOTH))
    context = session.context
    context.sync()
    assert context.in_sight(("on", "book1", "table1"))  # robot2 is there
    assert context._observer([("on", "book1", "table1")], "robot1").robot.name == "robot2"
    assert context._observer([("on", "mug1", "counter1")], "robot1").robot.name == "robot1"
    assert not replace(load_scene(find_config("scenes", "two_robots")), teammates=()).teammates


SCENE = """
scene: pair
rooms: {kitchen: {from: [0, 0], to: [5, 4]}}
furniture: {table1: {class: table, room: kitchen, at: [1, 1]}}
"""


def scene_with(tmp_path, robots):
    path = tmp_path / "pair.yaml"
    path.write_text(SCENE + robots)
    return load_scene(path)


def test_robots_come_beside_the_robot(tmp_path):
    scene = scene_with(
        tmp_path, "robot: {name: arm, hands: [gripper], at: table1}\nrobots: {cart: {at: kitchen, speed: 1}}"
    )
    assert [robot.name for robot in scene.robots] == ["arm", "cart"]
    assert scene.robots[1].hands == ("cart_left_hand", "cart_right_hand")
    assert scene.robots[1].speed == 1


@pytest.mark.parametrize(
    ("robots", "says"),
    [
        ("", "there is no robot"),
        ("robots: {one: {at: nowhere}}", "no node 'nowhere'"),
        ("robots: {one: {at: table1, hands: [hand]}, two: {at: kitchen, hands: [hand]}}", "taken already"),
        ("robot: {at: table1}\nrobots: {robot1: {at: kitchen}}", "taken already"),
    ],
)
def test_robots_that_make_no_sense_are_refused(tmp_path, robots, says):
    with pytest.raises(ConfigError, match=says):
        scene_with(tmp_path, robots)
