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
_PAGES: dict[str, str] = {
    "ros": "docs/robot_files.md",
    "franky": "docs/franka.md",
    "armarx": "docs/armar.md",
}


def read_robot_file(name: str, driver: Driver) -> tuple[Path, dict[str, Any]]:
    """Return the path and the content of the robot file of that name (``mobile_manipulator``) or path.

    Raises:
        ConfigError: there is none, it is no YAML, or another driver's.
    """
    path = find_config("robots", name)
    data = read_yaml(path)
    named = str(data.get("driver", "ros"))
    if named not in _PAGES:
        raise error_at(path, ("driver",), f"there is no such driver. {suggest(named, _PAGES)}")
    if named != driver:
        problem = f"this robot is driven by {named}, not by {driver}: {_PAGES[named]} says how."
        raise error_at(path, ("driver",), problem)
    return path, data
