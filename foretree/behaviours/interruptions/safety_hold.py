"""The decorator that waits while something outside of the agent, such as a supervisor, holds the robot."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.behaviours.interruptions.standing_aside import StandingAside
from foretree.revision.discrepancy import Discrepancy


class SafetyHold(StandingAside):
    """Lets its child work unless the robot is held, and has it plan anew once the robot is let go.

    As soon as the robot is held, what runs is cancelled, and waited for: it ends as the robot says, with the
    reason why it was stopped. Nothing begins. That the robot is held is a discrepancy, which is recorded.

    Args:
        child: what works.
        context: the shared ground.
        mission: what the child works for.
        hold_reason: says why the robot is held; empty if it is not. Asked at every tick.
    """

    looks_because = "was stopped and may move again"
    goes_on = "The robot may move again: its plan is made anew."

    def __init__(
        self, child: Behaviour, context: AgentContext, mission: Mission, hold_reason: Callable[[], str]
    ) -> None:
        super().__init__("safety hold", child, context, mission)
        self._hold_reason = hold_reason

    def _reason(self) -> str:
        return self._hold_reason()

    def _step_aside(self, reason: str) -> None:
        context = self._context
        found = Discrepancy(
            context.discrepancy_id(), None, "hold", "a robot that may move", reason, context.belief.version
        )
        context.recorder.record(
            "discrepancy.found",
            id=found.id,
            action=None,
            guard=found.guard,
            expected=found.expected,
            seen=found.seen,
            version=found.version,
            sentence=found.sentence,
        )
        for member in context.team:
            member.executive.interrupt(reason)

    def _waits(self, reason: str) -> str:
        if reason:
            return reason
        # What was stopped is waited for here, while its action is still there to take in how it ended.
        hold = self._context.team.coming_free()
        return f"waits until what was stopped has ended: {hold}" if hold is not None else ""
