"""`foretree robot`."""

from importlib.util import find_spec

import pytest
from typer.testing import CliRunner

from foretree.cli import app


def run(*words):
    return CliRunner().invoke(app, ["robot", *words])


@pytest.mark.skipif(find_spec("rclpy") is not None, reason="a ROS 2 is sourced")
def test_without_ros_the_file_is_read_and_then_it_is_said_what_is_missing():
    result = run("check", "mobile_manipulator")
    assert "the file makes sense. Skills: move, pick" in result.output
    assert "ROS 2 was not found" in str(result.exception)


def test_an_unknown_robot_is_answered_with_those_there_are():
    assert "There is no robot called 'mobil'. Valid:" in str(run("check", "mobil").exception)
