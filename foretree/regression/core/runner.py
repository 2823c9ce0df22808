"""Tasks carried out side by side by worker processes, each with a planner of its own.

A worker carries out one task after the other. The parent keeps the time: a worker that does not answer is
ended together with everything it has started, and another takes its place. The result of a task depends on it
alone, so neither the number of workers nor their order shows in a report.

A worker begins as a copy of its parent, which has imported and read everything already, where this is safe
(:class:`foretree.children.Child`); else it begins anew.
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

#: Seconds beyond a task's limit after which a silent worker is ended. It first has to import everything.
ANSWER_GRACE = 30.0
#: Seconds that a worker has to end by itself.
EXIT_GRACE = 5.0

#: New objects before a worker collects garbage.
_GARBAGE_THRESHOLD = 20_000


@dataclass(frozen=True)
class Batch(Generic[T, R]):
    """Tasks, with functions that carry one out. All of it is sent to the workers.

    Attributes:
        tasks: what to do.
        run: gives the result of a task, within so many seconds.
        troubled: gives the result of a task that could not report one itself, from the trouble, its details,
            and the seconds waited.
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
    batch: Batch[T, R],
    jobs: int | None = None,
    console: Console | None = None,
    take: Callable[[R], None] | None = None,
    what: str = "episodes",
) -> Done[R]:
    """Carry out *batch* in several processes.

    Ctrl-C ends it early, with what was done by then.

    Args:
        batch: the tasks.
        jobs: how many processes; by default as many as there are processors.
        console: where a progress bar is shown, if it is a terminal.
        take: gets every result as soon as it is there.
        what: what tasks are called, for the progress bar.
    """
    begun, processor = time.perf_counter(), processor_time()
    results: list[R] = []
    count = max(1, min(jobs or _cores(), len(batch.tasks)))
    with ctrl_c() as stop, _progress(console, len(batch.tasks), what) as advance:
        pool = _WorkerPool(batch, count, stop)
        try:
            for result in pool.results():
                results.append(result)
                if take is not None:
                    take(result)
                advance()
        finally:
            pool.shut_down()
    # The workers have ended, so all they did counts as that of children of this process.
    spent = processor_time() - processor
    results.sort(key=lambda result: result.number)
    missing = len(batch.tasks) - len(results)
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


class _WorkerPool(Generic[T, R]):
    """The workers with their tasks, until *stop* is ready."""

    def __init__(self, batch: Batch[T, R], count: int, stop: Connection) -> None:
        self._batch = batch
        self._stop = stop
        self._tasks = deque(batch.tasks)
        self._workers: list[_Worker[T, R]] = []
        self._count = count

    def results(self) -> Iterator[R]:
        """Yield the result of every task as it is done; those done when it was stopped included."""
        for _ in range(self._count):
            self._start_worker()
        while self._workers:
            now = time.perf_counter()
            deadline = min(worker.deadline for worker in self._workers)
            sources: list[Connection | int] = [
                self._stop,
                *(worker.channel.fileno() for worker in self._workers),
            ]
            ready = set(wait(sources, max(0.0, deadline - now)))
            for worker in tuple(self._workers):
                if worker.channel.fileno() in ready:
                    yield self._collect(worker)
                elif time.perf_counter() >= worker.deadline:
                    yield self._replace(
                        worker, "hung", f"no answer within {self._batch.limit + ANSWER_GRACE:g} s"
                    )
            if self._stop in ready:
                return

    def shut_down(self) -> None:
        """End all workers that are left, with everything that they have started."""
        for worker in self._workers:
            worker.child.terminate()
            worker.channel.close()
        deadline = time.perf_counter() + EXIT_GRACE
        for worker in self._workers:
            worker.child.end(max(0.0, deadline - time.perf_counter()))
        self._workers.clear()

    def _start_worker(self) -> None:
        if self._tasks:
            worker = _Worker(self._batch)
            self._workers.append(worker)
            worker.assign(self._tasks.popleft())

    def _collect(self, worker: _Worker[T, R]) -> R:
        answer = worker.channel.receive()
        if answer is None:
            return self._replace(worker, "crashed", "the process that ran it ended")
        result: R = pickle.loads(answer)
        if self._tasks:
            worker.assign(self._tasks.popleft())
        else:
            self._workers.remove(worker)
            worker.channel.close()
            worker.end()
        return result

    def _replace(self, worker: _Worker[T, R], trouble: Trouble, why: str) -> R:
        task = worker.task
        assert task is not None
        result = self._batch.troubled(task, trouble, why, time.perf_counter() - worker.assigned_at)
        self._workers.remove(worker)
        worker.channel.close()
        worker.end(patience=0.0)
        self._start_worker()
        return result


class _Worker(Generic[T, R]):
    """A process that carries out tasks, as its parent sees it."""

    def __init__(self, batch: Batch[T, R]) -> None:
        self.child = Child("foretree.regression.core.runner:serve", batch.run, batch.limit, errors=2)
        self.channel = self.child.channel
        self.task: T | None = None
        self.deadline = 0.0
        self.assigned_at = 0.0
        self._limit = batch.limit

    def assign(self, task: T) -> None:
        self.task = task
        self.assigned_at = time.perf_counter()
        self.deadline = self.assigned_at + self._limit + ANSWER_GRACE
        with suppress(OSError):  # it has ended: the next wait finds that out
            self.channel.send(pickle.dumps(task))

    def end(self, patience: float = EXIT_GRACE) -> None:
        """Wait for its end. Its channel is closed, so it ends by itself unless it is stuck."""
        if not self.child.has_ended_within(patience):
            self.child.terminate()
        self.child.end(EXIT_GRACE)


# -- in the worker's process ----------------------------------------------------------------------------


def serve(channel: Channel, run: Callable[[T, float], R], limit: float) -> None:
    """Carry out tasks for the parent process."""
    signal.signal(signal.SIGTERM, _leave)
    # Beliefs are trees of many small things that live for long: looking through them time and again for
    # cycles takes a tenth of all the time. What was there before stays.
    gc.freeze()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    try:
        while (task := channel.receive()) is not None:
            channel.send(pickle.dumps(run(pickle.loads(task), limit)))
    except BrokenPipeError:  # its parent is gone
        pass
    finally:
        close_planners()


def _leave(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
