"""Senses of a robot on ROS: messages of its sensors become observations.

Everything takes messages by their attributes, so that the classes of ROS and those of the package
``rosbags`` do alike. Only ``subscriptions`` takes ROS itself.
"""
