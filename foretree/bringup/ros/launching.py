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

    values = values or {}
    parameters = {name: ("", DESCRIPTIONS[name] if name in values else _about(name)) for name in DESCRIPTIONS}
    described = {**_OF_THE_LAUNCH, **parameters}
    return [
        DeclareLaunchArgument(name, default_value=values.get(name, default), description=about)
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


#: Arguments of a simulation, and what each is for.
SIMULATION = {
    "scene": ("kitchen", "the scene: a name of configs/scenes, or the path of a file"),
    "home": ("", "a layout of grid homes in place of a scene: l_kitchen/3"),
    "faults": (
        "",
        "lines of a fault script in place of the scene's own, separated by semicolons",
    ),
    "seed": ("0", "decides what is left to chance"),
    "speed": ("1.0", "how many times as fast as real time it runs"),
    "lock_step": ("false", "whether time moves only when an agent asks for it"),
}
#: Arguments of a robot that something watches over.
SUPERVISED = {
    "supervisor_file": (
        "",
        "the safety file: a name of configs/supervisors, or a path; empty: no supervisor is started",
    ),
    "moveit_launch": (
        "",
        "launch file of the arm's MoveIt configuration, PACKAGE/FILE; empty: it is running already",
    ),
}


def further_arguments(described: Mapping[str, tuple[str, str]], only: Sequence[str] = ()) -> list[Action]:
    """Return declarations of launch arguments, each with its default and what it is for."""
    from launch.actions import DeclareLaunchArgument

    return [
        DeclareLaunchArgument(name, default_value=default, description=about)
        for name, (default, about) in described.items()
        if not only or name in only
    ]


def simulation_node(context: Any) -> list[Action]:
    """Return the node of a simulation as the arguments of a launch say; for an ``OpaqueFunction``."""
    from launch_ros.actions import Node

    said = context.launch_configurations
    given = ["--seed", said["seed"], "--speed", said["speed"]]
    given += ["--home", said["home"]] if said["home"] else ["--scene", said["scene"]]
    for line in filter(None, map(str.strip, said["faults"].split(";"))):
        given += ["--fault", line]
    if _is_true(said["lock_step"]):
        given.append("--lock-step")
    return [
        Node(
            package="foretree",
            executable="simulation",
            name="simulation",
            namespace=said.get("namespace", ""),
            arguments=given,
            output="screen",
        )
    ]


def supervisor_node(context: Any) -> list[Action]:
    """Return the supervisor's node, if a safety file is named, and have the agent listen to it."""
    from launch_ros.actions import Node

    said = context.launch_configurations
    if not said["supervisor_file"]:
        return []
    said["supervisor"] = said.get("supervisor") or "supervisor"
    return [
        Node(
            package="foretree",
            executable="supervisor",
            name=said["supervisor"],
            namespace=said.get("namespace", ""),
            arguments=["--file", said["supervisor_file"]],
            output="screen",
        )
    ]


def moveit(context: Any) -> list[Action]:
    """Return the launch of the arm's MoveIt configuration, if one is named."""
    from launch.actions import IncludeLaunchDescription
    from launch_ros.substitutions import FindPackageShare

    from foretree.config import ConfigError

    named = context.launch_configurations["moveit_launch"]
    if not named:
        return []
    package, slash, file = named.partition("/")
    if not slash:
        raise ConfigError(f"moveit_launch: {named!r} is not written as PACKAGE/FILE.")
    return [IncludeLaunchDescription([FindPackageShare(package), f"/launch/{file}"])]


def _is_true(text: str) -> bool:
    return text.strip().lower() in ("true", "1", "yes")


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
        return _is_true(text)
    if isinstance(default, list):
        return [part.strip() for part in text.split(";")]
    return text if isinstance(default, str) else type(default)(text)
