"""Child processes that go on from where this one is, so that nothing need be loaded anew.

To fork is safe only where no other thread holds a lock or is in the middle of something, and where nobody is
surprised to find what this process has open in a child as well. So it is for the command line alone, and for
as long as there is one thread; else, and where the system does not tell how many there are, a child is
started anew.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

#: Seconds between two looks whether a child has ended: at first, and at most.
_LOOK_SECONDS, _MOST_LOOK_SECONDS = 0.0005, 0.05

_allowed = False


def allow_forks() -> None:
    """Allow children that are forks, as a program may whose process is all its own."""
    global _allowed
    _allowed = True


def may_fork() -> bool:
    """Return whether a child may be a fork of this process just now."""
    try:
        return _allowed and len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not on Linux
        return False


class Fork:
    """A child that is a fork of this process, with the part of ``subprocess.Popen`` that is needed here.

    It leads a session of its own, has default handlers of signals and no open files but a pipe each way, and
    ends with exit code 1 if *serve* raises anything but SystemExit.

    Args:
        serve: what it does, with its standard input and output.
    """

    def __init__(self, serve: Callable[[], object]) -> None:
        self._code: int | None = None
        self._lock = threading.Lock()
        theirs_in, ours_in = os.pipe()
        try:
            ours_out, theirs_out = os.pipe()
        except OSError:
            os.close(theirs_in)
            os.close(ours_in)
            raise
        # A handler of ours that raised in the child would have it go on with our work.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become(serve, theirs_in, theirs_out, before)
        except BaseException:
            os.close(ours_in)
            os.close(ours_out)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.stdin = os.fdopen(ours_in, "wb", buffering=0)
        self.stdout = os.fdopen(ours_out, "rb", buffering=0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, negative for a signal, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it has not, after so many seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = _LOOK_SECONDS
        while (code := self._ended()) is None:
            if deadline is not None and time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
            time.sleep(pause)
            pause = min(2 * pause, _MOST_LOOK_SECONDS)
        return code

    def _ended(self) -> int | None:
        with self._lock:
            if self._code is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # somebody has waited for it in our place
                    self._code = 0
                else:
                    self._code = os.waitstatus_to_exitcode(status) if pid else None
            return self._code


def _become(serve: Callable[[], object], stdin: int, stdout: int, mask: Iterable[int]) -> NoReturn:
    """Be the child."""
    code = 1
    try:
        gc.freeze()  # what is the parent's stays as it is, and its files are not closed once more
        os.setsid()
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2:
                with suppress(OSError):  # the one that the list was read from
                    os.close(int(name))
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        serve()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        os._exit(code)
