"""The work on one request: its deadline, its stages, and the parent process that waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from foretree.planning.solvers.base import SAFETY_SECONDS, seconds_since
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest, StageEntered


@dataclass(frozen=True)
class Surroundings:
    """The worker process as the work on a request sees it.

    Attributes:
        watched: while its body computes, ``TooLateError`` is raised after a deadline (by
            ``time.monotonic``), and an exception of its own if the answer is not wanted any more.
        requests: a file descriptor; whenever it can be read, *interrupted* is asked.
        interrupted: whether the answer is not wanted any more.
        send: sends a message to the parent.
    """

    watched: Callable[[float], AbstractContextManager[None]]
    requests: int
    interrupted: Callable[[], bool]
    send: Callable[[object], None]


class SolveContext:
    """The state of the work on a request.

    Attributes:
        deadline: when to give up, by ``time.monotonic``.
        stage: the stage that the work is in.
        translated_at: when the task was ready to be searched.
        foreign: whether the task is one of others where any plan will do: Fast Downward's own way should find
            one.
    """

    def __init__(self, job: SolveRequest, around: Surroundings) -> None:
        self.job, self.problem, self.limits = job, job.problem, job.limits
        self.around = around
        self.stage = ""
        self.translated_at: float | None = None
        self._start = time.monotonic()
        self.deadline = self._start + (SAFETY_SECONDS if job.limits.seconds is None else job.limits.seconds)
        self.foreign = job.limits.soon == 0 and job.mode != "optimal"

    def enter(self, stage: str) -> None:
        """Report a new stage."""
        if stage != self.stage:
            self.stage = stage
            self.around.send(StageEntered(self.job.id, stage))

    def watched(self) -> AbstractContextManager[None]:
        """While the body computes, look at the clock, and whether the answer is still wanted."""
        return self.around.watched(self.deadline)

    def seconds(self) -> dict[str, float]:
        """Return how long the parts of the work took."""
        return seconds_since(self._start, self.translated_at)
