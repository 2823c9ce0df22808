"""Attachments of a run: files that its events refer to, such as camera images.

They are in a table of their own, so that events stay small; each is called by a digest of its content, and
what is the same is kept once. A run keeps the newest ones, up to a limit in bytes; its events remain. A run
without any attachment has no such table.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

from foretree.runs.store import BrokenRunError, Run

#: A run keeps at most so many bytes of attachments.
LIMIT = 64 * 1024 * 1024

#: The media types of images that viewers show.
IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp")

_TABLE = (
    "CREATE TABLE IF NOT EXISTS attachments (digest TEXT NOT NULL PRIMARY KEY, type TEXT NOT NULL, "
    "content BLOB NOT NULL)"
)
_HAS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'attachments'"


class Attachment(NamedTuple):
    """A file that belongs to a run.

    Attributes:
        type: its media type, such as ``image/png``.
        content: its bytes.
    """

    type: str
    content: bytes


#: Keeps a file of a media type for the run, and returns its digest. Its content before compression may be
#: given beside it: of that, the digest is then made, so that the same image has the same one everywhere.
Keep: TypeAlias = Callable[[str, bytes, bytes], str]


class DeferredValue(dict[str, Any], ABC):
    """A value in an event's data that a run's recorder makes on its thread, so that the tick need not wait.

    To every other recorder it is an empty JSON object, so that none has to know of it.
    """

    @abstractmethod
    def made(self, keep: Keep) -> Any:
        """Return the value as JSON; what is too large for an event is kept by *keep*."""


class Attachments:
    """The attachments of a run that is being written.

    Args:
        connection: to the run's file. Transactions are the caller's.
        limit: at most so many bytes are kept; the oldest ones are removed.
    """

    def __init__(self, connection: sqlite3.Connection, limit: int = LIMIT) -> None:
        self._connection = connection
        self._limit = limit
        self._waiting: dict[str, Attachment] = {}
        #: The sizes of those in the file by digest, the oldest first; None until they are asked for.
        self._sizes: dict[str, int] | None = None
        self._total = 0

    def keep(self, media_type: str, content: bytes, said: bytes = b"") -> str:
        """Have a file written with the next :meth:`write`; return its digest."""
        digest = blake2b(media_type.encode() + b"\0" + (said or content), digest_size=16).hexdigest()
        self._waiting[digest] = Attachment(media_type, content)
        return digest

    def write(self) -> None:
        """Write what was kept since the last time, and remove the oldest ones beyond the limit."""
        if not self._waiting:
            return
        if self._sizes is None:
            self._connection.execute(_TABLE)
            found = self._connection.execute("SELECT digest, length(content) FROM attachments ORDER BY rowid")
            self._sizes = dict(found.fetchall())
            self._total = sum(self._sizes.values())
        for digest, (media_type, content) in self._waiting.items():
            # What is seen again counts as new.
            self._total += len(content) - self._sizes.pop(digest, 0)
            self._sizes[digest] = len(content)
            row = (digest, media_type, content)
            self._connection.execute("INSERT OR REPLACE INTO attachments VALUES (?, ?, ?)", row)
        self._waiting.clear()
        while self._total > self._limit:
            oldest = next(iter(self._sizes))
            self._connection.execute("DELETE FROM attachments WHERE digest = ?", (oldest,))
            self._total -= self._sizes.pop(oldest)


def read_attachment(run: Run, digest: str) -> Attachment | None:
    """The attachment of *run* with that digest; None if it is not kept, or not any more.

    Raises:
        BrokenRunError: the file is damaged there.
    """
    with run.reading() as connection:
        if connection.execute(_HAS_TABLE).fetchone() is None:
            return None
        row = connection.execute(
            "SELECT type, content FROM attachments WHERE digest = ?", (digest,)
        ).fetchone()
    if row is None:
        return None
    if not (isinstance(row[0], str) and isinstance(row[1], bytes)):
        raise BrokenRunError(f"Attachment {digest} of run {run.id} is damaged: it is no file of any type.")
    return Attachment(*row)


def attachment_sizes(run: Run) -> dict[str, int]:
    """The size in bytes of each attachment of *run*, by digest, the oldest first."""
    with run.reading() as connection:
        if connection.execute(_HAS_TABLE).fetchone() is None:
            return {}
        found = connection.execute("SELECT digest, length(content) FROM attachments ORDER BY rowid")
        return dict(found.fetchall())
