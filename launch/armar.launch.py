"""Launch the agent with ARMAR over ArmarX.

``ros2 launch foretree armar.launch.py --show-args`` lists the arguments. Copy the robot file first, and say
what your robot is like: ``robot:=my_armar.yaml``.
"""

from launch.actions import OpaqueFunction

from foretree.bringup.ros.launching import (
    SUPERVISED,
    agent_node,
    arguments,
    further_arguments,
    supervisor_node,
)
from launch import LaunchDescription


def generate_launch_description():
    """The agent's node, and a supervisor if a safety file is named."""
    return LaunchDescription(
        [
            *arguments({"robot": "armar"}),
            *further_arguments(SUPERVISED, ["supervisor_file"]),
            OpaqueFunction(function=supervisor_node),
            OpaqueFunction(function=agent_node),
        ]
    )
