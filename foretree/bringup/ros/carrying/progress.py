"""Progress of a goal, as feedback tells it: read from the session, and from what it records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from foretree.errors import ForetreeError
from foretree.runs.events import Recorder
from foretree.trees.session import Session

#: What a goal is doing. The action ``Carry`` has constants of the same values.
ProgressStatus: TypeAlias = Literal["waiting", "working", "paused", "asking", "handed-over"]


@dataclass(frozen=True, slots=True)
class CarryProgress:
    """Progress of a goal.

    Attributes:
        status: what it is doing.
        action: the actions that run, separated by semicolons.
        revision: why the plan was revised last; empty if it never was.
        revisions: how often it was revised.
        question: what the agent asks; empty if it asks nothing.
    """

    status: ProgressStatus = "waiting"
    action: str = ""
    revision: str = ""
    revisions: int = 0
    question: str = ""


class NotingRecorder:
    """A recorder that passes on to another one, and notes what feedback and diagnostics tell.

    Args:
        to: takes everything down.

    Attributes:
        revision: why the plan was revised last.
        revisions: how often it was.
        overruns: how many ticks took longer than they may.
        longest: seconds that the longest of them took.
    """

    def __init__(self, to: Recorder) -> None:
        self.revision = ""
        self.revisions = 0
        self.overruns = 0
        self.longest = 0.0
        self._to = to

    @property
    def failure(self) -> ForetreeError | None:
        """The reason why nothing more is recorded, if so."""
        return getattr(self._to, "failure", None)

    def requests(self) -> list[Any]:
        """Return the requests of other terminals since the last call."""
        ask = getattr(self._to, "requests", None)
        return ask() if ask is not None else []

    def record(self, kind: str, /, **data: Any) -> None:
        """Note it, and pass it on."""
        if kind == "revision.made":
            self.revisions += 1
            self.revision = str(data.get("why", ""))
        elif kind == "session.overrun":
            self.overruns += 1
            self.longest = max(self.longest, float(data.get("wall", {}).get("seconds", 0.0)))
        self._to.record(kind, **data)

    def commit(self, kind: str, /, **data: Any) -> None:
        """Pass it on, and return only when it is on disk."""
        self._to.commit(kind, **data)

    def mark(self, tick: int, time: float) -> None:
        """Pass on which tick and instant the following events belong to."""
        self._to.mark(tick, time)


def progress_of(session: Session, noted: NotingRecorder, handed_over: bool) -> CarryProgress:
    """Return how far a session has come.

    Args:
        session: the session.
        noted: what it has recorded.
        handed_over: whether a person has the robot.
    """
    asked = session.mission.conversation.question
    status: ProgressStatus = "working"
    if handed_over:
        status = "handed-over"
    elif session.paused:
        status = "paused"
    elif asked is not None:
        status = "asking"
    return CarryProgress(
        status,
        "; ".join(str(action) for action in session.context.running()),
        noted.revision,
        noted.revisions,
        asked.text if asked is not None else "",
    )
