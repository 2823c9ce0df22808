"""Solvers by name."""

from __future__ import annotations

from foretree.errors import suggest
from foretree.planning.solvers.base import Solver, SolverError
from foretree.planning.solvers.fast_downward.solver import shared_planner

#: The solver that is used by default.
DEFAULT = "fast-downward"


def solver_names() -> tuple[str, ...]:
    """The solvers there are here: Fast Downward, and what unified-planning adds if it is installed."""
    from foretree.planning.solvers._unified_planning import unified_engines

    try:
        others = unified_engines()
    except SolverError:
        others = ()
    return (DEFAULT, *(name for name in others if name != DEFAULT))


def find_solver(name: str = DEFAULT) -> Solver:
    """The solver of that name.

    ``fast-downward`` is ours, called directly; any other name is an engine of unified-planning's.

    Raises:
        SolverError: there is no such solver; the message lists those there are.
    """
    if name == DEFAULT:
        return shared_planner()
    names = solver_names()
    if name in names:
        from foretree.planning.solvers._unified_planning import UnifiedEngine

        return UnifiedEngine(name)
    more = "" if len(names) > 1 else " More come with: pip install 'foretree[engines]'"
    raise SolverError(f"There is no solver {name}. {suggest(name, names)}{more}")
