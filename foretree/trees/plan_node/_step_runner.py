"""The steps of a plan that is carried out: begun, ticked, preempted, skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.behaviours.act import Act
from foretree.planning.causal_links import Causality
from foretree.planning.incremental import run_to_end
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.skills.executive.joint import AnyLease
from foretree.trees._node_error import attributed
from foretree.trees.compiler import ActionNodes
from foretree.trees.plan_node._children import force_invalid, halt, was_stopping
from foretree.trees.plan_node._plan_monitor import PlanMonitor
from foretree.trees.plan_node._plan_state import PlanState, RemainingPlan
from foretree.trees.plan_node._repair import PlanRepair
from foretree.trees.plan_node._scheduled_step import ScheduledStep, StepStatus
from foretree.world_model.beliefs.facts import BY_ACTION


class StepRunner:
    """Runs the steps of one plan.

    Args:
        context: the robot and the belief.
        repair: is told which actions succeed and fail, and what guards find.
        monitor: puts failures as discrepancies.

    Attributes:
        plan: as it was loaded, with the classes of the last revision.
        revised: the plan as it is now, after all revisions.
        maybe_state: what is left of it; None if there is none.
        begun: the steps whose nodes are ticked.
        ticked: the steps that have had their turn in this tick.
        touched: the nodes that the last tick touched.
        tally: how many actions were ``done``, ``failed`` or ``skipped``, and how often it was ``revised``.
    """

    def __init__(self, context: AgentContext, repair: PlanRepair, monitor: PlanMonitor) -> None:
        self.plan: Plan | None = None
        self.revised: Plan | None = None
        self.maybe_state: PlanState | None = None
        self.begun: list[ScheduledStep] = []
        self.ticked: set[ScheduledStep] = set()
        self.touched: list[Behaviour] = []
        self.tally: Counter[str] = Counter()
        #: Why the plan held together when it was loaded: begun once more in the middle, it may not any more.
        self._causality: Causality | None = None
        self._context = context
        self._repair = repair
        self._monitor = monitor

    @property
    def state(self) -> PlanState:
        """The part of the plan that is left."""
        assert self.maybe_state is not None
        return self.maybe_state

    @property
    def acting(self) -> tuple[ScheduledStep, ...]:
        """The steps that are past their guards."""
        return tuple([step for step in self.begun if step.acting])  # a generator costs twice as much

    def aim(self, goal: Formula) -> None:
        """Have the steps lead to another goal, which they do not yet."""
        assert self.plan is not None
        self.plan = replace(self.plan, goal=goal)
        self.state.aim(goal)

    def remaining(self) -> RemainingPlan:
        """Return the rest of the plan as it stands."""
        assert self.plan is not None
        return RemainingPlan(self.plan, self.state, self.acting)

    def load(self, plan: Plan) -> PlanState:
        """Take on another plan, or the same once more; returns its state."""
        task, beliefs = self._context.task, self._context.belief.snapshot()
        if plan is not self.plan:
            self._causality = None
        self.plan = self.revised = plan
        task.refresh(beliefs)
        state = PlanState(task, plan.goal, (), [ScheduledStep(action) for action in plan.actions])
        run_to_end(state.prepare(beliefs, plan.order or None, self._causality))
        state.take_effect()
        self.maybe_state, self._causality = state, state.causality
        return state

    @property
    def is_fresh(self) -> bool:
        """True if the plan can begin as it was loaded; False after an activation or an exception."""
        state = self.maybe_state
        return (
            state is not None
            and state.causality is not None
            and all(step.status is StepStatus.WAITING for step in state.steps)
        )

    # -- ticking -----------------------------------------------------------------------------------------
    def begin(self, step: ScheduledStep) -> None:
        """Give *step* its first turn."""
        step.status = StepStatus.BEGUN
        self.begun.append(step)
        self.tick(step)

    def tick(self, step: ScheduledStep) -> None:
        """Tick the nodes of *step*, and draw the conclusions from their status."""
        self.ticked.add(step)
        nodes = nodes_of(step)
        try:
            self.touched.extend(nodes.top.tick())
        except Exception as error:
            self.begun.remove(step)
            step.status = StepStatus.REMOVED
            self._put_down(nodes.top, error)
            raise
        status = nodes.top.status
        if status is Status.RUNNING:
            self._question_guards(nodes)
            return
        self.begun.remove(step)
        if status is Status.SUCCESS:
            self.tally["done"] += 1
            self._repair.succeeded(step.action)
            if not nodes.tells_belief:
                self._believe_effects(step)
            self.state.finish(step, StepStatus.DONE)
        else:
            self._fail(step)

    def _question_guards(self, nodes: ActionNodes) -> None:
        """Question what the guards of a step have found, and all else that they see contradicted."""
        first = next((guard.discrepancy for guard in nodes.guards if guard.discrepancy is not None), None)
        if first is None:
            return
        beliefs = self._context.belief.snapshot()
        found = (discrepancy for guard in nodes.guards for discrepancy in guard.inspect(beliefs))
        self._repair.question([first, *(other for other in found if other.expectation != first.expectation)])

    def _believe_effects(self, step: ScheduledStep) -> None:
        """Believe the effects of a step whose own leaf does not say what it has changed."""
        belief, now = self._context.belief, self._context.clock.now()
        for literal in sorted(step.makes, key=lambda made: (made.atom, made.positive)):
            belief.tell(literal.atom, literal.positive, time=now, source=BY_ACTION)

    def _fail(self, step: ScheduledStep) -> None:
        """Try a step again, or question the plan."""
        nodes = nodes_of(step)
        leaf = nodes.leaf
        self.tally["failed"] += 1
        nodes.failures += 1
        self._repair.failed(step.action, leaf.feedback_message)
        self._give_back(step, _lease_of(step))
        skill = self._context.catalogue.skills.get(step.action.skill)
        taught = isinstance(leaf, Act) and leaf.taught
        if nodes.failures <= (skill.retries if skill else 0) and not taught:
            return  # its guards look again first: the failure may have changed something
        if isinstance(leaf, Act) and not taught:
            leaf.doubt()
        self._repair.question([self._monitor.failure(step)])

    def _put_down(self, top: Behaviour, error: Exception) -> None:
        """Stop a child that raised *error* while it was ticked, unless that was raised by its stopping."""
        try:
            if not was_stopping(error):
                top.stop(Status.INVALID)
        except Exception as another:
            self._context.recorder.record("log", text=str(attributed(another, top)))
        finally:
            force_invalid(top)

    def undisturbed(self) -> tuple[Sequence[Behaviour], tuple[Act, ...]]:
        """Return the nodes that run and the leaves that act, if the robot is at each step that has begun."""
        running: list[Behaviour] = []
        acts: list[Act] = []
        for step in self.begun:
            nodes = nodes_of(step)
            if not step.acting or not isinstance(nodes.leaf, Act):
                return (), ()
            running.extend(nodes.top.iterate())
            acts.append(nodes.leaf)
        return running, tuple(acts)

    # -- stopping ----------------------------------------------------------------------------------------
    def preempt(self, step: ScheduledStep, why: str) -> None:
        """Stop a running step, because of *why*; what needs its part of the robot waits until it confirms."""
        from foretree.behaviours.calling_off import called_off  # in few runs anything is

        lease = _lease_of(step)  # a leaf may forget it when it is stopped
        with called_off(why):
            self._stop(step)
        self._give_back(step, lease)

    def reset(self, step: ScheduledStep) -> None:
        """Have a step that only got as far as its guards wait for its turn again."""
        if step.status is StepStatus.BEGUN:
            self._stop(step)
            self.state.give_back(step)

    def recheck(self) -> None:
        """Have the guards of all steps that have begun check once more from the start."""
        for step in list(self.begun):
            if not step.acting:
                self.reset(step)
        self.state.surprised = True

    def remove(self, step: ScheduledStep) -> None:
        """Take a step out of the plan."""
        if step in self.begun:
            self.begun.remove(step)
            halt(nodes_of(step).top)
        step.status = StepStatus.REMOVED

    def skip(self, steps: Sequence[ScheduledStep], why: str, guards: Iterable[str]) -> None:
        """Leave *steps* out, because of *why*; *guards* have found it."""
        for step in steps:
            top = nodes_of(step).top
            if step.status is StepStatus.BEGUN:
                self.begun.remove(step)
                halt(top)
            for node in top.iterate():
                node.status = Status.SUCCESS
                node.feedback_message = f"skipped: {why}"
                self.touched.append(node)
            self.tally["skipped"] += 1
            self.state.finish(step, StepStatus.SKIPPED)
            found_by = list(guards) if step is steps[0] else []
            self._context.recorder.record("action.skipped", action=step.action.id, why=why, guards=found_by)

    def ends(self) -> list[tuple[Callable[[], object], Behaviour]]:
        """Forget the steps that have begun; returns what stops the nodes of each, and the node."""
        begun, self.begun = self.begun, []
        for step in begun:
            step.status = StepStatus.REMOVED
        tops = [nodes_of(step).top for step in begun]
        return [(partial(halt, top), top) for top in tops]

    def _stop(self, step: ScheduledStep) -> None:
        self.begun.remove(step)
        halt(nodes_of(step).top)
        self.touched.append(nodes_of(step).top)

    def _give_back(self, step: ScheduledStep, lease: AnyLease | None) -> None:
        """Have a step wait for its turn again, and the plan for the end of what it had the robot do."""
        self.state.give_back(step)
        self._repair.wait_for(lease)


def _lease_of(step: ScheduledStep) -> AnyLease | None:
    """Return the lease of what a step has the robot do; None if its leaf has none."""
    lease: AnyLease | None = getattr(nodes_of(step).leaf, "lease", None)
    return lease


def nodes_of(step: ScheduledStep) -> ActionNodes:
    """Return the nodes of a step for which they have been built."""
    assert step.nodes is not None
    return step.nodes
