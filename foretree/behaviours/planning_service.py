"""Planning as the agent asks for it: by the configured solver and mode, never on the tick thread."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from foretree.behaviours.settings import Settings
from foretree.planning.solvers import Limits, Mode, Solution, find_solver
from foretree.planning.syntax import Problem


class PlanningService:
    """Hands problems to a solver.

    Args:
        settings: which solver, whether plans have to be optimal, how far to search.
    """

    def __init__(self, settings: Settings) -> None:
        self._solver = find_solver(settings.planner)
        self._mode: Mode = "optimal" if settings.optimal else "satisficing"
        self._limits = Limits(expansions=settings.expansions)
        self._threads: ThreadPoolExecutor | None = None

    def submit(self, problem: Problem) -> Future[Solution]:
        """Begin to plan; the future's cancel() stops the search."""
        submit = getattr(self._solver, "submit", None)
        if submit is not None:
            future: Future[Solution] = submit(problem, self._mode, self._limits)
            return future
        if self._threads is None:
            self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="planning")
        return self._threads.submit(self._solver.solve, problem, self._mode, self._limits)
