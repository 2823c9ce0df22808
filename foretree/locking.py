"""Files that several runs may change at the same time, and folders that only their owner may look into."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Seconds to wait for another process, which holds the lock for milliseconds unless it was stopped.
PATIENCE = 10.0
_LOOK_SECONDS = 0.02


def make_private_folder(path: Path) -> None:
    """Make the folder *path*, and those above it that are missing, for their owner only.

    Folders that are there already stay as they are.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only one who changes a file. The lock goes with the process that holds it, however it ends.

    Raises:
        OSError: there can be no file beside it to lock, or another process does not let go of the lock.
    """
    with open(path.with_name(f".{path.name}.lock"), "a", encoding="utf-8") as file:
        try:
            import fcntl
        except ImportError:
            # Windows: of two runs that end at the same moment, one may lose what it has learned.
            yield
            return
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
            if time.monotonic() > until:
                held = f"another process has held its lock for {PATIENCE:g} s"
                raise TimeoutError(errno.ETIMEDOUT, held, os.fspath(path))
            time.sleep(_LOOK_SECONDS)
        yield
