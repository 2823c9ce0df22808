"""A run in short sentences, for the person who talks with the agent."""

from __future__ import annotations

from foretree.runs.event_kinds import (
    ActionEnded,
    ActionStarted,
    DiscrepancyFound,
    FaultInjected,
    GoalSet,
    LookStarted,
    PersonAsked,
    PersonTold,
    PlanMade,
    RevisionMade,
    RunEnded,
)
from foretree.runs.events import Event
from foretree.runs.views.run_state import RunState

#: So many actions of a plan are named.
_MOST_NAMED = 6


class Narrator:
    """Tells a run, event by event. What was left untold is in the record."""

    def __init__(self) -> None:
        self._state = RunState()

    def tell(self, event: Event) -> str:
        """Take *event* in; the sentence that it is worth, empty if none."""
        self._state.apply(event)
        match self._state.latest:
            case GoalSet() as goal:
                kept = "".join(f" I keep to {constraint}." for constraint in goal.constraints)
                return f"I understand: {goal.how or self._state.goal}.{kept}"
            case PlanMade() as plan:
                return self._plan(plan)
            case ActionStarted() as action:
                return f"Now: {self._words(action.action)}."
            case ActionEnded() as action if action.outcome != "done":
                why = f": {action.reason}" if action.reason else ""
                return f"{self._words(action.action).capitalize()}: {action.outcome}{why}."
            case LookStarted() as look:
                return f"I look at {look.at or 'what is around'}."
            case DiscrepancyFound() as found:
                return f"But {found.sentence or f'I expected {found.expected} and found {found.seen}'}"
            case RevisionMade() as revision:
                return f"So the plan changes: {revision.why}"
            case FaultInjected() as fault:
                return f"(Fault: {fault.what})"
            case PersonAsked() as asked:
                return asked.question
            case PersonTold() as told:
                return f"To {told.to}: {told.text}" if told.to else told.text
            case RunEnded() as ended:
                return _end(ended)
        return ""

    def _words(self, action: str) -> str:
        """The action without what goes without saying: the only robot, and its hands."""
        known = self._state.actions.get(action)
        if known is None:
            return action
        robots = self._state.started.robot.split(", ")
        said = [name for name in known.arguments if [name] != robots and not self._is_hand(name)]
        return " ".join((known.skill.replace("_", " "), *said))

    def _is_hand(self, name: str) -> bool:
        return self._state.entities.get(name, {}).get("class") == "hand"

    def _plan(self, plan: PlanMade) -> str:
        steps = [self._words(action.id) for action in plan.actions]
        if not steps:
            return "There is nothing to do for it."
        more = f" and {len(steps) - _MOST_NAMED} more" if len(steps) > _MOST_NAMED else ""
        return f"Plan: {', '.join(steps[:_MOST_NAMED])}{more}."


def _end(ended: RunEnded) -> str:
    if ended.outcome == "reached":
        return "Done."
    if ended.outcome == "cancelled":
        return f"I have stopped: {ended.reason}."
    return f"Not done: {ended.reason}"
