"""Events in lines for a person.

The words before the first colon are stable, so that scripts can look for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from foretree.printable import counted
from foretree.runs.event_kinds import (
    ActionEnded,
    ActionSkipped,
    ActionStarted,
    AgentChose,
    DiscrepancyFound,
    EventData,
    FaultInjected,
    GoalSet,
    GuardChecked,
    LogWritten,
    LookEnded,
    LookStarted,
    ModelAnswered,
    PlanMade,
    RevisionAsked,
    RevisionMade,
    RevisionRejected,
    RunEnded,
    RunLearned,
    RunStarted,
    SessionContinued,
    SessionOverrun,
    SessionPaused,
    SessionResumed,
)
from foretree.runs.views.run_state import RunState


class Line(NamedTuple):
    """One line about an event.

    Attributes:
        tone: ``plain``, ``faint``, ``good``, ``bad``, ``notice`` (a surprise) or ``change`` (a rewriting).
        head: the stable words.
        text: what follows them.
    """

    tone: str
    head: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.head}: {self.text}" if self.text else self.head


def tell(state: RunState) -> list[Line]:
    """The lines about the event that *state* has taken in last; none if it is not worth one."""
    said = state.said
    teller = _TELLERS.get(type(said)) if said is not None else None
    return teller(said, state) if teller is not None else []


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _run_started(said: RunStarted, state: RunState) -> list[Line]:
    about = {"scene": said.scene, "robot": said.robot, "seed": said.seed}
    shown = ", ".join(f"{key} {value}" for key, value in about.items() if value not in (None, ""))
    lines = [Line("plain", "run", said.instruction or said.goal)]
    return [*lines, Line("faint", "in", shown)] if shown else lines


def _goal_set(said: GoalSet, state: RunState) -> list[Line]:
    return [Line("plain", "goal", state.goal), *([Line("faint", "read as", said.how)] if said.how else [])]


def _plan_made(said: PlanMade, state: RunState) -> list[Line]:
    count = counted(len(said.actions), "action")
    cost = f", cost {said.cost}" if said.cost is not None else ""
    if state.revisions and state.revisions[-1].tick == said.tick:
        # The revision has told already what it changed; this is all that there is to add.
        return [Line("plain", "plan", f"{count} left{cost}")]
    by = f", by {said.by}" if said.by else ""
    optimal = ", optimal" if said.optimal else ""
    lines = [Line("plain", "plan", count + cost + by + optimal)]
    lines += [Line("faint", "step", f"{action.id} {state.describe(action.id)}") for action in said.actions]
    for assumed in said.assumptions:
        source = f" ({assumed.source})" if assumed.source else ""
        lines.append(Line("faint", "assume", f"{assumed}{source}"))
    return lines


def _look_started(said: LookStarted, state: RunState) -> list[Line]:
    return [Line("faint", "look", (said.at or "all around") + _because(said.why))]


def _look_ended(said: LookEnded, state: RunState) -> list[Line]:
    return [] if said.outcome == "done" else [Line("bad", f"look {said.outcome}")]


def _guard_checked(said: GuardChecked, state: RunState) -> list[Line]:
    what = f"{said.guard} before {state.describe(said.action)}"
    if said.passed:
        return [Line("faint", "check passed", what)]
    return [Line("notice", "check failed", f"{what}: expected {said.expected}; {said.believed or 'not so'}")]


def _discrepancy_found(said: DiscrepancyFound, state: RunState) -> list[Line]:
    return [Line("notice", "discrepancy", said.sentence or f"expected {said.expected}, found {said.seen}")]


def _revision_asked(said: RevisionAsked, state: RunState) -> list[Line]:
    return [Line("faint", "asking", f"the {said.reviser} reviser")]


def _model_answered(said: ModelAnswered, state: RunState) -> list[Line]:
    reply = said.reply
    text = " ".join(str(reply.get("problem") or reply.get("text", "")).split())
    tokens = f"{reply.get('asked', 0)} + {reply.get('answered', 0)} tokens"
    return [Line("faint", "model", f"{text[:120]} ({tokens})")]


def _revision_rejected(said: RevisionRejected, state: RunState) -> list[Line]:
    return [Line("faint", "not taken", f"the {said.reviser} reviser's answer: {said.why}")]


def _revision_made(said: RevisionMade, state: RunState) -> list[Line]:
    # What was wrong has been said already, in a line of its own.
    why = said.why
    for found in state.discrepancies:
        if found.id == said.discrepancy and found.sentence:
            why = why.removeprefix(found.sentence).strip() or why
    lines = [Line("change", f"revised by {said.reviser or '?'}", why)]
    added = [action.id for action in said.added]
    lines += [Line("change", "step added", f"{name} {state.describe(name)}") for name in added]
    lines += [Line("change", "step removed", f"{name} {state.describe(name)}") for name in said.removed]
    return lines


def _action_started(said: ActionStarted, state: RunState) -> list[Line]:
    return [Line("plain", "start", f"{said.action} {state.describe(said.action)}")]


def _action_ended(said: ActionEnded, state: RunState) -> list[Line]:
    tone = "good" if said.outcome == "done" else "bad"
    return [Line(tone, said.outcome, f"{said.action} {state.describe(said.action)}{_because(said.reason)}")]


def _action_skipped(said: ActionSkipped, state: RunState) -> list[Line]:
    text = f"{said.action} {state.describe(said.action)}{_because(said.why)}"
    return [Line("change", "skipped", text)]


def _agent_chose(said: AgentChose, state: RunState) -> list[Line]:
    return [Line("faint", "agent", f"{said.tool}{_because(said.why)}")]


def _overrun(said: SessionOverrun, state: RunState) -> list[Line]:
    took, period = said.took, said.expected
    if took is None or period is None:
        return [Line("bad", "overrun")]
    return [Line("bad", "overrun", f"a tick took {took * 1000:.0f} ms of {period * 1000:.0f} ms")]


def _paused(said: SessionPaused, state: RunState) -> list[Line]:
    return [Line("notice", "paused", f"by {said.by}" if said.by else "")]


def _continued(said: SessionContinued, state: RunState) -> list[Line]:
    return [Line("notice", "goes on")]


def _resumed(said: SessionResumed, state: RunState) -> list[Line]:
    flying = ", ".join(map(state.describe, said.in_flight))
    return [Line("notice", "resumed", f"in flight: {flying}" if flying else "nothing in flight")]


def _fault(said: FaultInjected, state: RunState) -> list[Line]:
    return [Line("notice", "fault", said.what)]


def _log(said: LogWritten, state: RunState) -> list[Line]:
    return [Line("faint", "note", said.text)]


def _run_learned(said: RunLearned, state: RunState) -> list[Line]:
    places = [f"{thing} at {place}" for thing, place in said.places]
    pictures = [
        f"what {thing} looks like: {', '.join(name if so else f'not {name}' for name, so in states.items())}"
        for thing, states in said.pictures
    ]
    return [Line("faint", "learned", text) for text in (*places, *pictures)]


def _run_ended(said: RunEnded, state: RunState) -> list[Line]:
    tone = "good" if said.outcome == "reached" else "bad"
    lines = [Line(tone, "ended", f"{said.outcome}{_because(said.reason)}")]
    spent = spending(said)
    return [*lines, Line("faint", "models", spent)] if spent else lines


def spending(ended: RunEnded) -> str:
    """Costs of models in a run; empty if none was asked."""
    spent = ended.models
    if not isinstance(spent, dict):
        return ""
    questions = counted(spent.get("questions", 0), "question")
    cost = f", cost {spent['cost']:g}" if spent.get("cost") else ""
    return f"{questions}, {spent.get('asked', 0)} + {spent.get('answered', 0)} tokens{cost}"


#: How each kind of event is told.
_TELLERS: dict[type[EventData], Callable[[Any, RunState], list[Line]]] = {
    RunStarted: _run_started,
    GoalSet: _goal_set,
    PlanMade: _plan_made,
    LookStarted: _look_started,
    LookEnded: _look_ended,
    GuardChecked: _guard_checked,
    DiscrepancyFound: _discrepancy_found,
    RevisionAsked: _revision_asked,
    ModelAnswered: _model_answered,
    RevisionRejected: _revision_rejected,
    RevisionMade: _revision_made,
    ActionStarted: _action_started,
    ActionEnded: _action_ended,
    ActionSkipped: _action_skipped,
    AgentChose: _agent_chose,
    SessionOverrun: _overrun,
    SessionPaused: _paused,
    SessionContinued: _continued,
    SessionResumed: _resumed,
    FaultInjected: _fault,
    LogWritten: _log,
    RunLearned: _run_learned,
    RunEnded: _run_ended,
}
