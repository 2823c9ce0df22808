"""A Franka arm without ROS, over ``franky-control``: straight motions in a box, no collision avoidance.

Only ``franky_driver`` takes franky; all else here is plain Python and runs without it.
"""
