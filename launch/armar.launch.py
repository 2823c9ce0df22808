"""Launch the agent for an ARMAR, which ArmarX drives: ArmarX itself is started as always.

``ros2 launch foretree armar.launch.py --show-args`` lists the arguments; docs/armar.md says what it takes.
"""

from launch.actions import OpaqueFunction

from foretree.bringup.ros.launching import agent_node, arguments
from launch import LaunchDescription


def generate_launch_description():
    """The agent, with the robot file of an ARMAR."""
    return LaunchDescription([*arguments({"robot": "armar"}), OpaqueFunction(function=agent_node)])
