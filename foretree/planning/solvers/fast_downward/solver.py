"""Fast Downward, called directly in a warm worker process.

Fast Downward is GPL software; Foretree is not. It stays behind a process boundary: this process never imports
anything of it, it only knows the path of the search binary, which a worker process runs as a program of its
own. The package ``up-fast-downward`` carries a binary; the path of another build can be given, or set in the
environment variable ``FORETREE_FAST_DOWNWARD``.

Our own compilation and grounding come first: they look only at what matters for the goal, and mostly take
half of the time of Fast Downward's translator. Where they would take too much work, and for axioms, the
translator is run, as a program of its own too.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import TracebackType

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits, Mode, Solution, SolverError
from foretree.planning.solvers.fast_downward._worker_client import SolveJob, WorkerClient, jobs_to_restart
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest

#: Names the search binary of the user's own build.
BINARY_VARIABLE = "FORETREE_FAST_DOWNWARD"

_NO_LIMITS = Limits()


def find_binary(path: Path | str | None = None) -> Path:
    """The search binary: *path*, else what the environment names, else the one that is installed.

    Raises:
        SolverError: there is none.
    """
    named = path or os.environ.get(BINARY_VARIABLE)
    if named:
        binary = Path(os.path.expanduser(named))
        if not (binary.is_file() and os.access(binary, os.X_OK)):
            raise SolverError(
                f"{binary} is not an executable file. Name the search binary of a Fast Downward build, "
                "such as fast-downward/builds/release/bin/downward."
            )
        return binary.resolve()
    spec = find_spec("up_fast_downward")
    for folder in (spec and spec.submodule_search_locations) or ():
        binary = Path(folder) / "downward" / "builds" / "release" / "bin" / "downward"
        if binary.is_file():
            return binary
    raise SolverError(
        "Fast Downward is not installed. Install it with: pip install up-fast-downward "
        f"(or build it yourself and set {BINARY_VARIABLE} to its search binary)."
    )


class FastDownward:
    """A solver whose work is done by a warm worker process, one problem after the other.

    A context manager; without it, :meth:`close` ends the worker, and the end of this process does too,
    however it comes.
    """

    def __init__(self, binary: Path | str | None = None) -> None:
        self._binary = find_binary(binary)
        self._lock = threading.Lock()
        self._worker: WorkerClient | None = None
        self._numbers = count(1)
        self._closed = False
        _open.add(self)
        with self._lock:
            self._running_worker()

    def submit(
        self, problem: Problem, mode: Mode = "optimal", limits: Limits = _NO_LIMITS
    ) -> Future[Solution]:
        """Start solving *problem* and return at once.

        Cancelling the future, at any time before it is done, ends the work on it.

        Raises:
            SolverError: this solver is closed.
        """
        return self._begin(SolveRequest(next(self._numbers), problem, mode, limits, str(self._binary)))

    def improve(
        self,
        problem: Problem,
        limits: Limits = _NO_LIMITS,
        on_better: Callable[[Solution], None] | None = None,
    ) -> Future[Solution]:
        """Start solving *problem* and return at once: a first plan soon, then better ones, then the proof.

        Cancelling the future, at any time before it is done, ends the work; no more plans are reported then.

        Args:
            limits: the expansions count for each of the searches alone, the seconds for all of them together.
            on_better: called with each plan that is better than those before, the one that the future
                brings left out. It is called from a thread of the solver's, so it should only pass it on.

        Returns:
            the best plan: ``optimal`` if it is proved that there is none better; otherwise ``lower_bound``
            tells how much better one could be, and ``why`` which limit ended the search.

        Raises:
            SolverError: this solver is closed.
        """
        number, binary = next(self._numbers), str(self._binary)
        return self._begin(SolveRequest(number, problem, "optimal", limits, binary, improve=True), on_better)

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = _NO_LIMITS) -> Solution:
        """Solve *problem* and wait for the answer; an interruption of the waiting ends the work.

        Raises:
            SolverError: the solver broke, or is closed.
        """
        future = self.submit(problem, mode, limits)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the worker, and with it whatever is being solved; those futures are cancelled."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
        _open.discard(self)
        if worker is not None:
            worker.close()

    @property
    def stage(self) -> str:
        """The stage of the work, as :class:`StageEntered` has it; empty where there is none."""
        worker = self._worker
        return worker.stage if worker is not None else ""

    @property
    def closed(self) -> bool:
        """True once :meth:`close` was called."""
        return self._closed

    def __enter__(self) -> FastDownward:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin(
        self, request: SolveRequest, on_better: Callable[[Solution], None] | None = None
    ) -> Future[Solution]:
        with self._lock:
            if self._closed:
                raise SolverError("This solver is closed.")
            return self._running_worker().take(SolveJob(request, on_better))

    def _running_worker(self) -> WorkerClient:
        if self._worker is None or not self._worker.alive:
            self._worker = WorkerClient(self._go_on)
        return self._worker

    def _go_on(self, left: list[SolveJob], code: int) -> None:
        """A worker has ended without having been told to, with an exit code, and has left some jobs."""
        left, pause = jobs_to_restart(left, code)
        if not left:
            return
        time.sleep(pause)
        with self._lock:
            if self._closed:
                for job in left:
                    job.future.cancel()
                    job.future.set_running_or_notify_cancel()
                return
            try:
                worker = self._running_worker()
            except OSError as error:
                for job in left:
                    job.fail(f"The planner process cannot be started again: {error.strerror}.")
                return
            for job in left:
                worker.take(job)


# -- all of a process, and one for the whole process -------------------------------------------------------

_open: set[FastDownward] = set()
_shared: FastDownward | None = None
_shared_lock = threading.Lock()


def shared_planner() -> FastDownward:
    """A Fast Downward that the whole process shares. It is started by the first call."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared.closed:
            _shared = FastDownward()
        return _shared


def shared_planner_stage() -> str:
    """Return the stage of the shared Fast Downward's work; empty where there is none."""
    return _shared.stage if _shared is not None else ""


@atexit.register
def close_planners() -> None:
    """End the workers of all that this process has, as its end does too, unless it is a cut-off copy."""
    for planner in tuple(_open):
        planner.close()


def _forget_planners() -> None:
    """A forked child must not speak into its parent's pipes."""
    global _shared, _shared_lock
    _shared, _shared_lock = None, threading.Lock()
    _open.clear()


os.register_at_fork(after_in_child=_forget_planners)
