"""Launch the agent: ``ros2 launch foretree agent.launch.py --show-args`` lists the arguments."""

from foretree.bringup.ros.launching import agent_launch


def generate_launch_description():
    """The agent, as its arguments say."""
    return agent_launch()
