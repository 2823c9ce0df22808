"""Inspection of robot files."""

import pytest
from fake_link import PlayedLink
from test_robot import FILE

from foretree.robots.ros.inspection import inspect_robot
from foretree.robots.ros.robot_file import RobotFile
from foretree.skills.robot import RobotError


class PickyLink(PlayedLink):
    """Says what the message of a gripper was."""

    def check(self, interface, fields, answer=False):
        return f"not {fields}" if interface.name == "left/gripper" else ""


def test_each_use_of_an_interface_is_held_against_its_type_and_looked_for():
    found = list(inspect_robot(RobotFile.model_validate(FILE), PickyLink("navigate")))
    uses = {(each.use, each.interface.name): each for each in found}
    assert uses["move", "navigate"].is_there
    assert not uses["pick", "reach"].is_there
    assert uses["stop", "halt"].is_there  # a topic needs no server
    assert uses["pick", "left/gripper"].mismatch == "not {'command': {'position': 0.0}}"
    assert ("pick", "right/gripper") in uses


class AnsweringLink(PlayedLink):
    """Knows results with the field ``code`` only, and notes what it was asked about."""

    def check(self, interface, fields, answer=False):
        return f"no such field in {fields}" if answer and fields.keys() - {"code"} else ""


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ({"done_if": [{"code": 0}], "reason": "code", "failures": [{"if": {"code": 9}, "says": "no"}]}, ""),
        ({"done_if": [{"code": 0}, {"coed.deep": 1}]}, "no such field in {'coed': {'deep': 1}}"),
        ({"reason": "text"}, "no such field in {'text': ''}"),
        ({"failures": [{"if": {"coed": 9}, "says": "no"}]}, "no such field in {'coed': 9}"),
    ],
)
def test_what_a_result_has_to_say_is_held_against_its_type(keys, wrong):
    step = {"action": "navigate", "type": "nav2_msgs/action/NavigateToPose", **keys}
    file = RobotFile.model_validate({"robot": "a", "skills": {"move": step}})
    (found,) = inspect_robot(file, AnsweringLink("navigate"))
    assert found.mismatch == wrong


def test_a_reference_that_is_misspelt_is_said_with_its_skill():
    step = {"action": "navigate", "type": "nav2_msgs/action/NavigateToPose", "send": {"pose": "$to.stnd"}}
    file = RobotFile.model_validate({"robot": "a", "skills": {"move": step}})
    with pytest.raises(RobotError, match=r"^move: the robot file refers to \$to.stnd. Did you mean stand"):
        list(inspect_robot(file, AnsweringLink()))
