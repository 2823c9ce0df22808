"""Goals of the action ``Carry``: taken, carried out, steered and told of. Plain Python, without ROS."""
