"""What an instruction came to, judged by the truth of the world and never by what the agent believes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

from foretree.agent.mission import Mission
from foretree.planning.pddl.syntax import Count, Forall, Formula, Literal, constants_of, literals_of, walk
from foretree.planning.semantics.evaluation import ground
from foretree.reasoning.instruction_errors import AmbiguousError, NoSuchThingError, NotUnderstoodError
from foretree.regression.language.suite import Because, InstructionCase
from foretree.simulation.household.goal_oracle import GoalOracle, UndecidableGoalError
from foretree.simulation.household.household_state import House
from foretree.simulation.household.world import HouseholdWorld
from foretree.trees.session import Session
from foretree.world_model.beliefs.facts import Atom, Pose, Truth

#: What an instruction can come to: the person's goal, something else than what was meant, a question, a
#: refusal, an answer, the suggestion of another thing, or nothing although it was tried.
Response: TypeAlias = OneOf["reached", "other", "asked", "refused", "answered", "suggested", "failed"]

#: What a goal is about is never one of these alone.
_NOT_THINGS = ("person", "robot", "hand", "waypoint")


@dataclass(frozen=True)
class JudgedResponse:
    """What an instruction came to.

    Attributes:
        response: what it was.
        because: why it was refused, if it was.
        unasked: what the agent set out to bring about, and did, though nobody asked for it.
    """

    response: Response
    because: Because | None = None
    unasked: tuple[str, ...] = ()

    def suits(self, case: InstructionCase, answer: str) -> bool:
        """Return whether it is what a careful helper would have made of *case*.

        What is not understood is refused rightly where it is unclear only, and there a question does as well.
        """
        unclear = case.because == "unclear"
        match case.outcome:
            case "reaches":
                return self.response == "reached"
            case "asks":
                return self.response == "asked"
            case "answers":
                said = answer.lower()
                return self.response == "answered" and all(word.lower() in said for word in case.answer)
            case "refuses" if self.response == "refused":
                return unclear or self.because != "unclear"
        return unclear and self.response == "asked"


def judge(case: InstructionCase, session: Session, world: HouseholdWorld) -> JudgedResponse:
    """Judge a session that has ended: the person's goal in the world as it is, and what else was changed."""
    mission, result = session.mission, session.result
    assert result is not None
    holds = case.goal is not None and world.holds(case.goal)
    unasked = tuple(sorted(set(_unasked(case, session, world))))
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


def _unasked(case: InstructionCase, session: Session, world: HouseholdWorld) -> Iterator[str]:
    """What the agent's own goal says of things that the person's goal does not speak of, and has become so.

    Tools are not in a goal, so it does not matter which are used, nor where they are left.
    """
    meant = session.mission.goal
    if meant is None:
        return
    before, after = GoalOracle(House(case.scene)), GoalOracle(world.house)
    asked: frozenset[str] = frozenset()
    if case.goal is not None and not case.nothing:
        asked = constants_of(ground(case.goal, after))
    entities = session.context.belief.entities().values()
    names = {e.name: e.pose for e in entities if not e.fixed and e.pose is not None}
    for literal in _literals(meant, after):
        atom = _resolved(literal.atom, after, names)
        if atom is None:
            continue
        wanted = Truth.TRUE if literal.positive else Truth.FALSE
        came_true = before.truth(atom) is not wanted and after.truth(atom) is wanted
        if came_true and not asked.intersection(_about(atom, after)):
            yield f"({' '.join(atom)})" if literal.positive else f"(not ({' '.join(atom)}))"


def _literals(goal: Formula, objects: GoalOracle) -> Iterator[Literal]:
    grounded = ground(goal, objects)
    yield from (literal for literal in literals_of(grounded) if not _is_open(literal))
    for part in walk(grounded):
        if isinstance(part, Count):
            yield from literals_of(ground(Forall(part.variables, part.body), objects))


def _is_open(literal: Literal) -> bool:
    return any(term.startswith("?") for term in literal.atom[1:])


def _resolved(atom: Atom, oracle: GoalOracle, names: Mapping[str, Pose]) -> Atom | None:
    """The atom with the scene's own names; None where the world knows nothing of the kind."""
    try:
        found = (atom[0], *(oracle.resolve(term, names) for term in atom[1:]))
        oracle.truth(found)
    except UndecidableGoalError:
        return None
    return found


def _about(atom: Atom, oracle: GoalOracle) -> set[str]:
    """The items that an atom is about; without any, the furniture and doors."""
    kinds = {name: oracle.kind(name) for name in atom[1:]}
    items = {name for name, kind in kinds.items() if kind == "item"}
    things = {name for name, kind in kinds.items() if kind not in _NOT_THINGS}
    return items or things or {*kinds}
