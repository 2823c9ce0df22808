"""Several attempts at a problem, one after the other, as one future."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace

from foretree.planning.solvers.base import Solution


def _as_it_is(solution: Solution) -> Solution:
    return solution


@dataclass(frozen=True)
class Fallback:
    """One way to go about it.

    Attributes:
        begin: starts it.
        then: turns its solution into one of what was asked for.
    """

    begin: Callable[[], Future[Solution]]
    then: Callable[[Solution], Solution] = _as_it_is


def solve_with_fallbacks(
    attempts: Sequence[Fallback], enough: Callable[[Solution], bool]
) -> Future[Solution]:
    """The first answer that is *enough*, or else the last one. Each attempt begins when the one before has
    failed.

    An answer that came because time was up for an earlier attempt says so.

    Cancelling the future cancels the attempt that runs. There must be at least one.
    """
    promise: Future[Solution] = Future()

    def follow(number: int, timed: bool = False) -> None:
        running = attempts[number].begin()
        promise.add_done_callback(lambda done: running.cancel() if done.cancelled() else None)
        running.add_done_callback(lambda done: answered(done, number, timed))

    def answered(attempt: Future[Solution], number: int, timed: bool) -> None:
        if promise.cancelled():
            return
        try:
            solution = attempt.result()
            if not enough(solution) and number + 1 < len(attempts):
                follow(number + 1, timed or solution.timed)
                return
            solution = attempts[number].then(solution)
            if timed and not solution.timed:
                solution = replace(solution, timed=True)
        except CancelledError:
            promise.cancel()
        except Exception as error:
            if promise.set_running_or_notify_cancel():
                promise.set_exception(error)
        else:
            if promise.set_running_or_notify_cancel():
                promise.set_result(solution)

    follow(0)
    return promise
