"""Mending: what is wrong with a plan, who is asked about it, and what is good enough to be taken over.

The plan node brings in discrepancies and asks, tick by tick, how things stand. While somebody thinks, it
waits; what is newer supersedes what was being asked about; what has come right by itself is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from foretree.behaviours.runtime import Runtime
from foretree.planning.plan import Action, Plan, cost_of
from foretree.planning.semantics import fits
from foretree.planning.syntax import Formula
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.expectation import Verdict, measure
from foretree.revision.inquiry import Inquiry
from foretree.revision.putting_back import moved_by
from foretree.revision.revision import Revision, Situation
from foretree.skills.executive import Lease
from foretree.trees.agenda import Agenda, Step
from foretree.world_model.belief import Snapshot
from foretree.world_model.facts import Atom


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing can be said yet; *reason* says what is waited for."""

    reason: str


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing is left to ask: the plan goes on as it is."""


@dataclass(frozen=True, slots=True)
class Hopeless:
    """Nobody can mend the plan; *reason* says why."""

    reason: str


#: How things stand: somebody has a revision, or one of the above.
Standing: TypeAlias = Revision | Waiting | Settled | Hopeless

#: What is done, whichever action of the plan does it.
_Deed: TypeAlias = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of a plan as it stands in the middle of being carried out."""

    plan: Plan
    agenda: Agenda
    acting: tuple[Step, ...]

    @property
    def running(self) -> tuple[Action, ...]:
        """The actions that are being carried out."""
        return tuple(step.action for step in self.acting)

    @property
    def remaining(self) -> tuple[Action, ...]:
        """The actions that have not begun, in the order of the plan."""
        return tuple(step.action for step in self.agenda.upcoming() if step not in self.acting)

    def classes_with(self, actions: Iterable[Action], beliefs: Snapshot) -> dict[str, str]:
        """What the plan takes its things for, once *actions* are the rest of it.

        A plan that was checked against the belief holds whatever its things are now taken for; and the things
        that a revision brings in have to keep their class like any other.
        """
        classes = dict(self.plan.classes)
        used = {name for step in self.agenda.steps for name in step.action.arguments}
        for name in dict.fromkeys(name for action in actions for name in action.arguments):
            entity = beliefs.entity(name)
            if entity is not None and not entity.told and (name in classes or name not in used):
                classes[name] = entity.best_class
        return classes


class Mending:
    """Keeps the open questions about one plan.

    Args:
        runtime: whose revisers are asked.
        is_reached: whether a goal counts as reached, so that the rest of a plan is left out.
    """

    def __init__(self, runtime: Runtime, is_reached: Callable[[Formula], bool]) -> None:
        self._runtime = runtime
        self._is_reached = is_reached
        self._questions: list[Discrepancy] = []
        self._inquiry: Inquiry | None = None
        self._asked_version = -1
        self._winding_down: list[tuple[Lease, float]] = []
        self._fruitless = 0
        self._turned: Revision | None = None
        self._has_turned = False
        self._failures: Counter[_Deed] = Counter()
        #: What was said of the last failure of each.
        self._said: dict[_Deed, str] = {}
        self._origins: dict[str, Atom] = {}
        self._revised_for: Counter[tuple[_Deed | None, Formula]] = Counter()

    # -- what comes in -----------------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        """Whether anything is open: then nothing new begins."""
        return bool(self._questions)

    def asks(self, discrepancy: Discrepancy) -> bool:
        """Whether that very expectation is in question already."""
        return any(question.expectation == discrepancy.expectation for question in self._questions)

    def question(self, discrepancies: Sequence[Discrepancy]) -> None:
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
                **({"part": discrepancy.part} if discrepancy.part else {}),
            )
        self._turned = None
        if self._inquiry is not None:
            self._inquiry.cancel()
            self._inquiry = None
        known = {(d.expectation, d.guard) for d in discrepancies}
        older = [d for d in self._questions if (d.expectation, d.guard) not in known]
        self._questions = [*discrepancies, *older]

    def wait_for(self, lease: Lease | None) -> None:
        """Until the robot confirms that this is over, nobody knows where it stands: no time to make plans."""
        if lease is not None and not lease.confirmed:
            until = self._runtime.clock.now() + self._runtime.settings.contact_patience
            self._winding_down.append((lease, until))

    def succeeded(self, action: Action) -> None:
        """An action came to its end: what was revised on the way bore fruit."""
        deed = _deed(action)
        self._fruitless = 0
        self._has_turned = False
        self._failures.pop(deed, None)
        for key in [key for key in self._revised_for if key[0] == deed]:
            del self._revised_for[key]
        ground = self._runtime.task.ground(action)
        for thing, where, rests in moved_by(ground, self._runtime.belief.vocabulary):
            if rests:
                self._origins.pop(thing, None)
            else:
                self._origins[thing] = where

    def failed(self, action: Action, why: str) -> None:
        """An attempt at an action failed."""
        self._failures[_deed(action)] += 1
        self._said[_deed(action)] = why

    def begin(self) -> None:
        """A new activation of the plan: what happened in an earlier one does not count."""
        self._failures.clear()
        self._revised_for.clear()
        self._fruitless = 0
        self._has_turned = False

    def taken_over(self) -> Discrepancy:
        """The revision on offer has become the plan; returns the first of the questions that it answers."""
        questions = self._questions
        self.close()
        self._fruitless += 1
        self._revised_for.update(_subject(q) for q in questions if q.expectation is not None)
        return questions[0]

    def close(self) -> None:
        """Ask nothing any more."""
        self._turned = None
        self._questions = []
        self._asked_version = -1
        if self._inquiry is not None:
            self._inquiry.cancel()
            self._inquiry = None

    def abandon(self) -> None:
        """The plan is stopped: nobody waits for anything."""
        self.close()
        self._winding_down = []

    # -- how things stand --------------------------------------------------------------------------------
    def situation(self, rest: Rest) -> Situation:
        """What a reviser may look at."""
        return Situation(
            discrepancies=tuple(self._questions),
            remaining=rest.remaining,
            running=rest.running,
            beliefs=self._runtime.belief.snapshot(),
            goal=rest.plan.goal,
            classes=rest.plan.classes,
            task=self._runtime.task,
            origins=dict(self._origins),
        )

    def turns(self, revision: Revision, rest: Rest) -> Step | None:
        """The way that *revision* leaves no other purpose than to set out from its end, if there is one.

        A robot that finds its way about by itself turns round there and then: it is stopped, and the revision
        is on offer again, from where it stands. Not twice until something has come to its end, so that nobody
        is sent to and fro.
        """
        survey = self._runtime.survey
        if survey is None or self._has_turned or not revision.actions or len(rest.acting) != 1:
            return None
        (step,) = rest.acting
        if not survey.only_leads_to(step.action, revision.actions[0]):
            return None
        self._turned, self._has_turned = revision, True
        return step

    def consult(self, rest: Rest) -> Standing:
        """Get on with the open questions. A revision that comes out is good here and now."""
        runtime = self._runtime
        now = runtime.clock.now()
        self._winding_down = [
            (lease, until) for lease, until in self._winding_down if not lease.confirmed and now < until
        ]
        if self._winding_down:
            what = self._winding_down[0][0].what
            return Waiting(f"waits for the robot to say what has become of {what}")
        beliefs = runtime.belief.snapshot()
        if beliefs.version != self._asked_version:
            self._asked_version = beliefs.version
            self._questions = [d for d in self._questions if self._still_wrong(d, beliefs)]
            if not self._questions or self._nothing_left_to_do(rest):
                return self._settled()
        if self._turned is not None:
            revision, self._turned = self._from_here(self._turned, beliefs), None
            if self.objection(revision, rest, beliefs) is None:
                return revision
            self._inquiry = None
        if self._inquiry is None:
            hopeless = self._hopeless()
            if hopeless:
                return self._settled() if self._merely_optional() else self._given_up(hopeless)
            self._inquiry = Inquiry(self.situation(rest), runtime.revisers, runtime.clock, runtime.recorder)
        offer = self._inquiry.poll()
        while offer is not None:
            objection = self.objection(offer, rest, beliefs)
            if objection is None:
                return offer
            self._inquiry.reject(objection)
            offer = self._inquiry.poll()
        sentence = self._questions[0].sentence
        if not self._inquiry.exhausted:
            return Waiting(f"{sentence} Asking {self._inquiry.asking}.")
        if self._merely_optional():
            return self._settled()
        refusals = "; ".join(f"{name}: {why}" for name, why in self._inquiry.refusals)
        return self._given_up(f"{sentence} {refusals or 'No reviser is set.'}")

    def _from_here(self, revision: Revision, beliefs: Snapshot) -> Revision:
        """*revision*, whose first way sets out from where the robot stands."""
        assert self._runtime.survey is not None
        task = self._runtime.task
        task.refresh(beliefs)
        planned, *rest = revision.actions
        way = self._runtime.survey.from_here(planned)
        way = replace(way, cost=task.ground(way).cost)
        why = revision.why.replace(str(planned), str(way))
        return replace(revision, actions=(way, *rest), why=why, version=beliefs.version)

    def _settled(self) -> Settled:
        self.close()
        return Settled()

    def _given_up(self, reason: str) -> Hopeless:
        self.close()
        return Hopeless(reason)

    def _merely_optional(self) -> bool:
        """Whether the plan is good as it is, and only might be better."""
        return all(question.optional for question in self._questions)

    def _nothing_left_to_do(self, rest: Rest) -> bool:
        """Whether the goal is reached and nothing is under way: then nothing is worth a revision."""
        return bool(self._runtime.settings.guards) and not rest.acting and self._is_reached(rest.plan.goal)

    def _hopeless(self) -> str:
        """Why it makes no sense to revise once more; empty if it does."""
        settings = self._runtime.settings
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
        runtime = self._runtime
        certainty = 0.0
        if discrepancy.doubted and discrepancy.action is not None:
            skill = runtime.catalogue.skills.get(discrepancy.action.skill)
            if skill is not None and skill.irreversible:
                certainty = skill.certainty
        standing = measure(
            discrepancy.expectation, beliefs, runtime.task.objects, runtime.clock.now(), certainty
        )
        if discrepancy.guard == "goal" or discrepancy.doubted:
            # What nobody could make sure of is not settled by being no worse than before.
            return standing.verdict is not Verdict.HOLDS
        # What is in doubt now is up to the guards again: they will look.
        return standing.verdict is Verdict.BROKEN or discrepancy.version == beliefs.version

    def objection(self, revision: Revision, rest: Rest, beliefs: Snapshot) -> str | None:
        """Why *revision* cannot be taken over here and now; None if it can."""
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
        cancelled = [action for action in rest.running if revision.cancels(action)]
        kept = [action for action in rest.running if action not in cancelled]
        objection = Agenda.reaches(task, beliefs, kept, revision.actions, rest.plan.goal, cancelled)
        if objection is not None:
            return objection
        before = rest.remaining
        if self._merely_optional() and cost_of(revision.actions) >= cost_of(before):
            return "it costs no less"
        failed = any(question.guard == "failure" for question in self._questions)
        known = rest.classes_with(revision.actions, beliefs) == rest.plan.classes
        if not failed and known and not cancelled and same(before, revision.actions):
            return "it changes nothing"
        return None


def same(one: Sequence[Action], other: Sequence[Action]) -> bool:
    """Whether the same is done, whatever the actions' ids."""
    return [_deed(action) for action in one] == [_deed(action) for action in other]


def _deed(action: Action) -> _Deed:
    return action.skill, action.arguments


def _subject(question: Discrepancy) -> tuple[_Deed | None, Formula]:
    """What a discrepancy is about, whichever occurrence of the action it concerns."""
    assert question.expectation is not None
    deed = _deed(question.action) if question.action is not None else None
    return deed, question.expectation.formula
