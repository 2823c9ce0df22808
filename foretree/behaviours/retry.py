"""Going on until the goal is reached or honestly given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from foretree.agent.context import AgentContext
from foretree.agent.learning.complaints import complaints, denied_traits, say_complaints
from foretree.agent.look import Look
from foretree.agent.mission import NO_PLAN, Mission
from foretree.agent.tools.feasibility import Feasibility
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import Formula
from foretree.planning.semantics.evaluation import evaluate
from foretree.planning.solvers.base import Solution
from foretree.world_model.beliefs.facts import Atom, Truth, show_atom


class RetryUntilReached(Decorator):
    """Repeats its child until the goal is believed reached; fails when the child fails.

    The child is a choice of tools (plan and carry out, explore …) that succeeds as long as one of them got
    anything done.
    """

    def __init__(self, child: Behaviour, context: AgentContext, mission: Mission) -> None:
        super().__init__(name="persevere", child=child)
        self._context = context
        self._mission = mission
        self._looked_for: set[Atom] = set()

    def tick(self) -> Iterator[Behaviour]:
        yield from self.decorated.tick()
        status = self.decorated.status
        if status is Status.SUCCESS and not self._reached():
            self.feedback_message = self._mission.reason
            status = Status.RUNNING
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        return self.decorated.status

    def _reached(self) -> bool:
        goal = self._mission.goal
        context = self._context
        assert goal is not None
        beliefs = context.belief.snapshot()
        return (
            not self._mission.unsearched
            and not (self._mission.more_of or self._mission.left_out or self._mission.readings)
            # What a search has seen by the way is in doubt: a plan makes sure of it, be it an empty one.
            and not (self._mission.subgoal is not None and context.settings.look_round)
            and not self._mission.unfound(beliefs, context.catalogue.domain)
            and evaluate(context.task.with_steps(goal), beliefs.assumed, context.task.objects) is Truth.TRUE
            and not self._is_only_assumed(goal)
        )

    def _is_only_assumed(self, goal: Formula) -> bool:
        """Have looked for, once, what *goal* is only assumed to hold by; return whether there is any."""
        # Where only a plan is asked for, it never comes to this.
        from foretree.agent.discovery.unseen_facts import find_unseen_facts

        found = find_unseen_facts(self._context, goal)
        self._mission.unseen = {atom: node for atom, node in found.items() if atom not in self._looked_for}
        self._looked_for.update(found)
        return bool(self._mission.unseen)


class GiveUp(Behaviour):
    """Ends the attempt, with the reasons that the tools left, unless another look gives new hope.

    Eyes err: a knife taken for a fork is reason enough to believe that nothing can be sliced. So the robot
    looks around before it gives up, a few times at most, and succeeds if that changes what it believes. What
    it has found not to work, there being no room for it, may work by now, or from another side: that is tried
    once more, too.

    Why there is no plan is only found out here, where it is told.

    Args:
        context: looks, and knows what is believed.
        mission: its reason is what the last tool said.
        other_reason: what else there is to say: why the plan failed.
    """

    def __init__(
        self, context: AgentContext, mission: Mission, other_reason: Callable[[], str] = lambda: ""
    ) -> None:
        super().__init__(name="give up")
        self._context = context
        self._mission = mission
        self._other_reason = other_reason
        self._look = Look(context)
        self._finding_out: Deferred[Solution] | None = None
        self._before: frozenset[Atom] = frozenset()
        self._looks = 0
        self._second_tries = 0

    def update(self) -> Status:
        context = self._context
        if self._finding_out is not None or self._mission.refusal is not None or self._mission.parts:
            return self._give_up()
        if self._look.under_way:
            if not self._look.poll():
                return Status.RUNNING
            if self._believed() != self._before:
                self.feedback_message = "it looks different now"
                return Status.SUCCESS
        elif self._looks < context.settings.looks and context.settings.look_round:
            self._before = self._believed()
            if self._look.begin((), "looks around before giving up"):
                self._looks += 1
                self.feedback_message = "looks around before giving up"
                return Status.RUNNING
        if self._second_tries < context.settings.looks and context.think_again():
            self._second_tries += 1
            self.feedback_message = "tries once more what did not work"
            return Status.SUCCESS
        if NO_PLAN in self._mission.reason and self._mission.find_out is not None:
            # As planning takes no time of its own on a simulated clock here, giving up does not either.
            self._finding_out = Deferred(self._mission.find_out(), context.clock, 0.0)
        return self._give_up()

    def _give_up(self) -> Status:
        """Fail with all reasons, as soon as it is known why there is no plan."""
        context, mission, pending = self._context, self._mission, self._finding_out
        if pending is not None:
            if not pending.ready():
                self.feedback_message = "finds out why there is no plan"
                return Status.RUNNING
            self._finding_out = None
            mission.reason = mission.reason.replace(NO_PLAN, _why(pending))
        lost = context.team.lost_for_good()
        absent = [f"{one.absence}." for one in context.team if one.absence]
        if lost and not lost[0].absence:
            absent.append(f"{lost[0].robot.name}: {lost[1]}.")
        said = (*absent, self._other_reason(), mission.reason, self._what_was_told())
        reasons = dict.fromkeys(reason for reason in said if reason)
        mission.reason = self.feedback_message = " ".join(reasons)
        return Status.FAILURE

    def _what_was_told(self) -> str:
        """Return what people have said of things but for which there would be a plan."""
        context, goal, reason = self._context, self._mission.goal, self._mission.reason
        lost = denied_traits(context)
        if not lost or goal is None or self._mission.refusal is not None:
            return ""
        about = complaints(context)
        named = {name: about[name] for name in lost if any(show_atom(atom) in reason for atom in lost[name])}
        return say_complaints(named or Feasibility(context).barred_by_word(goal))

    def _believed(self) -> frozenset[Atom]:
        return frozenset(self._context.belief.snapshot().true_atoms())

    def terminate(self, new_status: Status) -> None:
        self._look.cancel()
        pending, self._finding_out = self._finding_out, None
        if pending is not None:
            pending.cancel()


def _why(answer: Deferred[Solution]) -> str:
    """Return why there is no plan; only that there is none, if that cannot be found out."""
    try:
        return answer.result().why or NO_PLAN
    except (ForetreeError, CancelledError):
        return NO_PLAN
