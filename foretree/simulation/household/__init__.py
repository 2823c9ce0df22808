"""Rooms and buildings with things in them: the truth, its rules, and the scenes that describe it."""
