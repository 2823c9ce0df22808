"""Events of a run as messages for a viewer: those on record, then those that come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from foretree.runs.events import Event, EventRow
from foretree.runs.node_types import with_current_node_types
from foretree.runs.reader import rows
from foretree.runs.store import Run, RunError, RunInfo
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import Line, tell

#: Events in one message: few enough that the page can draw between two of them.
BATCH = 4000

#: How serious a line is, by its tone.
_LEVELS = {"bad": "error", "notice": "warning", "change": "warning", "faint": "detail"}


class Feed:
    """What one viewer of a run is told.

    The run's file is the only buffer: a viewer that is slow reads it later, and nothing piles up.

    Args:
        run: what is watched.
        after: the number of the last event that the viewer has.
    """

    def __init__(self, run: Run, after: int = 0) -> None:
        self.run = run
        self._after = after
        self._state = RunState()
        #: The state has to know all events before it can word one.
        self._worded = 0
        #: Whether nothing more can come: the run has ended, its process is gone, or its file is damaged.
        self.over = False

    def messages(self) -> Iterator[str]:
        """The messages about what is new, as JSON. The last says what is known about the run by now."""
        try:
            info = self.run.info()  # before its events, so that an ended run has been read whole
            yield from self._batches()
            self.over = info.status != "running"
            yield json.dumps({"info": info_json(info), "loaded": True})
        except RunError as error:
            self.over = True
            yield json.dumps({"trouble": self._where(error), "loaded": True})

    def _batches(self) -> Iterator[str]:
        batch: list[str] = []
        lines: list[Any] = []
        try:
            for row in rows(self.run, self._worded):
                event = read_row(row)
                self._state.apply(event)
                self._worded = row.seq
                if row.seq <= self._after:
                    continue
                batch.append(_as_json(row, event))
                lines += ([row.seq, level(line), str(line)] for line in tell(self._state))
                if len(batch) == BATCH:
                    yield _message(batch, lines)
                    batch, lines = [], []
        finally:
            self._after = max(self._after, self._worded)
            if batch:
                yield _message(batch, lines)

    def _where(self, error: RunError) -> str:
        if self._worded == 0:
            return str(error)
        return f"The record can be read up to event {self._worded}, at {self._state.time:.1f} s. {error}"


def read_row(row: EventRow) -> Event:
    """The event that a row of the record holds.

    Raises:
        RunError: its data is damaged.
    """
    try:
        data = json.loads(row.data)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise RunError(f"Event {row.seq} is damaged: its data is no JSON object.")
    return Event(row.seq, row.tick, row.time, row.kind, data)


def _as_json(row: EventRow, event: Event) -> str:
    data = row.data
    if row.kind.startswith("tree."):
        present = with_current_node_types(row.kind, event.data)
        data = data if present is event.data else json.dumps(present)
    return f"[{row.seq},{row.tick},{row.time!r},{json.dumps(row.kind)},{data}]"


def level(line: Line) -> str:
    """How serious a line is: ``detail``, ``info``, ``warning`` or ``error``."""
    return _LEVELS.get(line.tone, "info")


def info_json(info: RunInfo) -> dict[str, Any]:
    """What a viewer is told about a run as a whole."""
    return {
        "id": info.id,
        "instruction": info.instruction,
        "scene": info.scene,
        "started": info.started,
        "status": info.status,
        "outcome": info.outcome,
        "events": info.events,
        "seconds": info.seconds,
    }


def _message(batch: list[str], lines: list[Any]) -> str:
    return f'{{"events":[{",".join(batch)}],"lines":{json.dumps(lines)}}}'
