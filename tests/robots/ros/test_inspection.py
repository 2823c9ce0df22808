"""Inspection of robot files."""

from fake_link import PlayedLink
from test_robot import FILE

from foretree.robots.ros.inspection import inspect_robot
from foretree.robots.ros.robot_file import RobotFile


class PickyLink(PlayedLink):
    """Says what the message of a gripper was."""

    def check(self, interface, fields):
        return f"not {fields}" if interface.name == "left/gripper" else ""


def test_each_use_of_an_interface_is_held_against_its_type_and_looked_for():
    found = list(inspect_robot(RobotFile.model_validate(FILE), PickyLink("navigate")))
    uses = {(each.use, each.interface.name): each for each in found}
    assert uses["move", "navigate"].is_there
    assert not uses["pick", "reach"].is_there
    assert uses["stop", "halt"].is_there  # a topic needs no server
    assert uses["pick", "left/gripper"].mismatch == "not {'command': {'position': 0.0}}"
    assert ("pick", "right/gripper") in uses
