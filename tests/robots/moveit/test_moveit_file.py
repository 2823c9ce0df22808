from __future__ import annotations

import pytest
from fake_link import PlayedLink
from played_arm import SETTINGS

from foretree.clock import SimulatedClock
from foretree.config import ConfigError
from foretree.robots.moveit.executor import MoveItExecutor
from foretree.robots.moveit.moveit_file import MoveItFile
from foretree.robots.ros.exchange import RosExchange
from foretree.robots.ros.robot import RosRobot
from foretree.robots.ros.robot_file import RobotFile, SkillMapping, load_robot_file
from foretree.skills.robot import Order, RobotError, Target
from foretree.world_model.beliefs.belief import Belief


def robot(name="franka"):
    return RosRobot(load_robot_file(name), RosExchange(PlayedLink("move_action"), SimulatedClock()))


def test_the_file_of_the_franka_is_valid_and_its_skills_share_one_executor():
    franka = robot()
    assert len({id(each) for each in franka._executors.values()}) == 1
    executor = franka._executors["pour"]
    assert isinstance(executor, MoveItExecutor)
    arm = executor.settings.arms["panda_hand"]
    assert arm.hand.geometry.max_opening == 0.08
    assert arm.gripper.kind == "command"
    assert executor.settings.recovery is None


def test_a_robot_stops_what_its_executors_have_set_in_motion():
    franka = robot()
    franka.stop()
    link = franka._exchange.link
    assert link.all_cancelled == ["execute_trajectory", "move_action", "panda_gripper/gripper_action"]


def test_a_robot_lets_its_executors_ask_for_the_belief():
    franka = robot()
    belief = Belief()
    with pytest.raises(RobotError, match="watch"):
        franka.start(Order("pick", {"item": Target({"cup": 1.0}, None)}, "panda_hand"), "x-0")
    franka.watch(belief.snapshot)
    assert franka._executors["pick"].keeper.wanted().objects == {}
    end = franka.start(Order("pick", {"item": Target({"cup": 1.0}, None)}, "panda_hand"), "x-1").poll()
    assert "not known where it is" in end.reason


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"arms": {}}, "at least 1"),
        ({"links": "x"}, "no such key"),
        ({"sizes": {"mug": [0.1, 0.1, 0]}}, "above 0"),
        ({"furniture": [{**SETTINGS["furniture"][0], "hinge": None}]}, "either a hinge or a slide"),
        ({"furniture": [{**SETTINGS["furniture"][0], "across": [1, 0, 0]}]}, "square to into"),
        ({"grasp_planner": "no.such:Thing"}, "cannot be made"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, why):
    exchange = RosExchange(PlayedLink(), SimulatedClock())
    file = RobotFile(robot="arm", hands=("hand",), skills={"*": SkillMapping(executor="a:B")})
    with pytest.raises(ConfigError, match=why):
        MoveItExecutor(exchange, file, **{**SETTINGS, **change})


def test_what_is_stated_about_furniture_is_found_by_its_place():
    file = MoveItFile(**SETTINGS)
    joint = file.articulation_at((0.95, 1.1, 0.4))
    assert joint.handle.axes[2] == pytest.approx((1, 0, 0))
    assert joint.handle.axes[1] == pytest.approx((0, 1, 0))
    assert file.articulation_at((2.0, 1.0, 0.4)) is None
    assert file.interior_at((0.9, 1.0, 0.4)).top == pytest.approx(0.85)
    assert file.interior_at((2.0, 1.0, 0.4)) is None
