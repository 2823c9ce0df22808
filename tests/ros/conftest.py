"""Tests against a real ROS 2, on loopback. Without one they are skipped."""

import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if "/ros/" in str(item.path):
            item.add_marker(pytest.mark.ros)


@pytest.fixture(scope="session", autouse=True)
def _ros():
    pytest.importorskip("rclpy", reason="no ROS 2 is sourced")
