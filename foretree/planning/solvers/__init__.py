"""Solvers: Fast Downward in a warm worker process, and whatever else unified-planning knows."""
