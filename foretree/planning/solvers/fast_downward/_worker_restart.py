"""Restarts of a worker process that was killed: which jobs are begun anew, and after how long."""

from __future__ import annotations

import signal
from collections.abc import Iterable

from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fast_downward._worker_client import SolveJob

#: So often a problem is begun anew whose worker was killed, and the seconds before the first time; before
#: each further one it is twice as long, so that a machine short of memory gets some back.
_RESTARTS = 4
_BACK_OFF_SECONDS = 0.2


def jobs_to_restart(left: list[SolveJob], code: int) -> tuple[list[SolveJob], float]:
    """Return which of the jobs that a worker has left to begin anew, and the seconds to wait before.

    The others have their answer. A worker is taken to have died of the first job, as it works on one after
    the other.
    """
    if code >= 0:
        fail_jobs(left, f"The planner process ended unexpectedly, with exit code {code}.")
        return [], 0.0
    first, *others = left
    first.deaths += 1
    if first.overdue:
        first.answer(_hung(first.overdue))
        left = others
    elif first.deaths > _RESTARTS:
        first.answer(_killed(first.deaths, -code))
        left = others
    return left, _BACK_OFF_SECONDS * 2 ** (first.deaths - 1)


def fail_jobs(jobs: Iterable[SolveJob], why: str) -> None:
    for job in jobs:
        job.fail(why)


def _hung(seconds: float) -> Solution:
    return Solution(
        "out-of-limits",
        why=f"The planner did not answer within {seconds:g} s, long after its time was over, and was ended.",
        timed=True,
    )


def _killed(times: int, number: int) -> Solution:
    """The answer to a problem whose worker was killed again and again."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    memory = ", as the system does when memory runs out" if number == signal.SIGKILL else ""
    return Solution(
        "out-of-memory",
        why=f"The planner was killed {times} times while it worked on this ({name}{memory}). There may be a "
        "plan all the same. Free memory, ask for less at once, or set agent.actions lower.",
        timed=True,
    )
