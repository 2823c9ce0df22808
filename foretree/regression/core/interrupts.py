"""Ctrl-C as news to be read, instead of an exception that strikes anywhere."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType

#: How often Ctrl-C was news in this process.
_told = 0


@contextmanager
def ctrl_c() -> Iterator[Connection]:
    """A connection that becomes ready when Ctrl-C is pressed in the body.

    It is often heard twice, as from ``timeout``, which tells a process and then its group. An
    exception that was raised each time would cut short what is done because of the first.
    """
    heard, told = Pipe(duplex=False)

    def tell(signum: int, frame: FrameType | None) -> None:
        global _told
        _told += 1
        if not heard.poll():
            told.send_bytes(b"!")

    with heard, told:
        # Other threads never hear of it, and a process that ignores it (as by nohup) goes on doing so.
        mine = threading.current_thread() is threading.main_thread()
        if not mine or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            yield heard
            return
        before = signal.signal(signal.SIGINT, tell)
        try:
            yield heard
        finally:
            signal.signal(signal.SIGINT, before)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """Have Ctrl-C interrupt the body, unless :func:`ctrl_c` was told of it within: what is heard a second
    time must not cost the report on what was done."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:
        yield
        return
    told = _told

    def interrupt(signum: int, frame: FrameType | None) -> None:
        if _told == told:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        # Once it was told of, the body is over before its time, and so is everything that follows.
        signal.signal(signal.SIGINT, before if _told == told else signal.SIG_IGN)
