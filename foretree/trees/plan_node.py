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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from traceback import walk_tb
from typing import TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from foretree.behaviours.act import Act
from foretree.behaviours.runtime import Runtime
from foretree.behaviours.serial import action_json, plan_json
from foretree.planning.causality import Causality, Link, named
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics import conjuncts, evaluate, fits
from foretree.planning.syntax import Formula, Literal, constants_of
from foretree.revision.deriving import guard_of
from foretree.revision.discrepancy import Discrepancy, whereabouts
from foretree.revision.expectation import Expectation, Verdict, measure, say_atom
from foretree.revision.inquiry import Inquiry
from foretree.revision.revision import Revision, Situation
from foretree.revision.rules import cheaper_with
from foretree.skills.executive import Lease
from foretree.trees.agenda import Agenda, Stage, Step
from foretree.trees.compiler import Builder, Compiler
from foretree.trees.node_error import attributed
from foretree.world_model.belief import Snapshot
from foretree.world_model.facts import Atom, Truth

#: Told about every change of the tree: the nodes that left, and the nodes that came.
SpliceListener = Callable[[Sequence[Behaviour], Sequence[Behaviour]], None]
#: What is done, whichever action of the plan does it.
_Deed: TypeAlias = tuple[str, tuple[str, ...]]


class PlanNode(Composite):
    """Carries out a plan; see the module's text.

    It succeeds when the goal is believed to be reached, and fails when the plan can be neither carried out
    nor mended; then :attr:`reason` says why. It can hang anywhere in a py_trees tree.

    Args:
        runtime: the robot, the belief and everything else that nodes share.
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
        self, runtime: Runtime, plan: Plan | None = None, name: str = "plan", builder: Builder | None = None
    ) -> None:
        super().__init__(name=name)
        self.plan = plan
        self.reason = ""
        self.touched: list[Behaviour] = []
        self.tally: Counter[str] = Counter()
        self.on_splice: list[SpliceListener] = []
        self._runtime = runtime
        self._builder = builder or Compiler(runtime)
        self._setup_arguments: dict[str, object] | None = None
        self._begun: list[Step] = []
        self._agenda: Agenda | None = None
        #: Why the plan held together when it was loaded: begun once more in the middle, it may not any more.
        self._causality: Causality | None = None
        self._inquiry: Inquiry | None = None
        self._open_questions: list[Discrepancy] = []
        self._asked_version = -1
        self._winding_down: list[tuple[Lease, float]] = []
        self._seen = -1
        self._fruitless = 0
        self._failures: Counter[_Deed] = Counter()
        self._revised_for: Counter[tuple[_Deed | None, Formula]] = Counter()
        self._quiet = False
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
        for child in removed:
            self._detach(child)
        if plan is not self.plan:
            self._causality = None
        self.plan = plan
        self.reason = ""
        self._agenda = self._new_agenda((), [Step(action) for action in plan.actions], loaded=True)
        self._causality = self._agenda.causality
        added = self._build_missing()
        self._arrange_children(())
        self._announce(removed, added)

    def setup(self, **kwargs: object) -> None:
        """Remember the arguments: nodes that a revision brings in are set up with them too."""
        self._setup_arguments = dict(kwargs)

    def _new_agenda(self, running: Sequence[Step], upcoming: Sequence[Step], loaded: bool = False) -> Agenda:
        assert self.plan is not None
        runtime = self._runtime
        beliefs = runtime.belief.snapshot()
        runtime.task.refresh(beliefs)
        order = self.plan.order if loaded and self.plan.order else None
        known = self._causality if loaded else None
        return Agenda(runtime.task, beliefs, running, upcoming, self.plan.goal, order, known)

    def _build_missing(self) -> list[Behaviour]:
        """Make the nodes of steps that have none, and tell the guards of the others what they are for now."""
        assert self._agenda is not None
        assert self.plan is not None
        added: list[Behaviour] = []
        products = self._agenda.all_products()
        for step in self._agenda.steps:
            if step.nodes is not None:
                continue
            step.nodes = self._builder.build(step.action, products[step.index], self.plan.classes)
            step.nodes.top.parent = self
            added.append(step.nodes.top)
            if self._setup_arguments is not None:
                for node in step.nodes.top.iterate():
                    node.setup(**self._setup_arguments)
        return added

    # -- ticking -----------------------------------------------------------------------------------------
    def tick(self) -> Iterator[Behaviour]:
        """Go on with what runs, begin what can begin; see the module's text."""
        runtime = self._runtime
        if runtime.self_syncing:
            runtime.sync()
        if self._quiet and runtime.belief.version == self._seen:
            # Nothing was seen, nothing ended: what runs goes on by itself.
            for step in self._begun:
                if step.nodes.leaf.end is not None:  # type: ignore[union-attr]
                    break
            else:
                yield self
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

    def _begin(self) -> None:
        """A new activation: whatever an earlier one left is begun afresh."""
        assert self.plan is not None, "a plan node needs a plan before it is ticked"
        agenda = self._agenda
        if (
            agenda is None  # an exception came in the middle of a change of the tree
            or agenda.causality is None
            or any(step.stage is not Stage.WAITING for step in agenda.steps)
        ):
            self.load(self.plan)
        self._failures.clear()
        self._revised_for.clear()
        self._fruitless = 0
        self._seen = -1
        self.reason = ""

    def _advance(self) -> Status:
        runtime = self._runtime
        self._quiet = False
        ticked: set[Step] = set()
        # What has ended is history before anything is concluded from what has changed.
        for step in [step for step in self._begun if _over(step)]:
            ticked.add(step)
            self._tick_step(step)
        self._notice()
        for step in [step for step in self._begun if step not in ticked]:
            if step.stage is Stage.BEGUN and (_acting(step) or not self._busy_revising()):
                ticked.add(step)
                self._tick_step(step)
                self._notice(step)
        while True:
            if self._busy_revising():
                verdict = self._consult()
                if verdict is not None:
                    return verdict
            assert self._agenda is not None
            agenda = self._agenda
            self._move_on(agenda)
            if agenda.finished:
                verdict = self._arrive()
                if verdict is not None:
                    return verdict
                continue
            # A step that has had its turn in this tick shows in the next what the tick changed about it.
            ready = agenda.next_ready(but=ticked)
            if ready is None:
                break
            obstacle = self._obstacle(ready)
            if obstacle is not None:
                agenda.give_back(ready)
                self._question([obstacle])
                continue
            ready.stage = Stage.BEGUN
            self._begun.append(ready)
            ticked.add(ready)
            self._tick_step(ready)
            self._notice(ready)
        self._quiet = (
            runtime.belief.version == self._seen
            and not self._busy_revising()
            and bool(self._begun)
            and all(_acting(step) and isinstance(step.nodes.leaf, Act) for step in self._begun)  # type: ignore[union-attr]
        )
        return Status.RUNNING

    def _obstacle(self, step: Step) -> Discrepancy | None:
        """What a step needs and is believed false, if no guards of its own would notice."""
        assert step.nodes is not None
        runtime = self._runtime
        if step.nodes.guards or not runtime.settings.guards:
            return None
        beliefs = runtime.belief.snapshot()
        vocabulary = beliefs.vocabulary
        for part in conjuncts(runtime.task.ground(step.action).precondition):
            if evaluate(part, beliefs.truth, runtime.task.objects) is not Truth.FALSE:
                continue
            guard = guard_of(part, vocabulary)
            if guard in runtime.settings.guards:
                return self._contradiction(step.action, part, beliefs)
        return None

    def _tick_step(self, step: Step) -> None:
        nodes = step.nodes
        assert nodes is not None
        assert self._agenda is not None
        try:
            self.touched.extend(nodes.top.tick())
        except Exception as error:
            self._begun.remove(step)
            step.stage = Stage.REMOVED
            self._put_down(nodes.top, error)
            raise
        status = nodes.top.status
        if status is Status.RUNNING:
            if any(guard.discrepancy is not None for guard in nodes.guards):
                beliefs = self._runtime.belief.snapshot()
                first = next(g.discrepancy for g in nodes.guards if g.discrepancy is not None)
                others = [
                    d
                    for guard in nodes.guards
                    for d in guard.inspect(beliefs)
                    if d.expectation != first.expectation
                ]
                self._question([first, *others])
            return
        self._begun.remove(step)
        if status is Status.SUCCESS:
            self.tally["done"] += 1
            self._fruitless = 0
            deed = _deed(step.action)
            self._failures.pop(deed, None)
            for key in [key for key in self._revised_for if key[0] == deed]:
                del self._revised_for[key]
            if not nodes.tells_belief:
                self._tell(step)
            self._agenda.finish(step, Stage.DONE)
        else:
            self._failed(step)

    def _tell(self, step: Step) -> None:
        """Believe the effects of a step whose own leaf does not say what it has changed."""
        for literal in sorted(step.makes, key=lambda made: (made.atom, made.positive)):
            self._runtime.belief.tell(
                literal.atom, literal.positive, time=self._runtime.clock.now(), source="action"
            )

    def _failed(self, step: Step) -> None:
        assert self._agenda is not None
        assert step.nodes is not None
        self.tally["failed"] += 1
        step.failures += 1
        self._failures[_deed(step.action)] += 1
        self._agenda.give_back(step)
        self._await(getattr(step.nodes.leaf, "lease", None))
        skill = self._runtime.catalogue.skills.get(step.action.skill)
        if step.failures <= (skill.retries if skill else 0):
            return  # its guards look again first: the failure may have changed something
        reason = step.nodes.leaf.feedback_message or "it says no more"
        beliefs = self._runtime.belief.snapshot()
        self._question(
            [
                Discrepancy(
                    id=self._runtime.discrepancy_id(),
                    action=step.action,
                    guard="failure",
                    expected="that it succeeds",
                    seen=reason,
                    version=beliefs.version,
                )
            ]
        )

    # -- what the world does to the plan -----------------------------------------------------------------
    def _notice(self, ticked: Step | None = None) -> None:
        """Draw the conclusions from what changed since the last time; *ticked* may be what has changed it."""
        assert self._agenda is not None
        beliefs = self._runtime.belief.snapshot()
        if beliefs.version == self._seen:
            return
        changes = self._runtime.belief.changes_since(self._seen) if self._seen >= 0 else None
        self._seen = beliefs.version
        agenda = self._agenda
        if not self._runtime.settings.guards or changes == []:
            return
        if changes is None:
            agenda.surprised = True
        else:
            expected = [step for step in self._begun if _acting(step)]
            agenda.note(changes, beliefs, [*expected, ticked] if ticked is not None else expected)
        found: list[Discrepancy] = []
        for step in [step for step in self._begun if _acting(step) and not _over(step)]:
            skill = self._runtime.catalogue.skills.get(step.action.skill)
            lost = agenda.broken_holds(step, beliefs) if skill is None or skill.watch else []
            lost = [literal for literal in lost if self._is_guarded(literal)]
            if lost:
                found.append(self._contradiction(step.action, lost[0], beliefs))
                self._preempt(step)
        if not found and not self._busy_revising():
            # What the rest does not need any more is no reason to revise.
            self._move_on(agenda)
        asked = {d.expectation for d in (*self._open_questions, *found)}
        broken = (
            agenda.all_contradicted(beliefs) if changes is None else agenda.contradicted(changes, beliefs)
        )
        for link in broken:
            discrepancy = self._broken_link(link, beliefs)
            if discrepancy is not None and discrepancy.expectation not in asked:
                found.append(discrepancy)
        if not found and not self._busy_revising():
            found = self._nearer_instances(changes or (), beliefs)
        if found:
            self._question(found)

    def _nearer_instances(self, changes: Iterable[Atom], beliefs: Snapshot) -> list[Discrepancy]:
        """A thing that has come into view and serves a goal that does not name its things, at less cost."""
        assert self._agenda is not None
        assert self.plan is not None
        if "presence" not in self._runtime.settings.guards:
            return []
        named = constants_of(self.plan.goal)
        chosen = {thing: cls for thing, cls in self.plan.classes.items() if thing not in named}
        if not chosen:
            return []
        upcoming = [step.action for step in self._agenda.upcoming() if not _acting(step)]
        for atom in changes:
            if beliefs.vocabulary[atom[0]].kind != "place":
                continue
            key = beliefs.vocabulary.group_key(atom)
            entity = beliefs.entity(key[1]) if key is not None else None
            if entity is None or entity.name in self.plan.classes or beliefs.truth(atom) is not Truth.TRUE:
                continue
            for thing, class_name in chosen.items():
                action = next((action for action in upcoming if thing in action.arguments), None)
                if action is None or entity.best_class != class_name:
                    continue
                if cheaper_with(self._situation(), thing, entity.name):
                    return [
                        Discrepancy(
                            id=self._runtime.discrepancy_id(),
                            action=action,
                            guard="presence",
                            expected=thing,
                            seen=say_atom(atom),
                            version=beliefs.version,
                            facts=(beliefs.evidence((atom[0], thing, *atom[2:])),),
                            optional=True,
                        )
                    ]
        return []

    def _is_guarded(self, literal: Literal) -> bool:
        return guard_of(literal, self._runtime.belief.vocabulary) in self._runtime.settings.guards

    def _broken_link(self, link: Link, beliefs: Snapshot) -> Discrepancy | None:
        assert self._agenda is not None
        if not self._is_guarded(link.literal):
            return None
        steps = self._agenda.steps
        action = steps[link.consumer].action if link.consumer < len(steps) else None
        return self._contradiction(action, link.literal, beliefs)

    def _contradiction(self, action: Action | None, needed: Formula, beliefs: Snapshot) -> Discrepancy:
        """What is *needed* by *action*, or by the goal, is believed false."""
        runtime = self._runtime
        guard = guard_of(needed, beliefs.vocabulary)
        expectation = Expectation(guard, action.id if action else "goal", needed)
        facts = measure(expectation, beliefs, runtime.task.objects, runtime.clock.now(), 0.0).facts
        return Discrepancy(
            id=runtime.discrepancy_id(),
            action=action,
            guard=guard if action else "goal",
            expected=str(expectation),
            seen=whereabouts(facts, beliefs),
            version=beliefs.version,
            facts=facts,
            expectation=expectation,
        )

    def _preempt(self, step: Step) -> None:
        """Stop a running step; what needs its part of the robot waits until the robot confirms."""
        assert step.nodes is not None
        assert self._agenda is not None
        lease = getattr(step.nodes.leaf, "lease", None)
        self._begun.remove(step)
        self._halt(step.nodes.top)
        self.touched.append(step.nodes.top)
        self._agenda.give_back(step)
        self._await(lease)

    def _await(self, lease: Lease | None) -> None:
        """Until the robot confirms that this is over, nobody knows where it stands: no time to make plans."""
        if lease is not None and not lease.confirmed:
            until = self._runtime.clock.now() + self._runtime.settings.contact_patience
            self._winding_down.append((lease, until))

    def _move_on(self, agenda: Agenda) -> None:
        """Go to the latest step from which on all that is needed is so already."""
        if not agenda.surprised or not self._runtime.settings.guards or any(map(_acting, self._begun)):
            return
        agenda.surprised = False
        beliefs = self._runtime.belief.snapshot()
        latest = agenda.furthest(beliefs)
        skipped = [step for step in agenda.steps[:latest] if step.open]
        if not skipped:
            return
        then = str(agenda.steps[latest].action) if latest < len(agenda.steps) else "the goal"
        for step in skipped:
            assert step.nodes is not None
            if step.stage is Stage.BEGUN:
                self._begun.remove(step)
                self._halt(step.nodes.top)
            why = f"all that {then} needs is so already" if latest < len(agenda.steps) else "the goal holds"
            for node in step.nodes.top.iterate():
                node.status = Status.SUCCESS
                node.feedback_message = f"skipped: {why}"
                self.touched.append(node)
            self.tally["skipped"] += 1
            agenda.finish(step, Stage.SKIPPED)
            self._runtime.recorder.record("action.skipped", action=step.action.id, why=why)

    def _arrive(self) -> Status | None:
        """No step is left: is the goal reached?"""
        assert self._agenda is not None
        runtime = self._runtime
        beliefs = runtime.belief.snapshot()
        if evaluate(self._agenda.goal, beliefs.truth, runtime.task.objects) is Truth.TRUE:
            self.reason = ""
            return Status.SUCCESS
        discrepancy = self._contradiction(None, self._agenda.goal, beliefs)
        if not runtime.revisers:
            self.reason = discrepancy.sentence
            return Status.FAILURE
        self._question([discrepancy])
        return None

    # -- revising ----------------------------------------------------------------------------------------
    def _busy_revising(self) -> bool:
        return bool(self._open_questions)

    def _question(self, discrepancies: list[Discrepancy]) -> None:
        """Something is wrong. What is newer supersedes what was being asked about; nothing is forgotten."""
        for discrepancy in discrepancies:
            self._runtime.recorder.record(
                "discrepancy.found",
                id=discrepancy.id,
                action=discrepancy.action.id if discrepancy.action else None,
                guard=discrepancy.guard,
                expected=discrepancy.expected,
                seen=discrepancy.seen,
                version=discrepancy.version,
                sentence=discrepancy.sentence,
            )
        if self._inquiry is not None:
            self._inquiry.cancel()
            self._inquiry = None
        known = {(d.expectation, d.guard) for d in discrepancies}
        older = [d for d in self._open_questions if (d.expectation, d.guard) not in known]
        self._open_questions = [*discrepancies, *older]

    def _consult(self) -> Status | None:
        """Get on with the revision; None when there is nothing left to revise and the plan can go on."""
        assert self._agenda is not None
        runtime = self._runtime
        now = runtime.clock.now()
        self._winding_down = [
            (lease, until) for lease, until in self._winding_down if not lease.confirmed and now < until
        ]
        if self._winding_down:
            self.reason = f"waits for the robot to say what has become of {self._winding_down[0][0].what}"
            return Status.RUNNING
        beliefs = runtime.belief.snapshot()
        if beliefs.version != self._asked_version:
            self._asked_version = beliefs.version
            self._open_questions = [d for d in self._open_questions if self._still_wrong(d, beliefs)]
            if not self._open_questions:
                self._close_inquiry()
                self._rearm()
                return None
        if self._inquiry is None:
            hopeless = self._hopeless()
            if hopeless:
                return self._give_up(hopeless)
            self._inquiry = Inquiry(self._situation(), runtime.revisers, runtime.clock, runtime.recorder)
        offer = self._inquiry.poll()
        while offer is not None:
            objection = self._objection(offer, beliefs)
            if objection is None:
                self._splice(offer)
                return None
            self._inquiry.reject(objection)
            offer = self._inquiry.poll()
        if self._inquiry.exhausted:
            if all(question.optional for question in self._open_questions):
                self._open_questions = []
                self._close_inquiry()
                self._rearm()
                return None
            refusals = "; ".join(f"{name}: {why}" for name, why in self._inquiry.refusals)
            return self._give_up(f"{self._open_questions[0].sentence} {refusals or 'No reviser is set.'}")
        self.reason = f"{self._open_questions[0].sentence} Asking {self._inquiry.asking}."
        return Status.RUNNING

    def _hopeless(self) -> str:
        """Why it makes no sense to revise once more; empty if it does."""
        settings = self._runtime.settings
        for (skill, arguments), count in self._failures.items():
            if count >= settings.attempts:
                return f"{skill}({', '.join(arguments)}) failed {count} times"
        if self._fruitless >= settings.revisions:
            return f"{self._fruitless} revisions in a row came to nothing. {self._open_questions[0].sentence}"
        for question in self._open_questions:
            # What is done has no effect, or the world undoes it: the actions succeed, and nothing is gained.
            if (
                question.expectation is not None
                and self._revised_for[_subject(question)] >= settings.revisions
            ):
                return f"{settings.revisions} revisions did not help. {question.sentence}"
        return ""

    def _still_wrong(self, discrepancy: Discrepancy, beliefs: Snapshot) -> bool:
        if discrepancy.expectation is None:
            return True
        runtime = self._runtime
        standing = measure(discrepancy.expectation, beliefs, runtime.task.objects, runtime.clock.now(), 0.0)
        if discrepancy.guard == "goal":
            return standing.verdict is not Verdict.HOLDS
        # What is in doubt now is up to the guards again: they will look.
        return standing.verdict is Verdict.BROKEN or discrepancy.version == beliefs.version

    def _situation(self) -> Situation:
        assert self._agenda is not None
        assert self.plan is not None
        acting = [step for step in self._begun if _acting(step)]
        return Situation(
            discrepancies=tuple(self._open_questions),
            remaining=tuple(s.action for s in self._agenda.upcoming() if s not in acting),
            running=tuple(step.action for step in acting),
            beliefs=self._runtime.belief.snapshot(),
            goal=self.plan.goal,
            classes=self.plan.classes,
            task=self._runtime.task,
        )

    def _objection(self, revision: Revision, beliefs: Snapshot) -> str | None:
        """Why *revision* cannot be taken over here and now; None if it can."""
        assert self._agenda is not None
        assert self.plan is not None
        task = self._runtime.task
        task.refresh(beliefs)
        types = task.types
        for action in revision.actions:
            operator = task.domain.operators.get(action.skill)
            if operator is None:
                return f"there is no skill {action.skill}"
            misfit = fits(task.domain, operator, action.arguments, types)
            if misfit is not None:
                return misfit
        acting = [step.action for step in self._begun if _acting(step)]
        cancelled = [action for action in acting if _cancels(revision, action)]
        kept = [action for action in acting if action not in cancelled]
        objection = Agenda.reaches(task, beliefs, kept, revision.actions, self.plan.goal, cancelled)
        if objection is not None:
            return objection
        before = [step.action for step in self._agenda.upcoming() if step.action not in acting]
        if all(question.optional for question in self._open_questions) and sum(
            action.cost for action in revision.actions
        ) >= sum(action.cost for action in before):
            return "it costs no less"
        failed = any(d.guard == "failure" for d in self._open_questions)
        known = self._classes(revision.actions, beliefs) == self.plan.classes
        if not failed and known and len(kept) == len(acting) and _same(before, revision.actions):
            return "it changes nothing"
        return None

    def _classes(self, actions: Iterable[Action], beliefs: Snapshot) -> dict[str, str]:
        """What the plan takes its things for, once *actions* are the rest of it.

        A plan that was checked against the belief holds whatever its things are now taken for; and the things
        that a revision brings in have to keep their class like any other.
        """
        assert self._agenda is not None
        assert self.plan is not None
        classes = dict(self.plan.classes)
        used = {name for step in self._agenda.steps for name in step.action.arguments}
        for name in dict.fromkeys(name for action in actions for name in action.arguments):
            entity = beliefs.entity(name)
            if entity is not None and not entity.fixed and (name in classes or name not in used):
                classes[name] = entity.best_class
        return classes

    def _splice(self, revision: Revision) -> None:
        """Take over *revision*: the only place where children come and go while the node is running."""
        assert self._agenda is not None
        assert self.plan is not None
        runtime = self._runtime
        questions, self._open_questions = self._open_questions, []
        self._close_inquiry()
        self._fruitless += 1
        self._revised_for.update(_subject(q) for q in questions if q.expectation is not None)
        self.tally["revised"] += 1
        acting = [step for step in self._begun if _acting(step)]
        in_flight = {}
        for step in acting:
            cancelled = _cancels(revision, step.action)
            in_flight[step.action.id] = "cancel" if cancelled else "keep"
            if cancelled:
                self._preempt(step)
        running = [step for step in self._begun if _acting(step)]
        old = {step.action.id: step for step in self._agenda.upcoming() if step not in running}
        ended = [step for step in self._agenda.steps if not step.open]
        classes = self._classes(revision.actions, runtime.belief.snapshot())
        changed = {name for name, now in self.plan.classes.items() if classes[name] != now}
        self.plan = replace(self.plan, classes=classes)
        upcoming: list[Step] = []
        for action in revision.actions:
            known = old.pop(action.id, None) if action.id else None
            if known is not None and _same([known.action], [action]) and changed.isdisjoint(action.arguments):
                self._reset(known)
                upcoming.append(known)
            else:
                if known is not None:
                    old[known.action.id] = known
                upcoming.append(Step(replace(action, id=self._fresh_id())))
        removed: list[Behaviour] = []
        for step in old.values():
            assert step.nodes is not None
            if step in self._begun:
                self._begun.remove(step)
            step.stage = Stage.REMOVED
            removed.append(step.nodes.top)
            self._detach(step.nodes.top)
        finished = self._finished_nodes(ended)
        self._agenda = self._new_agenda(running, upcoming)
        added = self._build_missing()
        self._arrange_children(finished)
        self._seen = runtime.belief.version
        runtime.recorder.record(
            "revision.made",
            discrepancy=questions[0].id,
            reviser=revision.by,
            why=revision.why,
            kept=[step.action.id for step in upcoming if step.action.id in {a.id for a in revision.actions}],
            added=[
                action_json(step.action)
                for step in upcoming
                if step.nodes is not None and step.nodes.top in added
            ],
            removed=sorted(old),
            in_flight=in_flight,
            version=revision.version,
        )
        runtime.recorder.record("plan.made", **plan_json(self._current_plan(), revision.by))
        self._announce(removed, added)
        self.reason = revision.why

    def _current_plan(self) -> Plan:
        assert self._agenda is not None
        assert self.plan is not None
        actions = tuple(step.action for step in self._agenda.steps)
        before: dict[str, set[str]] = {}
        for step in self._agenda.steps:
            for successor in step.successors:
                before.setdefault(successor.action.id, set()).add(step.action.id)
        order = {key: frozenset(ids) for key, ids in before.items()}
        links = named(self._agenda.links, [action.id for action in actions])
        return Plan(self.plan.goal, actions, order, (), self.plan.classes, links)

    def precedence(self) -> Iterator[tuple[Behaviour, Behaviour]]:
        """The partial order among the children that are left: the first ends before the second begins."""
        for step in self._agenda.steps if self._agenda is not None else ():
            for successor in step.successors:
                assert step.nodes is not None
                assert successor.nodes is not None
                yield step.nodes.top, successor.nodes.top

    def _fresh_id(self) -> str:
        """An id that no action of the plan has, whatever ids it came with."""
        assert self.plan is not None
        taken = {action.id for action in self.plan.actions}
        while (fresh := self._runtime.action_id()) in taken:
            pass
        return fresh

    def _rearm(self) -> None:
        """What was wrong has come right by itself: the guards check once more from the start."""
        for step in list(self._begun):
            if not _acting(step):
                self._reset(step)

    def _reset(self, step: Step) -> None:
        """Have a step that only got as far as its guards wait for its turn again."""
        if step.stage is not Stage.BEGUN:
            return
        assert step.nodes is not None
        assert self._agenda is not None
        self._begun.remove(step)
        self._halt(step.nodes.top)
        self.touched.append(step.nodes.top)
        self._agenda.give_back(step)

    def _give_up(self, reason: str) -> Status:
        self.reason = reason
        self._close_inquiry()
        self._open_questions = []
        return Status.FAILURE

    def _close_inquiry(self) -> None:
        if self._inquiry is not None:
            self._inquiry.cancel()
            self._inquiry = None
        self._asked_version = -1

    # -- children ----------------------------------------------------------------------------------------
    def _finished_nodes(self, ended: Sequence[Step]) -> list[Behaviour]:
        """The children whose steps have ended, in the order they stand in."""
        tops = {id(step.nodes.top) for step in ended if step.nodes is not None}
        left = {
            id(step.nodes.top)
            for step in (self._agenda.steps if self._agenda else ())
            if step.nodes is not None
        }
        return [child for child in self.children if id(child) in tops or id(child) not in left]

    def _arrange_children(self, finished: Sequence[Behaviour]) -> None:
        assert self._agenda is not None
        tops = [step.nodes.top for step in self._agenda.steps if step.nodes is not None]
        self.children[:] = [*finished, *tops]

    def _detach(self, child: Behaviour) -> None:
        """Take a child out for good: stopped once if it was running, and out of everybody's way."""
        self._halt(child)
        if child in self.children:
            self.children.remove(child)
        child.parent = None
        for node in child.iterate():
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
        self._quiet = False
        self._close_inquiry()
        self._open_questions = []
        self._winding_down = []
        trouble: Exception | None = None
        begun, self._begun = self._begun, []
        for step in begun:
            assert step.nodes is not None
            step.stage = Stage.REMOVED
            try:
                self._halt(step.nodes.top)
            except Exception as error:
                trouble = trouble or attributed(error, step.nodes.top)
        if trouble is not None:
            raise trouble

    def _collapse(self) -> None:
        """A node has raised: nothing goes on running, and the next activation begins from scratch."""
        try:
            self._abandon()
        except Exception as error:
            # What was raised first is what is reported; this only goes into the record.
            self._runtime.recorder.record("log", text=str(error))
        self._agenda = None
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
            self._runtime.recorder.record("log", text=str(attributed(another, top)))
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


def _acting(step: Step) -> bool:
    """Whether a step is past its guards: the robot has been told, or a leaf of the user's own runs."""
    nodes = step.nodes
    if nodes is None or step.stage is not Stage.BEGUN:
        return False
    if isinstance(nodes.leaf, Act):
        return nodes.leaf.started
    return nodes.leaf.status is Status.RUNNING


def _over(step: Step) -> bool:
    """Whether the robot has reported the end of what a step does; the step's nodes have yet to be ticked."""
    nodes = step.nodes
    return (
        nodes is not None
        and isinstance(nodes.leaf, Act)
        and nodes.leaf.started
        and nodes.leaf.end is not None
    )


def _cancels(revision: Revision, action: Action) -> bool:
    return revision.in_flight.get(action.id) == "cancel"


def _same(one: Sequence[Action], other: Sequence[Action]) -> bool:
    return [(a.skill, a.arguments) for a in one] == [(a.skill, a.arguments) for a in other]


def _deed(action: Action) -> _Deed:
    return action.skill, action.arguments


def _subject(question: Discrepancy) -> tuple[_Deed | None, Formula]:
    """What a discrepancy is about, whichever occurrence of the action it concerns."""
    assert question.expectation is not None
    deed = _deed(question.action) if question.action is not None else None
    return deed, question.expectation.formula


def _came_from(error: Exception, method: str) -> bool:
    """Whether *error* passed through a method of that name."""
    return any(frame.f_code.co_name == method for frame, _ in walk_tb(error.__traceback__))


def _force_invalid(top: Behaviour) -> None:
    """Leave no node RUNNING below one whose own terminate() raised."""
    for node in top.iterate():
        if node.status is Status.RUNNING:
            node.status = Status.INVALID
