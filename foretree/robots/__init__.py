"""Real robots to run on, as ``simulation`` holds worlds to run in: both offer a ``Robot``."""
