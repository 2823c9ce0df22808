"""Handing things over from hand to hand. Real planner and simulation, whole sessions."""

from __future__ import annotations

import pytest
from session_tools import finished

from foretree.bringup.embedded import open_household, plan_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import make_plan, understand
from foretree.config import find_config
from foretree.planning.pddl.syntax import Literal
from foretree.runs.events import Tape
from foretree.simulation.household.scene_file import load_scene
from foretree.skills.robot import Order, Outcome, Target

SCENE = "hand_to_hand"


def carried_out(wish, *faults, scene=SCENE):
    tape = Tape()
    session, world = open_household(scene, wish, Options(faults=faults), recorder=tape)
    return finished(session), world, tape


def skills_of(tape, kind="action.intent"):
    return [event.data["action"]["skill"] for event in tape.of(kind)]


def test_what_neither_robot_can_do_alone_goes_from_hand_to_hand():
    result, world, tape = carried_out(Wish("wash the plate and put it on the shelf"))
    assert result.reached
    assert world.holds(Literal(("on", "plate1", "shelf1")))
    assert world.holds(Literal(("clean", "plate1")))
    assert "hand_over" in skills_of(tape)
    assert not world.illegal


def test_without_the_skill_there_is_no_plan(tmp_path):
    path = tmp_path / "apart.yaml"
    path.write_text(find_config("scenes", SCENE).read_text().replace(", hand_over", ""))
    result, _, tape = carried_out(Wish("put the plate on the table"), scene=load_scene(path))
    assert not result.reached
    assert "action.intent" not in {event.kind for event in tape.events}


def test_both_robots_hold_still_until_both_have_confirmed():
    session, world = open_household(SCENE, Wish("put the mug on the table"), Options())
    together = 0
    while session.result is None:
        session.step()
        arm, cart = (member.executive for member in session.context.team)
        held = set(arm.held().values()) & set(cart.held().values())
        together += bool(held)
        assert len(held) <= 1
    assert session.result.reached
    assert together > 10


@pytest.mark.parametrize("how", ["fail", "silent", "half", "hang"])
@pytest.mark.parametrize("side", ["hand_over", "receive"])
def test_it_is_tried_again_where_one_of_them_fails(tmp_path, how, side):
    path = tmp_path / "turned.yaml"
    text = find_config("scenes", SCENE).read_text()
    arm, cart = (line for line in text.splitlines() if "skills:" in line)
    # Faults are about the first robot of a scene.
    path.write_text(text if side == "hand_over" else text.replace(f"{arm}\n{cart}", f"{cart}\n{arm}"))
    fault = f"at 0: {how} next {side}"
    result, world, tape = carried_out(Wish("put the mug on the table"), fault, scene=load_scene(path))
    assert result.reached
    assert world.holds(Literal(("on", "mug1", "table1")))
    assert world.injected


def test_what_is_to_be_handed_over_is_not_picked_up_by_who_gets_it():
    session = plan_household("two_robots", Wish("pass the bowl to robot2"))
    understood = understand(session.context, Wish("pass the bowl to robot2"))
    plan = make_plan(session.context, understood.goal)
    assert [action.skill for action in plan.actions if action.skill != "move"] == ["pick", "hand_over"]
    assert plan.actions[-1].arguments[3] == "robot2"


def test_a_robot_takes_only_what_is_held_out_where_it_is():
    session, world = open_household(SCENE, Wish("put the mug on the table"), Options())
    cart = world.teammates[0].robot
    target = Target({}, world.house.nodes["kitchen"].pose)
    execution = cart.start(Order("receive", {"at": target}, "clamp"), "x1")
    session.context.clock.sleep_until(session.context.clock.now() + 5)
    end = execution.poll()
    assert end.outcome is Outcome.FAILED
    assert "has to hold something out" in end.reason
