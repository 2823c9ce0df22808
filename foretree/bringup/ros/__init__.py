"""The agent as a ROS node.

Only ``node``, ``tree`` and ``main`` take ROS; all else here is plain Python and runs without it.
"""
