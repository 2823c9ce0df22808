"""The solver's side of a worker process, and what becomes of the jobs of one that was killed."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial

from foretree.children import Child
from foretree.planning.solvers.base import SAFETY_SECONDS, Solution, SolverError
from foretree.planning.solvers.fast_downward._worker_messages import (
    BetterSolution,
    CancelRequest,
    SolveReply,
    SolveRequest,
    StageEntered,
    pack,
    unpack,
)

#: A worker ends each problem by itself when its time is over. One that has not done so by so many times that,
#: and some seconds, hangs: it was stopped, say, or waits for a disk that does not answer.
_OVERDUE, _OVERDUE_SECONDS = 2.0, 30.0
#: How often is looked whether a worker hangs.
_LOOK_SECONDS = 2.0
#: How long a worker may take to end by itself before it is killed.
_GRACE_SECONDS = 1.0
#: So often a problem is begun anew whose worker was killed, and the seconds before the first time; before
#: each further one it is twice as long, so that a machine short of memory gets some back.
_RESTARTS = 4
_BACK_OFF_SECONDS = 0.2


@dataclass(eq=False)
class SolveJob:
    """A request, and the future that it is for.

    Attributes:
        deaths: how many workers were killed over it.
        overdue: after how many seconds its worker was ended, because it did not answer.
    """

    request: SolveRequest
    on_better: Callable[[Solution], None] | None = None
    future: Future[Solution] = field(default_factory=Future)
    begun: float = field(default_factory=time.monotonic)
    deaths: int = 0
    overdue: float = 0.0

    @property
    def patience(self) -> float:
        """After how many seconds of work on it the worker hangs."""
        seconds = self.request.limits.seconds
        return _OVERDUE * (SAFETY_SECONDS if seconds is None else seconds) + _OVERDUE_SECONDS

    def answer(self, solution: Solution) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(_timed(solution, self.begun))

    def fail(self, why: str) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(SolverError(why))


class WorkerClient:
    """One worker process as the solver sees it: its jobs, and threads that write to it and read from it.

    Args:
        on_end: is told what is left to do, and the exit code, if the process ends before that is done.
    """

    def __init__(self, on_end: Callable[[list[SolveJob], int], None]) -> None:
        self._child = Child("foretree.planning.solvers.fast_downward._worker:serve")
        self._lock = threading.Lock()
        self._jobs: dict[int, SolveJob] = {}
        self._on_end = on_end
        # The job that it works on, and since when.
        self._first: SolveJob | None = None
        self._since = 0.0
        self._outgoing: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.alive = True
        #: The stage of the work, as the process reports it.
        self.stage = ""
        for work in (self._write, self._read):
            threading.Thread(target=work, name="foretree-planner", daemon=True).start()

    def take(self, job: SolveJob) -> Future[Solution]:
        """Work on *job* after what was taken before."""
        number = job.request.id
        with self._lock:
            self._jobs[number] = job
        self._outgoing.put(job.request)
        job.future.add_done_callback(partial(self._forget_cancelled, number))
        if not self.alive:  # it has ended just now, perhaps without anything to do
            threading.Thread(target=self._leave, name="foretree-planner", daemon=True).start()
        return job.future

    def close(self) -> None:
        with self._lock:
            pending = list(self._jobs.values())
        for job in pending:
            job.future.cancel()
        self._outgoing.put(None)
        if not self._child.has_ended_within(_GRACE_SECONDS):
            self._kill()

    def _forget_cancelled(self, number: int, future: Future[Solution]) -> None:
        if future.cancelled():
            with self._lock:
                unanswered = self._jobs.pop(number, None) is not None
            if unanswered:  # else the thread that took it tells those who wait
                future.set_running_or_notify_cancel()
                self._outgoing.put(CancelRequest(number))

    def _write(self) -> None:
        """Send what is asked for, in a thread of its own: a busy worker may be slow to take it in."""
        channel = self._child.channel
        with contextlib.suppress(OSError):  # a broken pipe: the reader will see the end, too
            while (message := self._outgoing.get()) is not None:
                channel.send(pack(message))
        with contextlib.suppress(OSError):
            channel.outgoing.close()

    def _read(self) -> None:
        try:
            while (received := self._next()) is not None:
                message = unpack(received)
                if isinstance(message, BetterSolution):
                    self._report(message)
                elif isinstance(message, StageEntered):
                    self.stage = message.name
                else:
                    self._answer(message)
        except MemoryError:
            pass  # no answer can be taken in: the jobs are handed back as after any other end
        self._child.channel.incoming.close()
        self._kill()
        self._leave()

    def _next(self) -> bytes | None:
        """The next message of the worker; None once it has ended, which one that hangs is made to."""
        while True:
            try:
                return self._child.channel.receive(_LOOK_SECONDS)
            except TimeoutError:
                self._end_if_overdue()

    def _end_if_overdue(self) -> None:
        with self._lock:
            first = next(iter(self._jobs.values()), None)
        now = time.monotonic()
        if first is not self._first:
            self._first, self._since = first, now
        elif first is not None and now - self._since > first.patience:
            first.overdue = first.patience
            self._kill()

    def _report(self, better: BetterSolution) -> None:
        with self._lock:
            job = self._jobs.get(better.id)
        if job is not None and job.on_better is not None:
            job.on_better(_timed(better.solution, job.begun))

    def _answer(self, answer: SolveReply) -> None:
        with self._lock:
            job = self._jobs.pop(answer.id, None)
        self.stage = ""
        if job is None:
            return
        if answer.solution is not None:
            job.answer(answer.solution)
        elif answer.bug:
            job.fail(f"The planner broke; this is a bug in Foretree:\n{answer.error}")
        else:
            job.fail(answer.error)

    def _kill(self) -> None:
        """Leave neither the worker nor its search behind."""
        self.alive = False
        self._child.kill()

    def _leave(self) -> None:
        """Hand back what is left to do: the process has ended."""
        with self._lock:
            left = list(self._jobs.values())
            self._jobs.clear()
        if left:
            self._on_end(left, self._child.process.wait())


def _timed(solution: Solution, started: float) -> Solution:
    """With how long it took from the request on."""
    return replace(solution, seconds={**solution.seconds, "total": time.monotonic() - started})


def jobs_to_restart(left: list[SolveJob], code: int) -> tuple[list[SolveJob], float]:
    """Return which of the jobs that a worker has left to begin anew, and the seconds to wait before.

    The others have their answer. A worker is taken to have died of the first job, as it works on one after
    the other.
    """
    if code >= 0:
        for job in left:
            job.fail(f"The planner process ended unexpectedly, with exit code {code}.")
        return [], 0.0
    first, *others = left
    first.deaths += 1
    if first.overdue:
        seconds = f"{first.overdue:g} s, long after its time was over"
        why = f"The planner did not answer within {seconds}, and was ended."
        first.answer(Solution("out-of-limits", why=why, timed=True))
        left = others
    elif first.deaths > _RESTARTS:
        first.answer(_killed(first.deaths, -code))
        left = others
    return left, _BACK_OFF_SECONDS * 2 ** (first.deaths - 1)


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
