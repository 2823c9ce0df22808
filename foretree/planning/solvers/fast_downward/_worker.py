"""The process that plans: it compiles, grounds, and runs the search, one problem after the other.

It is started by :class:`foretree.planning.solvers.fast_downward.solver.FastDownward` and speaks with it
through its standard input and output. It has no threads, so that the kernel's promise to kill the search
together with its parent is kept, and it ends when its input does.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from foretree.errors import ForetreeError
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fast_downward._request import Surroundings, TooLateError, solve
from foretree.planning.solvers.fast_downward._search_binary import InterruptedSearchError
from foretree.planning.solvers.fast_downward._worker_messages import (
    CancelRequest,
    SolveReply,
    SolveRequest,
    pack,
    unpack,
)

#: How often, while it computes, the worker looks whether somebody wants it to stop.
_LOOK_SECONDS = 0.05
#: How often an idle worker looks whether its parent still lives, which its input does not always tell.
_PARENT_SECONDS = 2.0

#: The standard streams, as file descriptors: in a fork, ``sys.stdin`` and the like are still the parent's.
_INPUT, _OUTPUT, _ERRORS = 0, 1, 2

_STARVED = Solution("out-of-memory", why="Planning ran out of memory before the search.", timed=True)


class _Worker:
    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._buffer = bytearray()
        self._jobs: OrderedDict[int, SolveRequest] = OrderedDict()
        self._current: int | None = None
        self._cancelled = False
        self._watching = False
        self._deadline = 0.0
        self._parent = os.getppid()
        os.set_blocking(requests, False)

    def run(self) -> None:
        """Serve until the input ends."""
        signal.signal(signal.SIGALRM, self._look)
        around = Surroundings(self._watched, self._requests, self._interrupted, self._send)
        while True:
            while not self._jobs:
                select.select([self._requests], [], [], _PARENT_SECONDS)
                self._receive()
            _, job = self._jobs.popitem(last=False)
            self._current, self._cancelled = job.id, False
            gc.disable()  # grounding makes many small things at once, and no cycles
            try:
                answer = SolveReply(job.id, solve(job, around))
            except InterruptedSearchError:
                continue
            except ForetreeError as error:
                answer = SolveReply(job.id, None, str(error))
            except MemoryError:
                answer = SolveReply(job.id, _STARVED)
            except Exception:
                answer = SolveReply(job.id, None, traceback.format_exc(), bug=True)
            finally:
                self._current = None
                gc.enable()
            self._send(answer)

    def _send(self, message: object) -> None:
        frame = memoryview(pack(message))
        try:
            while frame:
                frame = frame[os.write(self._answers, frame) :]
        except BrokenPipeError:
            sys.exit(0)

    def _receive(self) -> None:
        """Take in what has arrived; without anybody to work for, end (which ends a search on the way)."""
        try:
            while chunk := os.read(self._requests, 1 << 20):
                self._buffer += chunk
            sys.exit(0)
        except BlockingIOError:
            pass
        if os.getppid() != self._parent:
            sys.exit(0)
        for message in unpack(self._buffer):
            if isinstance(message, SolveRequest):
                self._jobs[message.id] = message
            else:
                assert isinstance(message, CancelRequest)
                self._jobs.pop(message.id, None)
                self._cancelled = self._cancelled or message.id == self._current

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._watching:
            return
        self._receive()
        late = time.monotonic() > self._deadline
        if self._cancelled or late:
            self._watching = False  # once is enough: another one might come where nobody expects it
            raise InterruptedSearchError if self._cancelled else TooLateError

    @contextmanager
    def _watched(self, deadline: float) -> Iterator[None]:
        """While the body computes, have a look now and then."""
        self._deadline = deadline
        self._watching = True
        signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)
        try:
            yield
        finally:
            self._watching = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _interrupted(self) -> bool:
        self._receive()
        return self._cancelled


def main() -> None:
    """Serve the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C ends the parent, which ends this
    answers = os.dup(_OUTPUT)
    os.dup2(_ERRORS, _OUTPUT)  # nothing else may write between the frames
    _Worker(_INPUT, answers).run()


if __name__ == "__main__":
    main()
