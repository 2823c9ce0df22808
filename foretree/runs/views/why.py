"""Reasons for an action in the plan: what it expected, what was seen, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foretree.errors import suggest
from foretree.runs.event_kinds import (
    DiscrepancyFound,
    GuardChecked,
    PlanMade,
    RevisionMade,
    RevisionRejected,
)
from foretree.runs.events import Event
from foretree.runs.recorded_parts import RecordedAssumption, phrase
from foretree.runs.store import RunError
from foretree.runs.views.run_state import ActionState, RunState


class UnknownStepError(RunError):
    """The run has no such action."""


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
    checks: tuple[GuardChecked, ...]
    discrepancies: tuple[DiscrepancyFound, ...]
    revisions: tuple[RevisionMade, ...]
    rejections: tuple[RevisionRejected, ...]


def why(events: Iterable[Event], step: str) -> Why:
    """The story of the action called *step*: its id, or n for the n-th that the robot was told to do.

    Raises:
        UnknownStepError: there is none; the message lists those there are.
    """
    state = RunState()
    checks: dict[str, list[GuardChecked]] = {}
    origins: dict[str, str] = {}
    waiting: dict[str, dict[str, None]] = {}
    links: dict[str, dict[tuple[str, str], None]] = {}
    assumed: list[RecordedAssumption] = []
    for event in events:
        state.apply(event)
        data = state.latest
        if isinstance(data, GuardChecked):
            _add_check(checks.setdefault(data.action, []), data)
        elif isinstance(data, PlanMade | RevisionMade):
            for added in data.actions if isinstance(data, PlanMade) else data.added:
                origins.setdefault(added.id, _origin(data))
            for later, before in data.order.items():
                for earlier in before:
                    waiting.setdefault(earlier, {})[later] = None
            for producer, atom, consumer in data.links:
                fact = atom if isinstance(atom, str) else phrase([atom])
                links.setdefault(producer, {})[consumer, fact] = None
            assumed += data.assumptions
    action = _find(state, step)
    mine = tuple(each for each in state.discrepancies if each.action == action.id)
    about = {each.id for each in mine}
    touched = frozenset(action.arguments)
    return Why(
        action=action,
        goal=state.goal,
        origin=origins.get(action.id, "no plan in this record names it"),
        needed_for=_needed_for(state, links.get(action.id, {}), waiting.get(action.id, {})),
        assumptions=tuple(
            dict.fromkeys(_assumption(each) for each in assumed if touched.issuperset(each.atom[1:]))
        ),
        checks=tuple(checks.get(action.id, ())),
        discrepancies=mine,
        revisions=tuple(
            each for each in state.revisions if each.discrepancy in about or each.concerns(action.id)
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


def _add_check(known: list[GuardChecked], check: GuardChecked) -> None:
    # A condition that is watched while the action runs says the same thing many times.
    previous = next((each for each in reversed(known) if each.guard == check.guard), None)
    if previous is None or (previous.passed, previous.expected, previous.believed) != (
        check.passed,
        check.expected,
        check.believed,
    ):
        known.append(check)


def _origin(data: PlanMade | RevisionMade) -> str:
    if isinstance(data, RevisionMade):
        return f"added in tick {data.tick} by the {data.reviser or '?'} reviser: {data.why}"
    by = f" by {data.by}" if data.by else ""
    return f"planned in tick {data.tick}{by}, for {data.goal or 'the goal'}"


def _needed_for(state: RunState, links: Iterable[tuple[str, str]], waiting: Iterable[str]) -> tuple[str, ...]:
    """Facts that it brings about for others, if the plan says so, else the actions that wait for it."""
    needs = tuple(
        f"{'the goal' if consumer == 'goal' else state.named(consumer)} needs {fact}"
        for consumer, fact in links
    )
    later = tuple(f"{state.named(name)} waits for it" for name in waiting if name in state.actions)
    return needs or later or ("the goal",)


def _assumption(assumed: RecordedAssumption) -> str:
    source = f", {assumed.source}" if assumed.source else ""
    confidence = f" {assumed.confidence:.0%} sure" if assumed.confidence is not None else ""
    return f"{assumed}{source}{confidence}"
