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
    BlackboardChanged,
    DiscrepancyFound,
    EventData,
    FaultInjected,
    GoalSet,
    GuardChecked,
    LogWritten,
    LookEnded,
    LookStarted,
    ModelAnswered,
    PersonAsked,
    PersonSaid,
    PersonTold,
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
    TreeSpliced,
)
from foretree.runs.node_types import PLAN_TYPE
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
    data = state.latest
    teller = _TELLERS.get(type(data)) if data is not None else None
    return teller(data, state) if teller is not None else []


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _run_started(data: RunStarted, state: RunState) -> list[Line]:
    about = {"scene": data.scene, "robot": data.robot, "seed": data.seed}
    shown = ", ".join(f"{key} {value}" for key, value in about.items() if value not in (None, ""))
    lines = [Line("plain", "run", data.instruction or data.goal)]
    return [*lines, Line("faint", "in", shown)] if shown else lines


def _goal_set(data: GoalSet, state: RunState) -> list[Line]:
    if data.answer:
        return [Line("plain", "answer", data.answer)]
    read_as = [Line("faint", "read as", data.how)] if data.how else []
    keeps = [Line("plain", "keeps", constraint) for constraint in data.constraints]
    return [Line("plain", "goal", state.goal), *read_as, *keeps]


def _plan_made(data: PlanMade, state: RunState) -> list[Line]:
    count = counted(len(data.actions), "action")
    cost = f", cost {data.cost}" if data.cost is not None else ""
    if state.revisions and state.revisions[-1].tick == data.tick:
        # The revision has told already what it changed; this is all that there is to add.
        return [Line("plain", "plan", f"{count} left{cost}")]
    if data.makespan not in (None, data.cost):
        cost += f", makespan {data.makespan}"
    by = f", by {data.by}" if data.by else ""
    optimal = ", optimal" if data.optimal else ""
    lines = [Line("plain", "plan", count + cost + by + optimal)]
    lines += [Line("faint", "step", state.named(action.id)) for action in data.actions]
    for assumed in data.assumptions:
        source = f" ({assumed.source})" if assumed.source else ""
        lines.append(Line("faint", "assume", f"{assumed}{source}"))
    return lines


def _tree_spliced(data: TreeSpliced, state: RunState) -> list[Line]:
    below = state.nodes.get(data.below)
    if not state.started.own_tree or below is None or below.type == PLAN_TYPE:
        return []  # revisions are told
    ids = {node.id for node in data.added}
    added = [node.name for node in data.added if node.parent not in ids]
    lines = [Line("change", "tree edited", f"{name} added below {below.name}") for name in added]
    gone = set(data.removed)
    tops = [name for name in data.removed if name.rpartition("/")[0] not in gone]
    left = [f"{name.rpartition('/')[2]} removed below {below.name}" for name in tops]
    return [*(Line("change", "tree edited", text) for text in left), *lines]


def _blackboard_changed(data: BlackboardChanged, state: RunState) -> list[Line]:
    lines = [Line("faint", "blackboard", f"{key} = {value}") for key, value in data.values.items()]
    return lines + [Line("faint", "blackboard", f"{key} removed") for key in data.removed]


def _look_started(data: LookStarted, state: RunState) -> list[Line]:
    return [Line("faint", "look", (data.at or "all around") + _because(data.why))]


def _look_ended(data: LookEnded, state: RunState) -> list[Line]:
    return [] if data.outcome == "done" else [Line("bad", f"look {data.outcome}")]


def _guard_checked(data: GuardChecked, state: RunState) -> list[Line]:
    what = f"{data.guard} before {state.describe(data.action)}"
    if data.passed:
        return [Line("faint", "check passed", what)]
    return [Line("notice", "check failed", f"{what}: expected {data.expected}; {data.believed or 'not so'}")]


def _discrepancy_found(data: DiscrepancyFound, state: RunState) -> list[Line]:
    return [Line("notice", "discrepancy", data.sentence or f"expected {data.expected}, found {data.seen}")]


def _revision_asked(data: RevisionAsked, state: RunState) -> list[Line]:
    return [Line("faint", "asking", f"the {data.reviser} reviser")]


def _model_answered(data: ModelAnswered, state: RunState) -> list[Line]:
    reply = data.reply
    text = " ".join(str(reply.get("problem") or reply.get("text", "")).split())
    tokens = f"{reply.get('asked', 0)} + {reply.get('answered', 0)} tokens"
    lines = [Line("faint", "model", f"{text[:120]} ({tokens})")]
    return [*lines, Line("notice", "sent back", data.wrong)] if data.wrong else lines


def _revision_rejected(data: RevisionRejected, state: RunState) -> list[Line]:
    return [Line("faint", "not taken", f"the {data.reviser} reviser's answer: {data.why}")]


def _revision_made(data: RevisionMade, state: RunState) -> list[Line]:
    # What was wrong has been said already, in a line of its own.
    why = data.why
    for found in state.discrepancies:
        if found.id == data.discrepancy and found.sentence:
            why = why.removeprefix(found.sentence).strip() or why
    lines = [Line("change", f"revised by {data.reviser or '?'}", why)]
    added = [action.id for action in data.added]
    lines += [Line("change", "step added", state.named(name)) for name in added]
    lines += [Line("change", "step removed", state.named(name)) for name in data.removed]
    return lines


def _action_started(data: ActionStarted, state: RunState) -> list[Line]:
    return [Line("plain", "start", state.named(data.action))]


def _action_ended(data: ActionEnded, state: RunState) -> list[Line]:
    tone = "good" if data.outcome == "done" else "bad"
    return [Line(tone, data.outcome, state.named(data.action) + _because(data.reason))]


def _action_skipped(data: ActionSkipped, state: RunState) -> list[Line]:
    text = state.named(data.action) + _because(data.why)
    return [Line("change", "skipped", text)]


def _agent_chose(data: AgentChose, state: RunState) -> list[Line]:
    return [Line("faint", "agent", f"{data.tool}{_because(data.why)}")]


def _person_said(data: PersonSaid, state: RunState) -> list[Line]:
    return [Line("notice", "said", f'"{data.words}"')]


def _person_asked(data: PersonAsked, state: RunState) -> list[Line]:
    return [Line("notice", "asks", data.question)]


def _person_told(data: PersonTold, state: RunState) -> list[Line]:
    return [Line("notice", "replies", data.text)]


def _overrun(data: SessionOverrun, state: RunState) -> list[Line]:
    took, period = data.took, data.expected
    if took is None or period is None:
        return [Line("bad", "overrun")]
    return [Line("bad", "overrun", f"a tick took {took * 1000:.0f} ms of {period * 1000:.0f} ms")]


def _paused(data: SessionPaused, state: RunState) -> list[Line]:
    return [Line("notice", "paused", f"by {data.by}" if data.by else "")]


def _continued(data: SessionContinued, state: RunState) -> list[Line]:
    return [Line("notice", "goes on")]


def _resumed(data: SessionResumed, state: RunState) -> list[Line]:
    flying = ", ".join(map(state.describe, data.in_flight))
    return [Line("notice", "resumed", f"in flight: {flying}" if flying else "nothing in flight")]


def _fault(data: FaultInjected, state: RunState) -> list[Line]:
    return [Line("notice", "fault", data.what)]


def _log(data: LogWritten, state: RunState) -> list[Line]:
    return [Line("faint", "note", data.text)]


def _run_learned(data: RunLearned, state: RunState) -> list[Line]:
    places = [f"{thing} at {place}" for thing, place in data.places]
    pictures = [
        f"what {thing} looks like: {', '.join(name if so else f'not {name}' for name, so in states.items())}"
        for thing, states in data.pictures
    ]
    return [Line("faint", "learned", text) for text in (*places, *pictures)]


def _run_ended(data: RunEnded, state: RunState) -> list[Line]:
    tone = "good" if data.outcome == "reached" else "bad"
    lines = [Line(tone, "ended", f"{data.outcome}{_because(data.reason)}")]
    spent = spending(data)
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
    TreeSpliced: _tree_spliced,
    BlackboardChanged: _blackboard_changed,
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
    PersonSaid: _person_said,
    PersonAsked: _person_asked,
    PersonTold: _person_told,
    SessionOverrun: _overrun,
    SessionPaused: _paused,
    SessionContinued: _continued,
    SessionResumed: _resumed,
    FaultInjected: _fault,
    LogWritten: _log,
    RunLearned: _run_learned,
    RunEnded: _run_ended,
}
