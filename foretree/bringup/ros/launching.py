"""Parts of launch files: the agent's arguments, each with its description, and its node.

``launch`` and ``launch_ros`` are imported where they are needed, so that all else runs without ROS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from foretree.bringup.ros.parameters import DESCRIPTIONS, defaults

if TYPE_CHECKING:
    from launch.action import Action

#: Arguments that are no parameters of the node.
_OF_THE_LAUNCH = {
    "namespace": ("", "namespace of all that is launched here"),
    "name": ("agent", "name of the node"),
    "params_file": ("", "YAML file of parameters; what is said as an argument counts more"),
    "use_sim_time": ("false", "whether /clock says what time it is"),
    "log_level": ("info", "debug, info, warn, error, or fatal"),
}


def arguments(values: Mapping[str, str] | None = None, only: Sequence[str] = ()) -> list[Action]:
    """Return the declarations of the agent's launch arguments.

    Args:
        values: other defaults.
        only: the names of those that are declared; all if there are none.
    """
    from launch.actions import DeclareLaunchArgument

    described = {**_OF_THE_LAUNCH, **{name: ("", _about(name)) for name in DESCRIPTIONS}}
    return [
        DeclareLaunchArgument(name, default_value=(values or {}).get(name, default), description=about)
        for name, (default, about) in described.items()
        if not only or name in only
    ]


def agent_node(context: Any, *, respawn: bool = False) -> list[Action]:
    """Return the agent's node as the arguments of a launch say; for an ``OpaqueFunction``.

    An argument that is empty leaves the parameter as the file of parameters, or else the node, has it.
    """
    from launch_ros.actions import Node

    def said(name: str) -> str:
        return str(context.launch_configurations.get(name, ""))

    given = {name: _typed(name, said(name)) for name in DESCRIPTIONS if said(name)}
    given["use_sim_time"] = said("use_sim_time").lower() in ("true", "1")
    file = [said("params_file")] if said("params_file") else []
    return [
        Node(
            package="foretree",
            executable="agent",
            name=said("name") or "agent",
            namespace=said("namespace"),
            parameters=[*file, given],
            arguments=["--ros-args", "--log-level", said("log_level") or "info"],
            output="screen",
            emulate_tty=True,
            respawn=respawn,
            # The robot is stopped, and confirms it, before the node goes.
            sigterm_timeout="20",
            sigkill_timeout="10",
        )
    ]


def _about(name: str) -> str:
    default = defaults()[name]
    if isinstance(default, list):
        return f"{DESCRIPTIONS[name]}; several are separated by semicolons"
    shown = str(default).lower() if isinstance(default, bool) else default
    return f"{DESCRIPTIONS[name]} (by default {shown})" if shown != "" else DESCRIPTIONS[name]


def _typed(name: str, text: str) -> Any:
    """Return a parameter's value from the text of an argument."""
    default = defaults()[name]
    if isinstance(default, bool):
        return text.strip().lower() in ("true", "1", "yes")
    if isinstance(default, list):
        return [part.strip() for part in text.split(";")]
    return text if isinstance(default, str) else type(default)(text)
