"""Fast Downward, called directly in a warm worker process.

Fast Downward is GPL software; Foretree is not. It stays behind a process boundary: this process never imports
anything of it, it only knows the path of the search binary, which a worker process runs as a program of its
own. The package ``up-fast-downward`` carries a binary; the path of another build can be given, or set in the
environment variable ``FORETREE_FAST_DOWNWARD``.

Fast Downward's translator is not used: our own compilation and grounding take a tenth of its time, since they
look only at what matters for the goal.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO

import foretree
from foretree.planning.solvers.base import Limits, Mode, Solution, SolverError
from foretree.planning.solvers.protocol import Answer, Better, Cancel, Solve, pack, unpack
from foretree.planning.syntax import Problem

#: Names the search binary of the user's own build.
BINARY_VARIABLE = "FORETREE_FAST_DOWNWARD"

_NO_LIMITS = Limits()
#: How long a worker may take to end by itself before it is killed.
_GRACE_SECONDS = 1.0


def find_binary(path: Path | str | None = None) -> Path:
    """The search binary: *path*, else what the environment names, else the one that is installed.

    Raises:
        SolverError: there is none.
    """
    named = path or os.environ.get(BINARY_VARIABLE)
    if named:
        binary = Path(named).expanduser()
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
        atexit.register(self.close)
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
            request = Solve(self._numbers, problem, mode, limits, str(self._binary))
            return self._running_worker().submit(request)

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
            request = Solve(self._numbers, problem, "optimal", limits, str(self._binary), improve=True)
            return self._running_worker().submit(request, on_better)

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
        atexit.unregister(self.close)
        if worker is not None:
            worker.close()

    def describe(self) -> str:
        """Which Fast Downward this is."""
        return str(self._binary)

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
            self._worker = _Worker()
        return self._worker


class _Worker:
    """This side of one worker process: what was asked of it, and threads that write and read."""

    def __init__(self) -> None:
        root = str(Path(foretree.__file__).parent.parent)
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "foretree.planning.solvers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for this process; and the group can be killed as a whole
            bufsize=0,
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._lock = threading.Lock()
        self._futures: dict[int, tuple[Future[Solution], float]] = {}
        self._listeners: dict[int, Callable[[Solution], None]] = {}
        self._outgoing: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.alive = True
        for work in (
            lambda: self._write(stdin),
            lambda: self._read(stdout),
        ):
            threading.Thread(target=work, name="foretree-planner", daemon=True).start()

    def submit(self, request: Solve, on_better: Callable[[Solution], None] | None = None) -> Future[Solution]:
        future: Future[Solution] = Future()
        with self._lock:
            self._futures[request.id] = (future, time.monotonic())
            if on_better is not None:
                self._listeners[request.id] = on_better
        self._outgoing.put(request)
        future.add_done_callback(self._cancel(request.id))
        if not self.alive:
            self._fail("The planner process could not be started.")
        return future

    def close(self) -> None:
        for future, _ in self._pending():
            future.cancel()
        self._outgoing.put(None)
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _cancel(self, number: int) -> Callable[[Future[Solution]], None]:
        def done(future: Future[Solution]) -> None:
            if future.cancelled():
                with self._lock:
                    unanswered = self._futures.pop(number, None) is not None
                    self._listeners.pop(number, None)
                if unanswered:  # else the thread that took it tells those who wait
                    future.set_running_or_notify_cancel()
                    self._outgoing.put(Cancel(number))

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
        while chunk := stream.read(1 << 16):
            buffer += chunk
            for message in unpack(buffer):
                if isinstance(message, Better):
                    self._report(message)
                else:
                    self._answer(message)
        stream.close()
        self._kill()
        self._fail("The planner process ended unexpectedly.")

    def _report(self, better: Better) -> None:
        with self._lock:
            known = self._futures.get(better.id)
            listener = self._listeners.get(better.id)
        if known is not None and listener is not None:
            listener(_timed(better.solution, known[1]))

    def _answer(self, answer: Answer) -> None:
        with self._lock:
            future, started = self._futures.pop(answer.id, (None, 0.0))
            self._listeners.pop(answer.id, None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if answer.solution is not None:
            future.set_result(_timed(answer.solution, started))
        elif answer.bug:
            future.set_exception(
                SolverError(f"The planner broke; this is a bug in Foretree:\n{answer.error}")
            )
        else:
            future.set_exception(SolverError(answer.error))

    def _kill(self) -> None:
        """Leave neither the worker nor its search behind."""
        self.alive = False
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _pending(self) -> list[tuple[Future[Solution], float]]:
        with self._lock:
            return list(self._futures.values())

    def _take_all(self) -> list[tuple[Future[Solution], float]]:
        with self._lock:
            taken = list(self._futures.values())
            self._futures.clear()
            self._listeners.clear()
        return taken

    def _fail(self, why: str) -> None:
        for future, _ in self._take_all():
            if future.set_running_or_notify_cancel():
                future.set_exception(SolverError(why))


def _timed(solution: Solution, started: float) -> Solution:
    """With how long it took from the request on."""
    return replace(solution, seconds={**solution.seconds, "total": time.monotonic() - started})


# -- one for the whole process -----------------------------------------------------------------------------

_shared: FastDownward | None = None
_shared_lock = threading.Lock()


def shared_planner() -> FastDownward:
    """A Fast Downward that the whole process shares. It is started by the first call."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared.closed:
            _shared = FastDownward()
        return _shared


def _forget_shared() -> None:
    """A forked child must not speak into its parent's pipes."""
    global _shared, _shared_lock
    _shared, _shared_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_shared)
