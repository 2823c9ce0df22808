"""Why an action was in the plan, what it expected, what was seen, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foretree.errors import suggest
from foretree.runs.events import Event
from foretree.runs.store import RunError
from foretree.runs.views._state import (
    ActionState,
    DiscrepancyNote,
    RejectionNote,
    RevisionNote,
    RunState,
    phrase,
)


class UnknownStepError(RunError):
    """The run has no such action."""


@dataclass(frozen=True, slots=True)
class Check:
    """A guard looked at what the action expects."""

    tick: int
    time: float
    guard: str
    passed: bool
    expected: str
    believed: str


@dataclass(frozen=True, slots=True)
class Why:
    """The story of one action.

    Attributes:
        action: the action and what became of it.
        goal: what the run was after.
        origin: how the action came into the plan.
        needed_for: what later needs it, one phrase each; the goal, if nothing else does.
        assumptions: what the plan took for granted about the things it touches.
        checks: what its guards looked at; of equal checks in a row, the first.
        discrepancies: what was not as it expected.
        revisions: what was rewritten because of those, or took it out.
        rejections: answers to those that were not taken.
    """

    action: ActionState
    goal: str
    origin: str
    needed_for: tuple[str, ...]
    assumptions: tuple[str, ...]
    checks: tuple[Check, ...]
    discrepancies: tuple[DiscrepancyNote, ...]
    revisions: tuple[RevisionNote, ...]
    rejections: tuple[RejectionNote, ...]


def why(events: Iterable[Event], step: str) -> Why:
    """The story of the action called *step*: its id, or n for the n-th that the robot was told to do.

    Raises:
        UnknownStepError: there is none; the message lists those there are.
    """
    state = RunState()
    checks: dict[str, list[Check]] = {}
    origins: dict[str, str] = {}
    waiting: dict[str, dict[str, None]] = {}
    links: dict[str, dict[str, None]] = {}
    assumed: list[tuple[frozenset[str], str]] = []
    for event in events:
        state.apply(event)
        data = event.data
        if event.kind == "guard.checked":
            _add_check(checks.setdefault(str(data.get("action", "")), []), event)
        elif event.kind in ("plan.made", "revision.made"):
            made = event.kind == "plan.made"
            for raw in data.get("actions" if made else "added", ()):
                origins.setdefault(str(raw["id"]), _plan_origin(event) if made else _revision_origin(event))
            for later, before in data.get("order", {}).items():
                for earlier in before:
                    waiting.setdefault(earlier, {})[later] = None
            for producer, atom, consumer in data.get("links", ()):
                links.setdefault(producer, {})[_link(state, atom, consumer)] = None
            assumed += [_assumption(raw) for raw in data.get("assumptions", ())]
    action = _find(state, step)
    mine = tuple(each for each in state.discrepancies if each.action == action.id)
    about = {each.id for each in mine}
    touched = frozenset(action.arguments)
    return Why(
        action=action,
        goal=state.goal,
        origin=origins.get(action.id, "no plan in this record names it"),
        needed_for=_needed_for(state, links.get(action.id, {}), waiting.get(action.id, {})),
        assumptions=tuple(dict.fromkeys(text for names, text in assumed if names <= touched)),
        checks=tuple(checks.get(action.id, ())),
        discrepancies=mine,
        revisions=tuple(
            each
            for each in state.revisions
            if each.discrepancy in about or action.id in each.removed or action.id in each.added
        ),
        rejections=tuple(each for each in state.rejections if each.discrepancy in about),
    )


def _find(state: RunState, step: str) -> ActionState:
    if step in state.actions:
        return state.actions[step]
    for action in state.actions.values():
        if step.isdecimal() and action.ordinal == int(step):
            return action
    told = max((action.ordinal or 0 for action in state.actions.values()), default=0)
    numbers = f"1 to {told} for those the robot was told to do" if told else "the robot was told to do none"
    if not state.actions:
        because = "what was asked for was so already" if state.planned else "no plan was made"
        raise UnknownStepError(f"This run has no actions: {because}.")
    raise UnknownStepError(f"This run has no action {step!r}. {suggest(step, state.actions)} Or {numbers}.")


def _add_check(known: list[Check], event: Event) -> None:
    data = event.data
    check = Check(
        event.tick,
        event.time,
        str(data.get("guard", "")),
        bool(data.get("passed")),
        phrase(data.get("expected")),
        phrase(data.get("believed")),
    )
    # A condition that is watched while the action runs says the same thing many times.
    previous = next((each for each in reversed(known) if each.guard == check.guard), None)
    if previous is None or (previous.passed, previous.expected, previous.believed) != (
        check.passed,
        check.expected,
        check.believed,
    ):
        known.append(check)


def _plan_origin(event: Event) -> str:
    data = event.data
    by = f" by {data['by']}" if data.get("by") else ""
    return f"planned in tick {event.tick}{by}, for {data.get('goal') or 'the goal'}"


def _revision_origin(event: Event) -> str:
    data = event.data
    return f"added in tick {event.tick} by the {data.get('reviser', '?')} reviser: {data.get('why', '')}"


def _link(state: RunState, atom: object, consumer: str) -> str:
    fact = phrase([atom]) if not isinstance(atom, str) else atom
    target = "the goal" if consumer == "goal" else f"{consumer} {state.describe(consumer)}"
    return f"{target} needs {fact}"


def _needed_for(state: RunState, links: dict[str, None], waiting: dict[str, None]) -> tuple[str, ...]:
    """Which facts it brings about for whom if the plan says so, else who waits for it."""
    if links:
        return tuple(links)
    later = tuple(f"{name} {state.describe(name)} waits for it" for name in waiting if name in state.actions)
    return later or ("the goal",)


def _assumption(raw: object) -> tuple[frozenset[str], str]:
    """The things an assumption is about, and how it reads."""
    assert isinstance(raw, dict)
    atom = raw["atom"]
    words = atom.strip("()").split() if isinstance(atom, str) else list(atom)
    value = "" if raw.get("value", True) is True else "not "
    source = f", {raw['source']}" if raw.get("source") else ""
    confidence = f" {raw['confidence']:.0%} sure" if "confidence" in raw else ""
    return frozenset(words[1:]), f"{value}({' '.join(words)}){source}{confidence}"
