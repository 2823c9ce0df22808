"""Index of a directory of runs, so that listing them opens only the files that have changed.

Derived from the runs and nothing else: it may be deleted at any time, and is made anew where it is damaged.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeAlias

#: Name of the file. It is no run, so it does not end as runs do.
NAME = ".index"
#: Version of the columns; an index of another version is made anew.
_VERSION = 1
#: Seconds to wait for another process that updates the index; without it, the listing is only slower.
_PATIENCE = 0.2

#: Facts of a run, as columns of the index.
Row: TypeAlias = tuple[str | int | float, ...]

_COLUMNS = (
    "id, stamp, instruction, scene, started, outcome, "
    "pid, host, birth, foretree, schema, events, tick, seconds"
)


class RunIndex:
    """Rows of the runs of *directory* that have ended, each with the stamp of its file."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME

    def read(self) -> dict[str, tuple[str, Row]]:
        """Return stamp and row of each indexed run; nothing where there is no index that can be read."""
        if not self._path.exists():
            return {}
        with suppress(sqlite3.Error), closing(self._open("ro")) as connection:
            if connection.execute("PRAGMA user_version").fetchone() == (_VERSION,):
                return {
                    row[0]: (row[1], row[2:]) for row in connection.execute(f"SELECT {_COLUMNS} FROM runs")
                }
        return {}

    def update(self, rows: Mapping[str, tuple[str, Row]], gone: Iterable[str]) -> None:
        """Put in *rows* and take out the runs that are *gone*, if the index can be written."""
        gone = list(gone)
        if not rows and not gone:
            return
        with suppress(sqlite3.Error, OSError):
            try:
                self._write(rows, gone)
            except sqlite3.OperationalError:  # locked, or a folder that may only be read
                raise
            except sqlite3.DatabaseError:  # damaged
                self._path.unlink()
                self._write(rows, gone)

    def _write(self, rows: Mapping[str, tuple[str, Row]], gone: list[str]) -> None:
        os.close(os.open(self._path, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(self._open("rw")) as connection, connection:
            connection.execute("PRAGMA synchronous=OFF")
            if connection.execute("PRAGMA user_version").fetchone() != (_VERSION,):
                connection.execute("DROP TABLE IF EXISTS runs")
                connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS runs ({_COLUMNS}, PRIMARY KEY (id)) WITHOUT ROWID"
            )
            connection.executemany("DELETE FROM runs WHERE id = ?", [(name,) for name in gone])
            marks = ", ".join("?" * (_COLUMNS.count(",") + 1))
            connection.executemany(
                f"INSERT OR REPLACE INTO runs ({_COLUMNS}) VALUES ({marks})",
                [(name, stamp, *row) for name, (stamp, row) in rows.items()],
            )

    def _open(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
