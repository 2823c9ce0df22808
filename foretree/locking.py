"""Files that several runs may change at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only one who changes a file. The lock goes with the process that holds it, however it ends.

    Raises:
        OSError: there can be no file beside it to lock.
    """
    with open(path.with_name(f".{path.name}.lock"), "a", encoding="utf-8") as file:
        try:
            import fcntl
        except ImportError:
            # Windows: of two runs that end at the same moment, one may lose what it has learned.
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
