"""Planning as the agent asks for it: by the configured solver, never on the tick thread."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

from foretree.behaviours.settings import Settings
from foretree.planning.solvers import Limits, Mode, Solution, find_solver
from foretree.planning.syntax import Problem


class PlanningService:
    """Hands problems to a solver.

    The setting ``plans`` says what is wanted: the ``first`` plan; a ``good`` one, if it is found soon, and
    else the first; or an ``optimal`` one, or none.

    Args:
        settings: which solver, which plans, how far to search.
    """

    def __init__(self, settings: Settings) -> None:
        self._solver = find_solver(settings.planner)
        self._wanted = settings.plans
        self._limits = Limits(expansions=settings.expansions)
        self._short = Limits(expansions=settings.good_expansions)
        self._threads: ThreadPoolExecutor | None = None

    def submit(self, problem: Problem) -> Future[Solution]:
        """Begin to plan; the future's cancel() stops the search."""
        if self._wanted == "first":
            return self._ask(problem, "satisficing", self._limits)
        if self._wanted == "optimal":
            return self._ask(problem, "optimal", self._limits)
        return self._good(problem)

    def _good(self, problem: Problem) -> Future[Solution]:
        promise: Future[Solution] = Future()

        def follow(attempt: Future[Solution], *, last: bool) -> None:
            promise.add_done_callback(lambda done: attempt.cancel() if done.cancelled() else None)
            attempt.add_done_callback(lambda done: answered(done, last=last))

        def answered(attempt: Future[Solution], *, last: bool) -> None:
            if promise.cancelled():
                return
            try:
                solution = attempt.result()
                if solution.status == "out-of-limits" and not last:
                    follow(self._ask(problem, "satisficing", self._limits), last=True)
                elif promise.set_running_or_notify_cancel():
                    promise.set_result(solution)
            except CancelledError:
                promise.cancel()
            except Exception as error:
                if promise.set_running_or_notify_cancel():
                    promise.set_exception(error)

        follow(self._ask(problem, "good", self._short), last=False)
        return promise

    def _ask(self, problem: Problem, mode: Mode, limits: Limits) -> Future[Solution]:
        submit = getattr(self._solver, "submit", None)
        if submit is not None:
            future: Future[Solution] = submit(problem, mode, limits)
            return future
        if self._threads is None:
            self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="planning")
        return self._threads.submit(self._solver.solve, problem, mode, limits)
