"""Recorders that pass on to another one, or follow a record while its run is carried out once more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from foretree.errors import ForetreeError
from foretree.runs.events import Event, Recorder, Silent
from foretree.runs.store import ControlRequest

#: Events that depend on people and on the speed of the machine; they are not repeated.
_UNREPEATED = ("session.paused", "session.continued", "session.overrun", "breakpoints.changed")


class _BrokenOff(BaseException):
    """The end of the record; only :class:`RecordFollower` may catch it."""


class RecorderRelay:
    """A recorder that passes on to another one, which can change.

    A world outlives the sessions in it, and a session can be set up before its record is begun.
    """

    def __init__(self) -> None:
        self.to: Recorder = Silent()

    @property
    def failure(self) -> ForetreeError | None:
        """The reason why nothing more is recorded, if so."""
        return getattr(self.to, "failure", None)

    def requests(self) -> list[Any]:
        """Return the requests of other terminals since the last call."""
        ask = getattr(self.to, "requests", None)
        return ask() if ask is not None else []

    def record(self, kind: str, /, **data: Any) -> None:
        """Pass on."""
        self.to.record(kind, **data)

    def commit(self, kind: str, /, **data: Any) -> None:
        """Pass on."""
        self.to.commit(kind, **data)

    def mark(self, tick: int, time: float) -> None:
        """Pass on."""
        self.to.mark(tick, time)


class RecordFollower:
    """Compares what is recorded with what was, and breaks off at the first event that is not on record.

    So the run gets exactly as far as it got: what the record does not know was not begun either.

    Args:
        events: what was recorded.

    Attributes:
        difference: where the run went another way, if it did.
        overtaken: faults that are not on record: the world cannot be stopped half-way through them.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self.difference = ""
        self.overtaken: list[dict[str, Any]] = []
        self._expected = deque(event for event in events if event.kind not in _UNREPEATED)
        self._tick = 0

    @contextmanager
    def until_broken_off(self) -> Iterator[None]:
        """Carry out the body, up to the end of the record at most."""
        with suppress(_BrokenOff):
            yield

    @property
    def failure(self) -> None:
        """Nothing goes wrong with a recorder that writes nothing."""
        return None

    def requests(self) -> list[ControlRequest]:
        """Return what other terminals asked for between the last tick and the next, as it is on record."""
        asked = []
        for event in self._expected:
            if event.tick != self._tick or event.kind not in ("request.taken", "request.refused"):
                break
            if event.kind == "request.taken":
                data = event.data
                asked.append(ControlRequest(event.seq, data["request"], data.get("by", ""), data["data"]))
        return asked

    def mark(self, tick: int, time: float) -> None:
        """Note which tick it is."""
        self._tick = tick

    def record(self, kind: str, /, **data: Any) -> None:
        """Compare."""
        if kind in _UNREPEATED:
            return
        if not self._expected:
            if kind == "fault.injected":
                self.overtaken.append(data)
                return
            raise _BrokenOff
        expected = self._expected.popleft()
        if (kind, self._tick) != (expected.kind, expected.tick):
            self.difference = (
                f"event {expected.seq} was {expected.kind} in tick {expected.tick}, and is {kind} in tick "
                f"{self._tick} now"
            )
            raise _BrokenOff

    commit = record
