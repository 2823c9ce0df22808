"""Ctrl-C as a message on a connection, instead of an exception that is raised anywhere."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType

#: How often Ctrl-C was sent as a message in this process.
_sent = 0


@contextmanager
def ctrl_c() -> Iterator[Connection]:
    """A connection that becomes ready when Ctrl-C is pressed in the body.

    It is often heard twice, as from ``timeout``, which tells a process and then its group. An
    exception that was raised each time would cut short what is done because of the first.
    """
    receiver, sender = Pipe(duplex=False)

    def send(signum: int, frame: FrameType | None) -> None:
        global _sent
        _sent += 1
        if not receiver.poll():
            sender.send_bytes(b"!")

    with receiver, sender:
        # Other threads never hear of it, and a process that ignores it (as by nohup) goes on doing so.
        main = threading.current_thread() is threading.main_thread()
        if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            yield receiver
            return
        before = signal.signal(signal.SIGINT, send)
        try:
            yield receiver
        finally:
            signal.signal(signal.SIGINT, before)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """Have Ctrl-C interrupt the body, unless :func:`ctrl_c` has heard it within: what is heard a second
    time must not cost the report on what was done."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:
        yield
        return
    sent = _sent

    def interrupt(signum: int, frame: FrameType | None) -> None:
        if _sent == sent:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        # Once it was heard, the body ends early, and so does everything that follows.
        signal.signal(signal.SIGINT, before if _sent == sent else signal.SIG_IGN)
