"""A run's file: its tables, and connections to it.

A run is one SQLite file. While it is written it is in WAL mode, so that readers and the writer never wait
for each other; once it has ended it is a plain file that can be copied and mailed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

#: Seconds that a connection waits for another one's lock before it gives up.
_LOCK_PATIENCE = 5.0

_TABLES = (
    # What is known about the run as a whole.
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    # What happened, see foretree.runs.events.Event. ``wall`` is the only column that differs between two runs
    # with the same seed.
    "CREATE TABLE events (seq INTEGER NOT NULL PRIMARY KEY, tick INTEGER NOT NULL, time FLOAT NOT NULL, "
    "wall FLOAT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL)",
    # What other terminals ask of the run; ``taken`` is when the run noticed.
    "CREATE TABLE requests (seq INTEGER NOT NULL PRIMARY KEY, wall FLOAT NOT NULL, kind TEXT NOT NULL, "
    "sender TEXT NOT NULL, taken FLOAT, data TEXT NOT NULL DEFAULT '{}')",
    *(
        f"CREATE TRIGGER events_no_{verb} BEFORE {verb} ON events BEGIN "
        f"SELECT RAISE(ABORT, 'events are append-only'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)


def open_file(path: Path, *, write: bool) -> sqlite3.Connection:
    """Return a connection to the run file at *path*, which must exist. Transactions are the caller's."""
    address = f"file:{quote(str(path.absolute()))}?mode={'rw' if write else 'ro'}"
    # sqlite3 by itself would begin transactions late, with a lock that cannot be upgraded if others write.
    return sqlite3.connect(address, _LOCK_PATIENCE, uri=True, isolation_level=None)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """An exclusive transaction on *connection*, undone if the body raises."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def create_tables(path: Path, meta: dict[str, str]) -> None:
    """Make the file at *path*, which must exist and be empty, a run file."""
    with closing(open_file(path, write=True)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        with transaction(connection):
            for statement in _TABLES:
                connection.execute(statement)
            write_meta(connection, **meta)


def add_request_data(connection: sqlite3.Connection) -> None:
    """Give the table of requests its column ``data``, which older files lack."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(requests)")}
    if "data" not in columns:
        connection.execute("ALTER TABLE requests ADD COLUMN data TEXT NOT NULL DEFAULT '{}'")


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the run's keys and values."""
    return dict(connection.execute("SELECT key, value FROM meta"))


def write_meta(connection: sqlite3.Connection, **values: str) -> None:
    """Set keys; the caller has begun a transaction."""
    connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values.items())


def last_event(connection: sqlite3.Connection) -> tuple[int, int, float]:
    """Return number, tick and time of the last event; zeros where there is none."""
    found = connection.execute("SELECT seq, tick, time FROM events ORDER BY seq DESC LIMIT 1").fetchone()
    return found or (0, 0, 0.0)


def count_events(connection: sqlite3.Connection, *kinds: str) -> dict[str, int]:
    """Return how many events there are of each of *kinds*."""
    marks = ", ".join("?" * len(kinds))
    counted = connection.execute(
        f"SELECT kind, count(*) FROM events WHERE kind IN ({marks}) GROUP BY kind", kinds
    )
    return {**dict.fromkeys(kinds, 0), **dict(counted)}
