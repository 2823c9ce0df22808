"""Puts a session together: request, options, world or robot, models; preview; resume."""
