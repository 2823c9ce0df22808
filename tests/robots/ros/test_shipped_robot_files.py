"""The robot files that come with the package."""

import pytest

from foretree.config import ConfigError, config_files, read_yaml
from foretree.robots.ros.robot_file import load_robot_file


@pytest.mark.parametrize(("name", "path"), sorted(config_files("robots", ".yaml").items()))
def test_it_can_be_read_or_another_driver_is_named(name, path):
    driver = read_yaml(path).get("driver", "ros")
    if driver == "ros":
        assert load_robot_file(name).skills
    else:
        with pytest.raises(ConfigError, match=f"driver: this robot is driven by {driver}, not by ros"):
            load_robot_file(name)
