"""Disagreements: one person asks for what contradicts what another one has asked for."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import Claim, called
from foretree.agent.dialogue.conversation import Utterance, any_will_do, chosen, is_yes
from foretree.agent.dialogue.instruction_reader import situation
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.planning.constraints.constraints import Constraint, ConstraintError, show_constraint
from foretree.planning.pddl.syntax import And, Formula
from foretree.planning.semantics.evaluation import evaluate
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import ProblemError, make_problem
from foretree.reasoning.goal_meaning import GoalMeaningError, check_meaning
from foretree.reasoning.instruction_errors import InstructionError
from foretree.world_model.beliefs.facts import Truth

#: Whose words count in the end.
Side: TypeAlias = Literal["earlier", "later"]

_WITHDRAWN = re.compile(
    r"(?:ok(?:ay)?,? )?(?:never ?mind|forget (?:it|about it|that)|leave it(?: be)?)[ .!]*", re.I
)
#: Words that name a person's wish beside the name itself.
_SIDING = frozenset(
    re.findall(
        r"\w+",
        "do take follow as what that to listen with go let have it be says said asks asked wants wanted way "
        "wish one the please then keep ok okay yes is right decides",
    )
)


class DisagreementError(InstructionError):
    """An undecided contradiction between what two people want."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two claims that cannot both be met.

    Attributes:
        earlier: the claim that was made first.
        later: the other one.
    """

    earlier: Claim
    later: Claim

    @property
    def told(self) -> str:
        """Sentences that tell who asks for what."""
        rules = " and ".join(map(show_constraint, self.earlier.constraints or self.later.constraints))
        why = f", to keep {rules}" if rules else ""
        return f"{self.earlier.told}. {self.later.told}. I cannot do both{why}."

    @property
    def choices(self) -> tuple[str, ...]:
        """The two wishes, in words."""
        return tuple(
            f'"{one.words}"{f", as {called(one.by)} says" if one.by else ""}'
            for one in (self.earlier, self.later)
        )

    def question(self, meanwhile: str) -> str:
        """Return the question who is right; *meanwhile* is what happens until it is answered."""
        return f"{self.told} {meanwhile} Which shall it be: {' or '.join(self.choices)}?"

    def decided(self, said: Utterance) -> Side | None:
        """Return whose words count by what one of the two, or someone unnamed, says; None if open."""
        if said.by and said.by not in (self.earlier.by, self.later.by):
            return None
        if _WITHDRAWN.fullmatch(said.words.strip()):
            if not said.by:
                return None
            return "later" if said.by == self.earlier.by else "earlier"
        if any_will_do(said.words):
            return "earlier"
        named = self._named(said.words)
        if named is not None:
            return named
        place = chosen(said.words, [one.words for one in (self.earlier, self.later)])
        if place is not None:
            return "later" if place else "earlier"
        yes = is_yes(said.words) if len(said.words.split()) <= 2 else None
        if yes is None or not said.by:
            return None
        # Who gives in decides; who insists does not.
        gives_in = yes
        if said.by == self.earlier.by:
            return "later" if gives_in else "earlier"
        return "earlier" if gives_in else None

    def _named(self, words: str) -> Side | None:
        tokens = {token.removesuffix("'s") for token in re.findall(r"[^\W_]+(?:'\w+)?", words.lower())}
        sides: dict[str, Side] = {self.earlier.by.lower(): "earlier", self.later.by.lower(): "later"}
        named: set[Side] = {side for name, side in sides.items() if name and name in tokens}
        return named.pop() if len(named) == 1 and tokens <= _SIDING | sides.keys() else None


@dataclass
class ContradictionCheck:
    """Finds out whether a claim contradicts an earlier one of another person; no tick waits for it.

    Two claims contradict each other if their goals exclude each other, if the constraints of one plainly
    forbid the goal of the other, or if it is proved that there is no plan for both with the constraints of
    both, although there may be one for the later claim alone.

    Args:
        context: knows what is believed, and the domain.
        service: plans.
        claims: the earlier claims.
        later: the claim.

    Attributes:
        found: the contradiction, once :meth:`ready` is true; None if there is none.
    """

    context: AgentContext
    service: PlanningService
    claims: Sequence[Claim]
    later: Claim
    found: Disagreement | None = None
    _pending: Deferred[bool] | None = None
    _steps: Generator[Deferred[bool], bool, None] | None = field(default=None, repr=False)

    def ready(self) -> bool:
        """Go on with the check as far as plans are there; return whether it is over."""
        if self._steps is None:
            self._steps = self._check()
            self._advance(None)
        while self._pending is not None and self._pending.ready():
            self._advance(self._pending.result())
        return self._pending is None

    def cancel(self) -> None:
        """Give it up."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None

    def _advance(self, answer: bool | None) -> None:
        assert self._steps is not None
        try:
            self._pending = next(self._steps) if answer is None else self._steps.send(answer)
        except StopIteration:
            self._pending = None

    def _check(self) -> Generator[Deferred[bool], bool, None]:
        later = self.later
        for earlier in self.claims:
            both = And((earlier.goal, later.goal))
            if not (self._excluded(both) or self._forbidden(earlier)):
                rules = (*earlier.constraints, *later.constraints)
                if not (yield self._impossible(both, rules)):
                    continue
                if (yield self._impossible(later.goal, later.constraints)):
                    continue  # it is impossible whatever the other one says
            self.found = Disagreement(earlier, later)
            return

    def _excluded(self, both: Formula) -> bool:
        """Return whether *both* goals can never hold at once, though each can."""
        known = situation(self.context)
        try:
            check_meaning(self.later.goal, known)
        except GoalMeaningError:
            return False
        try:
            check_meaning(both, known)
        except GoalMeaningError:
            return True
        return False

    def _forbidden(self, earlier: Claim) -> bool:
        """Return whether what one person wants kept plainly forbids what the other one wants."""
        from foretree.agent.constraints.forbidden import is_forbidden  # one person alone needs none

        context, later = self.context, self.later
        return is_forbidden(context, later.goal, earlier.constraints) or is_forbidden(
            context, earlier.goal, later.constraints
        )

    def _impossible(self, goal: Formula, constraints: Sequence[Constraint]) -> Deferred[bool]:
        """Begin to find out whether it is proved that no plan for *goal* keeps *constraints*."""
        context = self.context
        beliefs = context.belief.snapshot()
        answer: Future[Solution]
        try:
            task = context.new_task()
            task.constrain(tuple(dict.fromkeys(constraints)))
            task.refresh(beliefs)
            problem = make_problem(task.domain, beliefs, task.with_steps(goal), task.functions).problem
            answer = task.solve(problem, self.service.submit, explain=False)
        except (ProblemError, ConstraintError):  # what is not known yet contradicts nothing
            answer = Future()
            answer.set_result(Solution("out-of-limits"))
        latency = context.settings.planning_latency
        return Deferred(answer, context.clock, latency, lambda solution: solution.status == "unsolvable")


def still_counts(claim: Claim, context: AgentContext) -> bool:
    """Return whether a claim of an earlier run counts: it holds, or says what to keep to."""
    beliefs = context.belief.snapshot()
    lasting = bool(claim.constraints)
    return lasting or evaluate(claim.goal, beliefs.assumed, context.task.objects) is Truth.TRUE


def record_disagreement(context: AgentContext, found: Disagreement, decided: Side | None = None) -> None:
    """Record who asked for what, and whose words count as soon as that is decided."""
    sides = {"earlier": found.earlier, "later": found.later}
    said = {side: [claim.by, claim.words] for side, claim in sides.items()}
    context.recorder.record("people.disagree", **said, **({"decided": decided} if decided else {}))


def settled_by(rule: str, disagreement: Disagreement) -> Side | None:
    """Return whose words count by the setting ``disagreements``; None if the people have to decide."""
    if rule in ("earlier", "later"):
        return "later" if rule == "later" else "earlier"
    for side, claim in (("earlier", disagreement.earlier), ("later", disagreement.later)):
        if claim.by and claim.by.lower() == rule.lower():
            return "later" if side == "later" else "earlier"
    return None
