"""Conclusions from what changes in the belief while a plan is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from foretree.agent.context import AgentContext
from foretree.revision.discrepancy import Discrepancy
from foretree.trees.plan_node._goal_check import GoalCheck
from foretree.trees.plan_node._in_hand_check import InHandCheck
from foretree.trees.plan_node._plan_monitor import PlanMonitor
from foretree.trees.plan_node._plan_state import PlanState
from foretree.trees.plan_node._repair import PlanRepair
from foretree.trees.plan_node._scheduled_step import ScheduledStep
from foretree.trees.plan_node._splicer import Splicer
from foretree.trees.plan_node._step_runner import StepRunner
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom


class BeliefChanges:
    """Draws the conclusions from changes of the belief: preempts steps, skips them, questions the plan.

    Args:
        context: what is believed.
        steps: the steps of the plan.
        splicer: builds the nodes of a revised plan; nothing is skipped before that is done.
        repair: takes the questions.
        monitor: compares the plan with the belief.
        goal_check: looks before the rest of a plan is skipped.
        in_hand_check: looks at what is held.

    Attributes:
        seen: the version of the belief that conclusions have been drawn from.
    """

    def __init__(
        self,
        context: AgentContext,
        steps: StepRunner,
        splicer: Splicer,
        repair: PlanRepair,
        monitor: PlanMonitor,
        goal_check: GoalCheck,
        in_hand_check: InHandCheck,
    ) -> None:
        self.seen = -1
        self._context = context
        self._steps = steps
        self._splicer = splicer
        self._repair = repair
        self._monitor = monitor
        self._goal_check = goal_check
        self._in_hand_check = in_hand_check

    def take_in(self, ticked: ScheduledStep | None = None) -> None:
        """Draw the conclusions from what has changed since the last time; *ticked* may have changed it."""
        context, steps, repair = self._context, self._steps, self._repair
        beliefs = context.belief.snapshot()
        if beliefs.version == self.seen:
            return
        state, acting = steps.state, steps.acting
        changes = context.belief.changes_since(self.seen) if self.seen >= 0 else None
        self.seen = beliefs.version
        if not context.settings.guards or changes == []:
            return
        if changes is None:
            state.surprise()
        else:
            state.note(changes, beliefs, (*acting, ticked) if ticked is not None else acting)
        found = self._preempt_lost(acting, beliefs)
        if not found and not repair.busy and not self._splicer.busy:
            # What the rest does not need any more is no reason to revise.
            self.move_on(state)
        self._add_contradictions(found, changes, beliefs)
        if not found and not repair.busy:
            assert steps.plan is not None
            found = self._monitor.cheaper_objects(
                changes or (), steps.plan, lambda: repair.revision_request(steps.remaining()), beliefs
            )
        if found:
            repair.question(found)

    def _preempt_lost(self, acting: Iterable[ScheduledStep], beliefs: Snapshot) -> list[Discrepancy]:
        """Stop the *acting* steps that rely on what has ceased to hold."""
        found = []
        for step in acting:
            lost = None if step.over else self._monitor.lost_hold(step, self._steps.state, beliefs)
            if lost is not None:
                found.append(lost)
                self._steps.preempt(step, lost.sentence)
        return found

    def _add_contradictions(
        self, found: list[Discrepancy], changes: list[Atom] | None, beliefs: Snapshot
    ) -> None:
        """Add what later steps rely on and is contradicted, unless it is in question already."""
        state, repair = self._steps.state, self._repair
        assert self._steps.plan is not None
        links = (
            state.all_contradicted(self._context.belief)
            if changes is None
            else state.contradicted(changes, beliefs)
        )
        for discrepancy in self._monitor.broken(links, state, beliefs):
            known = any(discrepancy.expectation == other.expectation for other in found)
            if not known and not repair.asks(discrepancy):
                found.append(discrepancy)
        for discrepancy in self._monitor.mistaken(changes, self._steps.plan, state.steps, beliefs):
            if not self._in_hand_check.looking and not repair.asks(discrepancy):
                found.append(discrepancy)

    def question_what_is_held(self, state: PlanState) -> bool:
        """Question the plan if what is held is not what it takes it for; returns whether it is questioned."""
        assert self._steps.plan is not None
        mistaken = self._in_hand_check.mistaken(self._steps.plan)
        if mistaken is None:
            return False
        name, is_it = mistaken
        action = next((s.action for s in state.upcoming() if name in s.action.arguments), None)
        if action is None:
            return False
        beliefs = self._context.belief.snapshot()
        self._repair.question([self._monitor.contradiction(action, is_it, beliefs)])
        return True

    def move_on(self, state: PlanState) -> bool:
        """Skip the steps before the latest one from which on all that is needed holds already.

        Returns:
            Whether to wait: where all that is left would be skipped, one looks first.
        """
        settings = self._context.settings
        if not state.surprised or not settings.guards or self._steps.acting:
            return False
        latest = state.furthest(self._context.belief)
        skipped, reached = state.before(latest), latest == len(state.steps)
        sure = settings.sure_needless
        if skipped and reached and sure and self._goal_check.wanted(state.goal, sure=sure):
            return True
        state.surprised = False
        if not skipped:
            return False
        guards = (
            self._monitor.reached_by(state.goal)
            if reached
            else self._monitor.found_needless(state.purposes(skipped, latest))
        )
        if guards is not None:
            then = "" if reached else f"all that {state.steps[latest].action} needs is so already"
            self._steps.skip(skipped, then or "the goal holds", guards)
        return False
