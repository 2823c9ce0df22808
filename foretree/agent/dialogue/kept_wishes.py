"""Wishes that are kept when a person says more, or something else."""

from __future__ import annotations

from dataclasses import dataclass, replace

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.claims import Claim, called
from foretree.agent.dialogue.conversation import Intent
from foretree.agent.mission import Mission
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import TRUE, And, Formula, atoms_of, constants_of
from foretree.planning.semantics.evaluation import conjunction, conjuncts, evaluate
from foretree.reasoning.reasoner import LeftOut
from foretree.world_model.beliefs.facts import BODY, Truth


@dataclass(frozen=True, slots=True)
class KeptWishes:
    """Wishes that a mission keeps beside what is said next.

    Attributes:
        goal: what it wants; None if only the constraints are kept.
        constraints: what it keeps to.
    """

    goal: Formula | None
    constraints: tuple[Constraint, ...]
    _wanted: tuple[str, ...]
    _left_out: tuple[LeftOut, ...]
    _replaced: tuple[str, ...]
    _instruction: str
    _how: str

    @classmethod
    def of(cls, mission: Mission, intent: Intent) -> KeptWishes | None:
        """Return what is kept of a mission when the person who spoke last wants more, or something else.

        That person's own wish is kept if it is added to, those of others always; None if nothing is kept.
        """
        ongoing = mission.goal is not None and not (mission.more_of or mission.readings or mission.refusal)
        others = tuple(claim for claim in mission.claims if claim.by != mission.by)
        if intent == "extend" or (others and others == mission.claims):
            return cls(
                mission.goal if ongoing else None,
                mission.constraints,
                mission.wanted,
                mission.left_out,
                mission.replaced,
                mission.instruction,
                mission.how,
            )
        if not others or not ongoing:
            return None
        constraints = dict.fromkeys(rule for claim in others for rule in claim.constraints)
        wanted = tuple(name for claim in others for name in claim.wanted)
        words, read = (", and ".join(one.words for one in others), "; and ".join(one.how for one in others))
        goal = conjunction(*(claim.goal for claim in others))
        return cls(goal, tuple(constraints), wanted, (), (), words, read)

    def add_to(self, mission: Mission) -> None:
        """Have a mission want it beside what was said last."""
        if self.goal is None:
            return
        assert mission.goal is not None
        if mission.readings:
            both = (replace(one, goal=And((self.goal, one.goal))) for one in mission.readings)
            mission.readings = tuple(both)
        mission.goal = And((self.goal, mission.goal))
        mission.wanted = tuple(dict.fromkeys((*self._wanted, *mission.wanted)))
        mission.left_out = (*self._left_out, *mission.left_out)
        mission.replaced = self._replaced
        mission.instruction = f"{self._instruction}, and {mission.instruction}"
        mission.how = f"{self._how}; and {mission.how}"


def uphold(mission: Mission, context: AgentContext) -> None:
    """Have a mission want, beside the wish of who spoke last, what was done for others and holds.

    It was wished to last: if it has to be undone on the way, it is brought about again. Where a robot stands
    is not: that was only wished for then.
    """
    assert mission.goal is not None
    beliefs, objects = context.belief.snapshot(), context.task.objects
    kept: list[Claim] = []
    rest: list[Claim] = []
    for claim in mission.standing:
        lasting = conjunction(*(part for part in conjuncts(claim.goal) if not _is_whereabouts(part, context)))
        holds = lasting != TRUE and evaluate(lasting, beliefs.assumed, objects) is Truth.TRUE
        if holds and claim.by != mission.by:
            kept.append(replace(claim, goal=lasting))
        else:
            rest.append(claim)
    if not kept:
        return
    mission.standing = tuple(rest)
    others = conjunction(*(claim.goal for claim in kept))
    mission.readings = tuple(replace(one, goal=conjunction(one.goal, others)) for one in mission.readings)
    spoken, asked = frozenset(constants_of(mission.goal)), frozenset(conjuncts(mission.goal))
    mission.goal = conjunction(mission.goal, others)
    for claim in kept:
        if not spoken.isdisjoint(constants_of(claim.goal)) and not asked.issuperset(conjuncts(claim.goal)):
            mission.how += f"; what {called(claim.by)} asked for stays so: {claim.how}"
        mission.claims = with_claim(mission.claims, claim, "extend")


def _is_whereabouts(formula: Formula, context: AgentContext) -> bool:
    """Return whether *formula* says nothing but where robots stand."""
    said = [context.belief.vocabulary[atom[0]] for atom in atoms_of(formula)]
    return bool(said) and all(info.group == BODY for info in said)


def with_claim(claims: tuple[Claim, ...], claim: Claim, intent: Intent) -> tuple[Claim, ...]:
    """Return *claims* with one more, in place of that of the same person; to *extend* it, beside it."""
    others = tuple(one for one in claims if one.by != claim.by)
    own = next((one for one in claims if one.by == claim.by), None)
    if own is not None and intent == "extend":
        claim = replace(
            claim,
            words=f"{own.words}, and {claim.words}",
            how=f"{own.how}; and {claim.how}",
            goal=And((own.goal, claim.goal)),
            constraints=tuple(dict.fromkeys((*own.constraints, *claim.constraints))),
            wanted=(*own.wanted, *claim.wanted),
        )
    return (*others, claim)
