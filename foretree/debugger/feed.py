"""Events of a run as messages for a viewer: those on record, then those that come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from foretree.runs.events import Event, EventRow
from foretree.runs.node_types import NODE_EVENTS, with_current_node_types
from foretree.runs.reader import checked_rows
from foretree.runs.store import Run, RunError
from foretree.runs.views.run_state import RunState
from foretree.runs.views.wording import Line, tell

#: Events in one message: few enough that the page can draw between two of them.
BATCH = 4000

#: How serious a line is, by its tone.
_LEVELS = {"bad": "error", "notice": "warning", "change": "warning", "faint": "detail"}


class Feed:
    """Messages for one viewer of a run.

    The run's file is the only buffer: a viewer that is slow reads it later, and nothing piles up.

    Args:
        run: what is watched.
        after: the number of the last event that the viewer has.
    """

    def __init__(self, run: Run, after: int = 0) -> None:
        self.run = run
        self._sent = after
        self._time = 0.0
        #: Adds up all events, the viewer's too: to word one takes what came before it.
        self._state = RunState()
        self._worded_after = after
        #: Whether nothing more can come: the run has ended, its process is gone, or its file is damaged.
        self.over = False

    def messages(self) -> Iterator[str]:
        """Messages about what is new, as JSON: the events as they are on record, what is known of the run by
        now, and then the events in words, since to word them takes longer."""
        trouble = ""
        try:
            info = self.run.info()  # before its events, so that an ended run has been read whole
            yield from self._events()
            self.over = info.status != "running"
            yield json.dumps({"info": info.as_data(), "loaded": True})
        except RunError as error:
            self.over = True
            trouble = self._where(error)
            yield json.dumps({"trouble": trouble, "loaded": True})
        with suppress(RunError):  # it has been told
            yield from self._lines()

    def _events(self) -> Iterator[str]:
        batch: list[str] = []
        broken: RunError | None = None
        try:
            for row in checked_rows(self.run, self._sent):
                batch.append(_as_json(row))
                self._sent, self._time = row.seq, row.time
                if len(batch) == BATCH:
                    yield f'{{"events":[{",".join(batch)}]}}'
                    batch = []
        except RunError as error:
            broken = error  # what came before the damage is told first
        if batch:
            yield f'{{"events":[{",".join(batch)}]}}'
        if broken is not None:
            raise broken

    def _lines(self) -> Iterator[str]:
        lines: list[Any] = []
        if self._state.seq >= self._sent:
            return
        for row in checked_rows(self.run, self._state.seq):
            if row.seq > self._sent:
                break
            self._state.apply(Event(row.seq, row.tick, row.time, row.kind, json.loads(row.data)))
            if row.seq > self._worded_after:
                lines += ([row.seq, level(line), str(line)] for line in tell(self._state))
            if len(lines) >= BATCH:
                yield json.dumps({"lines": lines})
                lines = []
        if lines:
            yield json.dumps({"lines": lines})

    def _where(self, error: RunError) -> str:
        if self._sent == 0:
            return str(error)
        return f"The record can be read up to event {self._sent}, at {self._time:.1f} s. {error}"


@lru_cache
def _quoted(kind: str) -> str:
    """A kind as JSON: a long run has few, again and again."""
    return json.dumps(kind)


def _as_json(row: EventRow) -> str:
    data = row.data
    if row.kind in NODE_EVENTS:
        said = json.loads(data)
        present = with_current_node_types(row.kind, said)
        data = data if present == said else json.dumps(present)
    return f"[{row.seq},{row.tick},{row.time!r},{_quoted(row.kind)},{data}]"


def level(line: Line) -> str:
    """Severity of a line: ``detail``, ``info``, ``warning`` or ``error``."""
    return _LEVELS.get(line.tone, "info")
