"""The journal: what a session records, kept in mind so that the agent can tell of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from foretree.errors import ForetreeError
from foretree.runs.events import Event, Recorder

#: The kinds of events that questions can be about.
_KEPT = frozenset(
    {
        "action.ended",
        "action.intent",
        "action.skipped",
        "action.started",
        "discrepancy.found",
        "goal.set",
        "plan.made",
        "revision.made",
        "run.ended",
        "run.started",
    }
)
#: So many runs in one world are remembered.
_MOST_RUNS = 20
#: So many lines of people are remembered.
_MOST_SAID = 500
#: So many events of one run; a plan that is revised for ever must not fill the memory.
_MOST_EVENTS = 20_000


class Journal:
    """A recorder that passes on to another one, and remembers what questions can be about.

    Args:
        to: takes everything down.

    Attributes:
        to: the same.
        listeners: called with the kind and the data of all that is recorded.
        said: what people have said, the latest last.
    """

    def __init__(self, to: Recorder) -> None:
        self.to = to
        self.listeners: list[Callable[[str, Mapping[str, Any]], None]] = []
        self.said: deque[str] = deque(maxlen=_MOST_SAID)
        self._runs: deque[deque[Event]] = deque(maxlen=_MOST_RUNS)
        self._tick = 0
        self._time = 0.0
        self._seq = 0

    def __getattr__(self, name: str) -> Any:
        """Return what else the other recorder has, such as the events of a tape."""
        return getattr(self.to, name)

    @property
    def failure(self) -> ForetreeError | None:
        """The reason why nothing more is recorded, if so."""
        return getattr(self.to, "failure", None)

    def requests(self) -> list[Any]:
        """Return the requests of other terminals since the last call."""
        ask = getattr(self.to, "requests", None)
        return ask() if ask is not None else []

    def runs(self) -> list[list[Event]]:
        """Return what is remembered of each run so far, the latest last."""
        return [list(run) for run in self._runs]

    def is_latest(self, events: Sequence[Event]) -> bool:
        """Return whether *events* are those of the run that goes on, or of the last one."""
        return bool(self._runs and self._runs[-1] and events) and self._runs[-1][-1] is events[-1]

    def record(self, kind: str, /, **data: Any) -> None:
        """Remember, and pass on."""
        self._remember(kind, data)
        for listener in self.listeners:
            listener(kind, data)
        self.to.record(kind, **data)

    def commit(self, kind: str, /, **data: Any) -> None:
        """Remember, and pass on."""
        self._remember(kind, data)
        self.to.commit(kind, **data)

    def mark(self, tick: int, time: float) -> None:
        """Note the tick and the time, and pass on."""
        self._tick, self._time = tick, time
        self.to.mark(tick, time)

    def _remember(self, kind: str, data: dict[str, Any]) -> None:
        if kind not in _KEPT:
            return
        if kind == "run.started" or not self._runs:
            self._runs.append(deque(maxlen=_MOST_EVENTS))
        self._seq += 1
        self._runs[-1].append(Event(self._seq, self._tick, self._time, kind, data))
