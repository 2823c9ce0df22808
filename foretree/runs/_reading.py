"""Reading a run's file with Python's own driver, which is there at once: listing runs needs no more."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

#: Milliseconds that a connection waits for another one's lock before it gives up.
LOCK_PATIENCE_MS = 5000


class EventRow(NamedTuple):
    """A row of the table of events; ``data`` is JSON."""

    seq: int
    tick: int
    time: float
    wall: float
    kind: str
    data: str


def open_file(path: Path, *, write: bool) -> sqlite3.Connection:
    """Return a connection to the run file at *path*, which must exist. Transactions are the caller's."""
    address = f"file:{quote(str(path.absolute()))}?mode={'rw' if write else 'ro'}"
    # sqlite3 by itself would begin transactions late, with a lock that cannot be upgraded if others write.
    patience = LOCK_PATIENCE_MS / 1000
    return sqlite3.connect(address, patience, uri=True, isolation_level=None, check_same_thread=False)


def meta_of(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the run's keys and values."""
    return dict(connection.execute("SELECT key, value FROM meta"))


def last_event(connection: sqlite3.Connection) -> tuple[int, int, float]:
    """Return number, tick and time of the last event; zeros where there is none."""
    found = connection.execute("SELECT seq, tick, time FROM events ORDER BY seq DESC LIMIT 1").fetchone()
    return found or (0, 0, 0.0)
