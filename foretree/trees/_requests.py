"""Requests of other terminals and of viewers, carried out by the session that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from foretree.errors import ForetreeError
from foretree.runs.events import Recorder
from foretree.trees.breakpoints import Breakpoint

if TYPE_CHECKING:
    from foretree.runs.store import ControlRequest

#: Requests on which a repetition of the run depends, so that they are on record.
_RECORDED = ("say", "surprise")


class Steered(Protocol):
    """Session, as far as it can be asked for something."""

    def cancel(self, reason: str) -> None: ...
    def pause(self, by: str) -> None: ...
    def leave(self, by: str, run: str) -> None: ...
    def proceed(self, steps: int = 0) -> None: ...
    def say(self, words: str) -> None: ...
    def halt_at(self, breakpoint_: Breakpoint, on: bool, by: str) -> None: ...
    def surprise(self, line: str) -> None: ...


def attend(session: Steered, request: ControlRequest, recorder: Recorder) -> None:
    """Do what was asked for; what cannot be done is on record with the reason, and changes nothing."""
    if request.kind in _RECORDED:
        recorder.record("request.taken", request=request.kind, by=request.sender, data=dict(request.data))
    try:
        _carry_out(session, request)
    except ForetreeError as error:
        recorder.record("request.refused", request=request.kind, why=str(error))


def _carry_out(session: Steered, request: ControlRequest) -> None:
    data = request.data
    # To a person, the number of the process that `foretree pause` was says nothing.
    by = "another terminal" if request.sender.startswith("process ") else request.sender
    match request.kind:
        case "stop":
            session.cancel(f"stopped from {by}")
        case "pause":
            session.pause(by)
        case "step":
            session.proceed(1)
        case "resume":
            session.proceed()
        case "say":
            session.say(data.get("words", ""))
        case "break" | "unbreak":
            at = Breakpoint.read(data.get("at", ""), data.get("value", ""))
            session.halt_at(at, on=request.kind == "break", by=by)
        case "leave":
            session.leave(by, data.get("run", ""))
        case "surprise":
            session.surprise(data.get("line", ""))
