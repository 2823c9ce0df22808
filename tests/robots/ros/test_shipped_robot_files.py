"""The robot files that come with the package."""

import pytest

from foretree.config import config_files
from foretree.robots.ros.robot_file import load_robot_file


@pytest.mark.parametrize("name", [name for name, path in sorted(config_files("robots", ".yaml").items())])
def test_it_can_be_read(name):
    assert load_robot_file(name).skills
