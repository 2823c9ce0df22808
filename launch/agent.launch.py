"""Launch the agent: ``ros2 launch foretree agent.launch.py --show-args`` lists the arguments."""

from launch.actions import OpaqueFunction

from foretree.bringup.ros.launching import agent_node, arguments
from launch import LaunchDescription


def generate_launch_description():
    """The agent's node, as the arguments say."""
    return LaunchDescription([*arguments(), OpaqueFunction(function=agent_node)])
