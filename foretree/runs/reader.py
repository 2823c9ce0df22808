"""Reading a run: its events, as they come, and against another run's."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import starmap, zip_longest
from typing import Any

from foretree.runs.encoding import canonical, without_wall
from foretree.runs.events import Event, EventRow
from foretree.runs.node_types import with_current_node_types
from foretree.runs.store import BrokenRunError, Run, RunError, RunInfo

_CHUNK = 2000


class InterruptedRunError(RunError):
    """The process that wrote the run is gone, and the run never ended."""


def events(run: Run, after: int = 0, kinds: Collection[str] | None = None) -> Iterator[Event]:
    """The events of *run*, oldest first.

    Args:
        run: which run.
        after: leave out the events up to this one's ``seq``.
        kinds: only these.
    """
    for row in _rows(run, after, kinds):
        yield Event(row.seq, row.tick, row.time, row.kind, json.loads(row.data))


def follow(
    run: Run,
    after: int = 0,
    *,
    period: float = 0.1,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[Event]:
    """The events of *run* as they come, until it has ended.

    Raises:
        InterruptedRunError: after the last event, if the process that wrote the run died.
    """
    while True:
        # Asked before reading: what is written before the end, or before the death, is then always read.
        info = run.info()
        for event in events(run, after):
            after = event.seq
            yield event
        if info.status == "ended":
            return
        if info.status == "interrupted":
            raise InterruptedRunError(
                f"Run {run.id} was interrupted in tick {info.tick}, {info.seconds:.1f} s in: its process "
                f"{info.writer.pid} is gone. `foretree resume {run.id}` takes it up again."
            )
        sleep(period)


def paced(
    events: Iterable[Event],
    speed: float,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[Event]:
    """*events* at the pace they happened at, *speed* times faster; without waiting if that is 0."""
    began = now()
    first: float | None = None
    for event in events:
        first = event.time if first is None else first
        if speed > 0:
            wait = began + (event.time - first) / speed - now()
            if wait > 0:
                sleep(wait)
        yield event


def wait_for_end(
    run: Run,
    patience: float,
    *,
    period: float = 0.05,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> RunInfo:
    """Wait until no process carries *run* out any more, or for *patience* seconds; return its info."""
    until = now() + patience
    while (info := run.info()).status == "running" and now() < until:
        sleep(period)
    return info


@dataclass(frozen=True, slots=True)
class Difference:
    """First difference between two runs.

    Attributes:
        seq: the event.
        where: ``tick``, ``time``, ``kind``, or a path into its data; ``length`` if one run has ended there.
        first: what it says in the first run, None if that has ended.
        second: the same for the second.
    """

    seq: int
    where: str
    first: object
    second: object

    def __str__(self) -> str:
        return (
            f"event {self.seq}, {self.where}: {_short(self.first)} in one, {_short(self.second)} in the other"
        )


def compare(first: Run, second: Run) -> Difference | None:
    """The first difference between two runs; None if they are the same.

    The wall clock is left out, and former names of node types are equal to the present ones.
    """
    for one, other in zip_longest(_rows(first), _rows(second)):
        if one is None or other is None:
            present = one or other
            return Difference(present.seq, "length", one and one.kind, other and other.kind)
        for column in ("kind", "tick", "time"):
            left, right = getattr(one, column), getattr(other, column)
            if left != right:
                return Difference(one.seq, column, left, right)
        if one.data != other.data:
            left, right = (
                with_current_node_types(row.kind, without_wall(json.loads(row.data))) for row in (one, other)
            )
            found = _first_difference(left, right, "data")
            if found is not None:
                return Difference(one.seq, *found)
    return None


def checked_rows(run: Run, after: int = 0) -> Iterator[EventRow]:
    """The events of *run* as they are on record, oldest first, without reading their data.

    Raises:
        BrokenRunError: after the last event before the first one whose data is damaged.
    """
    # SQLite checks JSON in a fraction of the time that it takes to read it.
    check = "CASE WHEN json_valid(data) THEN json_type(data) END"
    for *row, found in _select(run, f"{', '.join(EventRow._fields)}, {check}", after):
        if found != "object":
            raise BrokenRunError(f"Event {row[0]} is damaged: its data is no JSON object.")
        yield EventRow(*row)


def _rows(run: Run, after: int = 0, kinds: Collection[str] | None = None) -> Iterator[EventRow]:
    return starmap(EventRow, _select(run, ", ".join(EventRow._fields), after, kinds))


def _select(
    run: Run, columns: str, after: int, kinds: Collection[str] | None = None
) -> Iterator[tuple[Any, ...]]:
    """Rows in chunks, so that neither memory nor a long read transaction grows with the run."""
    chosen = sorted(kinds) if kinds is not None else []
    among = "" if kinds is None else f"AND kind IN ({', '.join('?' * len(chosen))})"
    query = f"SELECT {columns} FROM events WHERE seq > ? {among} ORDER BY seq LIMIT {_CHUNK}"
    while True:
        with run.reading() as connection:
            chunk = connection.execute(query, (after, *chosen)).fetchall()
        yield from chunk
        if len(chunk) < _CHUNK:
            return
        after = chunk[-1][0]


def _first_difference(one: Any, other: Any, path: str) -> tuple[str, object, object] | None:
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        parts = [(one.get(key), other.get(key), f"{path}.{key}") for key in keys]
    elif isinstance(one, list) and isinstance(other, list):
        pairs = enumerate(zip_longest(one, other))
        parts = [(left, right, f"{path}[{index}]") for index, (left, right) in pairs]
    else:
        # 1 == 1.0 == True in Python, but their bytes in the record differ.
        return None if canonical(one) == canonical(other) else (path, one, other)
    return next(filter(None, starmap(_first_difference, parts)), None)


def _short(value: object, limit: int = 120) -> str:
    text = canonical(value) if value is not None else "nothing"
    return text if len(text) <= limit else f"{text[:limit]}…"
