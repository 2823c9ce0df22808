"""The tables of a run's file, and how the file is opened.

A run is one SQLite file. While it is written it is in WAL mode, so that readers and the writer never wait
for each other; once it has ended it is a plain file that can be copied and mailed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from foretree.runs._reading import open_file

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

#: The file that is being opened. Engines take no arguments when they connect, and one per file would compile
#: every statement anew, which costs more than running it.
_opening: ContextVar[Path] = ContextVar("opening")


def connect(path: Path) -> sa.Connection:
    """A connection of its own that writes to the run file at *path*, which must exist."""
    token = _opening.set(path)
    try:
        return _engine().connect()
    finally:
        _opening.reset(token)


@contextmanager
def driver_errors() -> Iterator[None]:
    """Raise errors of the database as the driver's, as they come where a run is only read."""
    try:
        yield
    except DBAPIError as error:
        raise (error.orig if isinstance(error.orig, sqlite3.Error) else sqlite3.Error(str(error))) from error


@lru_cache
def _engine() -> sa.Engine:
    engine = sa.create_engine("sqlite://", creator=_open_file, poolclass=NullPool)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _open_file() -> sqlite3.Connection:
    return open_file(_opening.get(), write=True)


def raw(connection: sa.Connection) -> sqlite3.Connection:
    """The driver's connection, for what must happen outside of a transaction."""
    inner: Any = connection.connection.driver_connection
    assert isinstance(inner, sqlite3.Connection)
    return inner


def create_tables(path: Path, meta: dict[str, str]) -> None:
    """Make the file at *path*, which must exist and be empty, a run file."""
    with driver_errors(), connect(path) as connection:
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


def add_request(connection: sa.Connection, row: dict[str, Any]) -> int:
    """Write down a request and return its number; the caller has begun a transaction."""
    key = connection.execute(sa.insert(REQUESTS).values(**row)).inserted_primary_key
    assert key is not None
    return int(key[0])


def settle_requests(connection: sa.Connection, wall: float) -> None:
    """Mark all open requests as noticed; the caller has begun a transaction."""
    connection.execute(sa.update(REQUESTS).where(REQUESTS.c.taken.is_(None)).values(taken=wall))
