"""The leaf that acts: one action, from its intent to its confirmed end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.action_effects import believe_done, believe_nothing
from foretree.agent.context import AgentContext
from foretree.agent.json_codec import action_json
from foretree.planning.pddl.syntax import Literal, atoms_of, substitute_atom
from foretree.planning.plan import Action
from foretree.planning.semantics.evaluation import conjuncts
from foretree.skills.executive.joint import AnyLease, start_together
from foretree.skills.executors import Executor, TargetError, find_executor
from foretree.skills.robot import End, Outcome
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.facts import BY_ACTION, BY_CLASS, Atom, Fact, Truth

#: How far the robot's own words are believed, and that it would have said them.
_REPORT_CONFIDENCE = 0.95
#: How likely it is to fail again and again with what it is made for, where it is certain with anything else.
_LIKELIHOOD_DESPITE_FAILURES = 0.1


class Act(Behaviour):
    """Carries out one action.

    Its intent is on disk before the robot is told. It succeeds when the robot says *done*; then the action's
    effects are believed, as far as the skill is to be trusted, until something is seen. When the action ends
    in any other way, what it might have changed becomes unknown, unless the robot says that it came to
    nothing. Stopping it only asks for a cancel: the executive keeps the robot's parts leased until the robot
    confirms.

    Attributes:
        action: what is carried out.
        end: how it ended, once it has.
        lease: the last execution: under way, or over without the robot having confirmed it yet.
        taught: whether the robot's reason for its last failure has taught what to believe.
        news: whether the robot has said something since the last tick that concerns the node.
    """

    #: What it is called in the ids of nodes, as guards are by their kinds.
    kind: ClassVar[str] = "act"

    def __init__(
        self, action: Action, skill: Skill, context: AgentContext, executor: Executor | None = None
    ) -> None:
        super().__init__(name=str(action))
        self.action = action
        self.skill = skill
        self._context = context
        self._executor = executor or find_executor(skill.executor, skill.name)
        self._resources = skill.resources_of(action)
        self._members = context.team.taking_part(action.arguments)
        self._begun_at = 0.0
        self.initialise()
        self._over = True  # nothing is under way yet

    @property
    def started(self) -> bool:
        """True if the robot has been told, and no end has been dealt with yet."""
        return self.lease is not None and not self._over

    @property
    def running(self) -> Action | None:
        """The action, while the robot is at it."""
        return self.action if self.started and self.end is None else None

    def initialise(self) -> None:
        self.end: End | None = None
        self.taught = False
        self.news = False
        self.lease: AnyLease | None = None
        self._over = False
        self._held_up = False

    def update(self) -> Status:
        self.news = False
        if self.lease is None and not self._begin():
            return Status.RUNNING
        if self.end is None:
            assert self.lease is not None
            self.feedback_message = self.lease.delay_reason
            return Status.RUNNING
        self.feedback_message = self.end.reason
        return Status.SUCCESS if self.end.outcome is Outcome.DONE else Status.FAILURE

    def _begin(self) -> bool:
        context = self._context
        if context.on_hold:
            self.feedback_message = "waits until it is told to go on"
            return False
        if context.halts is not None and context.halts(self.action):
            self.feedback_message = "halted at a breakpoint"
            return False
        executives = [member.executive for member in self._members]
        holds = [hold for one in executives if (hold := one.hold(self._resources)) is not None]
        absences = (member.absence for member in self._members if member.absence)
        never = next(absences, None) or next((str(hold) for hold in holds if hold.for_good), None)
        if never is not None:
            self._held_up = True
            self.end = End(Outcome.FAILED, never)
            context.recorder.record("log", text=f"{self.action} cannot begin: {never}")
            return True
        waits = [*map(str, holds), *(member.silence for member in self._members if member.silence)]
        if waits:
            self.feedback_message = f"waits: {waits[0]}"
            return False
        allowed = context.permission(self.action) if context.permission is not None else True
        if allowed is None:
            self.feedback_message = "waits for permission"
            return False
        if not allowed:
            context.stop_reason = f"{self.action} was not allowed"
            self.feedback_message = "not allowed"
            return False
        if context.learner is not None:
            context.learner.begins(self.action)
        execution = context.execution_id()
        beliefs = context.belief.snapshot()
        context.recorder.commit(
            "action.intent",
            action=action_json(self.action),
            execution=execution,
            targets={
                name: list(entity.pose)
                for name in self.action.arguments
                if (entity := beliefs.entity(name)) is not None and entity.pose is not None
            },
        )
        try:
            self.lease = start_together(
                executives,
                execution,
                lambda robot: self._executor.begin(self.action, self.skill, beliefs, robot, execution),
                self._resources,
                self.skill.time_out,
                what=str(self.action),
            )
        except TargetError as error:
            # What the plan was made for is gone from the belief: the plan's business, not a mistake of ours.
            self.end = End(Outcome.FAILED, str(error))
            self._record_end(execution, self.end)
            return True
        self._begun_at = context.clock.now()
        context.recorder.record("action.started", action=self.action.id, execution=execution)
        context.attend(self)
        self.feedback_message = ""
        return True

    def settle(self) -> None:
        """Ask the robot whether it is done, and draw the conclusions if so. Called at every sync."""
        lease = self.lease
        if lease is None or self.end is not None:
            return
        end = lease.poll()
        if end is None:
            if lease.delay_reason != self.feedback_message:
                self.news = True
            return
        self.end = end
        self.news = True
        self._context.release(self)
        self._conclude(lease, end)

    def _conclude(self, lease: AnyLease, end: End) -> None:
        self._record_end(lease.id, end)
        if self._context.learner is not None:
            self._context.learner.ended(self.action, self.skill, end)
        if end.outcome is Outcome.DONE:
            self._learn_from_success(end.reason)
            self.believe_done()
            self._learn(end.reason)
            self._count_outcome(succeeded=True)
            return
        if not end.without_effect:
            believe_nothing(self._context, self.action)
        if end.outcome is Outcome.FAILED:
            if self._context.topological_map is not None:
                self._context.topological_map.failed(self.action)  # it may have to be updated
            self.taught = self._learn(end.reason)
            self.taught |= self._context.obstructions.learn(self.action, self.skill, end)
            if not self.taught:  # else something else was wrong than the skill or the things
                self._count_outcome(succeeded=False)

    def _count_outcome(self, succeeded: bool) -> None:
        context = self._context
        if context.success is not None:
            context.success.record(context.task.ground(self.action), succeeded)

    def believe_done(self) -> None:
        """Believe the action's effects, as far as the skill is to be trusted."""
        believe_done(self._context, self.action, self.skill.confidence)

    def _record_end(self, execution: str, end: End) -> None:
        self._context.recorder.record(
            "action.ended",
            action=self.action.id,
            execution=execution,
            outcome=end.outcome.value,
            reason=end.reason,
        )

    def _learn_from_success(self, reason: str) -> None:
        """Believe what an action needs and the robot would have said if it were otherwise.

        What it has picked up is not in pieces, whatever a look has made of it. That a fridge was shut is not
        concluded if it says that it was open already.
        """
        context, names = self._context, self._names()
        needed = conjuncts(context.task.ground(self.action).precondition)
        lessons = [
            (substitute_atom(lesson.then, names), lesson)
            for lesson in self.skill.feedback
            if lesson.then is not None and context.belief.vocabulary[lesson.then[0]].observable
        ]
        told = {atom for atom, lesson in lessons if lesson.matches(reason)}
        for atom, lesson in lessons:
            if atom in told:
                continue
            fact = context.belief.fact(atom)
            if Literal(atom, not lesson.holds) in needed and (fact is None or fact.source != BY_CLASS):
                context.tracker.assure(
                    atom, not lesson.holds, _REPORT_CONFIDENCE, context.clock.now(), BY_ACTION
                )

    def _names(self) -> dict[str, str]:
        return dict(zip((p.name for p in self.skill.operator.parameters), self.action.arguments, strict=True))

    def _learn(self, reason: str) -> bool:
        """Believe what the robot says of a failure, or of what was done already; whether that is anything."""
        names = self._names()
        taught = False
        for lesson in self.skill.feedback:
            if not lesson.matches(reason):
                continue
            if lesson.then is not None:
                taught |= self._believe(substitute_atom(lesson.then, names), lesson.holds)
            else:  # what is of no use is of no class that has all that was needed of it
                unfit = names[lesson.unfit]
                taught |= self._rule_out(unfit, self._needed_of_classes().get(unfit, ()))
        if taught:
            self._context.task.refresh(self._context.belief.snapshot())
        return taught

    def _believe(self, atom: Atom, holds: bool) -> bool:
        context = self._context
        fact = context.belief.fact(atom)
        if fact is not None and fact.source == BY_CLASS and (fact.truth is Truth.TRUE) is not holds:
            # A shelf is always open: what is closed is none.
            return self._rule_out(atom[1], {atom[0]})
        context.tracker.assure(atom, holds, _REPORT_CONFIDENCE, context.clock.now(), BY_ACTION)
        if not context.belief.vocabulary[atom[0]].observable:
            context.tried.add(atom)
        return True

    def _rule_out(self, name: str, traits: Collection[str], perhaps: float = 0.0) -> bool:
        """A thing is not of a class that has all *traits*; *perhaps* it is."""
        if not traits:
            return False
        context = self._context
        classes = context.catalogue.ontology.with_all(traits)
        return context.tracker.refute(name, classes, context.clock.now(), BY_ACTION, perhaps)

    def doubt(self) -> None:
        """Doubt what the action relies on and was not seen since it began: it fails again and again.

        The robot cannot look into a shut fridge, but a fridge from which nothing can be taken out is worth
        opening. And what is of no use as what it was taken for may be something else that looks like it.
        """
        if self._held_up:
            return  # it was never tried
        for name, traits in self._needed_of_classes().items():
            self._rule_out(name, traits, _LIKELIHOOD_DESPITE_FAILURES)
        belief = self._context.belief
        for fact in self._relied_on():
            if (
                fact.time < self._begun_at
                and fact.source not in ("map", BY_CLASS)  # a bin without a lid stays open, whatever happens
                and belief.vocabulary[fact.atom[0]].observable
            ):
                now = self._context.clock.now()
                belief.tell(fact.atom, Truth.UNKNOWN, confidence=0.0, time=now, source=BY_ACTION)

    def _needed_of_classes(self) -> dict[str, list[str]]:
        """By thing, what the action needs of it that it has because of what it is."""
        needed: dict[str, list[str]] = {}
        for fact in self._relied_on():
            if len(fact.atom) == 2 and fact.source == BY_CLASS:
                needed.setdefault(fact.atom[1], []).append(fact.atom[0])
        return needed

    def _relied_on(self) -> list[Fact]:
        """The preconditions of the action that are believed to hold."""
        context = self._context
        atoms = sorted(set(atoms_of(context.task.ground(self.action).precondition)))
        facts = (context.belief.fact(atom) for atom in atoms)
        return [fact for fact in facts if fact is not None and fact.truth is Truth.TRUE]

    def terminate(self, new_status: Status) -> None:
        # Nothing is under way any more: the next time, the guards check from the start.
        self._over = True
        lease = self.lease
        if new_status is Status.INVALID and lease is not None and self.end is None:
            from foretree.behaviours.calling_off import reason_of_call_off

            self.end = End(Outcome.CANCELLED, reason_of_call_off())
            self._context.release(self)
            try:
                lease.cancel()
            finally:
                self._conclude(lease, self.end)
                self._context.attend(Recalled(self, lease, self._context))


@dataclass(eq=False)
class Recalled:
    """An execution that was cancelled. Should the robot have been done before it heard of that, what the
    action does has happened.

    Attributes:
        running: no action: its end is wanted.
    """

    _act: Act
    _lease: AnyLease
    _context: AgentContext
    running: ClassVar[None] = None

    def settle(self) -> None:
        """See what has become of it. Called at every sync."""
        end = self._lease.poll()
        if end is None:
            return
        self._context.release(self)
        if end.outcome is Outcome.DONE:
            self._context.recorder.record(
                "log",
                text=f"{self._act.action} was done before its cancel arrived",
                execution=self._lease.id,
            )
            self._act.believe_done()
