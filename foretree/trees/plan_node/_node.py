"""The plan node: carries out a plan in its partial order, and is the only place where the tree changes.

A tick touches what runs and nothing else, however long the plan is. What the belief's changes mean for the
plan is found through an index from atoms to the links between steps, so a change that concerns nobody costs
nothing either.

When a guard, a link or the robot contradicts the plan, the node puts the situation to the revisers. While
they think, it stays RUNNING, nothing new begins, and what runs goes on. A revision is checked once more
against the belief at the moment of splicing, and then changes the node's children, always between two of
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from traceback import walk_tb

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from foretree.agent.context import AgentContext
from foretree.agent.json_codec import action_json, plan_in_pieces
from foretree.behaviours.act import Act
from foretree.garbage import HeapFreeze, gc_paused
from foretree.incremental import IncrementalTask, Increments, clear_gradually, run_to_end, weighted
from foretree.planning.causal_links import Causality
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.planning.semantics.evaluation import evaluate
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.expectation import GuardName
from foretree.skills.robot import RobotError
from foretree.trees._node_error import attributed
from foretree.trees.plan_node._compiler import Builder, Compiler
from foretree.trees.plan_node._goal_check import GoalCheck
from foretree.trees.plan_node._in_hand_check import InHandCheck
from foretree.trees.plan_node._plan_improvement import PlanImprovement
from foretree.trees.plan_node._plan_monitor import PlanMonitor
from foretree.trees.plan_node._plan_state import PlanState, ScheduledStep, StepStatus
from foretree.trees.plan_node._proposal import Proposal
from foretree.trees.plan_node._remaining_plan import RemainingPlan
from foretree.trees.plan_node._repair import PlanRepair, Resolved, Unrepairable
from foretree.world_model.beliefs.facts import BY_ACTION, Truth

#: Told about every change of the tree: the nodes that left, and the nodes that came.
SpliceListener = Callable[[Sequence[Behaviour], Sequence[Behaviour]], None]

#: The nodes of so many steps are looked after as one piece of work; to make those of one is so many pieces.
_AT_A_TIME, _BUILDING = 4, 3

#: Shorter plans are shown whole to whoever goes through all nodes; of longer ones, so many actions before and
#: after the first that is still to be brought to its end.
_SHOWN_ALL, _SHOWN_BEFORE, _SHOWN_AFTER = 32, 4, 8


class PlanNode(Composite):
    """Carries out a plan; see the module's text.

    It succeeds when the goal is believed to be reached, and fails when the plan can be neither carried out
    nor mended; then :attr:`reason` says why. It can hang anywhere in a py_trees tree.

    Args:
        context: the robot, the belief and everything else that nodes share.
        plan: what to carry out; may also be given later, by :meth:`load`, while the node is not running.
        name: the node's name.
        builder: makes the nodes of an action; by default guards around a leaf that has the robot act.

    Attributes:
        plan: as it was loaded.
        reason: why the node failed, or why it is waiting.
        touched: the nodes that the last tick touched.
        tally: how many actions were ``done``, ``failed`` or ``skipped``, and how often it was ``revised``.
    """

    def __init__(
        self,
        context: AgentContext,
        plan: Plan | None = None,
        name: str = "plan",
        builder: Builder | None = None,
    ) -> None:
        super().__init__(name=name)
        self.plan = plan
        self.reason = ""
        self.touched: list[Behaviour] = []
        self.tally: Counter[str] = Counter()
        self.on_splice: list[SpliceListener] = []
        self._context = context
        self._builder = builder or Compiler(context)
        self._setup_arguments: dict[str, object] | None = None
        self._begun: list[ScheduledStep] = []
        #: The steps that have had their turn in this tick.
        self._ticked: set[ScheduledStep] = set()
        self._state: PlanState | None = None
        #: Why the plan held together when it was loaded: begun once more in the middle, it may not any more.
        self._causality: Causality | None = None
        self._monitor = PlanMonitor(context)
        self._repair = PlanRepair(context, lambda goal: self._left_out_for(goal) is not None)
        self._improvement = PlanImprovement(context)
        #: A cheaper rest that is being checked, and what is left to do about the nodes of a revised plan.
        self._better: Proposal | None = None
        self._furnishing: IncrementalTask[None] | None = None
        #: What there is while the plan is carried out.
        self._aside = HeapFreeze()
        self._in_hand_check = InHandCheck(context)
        self._goal_check = GoalCheck(context)
        #: The belief's version that the node has drawn its conclusions from.
        self._seen = -1
        #: What it was waiting for at the end of the last tick.
        self._waits = ""
        #: What goes on running by itself, from the leaves up, as long as nothing is seen and nothing ends.
        self._quiet: tuple[Behaviour, ...] = ()
        #: What would have something to say then.
        self._quiet_acts: tuple[Act, ...] = ()
        if plan is not None:
            self.load(plan)

    # -- loading -----------------------------------------------------------------------------------------
    def load(self, plan: Plan) -> None:
        """Take on *plan* in place of whatever was there. Not while the node is running.

        Raises:
            RuntimeError: the node is running.
        """
        if self.status is Status.RUNNING:
            raise RuntimeError("a running plan node cannot be given another plan; stop it first")
        removed = list(self.children)
        self.children.clear()
        for child in removed:
            self._take_down(child)
        if plan is not self.plan:
            self._causality = None
        self.plan = plan
        self.reason = ""
        with gc_paused(len(plan.actions)):
            self._state = self._new_state((), [ScheduledStep(action) for action in plan.actions], loaded=True)
            self._causality = self._state.causality
            added = run_to_end(self._build_missing())
        self._arrange_children(())
        self._announce(removed, added)
        self._improvement.begin(plan.actions, plan.cost if plan.optimal else plan.lower_bound)

    def setup(self, **kwargs: object) -> None:
        """Remember the arguments: nodes that a revision brings in are set up with them too."""
        self._setup_arguments = dict(kwargs)

    def shutdown(self) -> None:
        """Stop what runs: py_trees leaves that to whoever shuts a tree down.

        The nodes that :meth:`iterate` does not show while the plan is under way are shut down with it.
        """
        shown = {id(node) for node in self.iterate()}
        if self.status is Status.RUNNING:
            self.stop(Status.INVALID)
        for node in [node for child in self.children for node in child.iterate() if id(node) not in shown]:
            node.shutdown()

    def iterate(self, direct_descendants: bool = False) -> Iterator[Behaviour]:
        """The nodes below, and this one last; of a long plan that was begun, only what runs and is near it.

        py_trees' own ``BehaviourTree`` goes through all nodes after every tick, in case a visitor wants to
        see them: with all those of a plan, that would be a thousand times the work of the tick. ``children``
        has all of them, and so has this as long as the node is INVALID, which is when a tree is set up.

        Args:
            direct_descendants: whether to leave out what is below the children.
        """
        for child in self._shown():
            if direct_descendants:
                yield child
            else:
                yield from child.iterate()
        yield self

    def _shown(self) -> Sequence[Behaviour]:
        """The children that :meth:`iterate` shows."""
        state = self._state
        if state is None or self.status is Status.INVALID or len(self.children) <= _SHOWN_ALL:
            return self.children
        first = state.first()
        near = state.steps[max(0, first - _SHOWN_BEFORE) : first + _SHOWN_AFTER]
        steps = sorted({*near, *self._begun}, key=lambda step: step.index)
        return [step.nodes.top for step in steps if step.nodes is not None]

    def _new_state(
        self, running: Sequence[ScheduledStep], upcoming: Sequence[ScheduledStep], loaded: bool = False
    ) -> PlanState:
        assert self.plan is not None
        context = self._context
        beliefs = context.belief.snapshot()
        context.task.refresh(beliefs)
        order = self.plan.order if loaded and self.plan.order else None
        known = self._causality if loaded else None
        return PlanState(context.task, beliefs, running, upcoming, self.plan.goal, order, known)

    def _build_missing(self) -> Increments[list[Behaviour]]:
        """Make the nodes of steps that have none, and tell the guards of the others what they are for now."""
        assert self._state is not None
        assert self.plan is not None
        added: list[Behaviour] = []
        products = yield from self._state.products()
        for step, product in zip(self._state.steps, products, strict=True):
            if step.nodes is not None:
                if step.index % _AT_A_TIME == 0:
                    yield 1
                nodes = step.nodes
                if step.stage is StepStatus.WAITING and nodes.products != product and nodes.aim is not None:
                    yield 1
                    nodes.aim(product)
                nodes.products = product
                continue
            for _ in range(_BUILDING):
                yield 1
            step.nodes = self._builder.build(step.action, product, self.plan.classes)
            step.nodes.products = product
            step.nodes.top.parent = self
            self.children.append(step.nodes.top)
            added.append(step.nodes.top)
            if self._setup_arguments is not None:
                for node in step.nodes.top.iterate():
                    node.setup(**self._setup_arguments)
        return added

    # -- ticking -----------------------------------------------------------------------------------------
    def tick(self) -> Iterator[Behaviour]:
        """Go on with what runs, begin what can begin; see the module's text."""
        context = self._context
        if context.self_syncing:
            out_of_reach = ""
            try:
                context.sync()
            except Exception as error:
                out_of_reach = self._why_out_of_reach(error)
            if out_of_reach:
                self.stop(Status.FAILURE)
                self.reason = self.feedback_message = out_of_reach
                yield self
                return
        if self._quiet and context.belief.version == self._seen:
            for act in self._quiet_acts:
                if act.news:
                    break
            else:
                self.touched = []
                yield from self._quiet
                return
        self.touched = []
        try:
            if self.status is not Status.RUNNING:
                self._begin()
            status = self._advance()
        except Exception as error:
            problem = attributed(error, self)
            self._collapse()
            raise problem from error
        yield from self.touched
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        self.feedback_message = self.reason
        yield self

    def _why_out_of_reach(self, error: Exception) -> str:
        """Return why the robot cannot be reached any more, if *error* says that; else raise it."""
        if isinstance(error, RobotError):
            return str(error)
        problem = attributed(error, self)
        self._collapse()
        raise problem from error

    def _begin(self) -> None:
        """A new activation: whatever an earlier one left is begun afresh."""
        assert self.plan is not None, "a plan node needs a plan before it is ticked"
        state = self._state
        if (
            state is None  # an exception came in the middle of a change of the tree
            or state.causality is None
            or any(step.stage is not StepStatus.WAITING for step in state.steps)
        ):
            self.load(self.plan)
        self._aside.begin(len(self.plan.actions))
        self._repair.begin()
        self._seen = -1
        self.reason = self._waits = ""

    def _advance(self) -> Status:
        self._quiet = ()
        self._repair.allowance.renew()
        context, waits = self._context, ""
        ticked = self._ticked = set()
        # What has ended is history before anything is concluded from what has changed.
        for step in [step for step in self._begun if step.over]:
            ticked.add(step)
            self._tick_step(step)
        self._notice()
        for step in [step for step in self._begun if step not in ticked]:
            if step.stage is StepStatus.BEGUN and (step.acting or not self._repair.busy):
                ticked.add(step)
                self._tick_step(step)
                self._notice(step)
        while True:
            if not self._is_furnished():
                waits = "sees to the steps of the revised plan"
                break
            if self._repair.busy:
                status = self._mend()
                if status is not None:
                    return status
                if self._furnishing is not None:
                    continue
            assert self._state is not None
            assert self.plan is not None
            state = self._state
            if self._move_on(state):
                waits = self._goal_check.says
                break
            if self._in_hand_check.wanted(self.plan, state):
                waits = self._in_hand_check.says
                break
            if self._is_mistaken(state):
                continue
            if state.finished:
                status = self._arrive(state)
                if status is not None:
                    return status
                continue
            # A step that has had its turn in this tick shows in the next what the tick changed about it.
            ready = state.next_ready(but=ticked)
            if ready is None:
                break
            obstacle = self._monitor.obstacle(ready)
            if obstacle is not None:
                state.give_back(ready)
                self._repair.question([obstacle])
                continue
            ready.stage = StepStatus.BEGUN
            self._begun.append(ready)
            ticked.add(ready)
            self._tick_step(ready)
            self._notice(ready)
            if context.stop_reason and context.self_syncing:
                # No session is there to be ended by that.
                self.reason, context.stop_reason = context.stop_reason, ""
                return Status.FAILURE
        if self._furnishing is None:
            self._improve()
        self._say_what_it_waits_for(waits)
        self._quieten()
        return Status.RUNNING

    def _say_what_it_waits_for(self, waits: str) -> None:
        """Have :attr:`reason` say what is waited for: *waits*, or what a step says; what has come since is no
        reason any more."""
        waits = waits or next(filter(None, map(_waits_for, self._begun)), "")
        if waits or self.reason == self._waits:
            self.reason = waits
        self._waits = waits

    def _quieten(self) -> None:
        """See whether all that runs goes on by itself: the robot is at it, and there is nothing to decide."""
        if (
            self._repair.busy
            or self._improvement.open
            or self._better is not None
            or self._furnishing is not None
            or self._in_hand_check.looking
            or self._context.belief.version != self._seen
        ):
            return
        running: list[Behaviour] = []
        acts: list[Act] = []
        for step in self._begun:
            nodes = step.nodes
            if nodes is None or not step.acting or not isinstance(nodes.leaf, Act):
                return
            running.extend(nodes.top.iterate())
            acts.append(nodes.leaf)
        if running:
            self._quiet, self._quiet_acts = (*running, self), tuple(acts)

    def _tick_step(self, step: ScheduledStep) -> None:
        nodes = step.nodes
        assert nodes is not None
        assert self._state is not None
        try:
            self.touched.extend(nodes.top.tick())
        except Exception as error:
            self._begun.remove(step)
            step.stage = StepStatus.REMOVED
            self._put_down(nodes.top, error)
            raise
        status = nodes.top.status
        if status is Status.RUNNING:
            if any(guard.discrepancy is not None for guard in nodes.guards):
                beliefs = self._context.belief.snapshot()
                first = next(g.discrepancy for g in nodes.guards if g.discrepancy is not None)
                others = [
                    d
                    for guard in nodes.guards
                    for d in guard.inspect(beliefs)
                    if d.expectation != first.expectation
                ]
                self._repair.question([first, *others])
            return
        self._begun.remove(step)
        if status is Status.SUCCESS:
            self.tally["done"] += 1
            self._repair.succeeded(step.action)
            if not nodes.tells_belief:
                self._tell(step)
            self._state.finish(step, StepStatus.DONE)
        else:
            self._failed(step)

    def _tell(self, step: ScheduledStep) -> None:
        """Believe the effects of a step whose own leaf does not say what it has changed."""
        for literal in sorted(step.makes, key=lambda made: (made.atom, made.positive)):
            self._context.belief.tell(
                literal.atom, literal.positive, time=self._context.clock.now(), source=BY_ACTION
            )

    def _failed(self, step: ScheduledStep) -> None:
        assert self._state is not None
        assert step.nodes is not None
        leaf = step.nodes.leaf
        self.tally["failed"] += 1
        step.nodes.failures += 1
        self._repair.failed(step.action, leaf.feedback_message)
        self._state.give_back(step)
        self._repair.wait_for(getattr(leaf, "lease", None))
        skill = self._context.catalogue.skills.get(step.action.skill)
        taught = isinstance(leaf, Act) and leaf.taught
        if step.nodes.failures <= (skill.retries if skill else 0) and not taught:
            return  # its guards look again first: the failure may have changed something
        if isinstance(leaf, Act) and not taught:
            leaf.doubt()
        self._repair.question([self._monitor.failure(step)])

    # -- what the world does to the plan -----------------------------------------------------------------
    def _notice(self, ticked: ScheduledStep | None = None) -> None:
        """Draw the conclusions from what changed since the last time; *ticked* may be what has changed it."""
        assert self._state is not None
        assert self.plan is not None
        beliefs = self._context.belief.snapshot()
        if beliefs.version == self._seen:
            return
        changes = self._context.belief.changes_since(self._seen) if self._seen >= 0 else None
        self._seen = beliefs.version
        state, watch, repair = self._state, self._monitor, self._repair
        if not self._context.settings.guards or changes == []:
            return
        if changes is None:
            state.surprise()
        else:
            expected = [step for step in self._begun if step.acting]
            state.note(changes, beliefs, [*expected, ticked] if ticked is not None else expected)
        found: list[Discrepancy] = []
        for step in [step for step in self._begun if step.acting and not step.over]:
            lost = watch.lost_hold(step, state, beliefs)
            if lost is not None:
                found.append(lost)
                self._preempt(step)
        if not found and not repair.busy and self._furnishing is None:
            # What the rest does not need any more is no reason to revise.
            self._move_on(state)
        links = (
            state.all_contradicted(self._context.belief)
            if changes is None
            else state.contradicted(changes, beliefs)
        )
        for discrepancy in watch.broken(links, state, beliefs):
            known = any(discrepancy.expectation == other.expectation for other in found)
            if not known and not repair.asks(discrepancy):
                found.append(discrepancy)
        for discrepancy in watch.mistaken(changes, self.plan, state.steps, beliefs):
            if not self._in_hand_check.looking and not repair.asks(discrepancy):
                found.append(discrepancy)
        if not found and not repair.busy:
            found = watch.nearer(
                changes or (), self.plan, lambda: repair.revision_request(self._rest()), beliefs
            )
        if found:
            repair.question(found)

    def _is_mistaken(self, state: PlanState) -> bool:
        """Whether what is held is not what the plan takes it for: then the plan is put in question."""
        assert self.plan is not None
        mistaken = self._in_hand_check.mistaken(self.plan)
        if mistaken is None:
            return False
        name, is_it = mistaken
        action = next((s.action for s in state.upcoming() if name in s.action.arguments), None)
        if action is None:
            return False
        beliefs = self._context.belief.snapshot()
        self._repair.question([self._monitor.contradiction(action, is_it, beliefs)])
        return True

    def _preempt(self, step: ScheduledStep) -> None:
        """Stop a running step; what needs its part of the robot waits until the robot confirms."""
        assert step.nodes is not None
        assert self._state is not None
        lease = getattr(step.nodes.leaf, "lease", None)
        self._begun.remove(step)
        self._halt(step.nodes.top)
        self.touched.append(step.nodes.top)
        self._state.give_back(step)
        self._repair.wait_for(lease)

    def _move_on(self, state: PlanState) -> bool:
        """Go to the latest step from which on all that is needed is so already.

        Whether to wait before that: one looks whether it is, where all that is left would be skipped.
        """
        if (
            not state.surprised
            or not self._context.settings.guards
            or any(step.acting for step in self._begun)
        ):
            return False
        latest = state.furthest(self._context.belief)
        skipped = state.before(latest)
        sure, reached = self._context.settings.sure_needless, latest == len(state.steps)
        if skipped and reached and sure and self._goal_check.wanted(state.goal, sure=sure):
            return True
        state.surprised = False
        if not skipped:
            return False
        guards = (
            self._left_out_for(state.goal)
            if reached
            else self._monitor.found_needless(state.spared(skipped, latest))
        )
        if guards is None:
            return False
        then = str(state.steps[latest].action) if latest < len(state.steps) else "the goal"
        for step in skipped:
            assert step.nodes is not None
            if step.stage is StepStatus.BEGUN:
                self._begun.remove(step)
                self._halt(step.nodes.top)
            why = f"all that {then} needs is so already" if latest < len(state.steps) else "the goal holds"
            for node in step.nodes.top.iterate():
                node.status = Status.SUCCESS
                node.feedback_message = f"skipped: {why}"
                self.touched.append(node)
            self.tally["skipped"] += 1
            state.finish(step, StepStatus.SKIPPED)
            self._context.recorder.record(
                "action.skipped",
                action=step.action.id,
                why=why,
                guards=list(guards) if step is skipped[0] else [],
            )
        return False

    def _left_out_for(self, goal: Formula) -> tuple[GuardName, ...] | None:
        """Whose business it is that *goal* is reached, so that nothing is left to do.

        None if it does not count as reached before the plan is through.
        """
        truth, objects = self._context.belief.snapshot().truth, self._context.task.objects
        if evaluate(goal, truth, objects) is not Truth.TRUE:
            return None
        return self._monitor.found_needless(self._goal_check.reasons(goal))

    def _arrive(self, state: PlanState) -> Status | None:
        """No step is left: is the goal reached?"""
        context = self._context
        beliefs = context.belief.snapshot()
        if self._goal_check.wanted(state.goal, state.for_goal()):
            self.reason = self._waits = self._goal_check.says
            return Status.RUNNING
        # What nobody can know is as planning assumes, or planning would see nothing left to do for ever.
        if evaluate(state.goal, beliefs.assumed, context.task.objects) is Truth.TRUE:
            self.reason = ""
            return Status.SUCCESS
        discrepancy = self._monitor.missed(state.goal, state.for_goal(), beliefs)
        if not context.revisers:
            self.reason = discrepancy.sentence
            return Status.FAILURE
        self._repair.question([discrepancy])
        return None

    # -- revising ----------------------------------------------------------------------------------------
    def _rest(self) -> RemainingPlan:
        assert self.plan is not None
        assert self._state is not None
        return RemainingPlan(self.plan, self._state, tuple(step for step in self._begun if step.acting))

    def _mend(self) -> Status | None:
        """Get on with what is wrong; None when the plan, this one or a revised one, can go on."""
        standing = self._repair.consult(self._rest())
        if isinstance(standing, Proposal):
            revision = standing.revision
            pointless = self._repair.turns(revision, self._rest())
            if pointless is not None:
                self._preempt(pointless)
                self.reason = "turns round: " + revision.why
                return Status.RUNNING
            self._splice(standing, self._repair.taken_over().id)
            return None
        if isinstance(standing, Resolved):
            self._rearm()
            return None
        self.reason = self._waits = standing.reason
        return Status.FAILURE if isinstance(standing, Unrepairable) else Status.RUNNING

    def _improve(self) -> None:
        """Take over a cheaper rest of the plan, if one has been found while the robot was busy."""
        if self._repair.busy:
            self._better = None
            return
        if self._better is None:
            if not self._improvement.open:
                return
            rest = self._rest()
            revision = self._improvement.offer(rest, lambda: self._repair.revision_request(rest))
            if revision is None:
                return
            self._better = self._repair.propose(revision, rest)
        if not self._better.is_about(self._rest()):
            self._better = None
        elif self._better.go_on(self._repair.allowance):
            better, self._better = self._better, None
            if better.stands() and better.objection is None:
                self._splice(better)

    def _splice(self, proposal: Proposal, answers: str = "") -> None:
        """Take over a revision: the only place where children come and go while the node is running.

        From here on its plan is the plan. What is left to do about the nodes is done in pieces, and nothing
        new begins before that is through.

        Args:
            proposal: the revision, ready.
            answers: the id of the discrepancy that it answers; empty if nothing was wrong.
        """
        assert self._state is not None
        assert self.plan is not None
        context, revision = self._context, proposal.revision
        self.tally["revised"] += 1
        finished = self._finished_children()
        running = proposal.running
        in_flight = {}
        for step in self._rest().acting:
            cancelled = step not in running
            in_flight[step.action.id] = "cancel" if cancelled else "keep"
            if cancelled:
                self._preempt(step)
        kept = proposal.kept
        for step in sorted(kept.keys() & self._begun, key=lambda step: kept[step].index):
            self._reset(step)
        self._ticked.update([kept[step] for step in self._ticked if step in kept])
        for step in proposal.left:
            assert step.nodes is not None
            if step in self._begun:
                self._begun.remove(step)
                self._halt(step.nodes.top)
            step.stage = StepStatus.REMOVED
        self.plan = replace(self.plan, classes=proposal.classes)
        former, self._state = self._state, proposal.state
        self._state.take_effect()
        self._arrange_children(finished)
        self._seen = context.belief.version
        context.recorder.record(
            "revision.made",
            discrepancy=answers,
            reviser=revision.by,
            why=revision.why,
            kept=[step.action.id for step in kept.values()],
            added=[action_json(step.action) for step in proposal.new],
            removed=sorted(step.action.id for step in proposal.left),
            in_flight=in_flight,
            version=revision.version,
        )
        self._furnishing = IncrementalTask(self._furnish(proposal, former, finished), len(self._state.steps))
        self.reason = revision.why
        if answers:
            self._improvement.begin(revision.actions, revision.lower_bound)

    def _is_furnished(self) -> bool:
        """Get on with what is left to do about the nodes of a revised plan; whether nothing is."""
        if self._furnishing is not None and self._furnishing.go_on(self._repair.allowance):
            self._furnishing = None
        return self._furnishing is None

    def _furnish(
        self, proposal: Proposal, former: PlanState, finished: Sequence[Behaviour]
    ) -> Increments[None]:
        """Take the nodes of the steps that are left out down, and bring in those of new ones; let go of what
        there was before."""
        assert self._state is not None
        assert self.plan is not None
        by = proposal.revision.by
        yield from clear_gradually(vars(former))
        yield from weighted(len(self._state.steps) // 25)
        plan = yield from self._state.plan(self.plan.classes)
        made = yield from plan_in_pieces(plan, by)
        self._context.recorder.record("plan.made", **made)
        yield from clear_gradually(vars(plan))
        yield from clear_gradually(made)
        removed: list[Behaviour] = []
        for step in proposal.left:
            yield 1
            assert step.nodes is not None
            removed.append(step.nodes.top)
            self._take_down(step.nodes.top)
        added = yield from self._build_missing()
        yield from clear_gradually(vars(proposal))
        self._arrange_children(finished)
        self._announce(removed, added)

    def precedence(self) -> Iterator[tuple[Behaviour, Behaviour]]:
        """The partial order among the children that are left: the first ends before the second begins."""
        for step in self._state.steps if self._state is not None else ():
            for successor in step.successors:
                if step.nodes is not None and successor.nodes is not None:
                    yield step.nodes.top, successor.nodes.top

    def _rearm(self) -> None:
        """What was wrong has come right by itself: the guards check once more from the start."""
        for step in list(self._begun):
            if not step.acting:
                self._reset(step)
        assert self._state is not None
        self._state.surprised = True

    def _reset(self, step: ScheduledStep) -> None:
        """Have a step that only got as far as its guards wait for its turn again."""
        if step.stage is not StepStatus.BEGUN:
            return
        assert step.nodes is not None
        assert self._state is not None
        self._begun.remove(step)
        self._halt(step.nodes.top)
        self.touched.append(step.nodes.top)
        self._state.give_back(step)

    # -- children ----------------------------------------------------------------------------------------
    def _finished_children(self) -> list[Behaviour]:
        """The children whose steps have come to their end, those of earlier revisions first."""
        assert self._state is not None
        steps = self._state.steps
        earlier = self.children[: len(self.children) - len(steps)]
        return [*earlier, *(step.nodes.top for step in steps if step.nodes is not None and not step.open)]

    def _arrange_children(self, finished: Sequence[Behaviour]) -> None:
        assert self._state is not None
        tops = [step.nodes.top for step in self._state.steps if step.nodes is not None]
        self.children[:] = [*finished, *tops]

    def _take_down(self, child: Behaviour) -> None:
        """See a former child off for good: stopped once if it was running, and out of everybody's way."""
        self._halt(child)
        child.parent = None
        for node in child.iterate():
            if self._setup_arguments is not None:
                node.shutdown()
            # A client with exclusive write access would block the node that comes in its place.
            for client in node.blackboards:
                client.unregister()

    def _announce(self, removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
        for listener in self.on_splice:
            listener(removed, added)

    # -- stopping ----------------------------------------------------------------------------------------
    def stop(self, new_status: Status = Status.INVALID) -> None:
        """Stop what runs (and only that), then become *new_status*, even if a node raises meanwhile."""
        try:
            self._abandon()
        finally:
            self.status = new_status

    def _abandon(self) -> None:
        """Stop every running child, whatever happens in the course of it, and forget open questions."""
        self._quiet = ()
        self._better = None
        questions = (self._repair.abandon, self._improvement.forget)
        looks = (self._in_hand_check.forget, self._goal_check.forget)
        ends: list[tuple[Callable[[], object], Behaviour]] = [(end, self) for end in (*questions, *looks)]
        if self._furnishing is not None:
            furnishing, self._furnishing = self._furnishing, None
            ends.insert(0, (furnishing.finish, self))
        begun, self._begun = self._begun, []
        for step in begun:
            assert step.nodes is not None
            step.stage = StepStatus.REMOVED
            ends.append((partial(self._halt, step.nodes.top), step.nodes.top))
        ends.append((self._aside.end, self))
        trouble: Exception | None = None
        for end, node in ends:
            try:
                end()
            except Exception as error:
                trouble = trouble or attributed(error, node)
        if trouble is not None:
            raise trouble

    def _collapse(self) -> None:
        """A node has raised: nothing goes on running, and the next activation begins from scratch."""
        try:
            self._abandon()
        except Exception as error:
            # What was raised first is what is reported; this only goes into the record.
            self._context.recorder.record("log", text=str(error))
        self._state = None
        self.status = Status.INVALID

    def _halt(self, top: Behaviour) -> None:
        """Stop a child if it runs; it does not, afterwards, even if it raises."""
        if top.status is not Status.RUNNING:
            return
        try:
            top.stop(Status.INVALID)
        except Exception:
            _force_invalid(top)
            raise

    def _put_down(self, top: Behaviour, error: Exception) -> None:
        """Stop a child that raised *error* while it was ticked, as far as that was not its own stopping."""
        try:
            if not _came_from(error, "stop"):
                top.stop(Status.INVALID)
        except Exception as another:
            self._context.recorder.record("log", text=str(attributed(another, top)))
        finally:
            _force_invalid(top)

    def tip(self) -> Behaviour | None:
        """The deepest node that is running."""
        if self.status is Status.INVALID:
            return None
        for step in self._begun:
            if step.nodes is not None and step.nodes.top.status is Status.RUNNING:
                return step.nodes.top.tip()
        return self


def _waits_for(step: ScheduledStep) -> str:
    """What a step that has begun waits for, in words of a person; empty where nothing keeps it."""
    nodes = step.nodes
    assert nodes is not None
    said = [*(guard.feedback_message for guard in nodes.guards if guard.status is Status.RUNNING)]
    if isinstance(nodes.leaf, Act) and nodes.leaf.status is Status.RUNNING:
        said.append(nodes.leaf.feedback_message)
    waits = next(filter(None, said), "")
    return f"{step.action}: {waits}" if waits else ""


def _came_from(error: Exception, method: str) -> bool:
    """Whether *error* passed through a method of that name."""
    return any(frame.f_code.co_name == method for frame, _ in walk_tb(error.__traceback__))


def _force_invalid(top: Behaviour) -> None:
    """Leave no node RUNNING below one whose own terminate() raised."""
    for node in top.iterate():
        if node.status is Status.RUNNING:
            node.status = Status.INVALID
