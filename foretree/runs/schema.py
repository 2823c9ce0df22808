"""The tables of a run's file, and how the file is opened.

A run is one SQLite file. While it is written it is in WAL mode, so that readers and the writer never wait
for each other; once it has ended it is a plain file that can be copied and mailed.
"""

from __future__ import annotations

import sqlite3
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

METADATA = sa.MetaData()

#: What is known about the run as a whole: key -> value, both text.
META = sa.Table(
    "meta",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

#: What happened, see :class:`foretree.runs.events.Event`. ``wall`` is the only column that differs between
#: two runs with the same seed. Append-only: triggers refuse to change or delete a row.
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
    sa.Column("wall", sa.Float, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)

#: What other terminals ask of the run; ``taken`` is when the run noticed.
REQUESTS = sa.Table(
    "requests",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("wall", sa.Float, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("sender", sa.Text, nullable=False),
    sa.Column("taken", sa.Float),
)

_APPEND_ONLY = [
    f"CREATE TRIGGER events_no_{verb} BEFORE {verb} ON events BEGIN "
    f"SELECT RAISE(ABORT, 'events are append-only'); END"
    for verb in ("UPDATE", "DELETE")
]

#: How long a connection waits for another one's lock before it gives up.
LOCK_PATIENCE_MS = 5000


#: The file that is being opened. Engines take no arguments when they connect, and one per file would compile
#: every statement anew, which costs more than running it.
_opening: ContextVar[str] = ContextVar("opening")


def connect(path: Path, *, write: bool) -> sa.Connection:
    """A connection of its own to the run file at *path*, which must exist."""
    token = _opening.set(f"file:{quote(str(path.absolute()))}?mode={'rw' if write else 'ro'}")
    try:
        return _engine(write).connect()
    finally:
        _opening.reset(token)


@lru_cache
def _engine(write: bool) -> sa.Engine:
    engine = sa.create_engine("sqlite://", creator=_open_file, poolclass=NullPool)
    begin = "BEGIN IMMEDIATE" if write else "BEGIN"
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _open_file() -> sqlite3.Connection:
    # Transactions are begun by the engine's hook: sqlite3 on its own would begin them late, with a lock that
    # cannot be upgraded while somebody else writes.
    connection = sqlite3.connect(_opening.get(), uri=True, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout={LOCK_PATIENCE_MS}")
    return connection


def raw(connection: sa.Connection) -> sqlite3.Connection:
    """The driver's connection, for what must happen outside of a transaction."""
    inner: Any = connection.connection.driver_connection
    assert isinstance(inner, sqlite3.Connection)
    return inner


def create_tables(path: Path, meta: dict[str, str]) -> None:
    """Make the file at *path*, which must exist and be empty, a run file."""
    with connect(path, write=True) as connection:
        raw(connection).execute("PRAGMA journal_mode=WAL")
        raw(connection).execute("PRAGMA synchronous=NORMAL")
        with connection.begin():
            METADATA.create_all(connection)
            for trigger in _APPEND_ONLY:
                connection.exec_driver_sql(trigger)
            rows = [{"key": key, "value": value} for key, value in meta.items()]
            connection.execute(sa.insert(META), rows)


def read_meta(connection: sa.Connection) -> dict[str, str]:
    """The run's keys and values."""
    return {row.key: row.value for row in connection.execute(sa.select(META))}


def write_meta(connection: sa.Connection, **values: str) -> None:
    """Set keys; the caller has begun a transaction."""
    statement = sa.text("INSERT OR REPLACE INTO meta (key, value) VALUES (:key, :value)")
    connection.execute(statement, [{"key": key, "value": value} for key, value in values.items()])
