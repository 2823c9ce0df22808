"""Connections of the agent's node to robots: over ROS, simulated, or by another driver."""
