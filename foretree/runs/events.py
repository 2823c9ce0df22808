"""Events, and what takes them down. The schema is versioned; readers accept older versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

SCHEMA_VERSION = 1


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        seq: counts up from 1 without gaps.
        tick: the tick it happened in; 0 before the first.
        time: seconds on the session's clock.
        kind: dotted name, see :mod:`foretree.runs.event_kinds`.
        data: what happened, JSON only.
    """

    seq: int
    tick: int
    time: float
    kind: str
    data: Mapping[str, Any]


class EventRow(NamedTuple):
    """An event as the record keeps it: with the wall clock, and its data as JSON text."""

    seq: int
    tick: int
    time: float
    wall: float
    kind: str
    data: str


class Recorder(Protocol):
    """Takes events down. Called from the tick thread, so it must return at once."""

    def record(self, kind: str, /, **data: Any) -> None:
        """Note an event; it reaches the disk within 100 ms."""
        ...

    def commit(self, kind: str, /, **data: Any) -> None:
        """Note an event and return only when it is on disk."""
        ...

    def mark(self, tick: int, time: float) -> None:
        """Tell the recorder which tick and instant the following events belong to."""
        ...


class Silent:
    """Records nothing."""

    def record(self, kind: str, /, **data: Any) -> None:
        pass

    commit = record

    def mark(self, tick: int, time: float) -> None:
        pass


class Tape:
    """Keeps events in memory, for tests and for looking at a run without a file."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._tick = 0
        self._time = 0.0

    def record(self, kind: str, /, **data: Any) -> None:
        self.events.append(Event(len(self.events) + 1, self._tick, self._time, kind, data))

    commit = record

    def mark(self, tick: int, time: float) -> None:
        self._tick = tick
        self._time = time

    def of(self, kind: str) -> list[Event]:
        """The events of one kind."""
        return [event for event in self.events if event.kind == kind]
