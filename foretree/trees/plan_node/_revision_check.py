"""A proposal: a revision that is checked, and made ready to be taken over, a bounded amount at a time.

To simulate a long plan and to find out why it holds together takes longer than a tick may. So that is done in
pieces, from one snapshot of the belief, while the plan that is under way stays as it is. When the proposal is
ready, only what has changed meanwhile has to be looked at: whether all that the revision needs of the world
is still so.
"""

from __future__ import annotations

from collections.abc import Iterable

from foretree.agent.context import AgentContext
from foretree.planning.incremental import BATCH, IncrementalTask, IncrementBudget, Increments, weighted
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action, cost_of
from foretree.planning.semantics.actions import explain_misfit
from foretree.revision.plan_task import PlanTask
from foretree.revision.revision import Revision
from foretree.trees.plan_node._plan_state import PlanState, RemainingPlan, same_action, same_actions
from foretree.trees.plan_node._scheduled_step import ScheduledStep
from foretree.world_model.beliefs.belief import Snapshot

#: What little is done for each action counts as one piece for so many of them.
_AT_A_TIME = 4


class Proposal:
    """A revision on its way to being taken over.

    Args:
        context: what is believed, and what can be done.
        revision: what is proposed.
        rest: what it is to take the place of.
        optional: whether the plan is good as it is, so that the revision has to cost less.
        failed: whether an action has failed, so that doing the same once more is a change, too.

    Attributes:
        objection: why it cannot be taken over; None if it can. This and the rest is there once it is ready.
        state: what there will be to do.
        classes: the class that the revised plan takes each thing for.
        kept: the steps that stay as they are, each with the one that takes its place, and has its nodes.
        left: the steps that there will be no more.
    """

    def __init__(
        self,
        context: AgentContext,
        revision: Revision,
        rest: RemainingPlan,
        *,
        optional: bool = False,
        failed: bool = False,
    ) -> None:
        self.revision = revision
        self.objection: str | None = None
        self.classes: dict[str, str] = {}
        self.kept: dict[ScheduledStep, ScheduledStep] = {}
        self.left: list[ScheduledStep] = []
        self._context = context
        self._rest = rest
        self._optional, self._failed = optional, failed
        self._beliefs = context.belief.snapshot()
        context.task.refresh(self._beliefs)
        self._objects = context.task.objects
        self._work = IncrementalTask(self._prepare(), len(revision.actions))

    @property
    def running(self) -> list[ScheduledStep]:
        """The steps that go on."""
        return [step for step in self._rest.acting if not self.revision.cancels(step.action)]

    def go_on(self, allowance: IncrementBudget) -> bool:
        """Do as much as is allowed; whether it is ready."""
        return self._work.go_on(allowance)

    def is_about(self, rest: RemainingPlan) -> bool:
        """Return whether *rest* is still what it is to take the place of."""
        return rest.state is self._rest.state and rest.acting == self._rest.acting

    def still_valid(self) -> bool:
        """Return whether what was found out holds by what is believed now. To be asked once it is ready."""
        belief, task = self._context.belief, self._context.task
        if belief.version == self._beliefs.version:
            return True
        task.refresh(belief.snapshot())
        if self.objection is not None or task.objects is not self._objects:
            return False
        return self.state.still_reaches_goal(belief.changes_since(self._beliefs.version), belief.snapshot())

    def _prepare(self) -> Increments[None]:
        self.objection = yield from self._find_objection()
        if self.objection is None:
            yield from self._name_new_ones()

    def _find_objection(self) -> Increments[str | None]:
        revision, rest, task = self.revision, self._rest, self._context.task
        types = task.types
        for number, action in enumerate(revision.actions):
            if (number + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            operator = task.domain.operators.get(action.skill)
            if operator is None:
                return f"there is no skill {action.skill}"
            misfit = explain_misfit(task.domain, operator, action.arguments, types)
            if misfit is not None:
                return misfit
        running = self.running
        going_on = [step.action for step in running]
        cancelled = [step.action for step in rest.acting if step not in running]
        if cancelled:
            objection = yield from _why_unreached(
                task, self._beliefs, going_on, revision.actions, rest.plan.goal, cancelled
            )
            if objection is not None:
                return objection
        self.classes = yield from rest.classes_with(revision.actions, self._beliefs)
        upcoming = yield from self._matched()
        self.state = PlanState(task, rest.plan.goal, running, upcoming)
        yield from self.state.prepare(self._beliefs)
        if self.state.causality is None and not cancelled:
            # Most often since it does not lead to the goal; but not all reasons can be put as links.
            objection = yield from _why_unreached(
                task, self._beliefs, going_on, revision.actions, rest.plan.goal
            )
            if objection is not None:
                return objection
        yield from weighted(len(upcoming) // 20)
        before = rest.remaining
        if self._optional and cost_of(revision.actions) >= cost_of(before):
            return "it costs no less"
        known = self.classes == rest.plan.classes
        if not self._failed and known and not cancelled and same_actions(before, revision.actions):
            return "it changes nothing"
        return None

    def _matched(self) -> Increments[list[ScheduledStep]]:
        """The steps to come. What stays as it is has the nodes of the step that it is now."""
        rest, running = self._rest, self.running
        yield from weighted(len(self.revision.actions) // 20)
        old = {step.action.id: step for step in rest.state.upcoming() if step not in running}
        changed = {name for name, now in rest.plan.classes.items() if self.classes[name] != now}
        upcoming: list[ScheduledStep] = []
        for number, action in enumerate(self.revision.actions):
            if (number + 1) % (BATCH * _AT_A_TIME) == 0:
                yield BATCH
            step = ScheduledStep(action)
            known = old.get(action.id) if action.id else None
            if (
                known is not None
                and same_action(known.action, action)
                and changed.isdisjoint(action.arguments)
            ):
                del old[action.id]
                step.action, step.nodes = known.action, known.nodes
                self.kept[known] = step
            upcoming.append(step)
        self.left = list(old.values())
        return upcoming

    def _name_new_ones(self) -> Increments[None]:
        """Give new steps an id that no action of the plan has, whatever ids it came with."""
        yield from weighted(len(self.state.steps) // 20)
        taken = {action.id for action in self._rest.plan.actions}
        self.new = [step for step in self.state.steps if step.nodes is None]
        for step in self.new:
            yield 1
            while (fresh := self._context.action_id()) in taken:
                pass
            step.name(fresh)
        yield from weighted(len(self.state.steps) // 25)


def _why_unreached(
    task: PlanTask,
    beliefs: Snapshot,
    running: Iterable[Action],
    actions: Iterable[Action],
    goal: Formula,
    cancelled: Iterable[Action] = (),
) -> Increments[str | None]:
    """Return why *actions* do not lead to the goal once *running* are done; None if they do.

    What the *cancelled* ones might have changed will be unknown, where it can be seen.
    """
    state = set((yield from task.state_gradually(beliefs)))
    for action in cancelled:
        for effect in task.ground(action).effects:
            info = beliefs.vocabulary[effect.literal.atom[0]]
            if info.observable and info.default is True:
                state.add(effect.literal.atom)
            elif info.observable:
                state.discard(effect.literal.atom)
    for action in running:
        task.carry_out(state, task.ground(action))
    return (yield from task.reaches_gradually(state, map(task.ground, actions), goal))
