"""Recorder of what a language trial measures of a session, besides how it ends."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

from foretree.regression.core.agent_episode import CountingRecorder
from foretree.regression.language.suite import Tool
from foretree.runs.events import Recorder

_TOOLS = get_args(Tool)


class SessionObserver(CountingRecorder):
    """A recorder that adds up the costs of what was done, counts tools, and takes times on the wall.

    Attributes:
        cost: of all actions that ended as *done*.
        calls: how often each tool was called.
        to_goal: seconds from the first tick to the goal; None if there was none.
        to_plan: seconds from the goal to the first plan; None if there was none.
    """

    def __init__(self, recorder: Recorder | None = None) -> None:
        super().__init__(recorder)
        self.cost = 0
        self.calls: Counter[str] = Counter()
        self.to_goal: float | None = None
        self.to_plan: float | None = None
        self._costs: dict[str, int] = {}
        self._since = time.perf_counter()

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Count an event."""
        super().note(kind, data)
        match kind:
            case "goal.set" if self.to_goal is None:
                self.to_goal = self._lap()
            case "plan.made" if self.to_goal is not None and self.to_plan is None:
                self.to_plan = self._lap()
            case "agent.chose" if data["tool"] in _TOOLS:
                self.calls[data["tool"]] += 1
            case "action.intent":
                self._costs[data["execution"]] = data["action"]["cost"]
            case "action.ended" if data["outcome"] == "done":
                self.cost += self._costs[data["execution"]]

    def mark(self, tick: int, time: float) -> None:
        """Take the time of the first tick: what comes before is setting up, not understanding."""
        super().mark(tick, time)
        if tick == 1:
            self._lap()

    def _lap(self) -> float:
        """Return the seconds since the last call."""
        before, self._since = self._since, time.perf_counter()
        return self._since - before
