"""A simulated world offered over ROS as a robot would offer it, and the agent's side of that.

Only ``node`` and what starts it take ROS; all else here is plain Python and runs without it.
"""
