"""Launch a simulation, whose robot takes orders as a real one does.

In another terminal: ``ros2 launch foretree agent.launch.py robot:=simulated scene:=kitchen``.
"""

from launch.actions import OpaqueFunction

from foretree.bringup.ros.launching import SIMULATION, arguments, further_arguments, simulation_node
from launch import LaunchDescription


def generate_launch_description():
    """The simulation's node, as the arguments say."""
    return LaunchDescription(
        [
            *arguments(only=["namespace"]),
            *further_arguments(SIMULATION),
            OpaqueFunction(function=simulation_node),
        ]
    )
