"""Launch the agent with a Franka arm that MoveIt plans for, its hand included.

``ros2 launch foretree franka.launch.py --show-args`` lists the arguments. Copy the robot file first, and say
what your robot is like: ``robot:=my_franka.yaml``.
"""

from launch.actions import OpaqueFunction

from foretree.bringup.ros.launching import (
    SUPERVISED,
    agent_node,
    arguments,
    further_arguments,
    moveit,
    supervisor_node,
)
from launch import LaunchDescription


def generate_launch_description():
    """The agent's node, and a supervisor if a safety file is named."""
    return LaunchDescription(
        [
            *arguments({"robot": "franka"}),
            *further_arguments(SUPERVISED),
            OpaqueFunction(function=moveit),
            OpaqueFunction(function=supervisor_node),
            OpaqueFunction(function=agent_node),
        ]
    )
