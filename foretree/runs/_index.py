"""Index of a directory of runs, so that listing them opens only the files that have changed.

Derived from the runs and nothing else: it may be deleted at any time, and is made anew where it is damaged.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

#: Name of the file. It is no run, so it does not end as runs do.
NAME = ".index"
#: Version of the columns; an index of another version is made anew.
_VERSION = 3
#: Seconds to wait for another process that updates the index; without it, the listing is only slower.
_PATIENCE = 0.2


class RunIndex:
    """Facts about the runs of *directory* that have ended, as text, each with the stamp of its file."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME

    def read(self) -> dict[str, tuple[str, str]]:
        """Return stamp and facts of each indexed run; nothing where there is no index that can be read."""
        if not self._path.exists():
            return {}
        with suppress(sqlite3.Error), closing(self._open("ro")) as connection:
            if connection.execute("PRAGMA user_version").fetchone() == (_VERSION,):
                found = connection.execute("SELECT id, stamp, facts FROM runs")
                return {name: (stamp, facts) for name, stamp, facts in found}
        return {}

    def update(self, rows: Mapping[str, tuple[str, str]], gone: Iterable[str]) -> None:
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

    def _write(self, rows: Mapping[str, tuple[str, str]], gone: list[str]) -> None:
        os.close(os.open(self._path, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(self._open("rw")) as connection, connection:
            connection.execute("PRAGMA synchronous=OFF")
            if connection.execute("PRAGMA user_version").fetchone() != (_VERSION,):
                connection.execute("DROP TABLE IF EXISTS runs")
                connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS runs (id, stamp, facts, PRIMARY KEY (id)) WITHOUT ROWID"
            )
            connection.executemany("DELETE FROM runs WHERE id = ?", [(name,) for name in gone])
            connection.executemany(
                "INSERT OR REPLACE INTO runs (id, stamp, facts) VALUES (?, ?, ?)",
                [(name, *row) for name, row in rows.items()],
            )

    def _open(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
