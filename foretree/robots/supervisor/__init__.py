"""The safety supervisor: a process below the tree that can stop the robot, and nothing else."""
