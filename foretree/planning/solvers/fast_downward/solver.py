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
import contextlib
import os
import queue
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO

from foretree.children import Fork, may_fork
from foretree.config import PACKAGE
from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import SAFETY_SECONDS, Limits, Mode, Solution, SolverError
from foretree.planning.solvers.fast_downward._worker_messages import (
    BetterSolution,
    CancelRequest,
    SolveReply,
    SolveRequest,
    StageEntered,
    pack,
    unpack,
)

#: Names the search binary of the user's own build.
BINARY_VARIABLE = "FORETREE_FAST_DOWNWARD"

_NO_LIMITS = Limits()
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
        self._worker: _Worker | None = None
        self._numbers = 0
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
        with self._lock:
            if self._closed:
                raise SolverError("This solver is closed.")
            self._numbers += 1
            request = SolveRequest(self._numbers, problem, mode, limits, str(self._binary))
            return self._running_worker().take(_Job(request))

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
        with self._lock:
            if self._closed:
                raise SolverError("This solver is closed.")
            self._numbers += 1
            request = SolveRequest(self._numbers, problem, "optimal", limits, str(self._binary), improve=True)
            return self._running_worker().take(_Job(request, on_better))

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

    def describe(self) -> str:
        """Which Fast Downward this is."""
        return str(self._binary)

    @property
    def stage(self) -> str:
        """What is being done just now, as :class:`StageEntered` has it; or nothing."""
        worker = self._worker
        return worker.stage if worker is not None else ""

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` was called."""
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

    def _running_worker(self) -> _Worker:
        if self._worker is None or not self._worker.alive:
            self._worker = _Worker(self._go_on)
        return self._worker

    def _go_on(self, left: list[_Job], code: int) -> None:
        """A worker has ended without having been told to, with an exit code, and has left some jobs."""
        if code >= 0:
            _fail(left, f"The planner process ended unexpectedly, with exit code {code}.")
            return
        # It works on one after the other, so it was the first that cost it its life, if any did.
        first, *others = left
        first.deaths += 1
        if first.overdue:
            first.answer(_hung(first.overdue))
            left = others
        elif first.deaths > _RESTARTS:
            first.answer(_killed(first.deaths, -code))
            left = others
        if not left:
            return
        time.sleep(_BACK_OFF_SECONDS * 2 ** (first.deaths - 1))
        with self._lock:
            if self._closed:
                for job in left:
                    job.future.cancel()
                    job.future.set_running_or_notify_cancel()
                return
            try:
                worker = self._running_worker()
            except OSError as error:
                _fail(left, f"The planner process cannot be started again: {error.strerror}.")
                return
            for job in left:
                worker.take(job)


@dataclass(eq=False)
class _Job:
    """What was asked for, and for whom.

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


class _Worker:
    """This side of one worker process: what was asked of it, and threads that write and read.

    Args:
        on_end: is told what is left to do, and the exit code, if the process ends before that is done.
    """

    def __init__(self, on_end: Callable[[list[_Job], int], None]) -> None:
        self._process = _start()
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._lock = threading.Lock()
        self._jobs: dict[int, _Job] = {}
        self._on_end = on_end
        # What it works on, and since when.
        self._first: _Job | None = None
        self._since = 0.0
        self._outgoing: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.alive = True
        #: What the work has come to, as the process tells.
        self.stage = ""
        for work in (
            lambda: self._write(stdin),
            lambda: self._read(stdout),
        ):
            threading.Thread(target=work, name="foretree-planner", daemon=True).start()

    def take(self, job: _Job) -> Future[Solution]:
        """Work on *job* after what was taken before."""
        number = job.request.id
        with self._lock:
            self._jobs[number] = job
        self._outgoing.put(job.request)
        job.future.add_done_callback(self._cancel(number))
        if not self.alive:  # it has ended just now, perhaps without anything to do
            threading.Thread(target=self._leave, name="foretree-planner", daemon=True).start()
        return job.future

    def close(self) -> None:
        for job in self._pending():
            job.future.cancel()
        self._outgoing.put(None)
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _cancel(self, number: int) -> Callable[[Future[Solution]], None]:
        def done(future: Future[Solution]) -> None:
            if future.cancelled():
                with self._lock:
                    unanswered = self._jobs.pop(number, None) is not None
                if unanswered:  # else the thread that took it tells those who wait
                    future.set_running_or_notify_cancel()
                    self._outgoing.put(CancelRequest(number))

        return done

    def _write(self, stream: IO[bytes]) -> None:
        """Send what is asked for, in a thread of its own: a busy worker may be slow to take it in."""
        with contextlib.suppress(OSError):  # a broken pipe: the reader will see the end, too
            while (message := self._outgoing.get()) is not None:
                frame = memoryview(pack(message))
                while frame:
                    frame = frame[stream.write(frame) :]
        with contextlib.suppress(OSError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        buffer = bytearray()
        news = selectors.DefaultSelector()
        news.register(stream, selectors.EVENT_READ)
        while chunk := self._next(stream, news):
            buffer += chunk
            for message in unpack(buffer):
                if isinstance(message, BetterSolution):
                    self._report(message)
                elif isinstance(message, StageEntered):
                    self.stage = message.name
                else:
                    self._answer(message)
        news.close()
        stream.close()
        self._kill()
        self._leave()

    def _next(self, stream: IO[bytes], news: selectors.BaseSelector) -> bytes:
        """What the worker writes next; nothing once it has ended, which one that hangs is made to."""
        while not news.select(_LOOK_SECONDS):
            with self._lock:
                first = next(iter(self._jobs.values()), None)
            now = time.monotonic()
            if first is not self._first:
                self._first, self._since = first, now
            elif first is not None and now - self._since > first.patience:
                first.overdue = first.patience
                self._kill()
        return stream.read(1 << 16)

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
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _pending(self) -> list[_Job]:
        with self._lock:
            return list(self._jobs.values())

    def _leave(self) -> None:
        """Hand back what is left to do: the process has ended."""
        with self._lock:
            left = list(self._jobs.values())
            self._jobs.clear()
        if left:
            self._on_end(left, self._process.wait())


def _start() -> subprocess.Popen[bytes] | Fork:
    """Start a process that plans. It leads a session: Ctrl-C is for this process, and the group can
    be killed as a whole."""
    if may_fork():
        return Fork(_serve)
    root = str(PACKAGE.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", "foretree.planning.solvers.fast_downward._worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
        bufsize=0,
    )


def _serve() -> None:
    from foretree.planning.solvers.fast_downward._worker import main

    main()


def _fail(jobs: Iterable[_Job], why: str) -> None:
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


def _timed(solution: Solution, started: float) -> Solution:
    """With how long it took from the request on."""
    return replace(solution, seconds={**solution.seconds, "total": time.monotonic() - started})


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
    """What the shared Fast Downward is doing just now; nothing where there is none."""
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
