"""Episodes of an agent: a session run to its end within a limit, and what was wrong with that end."""

from __future__ import annotations

import time
import traceback
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from py_trees.common import Status

from foretree.reasoning.models.model import Spending
from foretree.regression.core.figures import Figure, number
from foretree.regression.core.trial import R, T, TrialKind, TrialResult
from foretree.runs.events import Recorder, Silent
from foretree.trees.session import Result, Session


@dataclass(frozen=True)
class AgentEpisode(TrialResult):
    """Result of a session of a suite.

    Attributes:
        outcome: how the session ended; empty if it did not.
        reason: why, if the goal was not reached.
        success: whether the end is the one that was asked for, judged by the truth.
        revised: how often the plan was changed.
        planned: how often a planner was asked.
        illegal: what the world refused, as ``what: rule``.
        in_view: those of them that could be seen to be impossible.
        running: nodes that were left RUNNING.
        alive: executions that were left alive.
        seconds: on the session's clock.
        spent: on language models.
    """

    outcome: str = field(default="", kw_only=True)
    reason: str = field(default="", kw_only=True)
    success: bool = field(default=False, kw_only=True)
    revised: int = field(default=0, kw_only=True)
    planned: int = field(default=0, kw_only=True)
    illegal: tuple[str, ...] = field(default=(), kw_only=True)
    in_view: tuple[str, ...] = field(default=(), kw_only=True)
    running: tuple[str, ...] = field(default=(), kw_only=True)
    alive: tuple[str, ...] = field(default=(), kw_only=True)
    seconds: float = field(default=0.0, kw_only=True)
    spent: Spending = field(default=Spending(), kw_only=True)

    @property
    def avoidable(self) -> tuple[str, tuple[str, ...]]:
        """Things it did that it could see to be wrong, after words that say so."""
        return "", ()

    @property
    def fault(self) -> str:
        """In what it did not end as it must, in one line."""
        for what, names in (("left running", self.running), ("left alive", self.alive), self.avoidable):
            if names and not self.trouble:
                return f"{what}: {', '.join(names)}"
        return super().fault


#: Figures of trouble, and of what was left over.
TROUBLE: tuple[Figure[AgentEpisode], ...] = (
    Figure("crashed", number(lambda e: e.trouble == "crashed"), "crashed"),
    Figure("hung", number(lambda e: e.trouble == "hung"), "hung"),
    Figure("left", number(lambda e: e.running or e.alive), "left over"),
)


class CountingRecorder:
    """A recorder that counts: actions that the robot was told to do, and plans that a planner made.

    Args:
        recorder: takes everything down; none by default.
    """

    def __init__(self, recorder: Recorder | None = None) -> None:
        self.actions = 0
        self.plans = 0
        self._recorder = recorder or Silent()

    def record(self, kind: str, /, **data: Any) -> None:
        """Count an event, and pass it on."""
        self.note(kind, data)
        self._recorder.record(kind, **data)

    def commit(self, kind: str, /, **data: Any) -> None:
        """Count an event, and pass it on to be on disk."""
        self.note(kind, data)
        self._recorder.commit(kind, **data)

    def mark(self, tick: int, time: float) -> None:
        """Pass on when the following events happen."""
        self._recorder.mark(tick, time)

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Count an event."""
        if kind == "action.started":
            self.actions += 1
        elif kind == "plan.made" and data["by"] != "rules":
            self.plans += 1


class SessionTrialKind(TrialKind[T, R]):
    """Trials that are sessions, so that each can be carried out once more and recorded."""

    def carry_out(self, trial: T, limit: float) -> dict[str, Any]:
        """Carry *trial* out within *limit* seconds on the wall; the rest of the result."""
        return self.carry_out_recorded(trial, limit, Silent())

    @abstractmethod
    def carry_out_recorded(self, trial: T, limit: float, recorder: Recorder) -> dict[str, Any]:
        """Carry *trial* out, and have *recorder* take down all that happens.

        The same trial always runs in the same way, recorded or not.
        """


class HungError(Exception):
    """An episode took longer than it may."""


def attempt(session: Session, deadline: float) -> tuple[Result, dict[str, Any]]:
    """Run *session* to its end, or until a moment on the wall's performance counter at which it has hung.

    Returns:
        its result, and the fields of an :class:`AgentEpisode` that follow from its end.
    """
    session.before_tick.append(lambda session: _watch(session, deadline))
    result = session.run()
    error = result.error if result.outcome == "error" else None
    # The session takes what is raised in it for an error of its own.
    hung = error is not None and isinstance(error.__cause__, HungError)
    return result, {
        "outcome": result.outcome,
        "reason": result.reason,
        "revised": result.counts.get("revised", 0),
        "trouble": "hung" if hung else "crashed" if error is not None else "",
        "details": "".join(traceback.format_exception(error)) if error is not None else "",
        "running": tuple(n.name for n in session.tree.root.iterate() if n.status is Status.RUNNING),
        "alive": session.context.team.alive(),
        "seconds": result.seconds,
        "spent": result.spent,
    }


def _watch(session: Session, deadline: float) -> None:
    if time.perf_counter() > deadline:
        raise HungError(f"still running in tick {session.ticks}, {session.context.clock.now():.1f} s into it")
