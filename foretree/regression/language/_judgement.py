"""Outcomes of instructions, judged by the truth of the world and never by what the agent believes."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

from foretree.agent.mission import Mission
from foretree.planning.pddl.syntax import And, Count, Exists, Formula, Not, Or, constants_of
from foretree.planning.semantics.evaluation import Objects, ground
from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError
from foretree.regression.core.unasked import unasked_changes
from foretree.regression.language.suite import Because, InstructionCase
from foretree.simulation.household.goal_oracle import GoalOracle
from foretree.simulation.household.household_state import House
from foretree.simulation.household.world import HouseholdWorld
from foretree.trees.session import Session

#: What an instruction can come to: the person's goal, something else than what was meant, a question, a
#: refusal, an answer, the suggestion of another thing, or nothing although it was tried.
Response: TypeAlias = OneOf["reached", "other", "asked", "refused", "answered", "suggested", "failed"]


#: The reasons of the agent that are right where it is to refuse. What is missing makes the rest impossible,
#: so that either may be said of both; but what is unsafe is not refused for want of a thing.
_REASONS: Mapping[Because | None, Container[Because | None]] = {
    "impossible": ("impossible", "missing"),
    "missing": ("impossible", "missing"),
    "unsafe": ("impossible",),
}


@dataclass(frozen=True)
class JudgedResponse:
    """Outcome of an instruction.

    Attributes:
        response: what it was.
        because: why it was refused, if it was: impossible, missing or unclear.
        unasked: what the agent set out to bring about, and did, without being asked.
    """

    response: Response
    because: Because | None = None
    unasked: tuple[str, ...] = ()

    def suits(self, case: InstructionCase, answer: str) -> bool:
        """Return whether it is what a careful helper would have made of *case*.

        What is not understood is refused rightly where it is unclear only, and there a question does as well.
        The agent knows no dangers: a refusal as impossible is all that what is unsafe can come to.
        """
        unclear = case.because == "unclear"
        match case.outcome:
            case "reaches":
                return self.response == "reached"
            case "asks":
                return self.response == "asked"
            case "answers":
                return self.response == "answered" and all(_occurs(word, answer) for word in case.answer)
            case "refuses" if self.response == "refused":
                return unclear or self.because in _REASONS[case.because]
        return unclear and self.response == "asked"


def _occurs(word: str, answer: str) -> bool:
    """Return whether a word, or its plural, occurs in an answer as a whole: "no" does not in "know"."""
    return re.search(rf"(?<!\w){re.escape(word)}(s|es)?(?!\w)", answer, re.IGNORECASE) is not None


def judge(case: InstructionCase, session: Session, world: HouseholdWorld) -> JudgedResponse:
    """Judge a session that has ended: the person's goal in the world as it is, and what else was changed."""
    mission, result = session.mission, session.result
    assert result is not None
    holds = case.goal is not None and world.holds(case.goal)
    unasked = _unasked(case, session, world)
    if unasked:
        return JudgedResponse("other", unasked=unasked)
    if holds and (result.reached or (case.left_out and mission.plan is not None)):
        return JudgedResponse("reached")
    if result.reached:
        return JudgedResponse("answered" if mission.answer else "other")
    if result.outcome != "given-up" or mission.plan is not None:
        return JudgedResponse("failed")
    if isinstance(mission.refusal, AmbiguousError):
        return JudgedResponse("asked")
    return JudgedResponse("refused", because=_because(mission, session))


def _because(mission: Mission, session: Session) -> Because:
    if isinstance(mission.refusal, NotUnderstoodError):
        return "unclear"
    context = session.context
    missing = mission.goal is not None and mission.missing(
        context.belief.snapshot(), context.catalogue.domain
    )
    return "missing" if missing or isinstance(mission.refusal, NoSuchThingError) else "impossible"


def _unasked(case: InstructionCase, session: Session, world: HouseholdWorld) -> tuple[str, ...]:
    """Facts that the agent brought about on purpose though the person's goal does not speak of it."""
    meant = session.mission.goal
    if meant is None:
        return ()
    asked: frozenset[str] = frozenset()
    if case.goal is not None and not case.nothing:
        asked = _spoken_of(case.goal, GoalOracle(world.house))
    entities = session.context.belief.entities().values()
    names = {e.name: e.pose for e in entities if not e.fixed and e.pose is not None}
    return unasked_changes(meant, asked, House(case.scene), world.house, names)


def _spoken_of(goal: Formula, objects: Objects) -> frozenset[str]:
    """The things that a goal is about; of "two pillows on the sofa", every pillow may be one."""
    grounded = ground(goal, objects)
    if isinstance(grounded, Count):
        return _spoken_of(Exists((grounded.variable,), grounded.body), objects)
    if isinstance(grounded, (And, Or)):
        return frozenset().union(*(_spoken_of(part, objects) for part in grounded.parts))
    return _spoken_of(grounded.part, objects) if isinstance(grounded, Not) else constants_of(grounded)
