"""Drivers of robots, and the key of a robot file that names its one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at

#: What drives a robot. A robot file that names none is one of ROS.
Driver: TypeAlias = Literal["ros", "franky", "armarx"]

#: Where each is described.
_PAGES: dict[Driver, str] = {
    "ros": "docs/robot_files.md",
    "franky": "docs/franka.md",
    "armarx": "docs/armar.md",
}


def driver_of(name: str) -> Driver:
    """Return the driver that the robot file of that name or path is for.

    Raises:
        ConfigError: there is none, it is no YAML, or there is no such driver.
    """
    return _read(name)[2]


def read_robot_file(name: str, driver: Driver) -> tuple[Path, dict[str, Any]]:
    """Return the path and the content of the robot file of that name (``mobile_manipulator``) or path.

    Raises:
        ConfigError: there is none, it is no YAML, or another driver's.
    """
    path, data, named = _read(name)
    if named != driver:
        problem = f"this robot is driven by {named}, not by {driver}: {_PAGES[named]} says how."
        raise error_at(path, ("driver",), problem)
    return path, data


def _read(name: str) -> tuple[Path, dict[str, Any], Driver]:
    path = find_config("robots", name)
    data = read_yaml(path)
    named = str(data.get("driver", "ros"))
    for driver in _PAGES:
        if named == driver:
            return path, data, driver
    raise error_at(path, ("driver",), f"there is no such driver. {suggest(named, _PAGES)}")
