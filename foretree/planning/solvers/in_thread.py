"""A solver that can only be waited for, asked in a thread of its own, for a bounded time."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import SAFETY_SECONDS, Limits, Mode, Solution, Solver


class InThread:
    """Asks a solver one problem after the other.

    An engine that knows no limits may never come to an end. Nothing can end it but the end of this process,
    which it does not hold up; the future is answered when the time is over.

    Args:
        solver: does the work.
        patience: seconds for a problem without a limit of its own.
    """

    def __init__(self, solver: Solver, patience: float = SAFETY_SECONDS) -> None:
        self._solver = solver
        self._patience = patience
        self._one_at_a_time = threading.Lock()

    def submit(self, problem: Problem, mode: Mode, limits: Limits) -> Future[Solution]:
        """Begin to solve *problem*; cancelling the future only forgets it."""
        answer: Future[Solution] = Future()
        seconds = self._patience if limits.seconds is None else limits.seconds
        why = f"The planner did not answer within {seconds:g} s."
        late = threading.Timer(seconds, _set, (answer, Solution("out-of-limits", why=why, timed=True)))
        late.daemon = True
        late.start()

        def work() -> None:
            with self._one_at_a_time:
                if not answer.done():
                    try:
                        _set(answer, self._solver.solve(problem, mode, limits))
                    except Exception as error:  # whatever it is, it is for who waits
                        _set(answer, error)
            late.cancel()

        threading.Thread(target=work, name="planning", daemon=True).start()
        return answer


def _set(answer: Future[Solution], outcome: Solution | Exception) -> None:
    """Answer, unless it was answered or cancelled before."""
    with _SETTING:
        if answer.done() or not answer.set_running_or_notify_cancel():
            return
        if isinstance(outcome, Solution):
            answer.set_result(outcome)
        else:
            answer.set_exception(outcome)


#: The engine and the clock may answer at the same moment.
_SETTING = threading.Lock()
