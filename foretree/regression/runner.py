"""Running suites: episodes side by side, each process with a planner of its own.

A worker process carries out one episode after the other. Whoever hands them out keeps the time: a worker that
does not answer is ended together with everything it has started, and another takes its place. What an episode
comes to depends on its task alone, so neither the number of workers nor their order shows in the report.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TYPE_CHECKING

from foretree.regression.episode import Episode, Trouble, run_episode, troubled
from foretree.regression.processor_time import processor_time
from foretree.regression.report import Report
from foretree.regression.suite import Suite, Task

if TYPE_CHECKING:
    from rich.console import Console

#: Seconds on the wall after which an episode counts as hung.
LIMIT = 60.0
#: Further seconds after which a worker that says nothing is ended. It first has to import everything.
PATIENCE = 30.0
#: Seconds that a worker has to end by itself.
FAREWELL = 5.0

_PROCESSES = get_context("spawn")


def run_suite(
    suite: Suite,
    episodes: int | None = None,
    jobs: int | None = None,
    seed: int = 0,
    console: Console | None = None,
    limit: float = LIMIT,
) -> Report:
    """Run a suite.

    Ctrl-C ends it early, with a report on the episodes that were done by then.

    Args:
        suite: what to run.
        episodes: how many per variant; by default every scenario as often as the suite says.
        jobs: how many processes; by default as many as there are processors.
        seed: decides the seeds of the episodes.
        console: where a progress bar is shown, if it is a terminal.
        limit: seconds on the wall after which an episode counts as hung.
    """
    tasks = suite.tasks(episodes, seed)
    begun, processor = time.perf_counter(), processor_time()
    done: list[Episode] = []
    complete = True
    count = max(1, min(jobs or _cores(), len(tasks)))
    crew = _Crew(suite, deque(tasks), count, limit)
    with _progress(console, len(tasks)) as advance:
        try:
            for episode in crew.results():
                done.append(episode)
                advance()
        except KeyboardInterrupt:
            complete = False
        finally:
            crew.dismiss()
    # The workers have ended, so all they did counts as that of children of this process.
    spent = processor_time() - processor
    done.sort(key=lambda episode: episode.number)
    return Report(suite.name, seed, tuple(done), time.perf_counter() - begun, spent, complete)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _progress(console: Console | None, total: int) -> Iterator[Callable[[], None]]:
    if console is None or not console.is_terminal:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("episodes"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("episodes", total=total)
        yield lambda: progress.advance(bar)


class _Crew:
    """The workers, and what they are working on."""

    def __init__(self, suite: Suite, tasks: deque[Task], count: int, limit: float) -> None:
        self._suite = suite
        self._tasks = tasks
        self._limit = limit
        self._workers: list[_Worker] = []
        self._count = count

    def results(self) -> Iterator[Episode]:
        """Every episode, as it is done."""
        for _ in range(self._count):
            self._hire()
        while self._workers:
            now = time.perf_counter()
            deadline = min(worker.deadline for worker in self._workers)
            ready = set(wait([worker.connection for worker in self._workers], max(0.0, deadline - now)))
            for worker in tuple(self._workers):
                if worker.connection in ready:
                    yield self._collect(worker)
                elif time.perf_counter() >= worker.deadline:
                    yield self._replace(worker, "hung", f"no answer within {self._limit + PATIENCE:g} s")

    def dismiss(self) -> None:
        """End all workers, and whatever they have started."""
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _hire(self) -> None:
        if self._tasks:
            worker = _Worker(self._suite, self._limit)
            self._workers.append(worker)
            worker.give(self._tasks.popleft())

    def _collect(self, worker: _Worker) -> Episode:
        try:
            episode: Episode = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace(worker, "crashed", "the process that ran it ended")
        if self._tasks:
            worker.give(self._tasks.popleft())
        else:
            self._workers.remove(worker)
            worker.connection.close()
            worker.end()
        return episode

    def _replace(self, worker: _Worker, trouble: Trouble, why: str) -> Episode:
        task = worker.task
        assert task is not None
        episode = troubled(self._suite, task, trouble, why, worker.waited())
        self._workers.remove(worker)
        worker.connection.close()
        worker.end(patience=0.0)
        self._hire()
        return episode


class _Worker:
    """A process that runs episodes, as its employer sees it."""

    def __init__(self, suite: Suite, limit: float) -> None:
        self.connection, theirs = _PROCESSES.Pipe()
        self.task: Task | None = None
        self.deadline = 0.0
        self._given_at = 0.0
        self._limit = limit
        self._process = _PROCESSES.Process(target=_work, args=(theirs, suite, limit))
        # Ctrl-C is for who hands out the work, from the first moment on: a process inherits what is blocked.
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        theirs.close()

    def give(self, task: Task) -> None:
        self.task = task
        self._given_at = time.perf_counter()
        self.deadline = self._given_at + self._limit + PATIENCE
        with suppress(OSError):  # it has ended: the next wait finds that out
            self.connection.send(task)

    def waited(self) -> float:
        return time.perf_counter() - self._given_at

    def end(self, patience: float = FAREWELL) -> None:
        """See it end. Its connection is closed, so it does so by itself unless it is stuck."""
        pid = self._process.pid
        if pid is not None and not wait([self._process.sentinel], patience):
            # Ask it to end properly: it has planners to end, too.
            os.kill(pid, signal.SIGTERM)
            wait([self._process.sentinel], FAREWELL)
        if pid is not None:
            # It leads a group of its own. Nobody has been told yet that it ended, so the number is still its.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        self._process.join()
        self._process.close()


# -- in the worker's process ----------------------------------------------------------------------------


def _work(connection: Connection, suite: Suite, limit: float) -> None:
    # A group of its own, which can be ended as a whole.
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, _leave)
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        episode = run_episode(suite, task, limit)
        try:
            connection.send(episode)
        except OSError:
            return


def _leave(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
