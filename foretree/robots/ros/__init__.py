"""A robot behind ROS 2 actions, services and topics, described by a YAML file.

Only ``node`` and ``rclpy_link`` take ROS; all else here is plain Python and runs without it.
"""
