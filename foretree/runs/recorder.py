"""Takes a session's events down without keeping it waiting.

The tick thread only appends to a queue. A writer thread encodes what is queued and commits it in batches.
How much survives what:

- *The process dies* (``kill -9``): every batch that was committed, so all but the last ~50 ms; and everything
  up to the last :meth:`RunRecorder.commit`, always.
- *The machine dies* (power): the file stays whole. Everything up to the last :meth:`RunRecorder.commit` is
  there, since that one waits for the disk; later batches may be missing from the end, never from the middle.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from time import time as wall_time
from typing import Any

from foretree.runs._run_file import open_file, transaction, write_meta
from foretree.runs.attachments import Attachments, DeferredValue
from foretree.runs.encoding import canonical
from foretree.runs.events import Event, EventRow
from foretree.runs.store import ControlRequest, Run, RunError

Listener = Callable[[Event], None]

#: Seconds between two looks at the queue; with the time a batch takes this stays well below 100 ms.
BATCH_PERIOD = 0.04

#: Events in one transaction at most, so that a long queue is seen to get shorter.
BATCH_LIMIT = 5000

#: Seconds without any progress that the tick thread waits for the disk before it calls it broken.
DISK_PATIENCE = 15.0

_LOG = logging.getLogger(__name__)

_INSERT = "INSERT INTO events (seq, tick, time, wall, kind, data) VALUES (?, ?, ?, ?, ?, ?)"

#: What is queued: tick, time, wall, kind, data, and for a commit what to set once it is on disk.
_Entry = tuple[int, float, float, str, dict[str, Any], threading.Event | None]


class RecordingError(RunError):
    """The run's record cannot be written any more."""


class RunRecorder:
    """Writes a run. Implements :class:`foretree.runs.events.Recorder`.

    :meth:`record`, :meth:`commit`, :meth:`mark` and :meth:`requests` are for the tick thread. Data handed in
    belongs to the recorder from then on: do not change it afterwards, it is encoded later.

    Once the record cannot be written any more, every further call raises what went wrong.

    Args:
        run: where to. A run that was interrupted is continued after its last event.

    Attributes:
        failure: why nothing more is written, if so.

    Raises:
        RunBusyError: another process writes the run.
        RunEndedError: the run has ended.
    """

    def __init__(self, run: Run) -> None:
        last = run.info()
        run.claim()  # last: other than a reader, it leaves no write-ahead log should no thread be had below
        self.run = run
        self._seq = last.events
        self._tick = last.tick
        self._time = last.seconds
        self.failure: RecordingError | None = None
        self._queue: deque[_Entry] = deque()
        self._requests: deque[ControlRequest] = deque()
        self._listening: _Listening | None = None
        self._file: tuple[int, int] | None = None
        self._wake = threading.Event()
        self._attachments: Attachments | None = None
        self._closing = False
        self._outcome: str | None = None
        self._writer = threading.Thread(target=self._write, name=f"recorder of {run.id}", daemon=True)
        self._writer.start()

    # -- for the tick thread -------------------------------------------------------------------------
    def mark(self, tick: int, time: float) -> None:
        """Tell the recorder which tick and instant the following events belong to."""
        self._tick = tick
        self._time = time

    def record(self, kind: str, /, **data: Any) -> None:
        """Note an event; it reaches the disk within 100 ms.

        Raises:
            RecordingError: an earlier event could not be written.
        """
        if self.failure is not None:
            raise self.failure
        self._queue.append((self._tick, self._time, wall_time(), kind, data, None))

    def commit(self, kind: str, /, **data: Any) -> None:
        """Note an event and return once it, and everything before it, would survive a power cut.

        Raises:
            RecordingError: it could not be written.
        """
        if self.failure is not None:
            raise self.failure
        written = threading.Event()
        self._queue.append((self._tick, self._time, wall_time(), kind, data, written))
        self._wake.set()
        self._wait(written.wait, kind)
        if self.failure is not None:
            raise self.failure

    def requests(self) -> list[ControlRequest]:
        """Requests of other terminals since the last call, oldest first."""
        if not self._requests:
            return []
        return [self._requests.popleft() for _ in range(len(self._requests))]

    # -- for everybody -------------------------------------------------------------------------------
    def listen(self, listener: Listener) -> None:
        """Have *listener* called with every event from now on, once it is in the file.

        Listeners run on a thread of their own, so that one that prints into a blocked pipe holds nothing up.
        One that raises is not called again.
        """
        if self._listening is None:
            self._listening = _Listening(self.run.id)
        self._listening.add(listener)

    def close(self, outcome: str) -> None:
        """Write what is left and mark the run as ended. Listeners have heard everything when this returns.

        Raises:
            RecordingError: not everything could be written.
        """
        if not self._closing:
            self._outcome = outcome
        self._stop()
        if self.failure is not None:
            raise self.failure

    def abandon(self) -> None:
        """Write what is left but leave the run open, to be resumed: as if this process had died now."""
        self._stop()

    def _stop(self) -> None:
        self._closing = True
        self._wake.set()
        self._wait(self._ended_within, "the end")
        if self._listening is not None:
            self._listening.close()

    def _ended_within(self, seconds: float) -> bool:
        self._writer.join(seconds)
        return not self._writer.is_alive()

    def _wait(self, done_within: Callable[[float], bool], what: str) -> None:
        """Wait for the writer thread for as long as it gets anywhere."""
        written = self._seq
        # The failure is looked at first: a writer that failed just now has let its waiters go already.
        while self.failure is None and not done_within(DISK_PATIENCE):
            if self._seq == written and self.failure is None:
                self.failure = RecordingError(
                    f"The disk did not take {what} of run {self.run.id} within {DISK_PATIENCE:g} s "
                    f"({self.run.path})."
                )
            written = self._seq

    # -- the writer thread ---------------------------------------------------------------------------
    def _write(self) -> None:
        try:
            with closing(open_file(self.run.path, write=True)) as connection:
                connection.execute("PRAGMA synchronous=NORMAL")
                self._file = _file_at(self.run.path)
                self._attachments = Attachments(connection)
                changes = -1
                while True:
                    ending = self._closing
                    self._wake.clear()
                    self._write_batch(connection)
                    changes = self._take_requests(connection, changes)
                    if ending and not self._queue:
                        self._finish(connection)
                        return
                    if not ending and not self._queue:
                        self._wake.wait(BATCH_PERIOD)
        except Exception as error:
            self._fail(error)

    def _write_batch(self, connection: sqlite3.Connection) -> None:
        count = min(len(self._queue), BATCH_LIMIT)
        if not count:
            return
        entries = [self._queue.popleft() for _ in range(count)]
        waiting = [entry[5] for entry in entries if entry[5] is not None]
        rows: list[EventRow] = []
        said: list[dict[str, Any]] = []
        unwritable: RecordingError | None = None
        try:
            for entry in entries:
                try:
                    said.append(self._said(entry))
                    rows.append(self._row(entry, said[-1]))
                except RecordingError as error:
                    # What came before it is still worth keeping.
                    unwritable = error
                    break
            self._insert(connection, rows, durably=bool(waiting))
            if unwritable is not None:
                raise unwritable
        except Exception as error:
            self._fail(error)
            raise
        finally:
            for written in waiting:
                written.set()
        if self._listening is not None:
            for row, data in zip(rows, said, strict=True):
                self._listening.tell(Event(row.seq, row.tick, row.time, row.kind, data))

    def _insert(self, connection: sqlite3.Connection, rows: list[EventRow], *, durably: bool) -> None:
        if not rows:
            return
        if durably:
            connection.execute("PRAGMA synchronous=FULL")
        with transaction(connection):
            connection.executemany(_INSERT, rows)
            if self._attachments is not None:
                self._attachments.write()
        if durably:
            connection.execute("PRAGMA synchronous=NORMAL")
        self._check_file()

    def _check_file(self) -> None:
        """Make sure that what was written will be found: a file that is removed goes on taking it."""
        if _file_at(self.run.path) != self._file:
            raise RecordingError(
                f"The record of run {self.run.id} is gone: {self.run.path} was removed, moved or replaced "
                "while the run went on."
            )

    def _said(self, entry: _Entry) -> dict[str, Any]:
        """The data of an event, with what was left to this thread."""
        data = entry[4]
        if self._attachments is None or not any(isinstance(value, DeferredValue) for value in data.values()):
            return data
        keep = self._attachments.keep
        return {
            name: value.made(keep) if isinstance(value, DeferredValue) else value
            for name, value in data.items()
        }

    def _row(self, entry: _Entry, data: dict[str, Any]) -> EventRow:
        tick, time, wall, kind = entry[:4]
        try:
            text = canonical(data)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordingError(f"The data of event {kind} in tick {tick} is not JSON: {error}.") from error
        self._seq += 1
        return EventRow(self._seq, tick, time, wall, kind, text)

    def _take_requests(self, connection: sqlite3.Connection, changes: int) -> int:
        # data_version moves only when another process has changed the file: most polls end here.
        now: int = connection.execute("PRAGMA data_version").fetchone()[0]
        if now == changes:
            return changes
        with transaction(connection):
            rows = connection.execute(
                "SELECT seq, kind, sender, data FROM requests WHERE taken IS NULL ORDER BY seq"
            ).fetchall()
            if rows:
                connection.execute("UPDATE requests SET taken = ? WHERE taken IS NULL", (wall_time(),))
        self._requests.extend(
            ControlRequest(seq, kind, sender, json.loads(data)) for seq, kind, sender, data in rows
        )
        return now

    def _finish(self, connection: sqlite3.Connection) -> None:
        self._check_file()
        if self._outcome is not None:
            with transaction(connection):
                write_meta(connection, status="ended", outcome=self._outcome)
        # Leave one plain file behind. If it is being read just now, a log stays beside it: no harm.
        connection.execute("PRAGMA busy_timeout=100")
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            _LOG.debug("run %s is being read; its write-ahead log stays", self.run.id)

    def _fail(self, error: Exception) -> None:
        if self.failure is None:
            if isinstance(error, RecordingError):
                self.failure = error
            else:
                reason = "there is too little memory" if isinstance(error, MemoryError) else str(error)
                self.failure = RecordingError(f"Run {self.run.id} cannot be recorded: {reason}.")
                self.failure.__cause__ = error
        while self._queue:
            written = self._queue.popleft()[5]
            if written is not None:
                written.set()


def _file_at(path: Path) -> tuple[int, int] | None:
    """Identity of the file at *path*, whatever it is called; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class _Listening:
    """The thread that tells listeners what happened."""

    def __init__(self, run_id: str) -> None:
        self._listeners: list[Listener] = []
        self._events: SimpleQueue[Event | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=f"listeners of {run_id}", daemon=True)
        self._thread.start()

    def add(self, listener: Listener) -> None:
        self._listeners = [*self._listeners, listener]

    def tell(self, event: Event) -> None:
        self._events.put(event)

    def close(self) -> None:
        self._events.put(None)
        self._thread.join(DISK_PATIENCE)

    def _work(self) -> None:
        while (event := self._events.get()) is not None:
            for listener in self._listeners:
                try:
                    listener(event)
                except Exception:
                    _LOG.exception("a listener failed and will hear no more")
                    self._listeners = [other for other in self._listeners if other is not listener]
