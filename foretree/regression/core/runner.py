"""Work done side by side, each process with a planner of its own.

A worker process carries out one task after the other. Whoever hands them out keeps the time: a worker that
does not answer is ended together with everything it has started, and another takes its place. What a task
comes to depends on it alone, so neither the number of workers nor their order shows in the report.

A worker begins as a copy of the process that hands out the work, which has imported and read everything
already, where this is safe (:class:`foretree.children.Child`); else it begins anew.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TYPE_CHECKING, Generic, TypeVar

from foretree.children import Channel, Child
from foretree.planning.solvers.fast_downward.solver import close_planners
from foretree.regression.core.interrupts import ctrl_c
from foretree.regression.core.processor_time import processor_time
from foretree.regression.core.trial import Numbered, Trouble

if TYPE_CHECKING:
    from rich.console import Console


T = TypeVar("T")
R = TypeVar("R", bound=Numbered)

#: Seconds beyond a task's limit after which a worker that says nothing is ended. It first has to import
#: everything.
PATIENCE = 30.0
#: Seconds that a worker has to end by itself.
FAREWELL = 5.0

#: So many new objects there are before garbage is looked for.
_YOUNG = 20_000


@dataclass(frozen=True)
class Batch(Generic[T, R]):
    """Tasks, and how a process carries one out. All of it is sent to the processes.

    Attributes:
        tasks: what to do.
        run: what a task comes to, within so many seconds.
        troubled: what a task comes to that could not report it itself, given the trouble, why, and the
            seconds waited.
        limit: seconds on the wall after which a task counts as hung.
    """

    tasks: Sequence[T]
    run: Callable[[T, float], R]
    troubled: Callable[[T, Trouble, str, float], R]
    limit: float


@dataclass(frozen=True)
class Done(Generic[R]):
    """Outcome of a batch.

    Attributes:
        results: in the order of the tasks, however they were run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many tasks were left when it was interrupted.
        reused: how many were not run, since their results were there already.
    """

    results: tuple[R, ...]
    wall: float = 0.0
    processor: float = 0.0
    missing: int = 0
    reused: int = 0


def carry_out(
    work: Batch[T, R],
    jobs: int | None = None,
    console: Console | None = None,
    take: Callable[[R], None] | None = None,
    what: str = "episodes",
) -> Done[R]:
    """Do *work* in several processes.

    Ctrl-C ends it early, with what was done by then.

    Args:
        work: what to do.
        jobs: how many processes; by default as many as there are processors.
        console: where a progress bar is shown, if it is a terminal.
        take: is given every result as soon as it is there.
        what: what is done, for the progress bar.
    """
    begun, processor = time.perf_counter(), processor_time()
    results: list[R] = []
    count = max(1, min(jobs or _cores(), len(work.tasks)))
    with ctrl_c() as stop, _progress(console, len(work.tasks), what) as advance:
        crew = _Crew(work, count, stop)
        try:
            for result in crew.results():
                results.append(result)
                if take is not None:
                    take(result)
                advance()
        finally:
            crew.dismiss()
    # The workers have ended, so all they did counts as that of children of this process.
    spent = processor_time() - processor
    results.sort(key=lambda result: result.number)
    missing = len(work.tasks) - len(results)
    return Done(tuple(results), time.perf_counter() - begun, spent, missing)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _progress(console: Console | None, total: int, what: str) -> Iterator[Callable[[], None]]:
    if console is None or not console.is_terminal:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Drawn anew with each result: a thread of its own that does so would keep workers from being copies.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        bar = progress.add_task(what, total=total)

        def advance() -> None:
            progress.advance(bar)
            progress.refresh()

        progress.refresh()
        yield advance


class _Crew(Generic[T, R]):
    """The workers, and what they are working on, until *stop* has something to say."""

    def __init__(self, work: Batch[T, R], count: int, stop: Connection) -> None:
        self._work = work
        self._stop = stop
        self._tasks = deque(work.tasks)
        self._workers: list[_Worker[T, R]] = []
        self._count = count

    def results(self) -> Iterator[R]:
        """Yield the result of every task as it is done; those done when it was stopped included."""
        for _ in range(self._count):
            self._hire()
        while self._workers:
            now = time.perf_counter()
            deadline = min(worker.deadline for worker in self._workers)
            told: list[Connection | int] = [
                self._stop,
                *(worker.channel.fileno() for worker in self._workers),
            ]
            ready = set(wait(told, max(0.0, deadline - now)))
            for worker in tuple(self._workers):
                if worker.channel.fileno() in ready:
                    yield self._collect(worker)
                elif time.perf_counter() >= worker.deadline:
                    yield self._replace(worker, "hung", f"no answer within {self._work.limit + PATIENCE:g} s")
            if self._stop in ready:
                return

    def dismiss(self) -> None:
        """End all workers that are still there, whatever they are at, and whatever they have started."""
        for worker in self._workers:
            worker.tell_to_end()
            worker.channel.close()
        deadline = time.perf_counter() + FAREWELL
        for worker in self._workers:
            worker.bury(max(0.0, deadline - time.perf_counter()))
        self._workers.clear()

    def _hire(self) -> None:
        if self._tasks:
            worker = _Worker(self._work)
            self._workers.append(worker)
            worker.give(self._tasks.popleft())

    def _collect(self, worker: _Worker[T, R]) -> R:
        answer = worker.channel.receive()
        if answer is None:
            return self._replace(worker, "crashed", "the process that ran it ended")
        result: R = pickle.loads(answer)
        if self._tasks:
            worker.give(self._tasks.popleft())
        else:
            self._workers.remove(worker)
            worker.channel.close()
            worker.end()
        return result

    def _replace(self, worker: _Worker[T, R], trouble: Trouble, why: str) -> R:
        task = worker.task
        assert task is not None
        result = self._work.troubled(task, trouble, why, worker.waited())
        self._workers.remove(worker)
        worker.channel.close()
        worker.end(patience=0.0)
        self._hire()
        return result


class _Worker(Generic[T, R]):
    """A process that carries out tasks, as its employer sees it."""

    def __init__(self, work: Batch[T, R]) -> None:
        self._child = Child("foretree.regression.core.runner:serve", work.run, work.limit, errors=2)
        self.channel = self._child.channel
        self.task: T | None = None
        self.deadline = 0.0
        self._given_at = 0.0
        self._limit = work.limit

    def give(self, task: T) -> None:
        self.task = task
        self._given_at = time.perf_counter()
        self.deadline = self._given_at + self._limit + PATIENCE
        with suppress(OSError):  # it has ended: the next wait finds that out
            self.channel.send(pickle.dumps(task))

    def waited(self) -> float:
        return time.perf_counter() - self._given_at

    def end(self, patience: float = FAREWELL) -> None:
        """See it end. Its channel is closed, so it does so by itself unless it is stuck."""
        if not self._child.has_ended_within(patience):
            self.tell_to_end()
        self.bury(FAREWELL)

    def tell_to_end(self) -> None:
        """Tell it to end properly: it has planners to end, too."""
        self._child.terminate()

    def bury(self, patience: float) -> None:
        """End it with all that it has started, if it does not end by itself."""
        self._child.end(patience)


# -- in the worker's process ----------------------------------------------------------------------------


def serve(channel: Channel, run: Callable[[T, float], R], limit: float) -> None:
    """Carry out tasks for the process that hands out the work."""
    signal.signal(signal.SIGTERM, _leave)
    # Beliefs are trees of many small things that live for long: looking through them time and again for
    # cycles takes a tenth of all the time. What was there before stays.
    gc.freeze()
    gc.set_threshold(_YOUNG)
    try:
        while (task := channel.receive()) is not None:
            channel.send(pickle.dumps(run(pickle.loads(task), limit)))
    except BrokenPipeError:  # the process that handed out the work is gone
        pass
    finally:
        close_planners()


def _leave(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
