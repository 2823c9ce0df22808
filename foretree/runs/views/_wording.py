"""What happened, in lines for a person.

The words before the first colon are stable, so that scripts can look for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from foretree.runs.events import Event
from foretree.runs.views._state import RunState, phrase


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


def tell(event: Event, state: RunState) -> list[Line]:
    """The lines about *event*, none if it is not worth one. *state* has taken the event in already."""
    teller = _TELLERS.get(event.kind)
    return teller(event, state) if teller is not None else []


def _run_started(event: Event, state: RunState) -> list[Line]:
    data = event.data
    about = [f"{key} {data[key]}" for key in ("scene", "robot", "seed") if data.get(key) not in (None, "")]
    lines = [Line("plain", "run", str(data.get("instruction") or data.get("goal") or ""))]
    if about:
        lines.append(Line("faint", "in", ", ".join(about)))
    return lines


def _goal_set(event: Event, state: RunState) -> list[Line]:
    how = event.data.get("how")
    return [Line("plain", "goal", state.goal), *([Line("faint", "read as", str(how))] if how else [])]


def _plan_made(event: Event, state: RunState) -> list[Line]:
    data = event.data
    actions = data.get("actions", ())
    count = f"{len(actions)} action{'' if len(actions) == 1 else 's'}"
    cost = f", cost {data['cost']}" if data.get("cost") is not None else ""
    by = f", by {data['by']}" if data.get("by") else ""
    optimal = ", optimal" if data.get("optimal") else ""
    if state.revisions and state.revisions[-1].tick == event.tick:
        # The revision has told already what it changed; this is all that there is to add.
        return [Line("plain", "plan", f"{count} left{cost}")]
    lines = [Line("plain", "plan", count + cost + by + optimal)]
    lines += [Line("faint", "step", f"{raw['id']} {state.describe(raw['id'])}") for raw in actions]
    for raw in data.get("assumptions", ()):
        atom = raw["atom"] if isinstance(raw["atom"], str) else phrase([raw["atom"]])
        value = "" if raw.get("value", True) is True else "not "
        source = f" ({raw['source']})" if raw.get("source") else ""
        lines.append(Line("faint", "assume", f"{value}{atom}{source}"))
    return lines


def _look_started(event: Event, state: RunState) -> list[Line]:
    data = event.data
    at = phrase(data.get("at")) or "all around"
    why = f": {data['why']}" if data.get("why") else ""
    return [Line("faint", "look", at + why)]


def _look_ended(event: Event, state: RunState) -> list[Line]:
    outcome = event.data.get("outcome", "done")
    return [] if outcome == "done" else [Line("bad", f"look {outcome}")]


def _guard_checked(event: Event, state: RunState) -> list[Line]:
    data = event.data
    what = f"{data.get('guard', '')} before {state.describe(str(data.get('action', '')))}"
    if data.get("passed"):
        return [Line("faint", "check passed", what)]
    expected, believed = phrase(data.get("expected")), phrase(data.get("believed"))
    return [Line("notice", "check failed", f"{what}: expected {expected}; {believed or 'not so'}")]


def _discrepancy_found(event: Event, state: RunState) -> list[Line]:
    data = event.data
    sentence = data.get("sentence") or (
        f"expected {phrase(data.get('expected'))}, found {phrase(data.get('seen'))}"
    )
    return [Line("notice", "discrepancy", str(sentence))]


def _revision_asked(event: Event, state: RunState) -> list[Line]:
    return [Line("faint", "asking", f"the {event.data.get('reviser', '')} reviser")]


def _model_answered(event: Event, state: RunState) -> list[Line]:
    reply = event.data.get("reply", {})
    said = " ".join(str(reply.get("problem") or reply.get("text", "")).split())
    tokens = f"{reply.get('asked', 0)} + {reply.get('answered', 0)} tokens"
    return [Line("faint", "model", f"{said[:120]} ({tokens})")]


def _revision_rejected(event: Event, state: RunState) -> list[Line]:
    data = event.data
    return [
        Line("faint", "not taken", f"the {data.get('reviser', '')} reviser's answer: {data.get('why', '')}")
    ]


def _revision_made(event: Event, state: RunState) -> list[Line]:
    data = event.data
    # What was wrong has been said already, in a line of its own.
    why = str(data.get("why", ""))
    for note in state.discrepancies:
        if note.id == data.get("discrepancy") and note.sentence:
            why = why.removeprefix(note.sentence).strip() or why
    lines = [Line("change", f"revised by {data.get('reviser', '?')}", why)]
    added = [raw["id"] for raw in data.get("added", ())]
    lines += [Line("change", "step added", f"{name} {state.describe(name)}") for name in added]
    removed = data.get("removed", ())
    lines += [Line("change", "step removed", f"{name} {state.describe(name)}") for name in removed]
    return lines


def _action_started(event: Event, state: RunState) -> list[Line]:
    name = str(event.data.get("action", ""))
    return [Line("plain", "start", f"{name} {state.describe(name)}")]


def _action_ended(event: Event, state: RunState) -> list[Line]:
    name = str(event.data.get("action", ""))
    outcome = str(event.data.get("outcome", "done"))
    reason = f": {event.data['reason']}" if event.data.get("reason") else ""
    return [Line("good" if outcome == "done" else "bad", outcome, f"{name} {state.describe(name)}{reason}")]


def _action_skipped(event: Event, state: RunState) -> list[Line]:
    name = str(event.data.get("action", ""))
    why = f": {event.data['why']}" if event.data.get("why") else ""
    return [Line("change", "skipped", f"{name} {state.describe(name)}{why}")]


def _agent_chose(event: Event, state: RunState) -> list[Line]:
    why = f": {event.data['why']}" if event.data.get("why") else ""
    return [Line("faint", "agent", f"{event.data.get('tool', '')}{why}")]


def _overrun(event: Event, state: RunState) -> list[Line]:
    # What a tick took is the wall clock's business, so it may stand under that key.
    data = (
        {**event.data, **event.data.get("wall", {})}
        if isinstance(event.data.get("wall"), dict)
        else event.data
    )
    took, period = data.get("seconds"), data.get("period")
    if took is None or period is None:
        return [Line("bad", "overrun")]
    return [Line("bad", "overrun", f"a tick took {took * 1000:.0f} ms of {period * 1000:.0f} ms")]


def _paused(event: Event, state: RunState) -> list[Line]:
    by = event.data.get("by")
    return [Line("notice", "paused", f"by {by}" if by else "")]


def _continued(event: Event, state: RunState) -> list[Line]:
    return [Line("notice", "goes on")]


def _resumed(event: Event, state: RunState) -> list[Line]:
    flying = [state.describe(str(name)) for name in event.data.get("in_flight", ())]
    return [Line("notice", "resumed", f"in flight: {', '.join(flying)}" if flying else "nothing in flight")]


def _fault(event: Event, state: RunState) -> list[Line]:
    return [Line("notice", "fault", phrase(event.data.get("what")))]


def _log(event: Event, state: RunState) -> list[Line]:
    return [Line("faint", "note", str(event.data.get("text", "")))]


def _run_learned(event: Event, state: RunState) -> list[Line]:
    data = event.data
    places = [f"{thing} at {place}" for thing, place in data.get("places", ())]
    pictures = [
        f"what {thing} looks like: {', '.join(name if so else f'not {name}' for name, so in states.items())}"
        for thing, states in data.get("pictures", ())
    ]
    return [Line("faint", "learned", text) for text in (*places, *pictures)]


def _run_ended(event: Event, state: RunState) -> list[Line]:
    reason = f": {event.data['reason']}" if event.data.get("reason") else ""
    lines = [Line("good" if state.outcome == "reached" else "bad", "ended", f"{state.outcome}{reason}")]
    spent = spending(event.data)
    return [*lines, Line("faint", "models", spent)] if spent else lines


def spending(ended: Mapping[str, Any]) -> str:
    """What models have cost, from what ``run.ended`` says; empty if none was asked."""
    spent = ended.get("models")
    if not isinstance(spent, dict):
        return ""
    count = spent.get("questions", 0)
    questions = f"{count} question{'' if count == 1 else 's'}"
    cost = f", cost {spent['cost']:g}" if spent.get("cost") else ""
    return f"{questions}, {spent.get('asked', 0)} + {spent.get('answered', 0)} tokens{cost}"


_TELLERS: dict[str, Callable[[Event, RunState], list[Line]]] = {
    "run.started": _run_started,
    "goal.set": _goal_set,
    "plan.made": _plan_made,
    "look.started": _look_started,
    "look.ended": _look_ended,
    "guard.checked": _guard_checked,
    "discrepancy.found": _discrepancy_found,
    "revision.asked": _revision_asked,
    "model.answered": _model_answered,
    "revision.rejected": _revision_rejected,
    "revision.made": _revision_made,
    "action.started": _action_started,
    "action.ended": _action_ended,
    "action.skipped": _action_skipped,
    "agent.chose": _agent_chose,
    "session.overrun": _overrun,
    "session.paused": _paused,
    "session.continued": _continued,
    "session.resumed": _resumed,
    "fault.injected": _fault,
    "log": _log,
    "run.learned": _run_learned,
    "run.ended": _run_ended,
}
