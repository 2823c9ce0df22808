"""The repair of a plan: open discrepancies, the revisers that are asked, the revision that is taken over.

The plan node brings in discrepancies and asks, tick by tick, how things stand. While a reviser works, it
waits; what is newer supersedes what was being asked about; what has come right by itself is dropped.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from foretree.agent.context import AgentContext
from foretree.planning.incremental import IncrementBudget
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Action
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.expectation import ExpectationStatus, assess
from foretree.revision.put_back import moved_by
from foretree.revision.reviser_chain import ReviserChain
from foretree.revision.revision import Revision, RevisionRequest
from foretree.skills.executive.joint import AnyLease
from foretree.trees.plan_node._plan_monitor import PlanMonitor
from foretree.trees.plan_node._plan_state import RemainingPlan
from foretree.trees.plan_node._revision_check import Proposal
from foretree.trees.plan_node._scheduled_step import ScheduledStep
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing can be said yet; *reason* says what is waited for."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """Nothing is left to ask: the plan goes on as it is."""


@dataclass(frozen=True, slots=True)
class Unrepairable:
    """The plan cannot be repaired; *reason* says why."""

    reason: str


#: How things stand: there is a revision that is ready to be taken over, or one of the above.
RepairStatus: TypeAlias = Proposal | Waiting | Resolved | Unrepairable

#: So many pieces of what takes long fit into a tick: all, for a plan of a hundred actions.
INCREMENTS_PER_TICK = 400

#: Revisers are told so many of the actions that were done last.
_MOST_REMEMBERED = 8

#: What is done, whichever action of the plan does it.
_ActionKey: TypeAlias = tuple[str, tuple[str, ...]]


class PlanRepair:
    """Keeps the open questions about one plan.

    Args:
        context: whose revisers are asked.
        monitor: knows when a goal counts as reached, so that the rest of a plan is left out.
    """

    def __init__(self, context: AgentContext, monitor: PlanMonitor) -> None:
        self._context = context
        self._monitor = monitor
        self._questions: list[Discrepancy] = []
        self._chain: ReviserChain | None = None
        self._asked_version = -1
        self._winding_down: list[tuple[AnyLease, float]] = []
        self._fruitless = 0
        #: How much may be computed in this tick.
        self.allowance = IncrementBudget(INCREMENTS_PER_TICK)
        self._offer: Revision | None = None
        self._proposal: Proposal | None = None
        self._turnaround: Revision | None = None
        self._has_turned_round = False
        self._failures: Counter[_ActionKey] = Counter()
        #: What was said of the last failure of each.
        self._said: dict[_ActionKey, str] = {}
        self._origins: dict[str, Atom] = {}
        self._done: deque[Action] = deque(maxlen=_MOST_REMEMBERED)
        self._revised_for: Counter[tuple[_ActionKey | None, Formula]] = Counter()

    # -- what comes in -----------------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        """True if anything is open: then nothing new begins."""
        return bool(self._questions)

    def asks(self, discrepancy: Discrepancy) -> bool:
        """Return whether that very expectation is in question already."""
        return any(question.expectation == discrepancy.expectation for question in self._questions)

    def question(self, discrepancies: Sequence[Discrepancy]) -> None:
        """Something is wrong. What is newer supersedes what was being asked about; nothing is forgotten."""
        for discrepancy in discrepancies:
            self._context.recorder.record(
                "discrepancy.found",
                id=discrepancy.id,
                action=discrepancy.action.id if discrepancy.action else None,
                guard=discrepancy.guard,
                expected=discrepancy.expected,
                seen=discrepancy.seen,
                version=discrepancy.version,
                sentence=discrepancy.sentence,
                **({"part": discrepancy.part} if discrepancy.part else {}),
            )
        self._turnaround = self._offer = self._proposal = None
        if self._chain is not None:
            self._chain.cancel()
            self._chain = None
        known = {(d.expectation, d.guard) for d in discrepancies}
        older = [d for d in self._questions if (d.expectation, d.guard) not in known]
        self._questions = [*discrepancies, *older]

    def wait_for(self, lease: AnyLease | None) -> None:
        """Do not revise until the robot confirms that this is over: until then its state is not known."""
        if lease is not None and not lease.confirmed:
            until = self._context.clock.now() + self._context.settings.contact_patience
            self._winding_down.append((lease, until))

    def succeeded(self, action: Action) -> None:
        """An action came to its end: what was revised on the way bore fruit."""
        done = _action_key(action)
        self._done.append(action)
        self._fruitless = 0
        self._has_turned_round = False
        self._failures.pop(done, None)
        for subject in [subject for subject in self._revised_for if subject[0] == done]:
            del self._revised_for[subject]
        ground = self._context.task.ground(action)
        for thing, where, rests in moved_by(ground, self._context.belief.vocabulary):
            if rests:
                self._origins.pop(thing, None)
            else:
                self._origins[thing] = where

    def failed(self, action: Action, why: str) -> None:
        """An attempt at an action failed."""
        self._failures[_action_key(action)] += 1
        self._said[_action_key(action)] = why

    def begin(self) -> None:
        """A new activation of the plan: what happened in an earlier one does not count."""
        self._failures.clear()
        self._revised_for.clear()
        self._done.clear()
        self._fruitless = 0
        self._has_turned_round = False

    def taken_over(self) -> Discrepancy:
        """The revision on offer has become the plan; returns the first of the questions that it answers."""
        questions = self._questions
        self.close()
        self._fruitless += 1
        self._revised_for.update(_subject(q) for q in questions if q.expectation is not None)
        return questions[0]

    def close(self) -> None:
        """Ask nothing any more."""
        self._turnaround = self._offer = self._proposal = None
        self._questions = []
        self._asked_version = -1
        if self._chain is not None:
            self._chain.cancel()
            self._chain = None

    def abandon(self) -> None:
        """The plan is stopped: wait for nothing any more."""
        self.close()
        self._winding_down = []

    # -- how things stand --------------------------------------------------------------------------------
    def revision_request(self, rest: RemainingPlan) -> RevisionRequest:
        """Return what a reviser may look at."""
        return RevisionRequest(
            discrepancies=tuple(self._questions),
            remaining=rest.remaining,
            running=rest.running,
            beliefs=self._context.belief.snapshot(),
            goal=rest.plan.goal,
            classes=rest.plan.classes,
            task=self._context.task,
            origins=dict(self._origins),
            done=tuple(self._done),
        )

    def superseded_way(self, revision: Revision, rest: RemainingPlan) -> ScheduledStep | None:
        """The way that *revision* leaves no other purpose than to set out from its end, if there is one.

        A robot that finds its way about by itself turns round there and then: it is stopped, and the revision
        is on offer again, from where it stands. Not twice until something has come to its end, so that it
        is not sent to and fro.
        """
        topological_map = self._context.topological_map
        if topological_map is None or not self._context.settings.turn_round or self._has_turned_round:
            return None
        if not revision.actions or len(rest.acting) != 1:
            return None
        (step,) = rest.acting
        if not topological_map.only_leads_to(step.action, revision.actions[0]):
            return None
        self._turnaround, self._has_turned_round = revision, True
        return step

    def consult(self, rest: RemainingPlan) -> RepairStatus:
        """Get on with the open questions. A revision that comes out is good here and now."""
        context = self._context
        unconfirmed = self._unconfirmed()
        if unconfirmed is not None:
            return Waiting(f"waits for the robot to say what has become of {unconfirmed.what}")
        beliefs = context.belief.snapshot()
        if beliefs.version != self._asked_version:
            self._asked_version = beliefs.version
            self._questions = [d for d in self._questions if self._still_wrong(d, beliefs)]
            if not self._questions or self._nothing_left_to_do(rest):
                return self._settled()
        if self._turnaround is not None:
            proposal = self._proposed(self._from_here(self._turnaround, beliefs), rest)
            if proposal is None:
                return Waiting(self._turnaround.why)
            self._turnaround = None
            if proposal.objection is None:
                return proposal
            self._chain = self._offer = None
        return self._ask_revisers(rest)

    def _unconfirmed(self) -> AnyLease | None:
        """Return an execution whose end is still waited for."""
        now = self._context.clock.now()
        self._winding_down = [
            (lease, until) for lease, until in self._winding_down if not lease.confirmed and now < until
        ]
        return self._winding_down[0][0] if self._winding_down else None

    def _ask_revisers(self, rest: RemainingPlan) -> RepairStatus:
        """Get on with asking the revisers, in their order."""
        context = self._context
        if self._chain is None:
            hopeless = self._why_hopeless()
            if hopeless:
                return self._settled() if self._merely_optional() else self._given_up(hopeless)
            self._chain = ReviserChain(
                self.revision_request(rest), context.revisers, context.clock, context.recorder
            )
        self._offer = self._offer or self._chain.poll()
        while self._offer is not None:
            proposal = self._proposed(self._offer, rest)
            if proposal is None:
                return Waiting(f"{self._offer.why} First it is made sure that this leads to the goal.")
            if proposal.objection is None:
                return proposal
            self._chain.reject(proposal.objection)
            self._offer = self._chain.poll()
        sentence = self._questions[0].sentence
        if not self._chain.exhausted:
            return Waiting(f"{sentence} Asking {self._chain.asking}.")
        if self._merely_optional():
            return self._settled()
        refusals = "; ".join(f"{name}: {why}" for name, why in self._chain.refusals)
        return self._given_up(f"{sentence} {refusals or 'No reviser is set.'}")

    def _proposed(self, revision: Revision, rest: RemainingPlan) -> Proposal | None:
        """*revision*, checked and ready; None while that takes longer."""
        if self._proposal is None or not self._proposal.is_about(rest):
            self._proposal = self.propose(revision, rest)
        while self._proposal.go_on(self.allowance):
            if self._proposal.still_valid():
                proposal, self._proposal = self._proposal, None
                return proposal
            # What it needs of the world has changed: it may lead to the goal from here in another way.
            self._proposal = self.propose(revision, rest)
        return None

    def _from_here(self, revision: Revision, beliefs: Snapshot) -> Revision:
        """*revision*, whose first way sets out from where the robot stands."""
        assert self._context.topological_map is not None
        task = self._context.task
        task.refresh(beliefs)
        planned, *rest = revision.actions
        way = self._context.topological_map.from_here(planned)
        way = replace(way, cost=task.ground(way).cost)
        why = revision.why.replace(str(planned), str(way))
        return replace(revision, actions=(way, *rest), why=why, version=beliefs.version)

    def _settled(self) -> Resolved:
        self.close()
        return Resolved()

    def _given_up(self, reason: str) -> Unrepairable:
        self.close()
        return Unrepairable(reason)

    def _merely_optional(self) -> bool:
        """Return whether the plan is good as it is, and only might be better."""
        return all(question.optional for question in self._questions)

    def _nothing_left_to_do(self, rest: RemainingPlan) -> bool:
        """Return whether the goal is reached and nothing is under way: then nothing is worth a revision."""
        return (
            bool(self._context.settings.guards)
            and not rest.acting
            and self._monitor.reached_by(rest.plan.goal) is not None
        )

    def _why_hopeless(self) -> str:
        """Return why it makes no sense to revise once more; empty if it does."""
        settings = self._context.settings
        for (skill, arguments), count in self._failures.items():
            if count >= settings.attempts:
                why = self._said[skill, arguments]
                return f"{skill}({', '.join(arguments)}) failed {count} times{': ' if why else ''}{why}"
        if self._fruitless >= settings.revisions:
            return f"{self._fruitless} revisions in a row came to nothing. {self._questions[0].sentence}"
        for question in self._questions:
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
        context = self._context
        certainty = 0.0
        if discrepancy.doubted and discrepancy.action is not None:
            skill = context.catalogue.skills.get(discrepancy.action.skill)
            if skill is not None and skill.irreversible:
                certainty = skill.certainty
        standing = assess(
            discrepancy.expectation, beliefs, context.task.objects, context.clock.now(), certainty
        )
        if discrepancy.guard == "goal" or discrepancy.doubted:
            # What could not be made sure is not settled by being no worse than before.
            return standing.verdict is not ExpectationStatus.HOLDS
        # What is in doubt now is up to the guards again: they will look.
        return standing.verdict is ExpectationStatus.BROKEN or discrepancy.version == beliefs.version

    def propose(self, revision: Revision, rest: RemainingPlan) -> Proposal:
        """*revision*, to be checked from here and now, and made ready."""
        failed = any(question.guard == "failure" for question in self._questions)
        return Proposal(self._context, revision, rest, optional=self._merely_optional(), failed=failed)


def _action_key(action: Action) -> _ActionKey:
    return action.skill, action.arguments


def _subject(question: Discrepancy) -> tuple[_ActionKey | None, Formula]:
    """Return what a discrepancy is about, the same for each occurrence of the action."""
    assert question.expectation is not None
    key = _action_key(question.action) if question.action is not None else None
    return key, question.expectation.formula
