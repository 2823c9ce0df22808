"""The leaf that takes up an interrupted session: what became of what was in flight?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.action_effects import believe_done, believe_nothing
from foretree.agent.context import AgentContext
from foretree.agent.look import Look
from foretree.planning.plan import Action
from foretree.skills.executive.executive import Lease
from foretree.skills.executive.joint import AnyLease, JointLease
from foretree.skills.robot import Outcome, RobotError


@dataclass(frozen=True, slots=True)
class InFlight:
    """An action whose intent is on record, but not all of its end.

    Attributes:
        action: the action.
        execution: its id on the robot.
        ended: whether it is known to have ended; then only its effects are in doubt.
    """

    action: Action
    execution: str
    ended: bool = False


class ResumeInFlight(Behaviour):
    """Finds out what became of the actions that were in flight when the session broke off.

    What they might have changed is unknown from the first tick on. An execution that the robot still knows is
    waited for; if there is one that it does not know, or that it cannot say anything about, the robot is
    stopped. Then it looks around.

    Args:
        context: the shared ground.
        in_flight: the actions that have no end, or one whose effect is not known.
        ask: puts a question to a person; asked before a real robot moves again. None if there is no person.
    """

    def __init__(
        self, context: AgentContext, in_flight: Sequence[InFlight], ask: Callable[[str], bool] | None = None
    ) -> None:
        super().__init__(name="take up")
        self._context = context
        self._in_flight = tuple(in_flight)
        self._ask = ask
        self._leases: list[tuple[Action, AnyLease]] = []
        self._look = Look(context)
        self._may_go_on = context.clock.simulated

    def initialise(self) -> None:
        for flown in self._in_flight:
            believe_nothing(self._context, flown.action)
        unknown = [flown for flown in self._in_flight if not (flown.ended or self._reattach(flown))]
        if unknown:
            for member in self._context.team:
                member.robot.stop()
            for flown in unknown:
                self._note(flown.action, flown.execution, Outcome.LOST.value, "the robot was stopped")

    def update(self) -> Status:
        context = self._context
        if self._leases:
            self._leases = [
                (action, lease) for action, lease in self._leases if not self._ended(action, lease)
            ]
            if self._leases:
                self.feedback_message = f"waits for {self._leases[0][0]}, which was in flight"
                return Status.RUNNING
        if not self._may_go_on:
            self._may_go_on = self._ask is not None and self._ask("The robot is about to go on. May it?")
            if not self._may_go_on:
                context.stop_reason = "no permission to go on was given"
                return Status.FAILURE
        if self._look.under_way:
            return Status.SUCCESS if self._look.poll() else Status.RUNNING
        begun = self._look.begin((), "takes up the session")
        self.feedback_message = "looks around" if begun else self._look.waits
        return Status.RUNNING

    def _reattach(self, flown: InFlight) -> bool:
        context = self._context
        skill = context.catalogue[flown.action.skill]
        resources = skill.resources_of(flown.action)
        found: list[Lease] = []
        for member in context.team.taking_part(flown.action.arguments):
            try:
                lease = member.executive.attach(flown.execution, resources, skill.time_out, str(flown.action))
            except RobotError:
                return False
            if lease is None:
                return False
            found.append(lease)
        self._leases.append((flown.action, found[0] if len(found) == 1 else JointLease(found)))
        return True

    def _ended(self, action: Action, lease: AnyLease) -> bool:
        end = lease.poll()
        if end is None:
            return False
        self._note(action, lease.id, end.outcome.value, end.reason)
        if end.outcome is Outcome.DONE:
            believe_done(self._context, action, self._context.catalogue[action.skill].confidence)
        return True

    def _note(self, action: Action, execution: str, outcome: str, reason: str) -> None:
        self._context.recorder.record(
            "action.ended", action=action.id, execution=execution, outcome=outcome, reason=reason
        )

    def terminate(self, new_status: Status) -> None:
        if new_status is not Status.INVALID:
            return
        leases, self._leases = self._leases, []
        # Whatever the robot's driver makes of one of them, the others are broken off, too.
        with ExitStack() as ends:
            ends.callback(self._look.cancel)
            for action, lease in reversed(leases):
                ends.callback(self._break_off, action, lease)

    def _break_off(self, action: Action, lease: AnyLease) -> None:
        lease.cancel()
        end = lease.poll()
        outcome = end.outcome if end is not None else Outcome.CANCELLED
        self._note(action, lease.id, outcome.value, "the session ended")
