"""Decorators that have the agent stand aside: for a person, or while the robot is held."""
