"""The worker process: it compiles, grounds, and runs the search, one problem after the other.

:class:`foretree.planning.solvers.fast_downward.solver.FastDownward` starts it. It has no threads, so that the
kernel's promise to kill the search together with its parent is kept, and it ends when its input does.
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

from foretree.children import Channel
from foretree.errors import ForetreeError
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fast_downward._search_binary import InterruptedSearchError, TooLateError
from foretree.planning.solvers.fast_downward._solve_request import solve
from foretree.planning.solvers.fast_downward._task_preparation import Surroundings
from foretree.planning.solvers.fast_downward._worker_messages import (
    CancelRequest,
    SolveReply,
    SolveRequest,
    pack,
    unpack,
)

#: Seconds between two looks of a busy worker whether it should stop.
_LOOK_SECONDS = 0.05
#: Seconds between two looks of an idle worker whether its parent still lives, which its input may not tell.
_PARENT_SECONDS = 2.0

_STARVED = Solution("out-of-memory", why="Planning ran out of memory before the search.", timed=True)


class _Worker:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._jobs: OrderedDict[int, SolveRequest] = OrderedDict()
        self._current: int | None = None
        self._cancelled = False
        self._watching = False
        self._deadline = 0.0
        self._parent = os.getppid()

    def run(self) -> None:
        """Serve until the input ends."""
        signal.signal(signal.SIGALRM, self._look)
        around = Surroundings(self._watched, self._channel.fileno(), self._interrupted, self._send)
        while True:
            self._receive()  # there may be requests that came with what was read before
            while not self._jobs:
                select.select([self._channel], [], [], _PARENT_SECONDS)
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
        try:
            self._channel.send(pack(message))
        except BrokenPipeError:
            sys.exit(0)

    def _receive(self) -> None:
        """Take in what has arrived; without a parent to work for, end (which ends a search on the way)."""
        try:
            messages = [unpack(message) for message in self._channel.take()]
        except EOFError:
            sys.exit(0)
        if os.getppid() != self._parent:
            sys.exit(0)
        for message in messages:
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
            self._watching = False  # once is enough: another one might come where it is not expected
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


def serve(channel: Channel) -> None:
    """Serve the process that started this one."""
    _Worker(channel).run()
