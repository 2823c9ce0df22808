"""Signals that end a command: the first counts, and nothing cuts short what is done because of it."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

#: Ctrl-C; `kill`; the terminal is gone.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """Raises :class:`KeyboardInterrupt` for the first signal while signals are let in, and for no other.

    What comes before that waits until they are let in. What comes after it is ignored: the way out takes
    bounded time, and a second exception would strike in the middle of it.

    Attributes:
        struck: whether one has.
        number: which one came last; 0 if none did.
    """

    def __init__(self) -> None:
        self.struck = False
        self.number = 0
        self._open = False
        self._came = False

    @contextmanager
    def let_in(self) -> Iterator[None]:
        """Have the first signal interrupt the body."""
        self._open = True
        try:
            if self._came and not self.struck:
                self._strike()
            yield
        finally:
            self._open = False

    def hear(self, number: int, frame: object) -> None:
        """Handle a signal."""
        self._came = True
        self.number = number
        if self._open and not self.struck:
            self._strike()

    def _strike(self) -> NoReturn:
        self._open, self.struck = False, True
        raise KeyboardInterrupt


@contextmanager
def heard(*numbers: signal.Signals, leaving: bool = True) -> Iterator[Signals]:
    """Hear these signals in the body; by default all that end a process.

    What the process was told to ignore, as `nohup` does, it goes on ignoring. Once one has struck, they stay
    ignored if the process is *leaving*, on its way out.
    """
    signals = Signals()
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    before = {
        number: signal.signal(number, signals.hear)
        for number in numbers or _ENDING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield signals
    finally:
        if not (signals.struck and leaving):
            for number, handler in before.items():
                signal.signal(number, handler)


def leave_at_once(code: int) -> None:
    """Have a signal from now on end the process with *code*: all that is left is the interpreter's own end,
    where an exception would only be a traceback on the screen."""
    if threading.current_thread() is threading.main_thread():
        for number in _ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: os._exit(code))
        # At its very end the interpreter gives handlers up: a signal would end it with another code.
        atexit.register(_ignore)


def _ignore() -> None:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
