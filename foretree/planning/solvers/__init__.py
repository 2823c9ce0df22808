"""Solvers: Fast Downward in a warm worker process, and whatever else unified-planning knows."""

from foretree.planning.solvers.base import ImprovingSolver, Limits, Mode, Solution, Solver, SolverError
from foretree.planning.solvers.fast_downward import FastDownward, shared_planner
from foretree.planning.solvers.registry import find_solver, solver_names

__all__ = [
    "FastDownward",
    "ImprovingSolver",
    "Limits",
    "Mode",
    "Solution",
    "Solver",
    "SolverError",
    "find_solver",
    "shared_planner",
    "solver_names",
]
