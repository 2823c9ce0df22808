"""Tests against a real ROS 2, on loopback. Without one they are left out: ``make test-ros`` says so."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent

if find_spec("rclpy") is None:
    collect_ignore_glob = ["test_*.py"]


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.ros)


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    """Both packages of this checkout, built with colcon, and sourced.

    ``FORETREE_WORKSPACE`` may name a workspace that has them, so that they are not built anew each time.
    """
    from workspace import Workspace

    if "FORETREE_WORKSPACE" in os.environ:
        built = Workspace(Path(os.environ["FORETREE_WORKSPACE"]))
        built.source()
        return built
    made = Workspace(tmp_path_factory.mktemp("ws"))
    made.copy_checkout()
    made.colcon("build")
    made.source()
    return made


@pytest.fixture
def start(workspace):
    """Start programs that are ended with the test."""
    started = []

    def begin(*command):
        started.append(workspace.start(*command))
        return started[-1]

    yield begin
    for program in started:
        program.kill()
