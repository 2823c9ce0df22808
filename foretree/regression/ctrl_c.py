"""Ctrl-C as news to be read, instead of an exception that strikes anywhere."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType


@contextmanager
def ctrl_c() -> Iterator[Connection]:
    """A connection that has something to say once somebody has pressed Ctrl-C, in the body.

    Whoever presses it is often heard twice, as by ``timeout``, which tells a process and then its group. An
    exception that was raised each time would cut short what is done because of the first.
    """
    heard, told = Pipe(duplex=False)

    def tell(signum: int, frame: FrameType | None) -> None:
        if not heard.poll():
            told.send_bytes(b"!")

    with heard, told:
        # Other threads never hear of it, and whoever is told to ignore it (as by nohup) goes on doing so.
        mine = threading.current_thread() is threading.main_thread()
        if not mine or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            yield heard
            return
        before = signal.signal(signal.SIGINT, tell)
        try:
            yield heard
        finally:
            signal.signal(signal.SIGINT, before)
