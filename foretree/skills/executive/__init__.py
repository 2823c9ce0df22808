"""The executive: leases a robot's resources, and gives every execution an end."""
