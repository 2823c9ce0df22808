"""Work on a background thread, which does not hold up the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def in_background(work: Callable[[], T], name: str) -> Future[T]:
    """Begin *work* on a thread of its own; the future has its result or its exception.

    The thread is a daemon: a process that wants to end does not wait for a server. Work that has begun
    cannot be taken back, so that what it costs is always counted.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future
