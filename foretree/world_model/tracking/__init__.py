"""Tracking: observations become a belief. The door is :mod:`~foretree.world_model.tracking.tracker`."""
