"""Launch a simulated robot: it offers the world of a scene as action servers and topics, as a robot would.

``ros2 launch foretree simulation.launch.py --show-args`` lists the arguments. An agent for it, in a second
terminal: ``ros2 launch foretree agent.launch.py robot:=simulated``.
"""

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch_ros.actions import Node

from launch import LaunchDescription


def simulation_node(context):
    """The node of the simulation, as the arguments say."""
    said = context.launch_configurations
    home = ["--home", said["home"]] if said["home"] else ["--scene", said["scene"]]
    faults = [
        word for line in said["faults"].split(";") if line.strip() for word in ("--fault", line.strip())
    ]
    step = ["--lock-step"] if said["lock_step"].lower() == "true" else ["--speed", said["speed"]]
    return [
        Node(
            package="foretree",
            executable="simulation",
            name="simulation",
            namespace=said["namespace"],
            arguments=[*home, "--seed", said["seed"], *faults, *step],
            output="screen",
            emulate_tty=True,
        )
    ]


def generate_launch_description():
    """The simulation."""
    arguments = {
        "namespace": ("", "namespace of all that is launched here"),
        "scene": ("kitchen", "the scene: a name of configs/scenes, or the path of a file"),
        "home": ("", "a layout of grid homes in place of a scene, such as l_kitchen/3"),
        "faults": ("", "lines of a fault script, separated by semicolons; without any, the scene's own"),
        "seed": ("0", "decides what is left to chance"),
        "speed": ("1.0", "how many times as fast as real time it runs"),
        "lock_step": ("false", "whether time moves only when the agent asks for it"),
    }
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=about)
        for name, (default, about) in arguments.items()
    ]
    return LaunchDescription([*declared, OpaqueFunction(function=simulation_node)])
