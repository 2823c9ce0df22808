"""Requests of other terminals and of viewers, carried out by the session that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretree.errors import ForetreeError
from foretree.trees.breakpoints import Breakpoint

if TYPE_CHECKING:
    from foretree.runs.store import ControlRequest
    from foretree.trees.session import Session

#: Requests on which a repetition of the run depends, so that they are on record.
_RECORDED = ("say", "surprise")


def attend(session: Session, request: ControlRequest) -> None:
    """Do what was asked for; what cannot be done is on record with the reason, and changes nothing."""
    recorder = session.context.recorder
    data = dict(request.data)
    if request.kind in _RECORDED:
        recorder.record("request.taken", request=request.kind, by=request.sender, data=data)
    try:
        _carry_out(session, request)
    except ForetreeError as error:
        recorder.record("request.refused", request=request.kind, why=str(error))


def _carry_out(session: Session, request: ControlRequest) -> None:
    data = request.data
    match request.kind:
        case "stop":
            session.cancel("stopped from another terminal")
        case "pause":
            session.pause("another terminal")
        case "step":
            session.proceed(1)
        case "resume":
            session.proceed()
        case "say":
            session.say(data.get("words", ""))
        case "break" | "unbreak":
            at = Breakpoint.read(data.get("at", ""), data.get("value", ""))
            session.halt_at(at, on=request.kind == "break")
        case "surprise":
            session.surprise(data.get("line", ""))
