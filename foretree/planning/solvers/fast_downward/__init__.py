"""Fast Downward in a warm worker process."""
