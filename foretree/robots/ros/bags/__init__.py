"""Bags: what a robot on ROS sent, as an MCAP beside the record, and played to an agent again."""
