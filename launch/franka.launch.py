"""Launch a Franka arm with its hand, MoveIt, a safety supervisor and the agent.

The arm's own launch file is that of a package of franka_ros2, which this one includes. Without a robot_ip, or
with use_fake_hardware, nothing moves.
"""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import AnyLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from foretree.bringup.ros.launching import agent_node, arguments
from launch import LaunchDescription

#: Other defaults of the agent's arguments.
AGENT = {"robot": "franka", "supervisor": "supervisor"}

OWN = {
    "robot_ip": ("", "address of the arm's control unit"),
    "use_fake_hardware": ("true", "whether the arm is one of ros2_control that does not exist"),
    "arm": ("true", "whether the arm's own launch file is included; false where it runs already"),
    "arm_package": ("franka_fr3_moveit_config", "the package that has it"),
    "arm_launch": ("moveit.launch.py", "its name in the folder launch of that package"),
    "safety": ("arm", "the supervisor's file: a name of configs/supervisors, or a path; empty for none"),
}


def arm(context):
    """The arm's own launch file."""
    said = context.launch_configurations
    if said["arm"].lower() != "true":
        return []
    path = PathJoinSubstitution([FindPackageShare(said["arm_package"]), "launch", said["arm_launch"]])
    passed = {name: said[name] for name in ("robot_ip", "use_fake_hardware", "namespace")}
    return [IncludeLaunchDescription(AnyLaunchDescriptionSource(path), launch_arguments=passed.items())]


def supervisor(context):
    """The safety supervisor, in a process of its own."""
    said = context.launch_configurations
    if not said["safety"]:
        return []
    return [
        Node(
            package="foretree",
            executable="supervisor",
            name="supervisor",
            namespace=said["namespace"],
            arguments=["--file", said["safety"]],
            output="screen",
            emulate_tty=True,
        )
    ]


def generate_launch_description():
    """The arm, its supervisor, and the agent."""
    own = [
        DeclareLaunchArgument(name, default_value=default, description=about)
        for name, (default, about) in OWN.items()
    ]
    parts = [OpaqueFunction(function=part) for part in (arm, supervisor, agent_node)]
    return LaunchDescription([*arguments(AGENT), *own, *parts])
