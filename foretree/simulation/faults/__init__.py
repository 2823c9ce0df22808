"""Faults: what goes wrong in any world, and when."""
