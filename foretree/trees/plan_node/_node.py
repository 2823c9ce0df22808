"""The plan node: carries out a plan in its partial order, and is the only place where the tree changes.

A tick touches what runs, and by an index what a change of the belief concerns, however long the plan is.

When a guard, a link or the robot contradicts the plan, or the person wants something else, the node asks the
revisers. While they work, it stays RUNNING, nothing new begins, and what runs goes on. A revision is checked
once more when it is spliced in: it changes the node's children, always between two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from foretree.agent.context import AgentContext
from foretree.behaviours.act import Act
from foretree.garbage import HeapFreeze, gc_paused
from foretree.planning.incremental import run_to_end
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.planning.semantics.evaluation import evaluate
from foretree.skills.robot import RobotError
from foretree.trees._node_error import attributed, call_each
from foretree.trees.compiler import Builder, Compiler
from foretree.trees.plan_node._belief_changes import BeliefChanges
from foretree.trees.plan_node._blackboard import PlanBlackboard
from foretree.trees.plan_node._children import ChildNodes
from foretree.trees.plan_node._goal_check import SURE_REACHED, GoalCheck
from foretree.trees.plan_node._in_hand_check import InHandCheck
from foretree.trees.plan_node._plan_improvement import PlanImprovement
from foretree.trees.plan_node._plan_monitor import PlanMonitor
from foretree.trees.plan_node._plan_state import PlanState
from foretree.trees.plan_node._repair import PlanRepair, Resolved, Unrepairable
from foretree.trees.plan_node._revision_check import Proposal
from foretree.trees.plan_node._scheduled_step import StepStatus
from foretree.trees.plan_node._splicer import Splicer
from foretree.trees.plan_node._step_runner import StepRunner
from foretree.world_model.beliefs.facts import Truth


class PlanNode(Composite):
    """Carries out a plan, and has it revised when the world is not as the plan expects.

    It succeeds when the goal is believed to be reached, and fails when the plan can be neither carried out
    nor repaired; then :attr:`reason` says why. It can hang anywhere in a py_trees tree::

        import py_trees
        from foretree import PlanNode, Wish, embedded_context, make_plan, understand
        context, world = embedded_context("kitchen")
        goal = understand(context, Wish("put the mango into the fridge")).goal
        fetch = PlanNode(context, make_plan(context, goal), name="fetch")
        while fetch.status not in (py_trees.common.Status.SUCCESS, py_trees.common.Status.FAILURE):
            fetch.tick_once()
            context.clock.sleep_until(context.clock.now() + 0.1)

    It writes ``plan_node/plan``, ``/goal`` and ``/reason`` to the py_trees blackboard until :meth:`shutdown`.

    Args:
        context: the robot, the belief and everything else that nodes share.
        plan: what to carry out; may also be given later, by :meth:`load`, while the node is not running.
        name: the node's name.
        builder: makes the nodes of an action; by default guards around a leaf that has the robot act.
        namespace: of the blackboard keys; give each plan node of a tree its own to tell them apart.

    Attributes:
        reason: why the node failed, or what it waits for.
        on_splice: called upon every change of the children, with the nodes that left and those that came.
        tally: how many actions were ``done``, ``failed`` or ``skipped``, and how often it was ``revised``.
    """

    def __init__(
        self,
        context: AgentContext,
        plan: Plan | None = None,
        name: str = "plan",
        builder: Builder | None = None,
        namespace: str = "plan_node",
    ) -> None:
        super().__init__(name=name)
        self.reason = ""
        self.context = context
        self._monitor = PlanMonitor(context)
        self._repair = PlanRepair(context, self._monitor)
        self._improvement = PlanImprovement(context, self._repair)
        self._in_hand_check = InHandCheck(context)
        self._goal_check = GoalCheck(context)
        self._steps = StepRunner(context, self._repair, self._monitor)
        self._nodes = ChildNodes(self, builder or Compiler(context))
        self._splicer = Splicer(context, self._steps, self._nodes)
        self._changes = BeliefChanges(
            context,
            self._steps,
            self._splicer,
            self._repair,
            self._monitor,
            self._goal_check,
            self._in_hand_check,
        )
        self._blackboard = PlanBlackboard(self, namespace)
        self.on_splice = self._nodes.listeners
        self.tally = self._steps.tally
        #: Keeps the garbage collector from looking through a large plan again and again.
        self._heap_freeze = HeapFreeze()
        self._waiting_for = self._waited_for = ""
        #: The nodes that go on running, from the leaves up, as long as nothing is seen and nothing ends.
        self._quiet: tuple[Behaviour, ...] = ()
        self._quiet_acts: tuple[Act, ...] = ()
        self._quiet_version = -1
        if plan is not None:
            self.load(plan)

    @property
    def plan(self) -> Plan | None:
        """The plan as it was loaded."""
        return self._steps.plan

    @property
    def touched(self) -> list[Behaviour]:
        """The nodes that the last tick touched."""
        return self._steps.touched

    # -- loading -----------------------------------------------------------------------------------------
    def load(self, plan: Plan) -> None:
        """Take on *plan* in place of the one before. Not while the node is running.

        Raises:
            RuntimeError: the node is running.
        """
        if self.status is Status.RUNNING:
            raise RuntimeError("a running plan node cannot be given another plan; stop it first")
        removed = self._nodes.clear()
        self.reason = ""
        with gc_paused(len(plan.actions)):
            state = self._steps.load(plan)
            added = run_to_end(self._nodes.build_missing(state, plan.classes))
        self._nodes.arrange((), state)
        self._nodes.announce(removed, added)
        self._improvement.begin(plan.actions, plan.cost if plan.optimal else plan.lower_bound)

    def setup(self, **kwargs: object) -> None:
        """Remember the arguments: nodes that a revision brings in are set up with them too."""
        self._nodes.setup_arguments = dict(kwargs)

    def shutdown(self) -> None:
        """Stop what runs, which py_trees does not, and give up the blackboard keys.

        The nodes that :meth:`iterate` does not show while the plan is under way are shut down with it.
        """
        shown = {id(node) for node in self.iterate()}
        try:
            if self.status is Status.RUNNING:
                self.stop(Status.INVALID)
            for node in [
                node for child in self.children for node in child.iterate() if id(node) not in shown
            ]:
                node.shutdown()
        finally:
            self._blackboard.close()

    def iterate(self, direct_descendants: bool = False) -> Iterator[Behaviour]:
        """Iterate over the nodes below, and this one last; of a long plan only over those near what runs.

        py_trees' own ``BehaviourTree`` goes through them after every tick: all those of a plan would be a
        thousand times the work. ``children`` has all, and this too while the node is INVALID, as at setup.

        Args:
            direct_descendants: whether to leave out what is below the children.
        """
        for child in self._nodes.shown(self._steps.maybe_state, self._steps.begun):
            if direct_descendants:
                yield child
            else:
                yield from child.iterate()
        yield self

    def precedence(self) -> Iterator[tuple[Behaviour, Behaviour]]:
        """The partial order among the children that are left: the first ends before the second begins."""
        for step in self._steps.maybe_state.steps if self._steps.maybe_state is not None else ():
            for successor in step.successors:
                if step.nodes is not None and successor.nodes is not None:
                    yield step.nodes.top, successor.nodes.top

    def tip(self) -> Behaviour | None:
        """The deepest node that is running."""
        if self.status is Status.INVALID:
            return None
        for step in self._steps.begun:
            if step.nodes is not None and step.nodes.top.status is Status.RUNNING:
                return step.nodes.top.tip()
        return self

    # -- ticking -----------------------------------------------------------------------------------------
    def tick(self) -> Iterator[Behaviour]:
        """Go on with what runs, begin what can begin; see the module's text."""
        context = self.context
        if context.self_syncing and (unreachable := self._sync()):
            self.stop(Status.FAILURE)
            self._set_reason(unreachable)
            yield self
            return
        if self._quiet and context.belief.version == self._quiet_version:
            for act in self._quiet_acts:
                if act.news:
                    break
            else:
                self._steps.touched = []
                yield from self._quiet
                return
        self._steps.touched = []
        try:
            if self.status is not Status.RUNNING:
                self._begin()
            status = self._advance()
        except Exception as error:
            self._collapse_with(error)
        yield from self.touched
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        self._set_reason(self.reason)
        yield self

    def _set_reason(self, reason: str) -> None:
        self.reason = self.feedback_message = reason
        if self._steps.revised is not None:
            try:
                self._blackboard.write(self._steps.revised, reason)
            except Exception as error:
                self._collapse_with(error)

    def _sync(self) -> str:
        """Take in the robot's news; return why the robot cannot be reached any more, if that is so."""
        try:
            self.context.sync()
        except RobotError as error:
            return str(error)
        except Exception as error:
            self._collapse_with(error)
        return ""

    def _begin(self) -> None:
        """Begin a new activation: what an earlier one has left half done is loaded afresh."""
        assert self.plan is not None, "a plan node needs a plan before it is ticked"
        if not self._steps.is_fresh:
            self.load(self.plan)
        self._heap_freeze.begin(len(self.plan.actions))
        self._repair.begin()
        self._blackboard.begin()
        self._changes.seen = -1
        self.reason = self._waited_for = ""

    def _advance(self) -> Status:
        self._quiet = ()
        self._waiting_for = ""
        self._repair.allowance.renew()
        self._tick_begun()
        status = self._begin_steps()
        if status is not None:
            return status
        better = None if self._splicer.busy else self._improvement.poll(self._steps.remaining)
        if better is not None:
            self._splice(better)
        self._update_reason()
        self._find_quiet()
        return Status.RUNNING

    def _tick_begun(self) -> None:
        """Tick the steps that have begun, first those whose end the robot has reported."""
        steps = self._steps
        steps.ticked = set()
        for step in [step for step in steps.begun if step.over]:
            steps.tick(step)
        self._changes.take_in()
        for step in [step for step in steps.begun if step not in steps.ticked]:
            if step.status is StepStatus.BEGUN and (step.acting or not self._repair.busy):
                steps.tick(step)
                self._changes.take_in(step)

    def _begin_steps(self) -> Status | None:
        """Answer open questions, then begin what can begin; return how the node ends, None if it goes on."""
        context = self.context
        while self._splicer.go_on(self._repair.allowance):
            if self._repair.busy:
                status = self._consult_revisers()
                if status is not None:
                    return status
                if self._splicer.busy:
                    continue
            state = self._steps.state
            if self._waits_to_see(state):
                return None
            if self._changes.question_what_is_held(state):
                continue
            if state.finished:
                status = self._arrive(state)
                if status is not None:
                    return status
                continue
            # A step that has had its turn in this tick shows in the next what the tick changed about it.
            ready = state.next_ready(but=self._steps.ticked)
            if ready is None:
                return None
            obstacle = self._monitor.obstacle(ready)
            if obstacle is not None:
                state.give_back(ready)
                self._repair.question([obstacle])
                continue
            self._steps.begin(ready)
            self._changes.take_in(ready)
            if context.stop_reason and context.self_syncing:
                # No session is there to be ended by that.
                self.reason, context.stop_reason = context.stop_reason, ""
                return Status.FAILURE
        self._waiting_for = "sees to the steps of the revised plan"
        return None

    def _waits_to_see(self, state: PlanState) -> bool:
        """Skip what is needless; returns whether a look has to end before anything begins."""
        if self._changes.move_on(state):
            self._waiting_for = self._goal_check.says
            return True
        assert self.plan is not None
        if self._in_hand_check.wanted(self.plan, state):
            self._waiting_for = self._in_hand_check.says
            return True
        return False

    def _update_reason(self) -> None:
        """Have :attr:`reason` say what is waited for; a reason that was given since the last tick stays."""
        waits = self._waiting_for or next(filter(None, (step.waits for step in self._steps.begun)), "")
        if waits or self.reason == self._waited_for:
            self.reason = waits
        self._waited_for = waits

    def _find_quiet(self) -> None:
        """Find out whether all that runs goes on by itself, and nothing is to be decided."""
        if (
            self._repair.busy
            or self._improvement.busy
            or self._splicer.busy
            or self._in_hand_check.looking
            or self.context.belief.version != self._changes.seen
        ):
            return
        running, self._quiet_acts = self._steps.undisturbed()
        if running:
            self._quiet = (*running, self)
            self._quiet_version = self._changes.seen

    def _arrive(self, state: PlanState) -> Status | None:
        """Find out whether the goal is reached, now that no step is left."""
        context = self.context
        beliefs = context.belief.snapshot()
        # Where nothing was to be done, all the rest of what is asked for is left out.
        sure = SURE_REACHED if state.steps else max(SURE_REACHED, context.settings.sure_needless)
        if self._goal_check.wanted(state.goal, state.for_goal(), sure):
            self.reason = self._waited_for = self._goal_check.says
            return Status.RUNNING
        # What cannot be known is as planning assumes, or planning would see nothing left to do for ever.
        if evaluate(state.goal, beliefs.assumed, context.task.objects) is Truth.TRUE:
            self.reason = ""
            return Status.SUCCESS
        discrepancy = self._monitor.missed(state.goal, state.for_goal(), beliefs)
        if not context.revisers:
            self.reason = discrepancy.sentence
            return Status.FAILURE
        self._goal_check.missed()
        self._repair.question([discrepancy])
        return None

    # -- revising ----------------------------------------------------------------------------------------
    def _consult_revisers(self) -> Status | None:
        """Get on with what is in question; None when the plan, this one or a revised one, can go on."""
        repaired = self._repair.consult(self._steps.remaining())
        if isinstance(repaired, Proposal):
            revision = repaired.revision
            pointless = self._repair.superseded_way(revision, self._steps.remaining())
            if pointless is not None:
                self.reason = "turns round: " + revision.why
                self._steps.preempt(pointless, self.reason)
                return Status.RUNNING
            self._splice(repaired, self._repair.taken_over().id)
            return None
        if isinstance(repaired, Resolved):
            self._steps.recheck()
            return None
        self.reason = self._waited_for = repaired.reason
        return Status.FAILURE if isinstance(repaired, Unrepairable) else Status.RUNNING

    def _splice(self, proposal: Proposal, answers: str = "") -> None:
        """Take over a revision; *answers* is the id of the discrepancy that it answers, if there is one."""
        revision = proposal.revision
        self._splicer.splice(proposal, answers)
        self._changes.seen = self.context.belief.version
        self.reason = revision.why
        if answers:
            self._improvement.begin(revision.actions, revision.lower_bound)

    def pursue(self, goal: Formula, why: str) -> bool:
        """Have the plan revised to reach another goal, for a reason; False where nothing is under way."""
        if self.status is not Status.RUNNING or not self.context.revisers:
            return False
        self._quiet = ()
        for forget in (self._splicer.finish, self._improvement.forget, self._goal_check.forget):
            forget()
        self._steps.aim(goal)
        self._repair.begin()
        self._repair.question([self._monitor.changed_wish(goal, why)])
        return True

    # -- stopping ----------------------------------------------------------------------------------------
    def stop(self, new_status: Status = Status.INVALID) -> None:
        """Stop what runs (and only that), then become *new_status*, even if a node raises meanwhile."""
        try:
            self._abandon()
        finally:
            self.status = new_status

    def _abandon(self) -> None:
        """Stop every running child even if one raises, and forget open questions."""
        self._quiet = ()
        own: tuple[Callable[[], object], ...] = (
            self._splicer.finish,
            self._repair.abandon,
            self._improvement.forget,
            self._in_hand_check.forget,
            self._goal_check.forget,
        )
        call_each([*((end, self) for end in own), *self._steps.ends(), (self._heap_freeze.end, self)])

    def _collapse_with(self, error: Exception) -> NoReturn:
        """Collapse because of *error*, and raise it with the node it came from."""
        problem = attributed(error, self)
        self._collapse()
        raise problem from error

    def _collapse(self) -> None:
        """A node has raised: nothing goes on running, and the next activation begins from scratch."""
        try:
            self._abandon()
        except Exception as error:
            # What was raised first is what is reported; this only goes into the record.
            self.context.recorder.record("log", text=str(error))
        self._steps.maybe_state = None
        self.status = Status.INVALID
