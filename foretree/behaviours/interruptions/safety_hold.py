"""The decorator that waits while something outside of the agent, such as a supervisor, holds the robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.agent.mission import Mission
from foretree.behaviours.interruptions.manual_control import age_beliefs
from foretree.revision.discrepancy import Discrepancy


class SafetyHold(Decorator):
    """Lets its child work unless the robot is held, and has it plan anew once the robot is let go.

    As soon as the robot is held, what runs is cancelled, and waited for: it ends as the robot says, with the
    reason why it was stopped. Nothing begins. That the robot is held is a discrepancy, which is recorded.
    Once it is let go, what was believed has aged, for a person may have been at the robot; it looks around,
    and the child plans anew for the same goal.

    Args:
        child: what works.
        context: the shared ground.
        mission: what the child works for.
        hold_reason: says why the robot is held; empty if it is not. Asked at every tick.
    """

    def __init__(
        self, child: Behaviour, context: AgentContext, mission: Mission, hold_reason: Callable[[], str]
    ) -> None:
        super().__init__(name="safety hold", child=child)
        self._context = context
        self._mission = mission
        self._hold_reason = hold_reason
        self._look = Look(context)
        self._held_before = False
        #: Whether the child does not work: the robot is held, or it has not looked around since.
        self.engaged = False

    def tick(self) -> Iterator[Behaviour]:
        why = self._hold_reason()
        if why and not self.engaged:
            self._hold(why)
        if self.engaged and not self._let_go(why):
            self.status = Status.RUNNING
            yield self
            return
        yield from self.decorated.tick()
        status = self.decorated.status
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _hold(self, why: str) -> None:
        context = self._context
        self.engaged, self._held_before, context.on_hold = True, context.on_hold, True
        found = Discrepancy(
            context.discrepancy_id(), None, "hold", "a robot that may move", why, context.belief.version
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
            member.executive.interrupt(why)

    def _let_go(self, why: str) -> bool:
        """Return whether the child may work: nothing holds the robot or runs, and it has looked around."""
        context = self._context
        if why:
            self._look.request_end()
            self.feedback_message = why
            return False
        if (hold := context.team.coming_free()) is not None and not self._look.under_way:
            self.feedback_message = f"waits until what was stopped has ended: {hold}"
            return False
        if not self._look.under_way:
            if self.decorated.status is Status.RUNNING:
                self.decorated.stop(Status.INVALID)
            age_beliefs(context)
            begun = self._look.begin((), "was stopped and may move again")
            self.feedback_message = "looks around" if begun else self._look.waits
            return False
        if not self._look.poll():
            return False
        self.engaged, context.on_hold, self.feedback_message = False, self._held_before, ""
        self._mission.begin_anew()
        context.recorder.record("log", text="The robot may move again: its plan is made anew.")
        return True

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            self._look.cancel()
            if self.engaged:
                self.engaged, self._context.on_hold = False, self._held_before
