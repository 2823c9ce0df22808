"""The part of a goal that can be reached: as many of its subgoals as possible, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission
from foretree.agent.tools.feasibility import Feasibility
from foretree.planning.pddl.syntax import And, Count, Exists, Forall, Formula, show, walk
from foretree.planning.semantics.evaluation import evaluate, ground
from foretree.reasoning.reasoner import LeftOut
from foretree.world_model.beliefs.facts import Truth


@dataclass(frozen=True, slots=True)
class GoalPart:
    """The part of a goal that can be reached.

    Attributes:
        goal: the part.
        left_out: the rest, and why each of it cannot be reached.
    """

    goal: Formula
    left_out: tuple[LeftOut, ...]


class GoalParts:
    """The parts of a mission's goal.

    Each subgoal counts the same. One that cannot be reached by itself is left out; what is to be so of
    several things is done with as many of them as there are. Subgoals that exclude each other are not chosen
    among: which of them matters, only the person knows.

    Args:
        context: knows what is believed.
        mission: has the goal, and what was left out of it when it was understood.
        feasibility: knows what cannot be reached.
    """

    def __init__(self, context: AgentContext, mission: Mission, feasibility: Feasibility) -> None:
        self._context = context
        self._mission = mission
        self._feasibility = feasibility

    def best(self) -> GoalPart | None:
        """Return as much of the goal as can be reached; None if that is nothing, or was done before."""
        goal = self._mission.goal
        assert goal is not None
        kept: list[Formula] = []
        left_out = list(self._mission.left_out)
        for part in self._subgoals(goal):
            why = self._why_not(part)
            fewer = self._fewer(part) if why else None
            if not why:
                kept.append(part)
                continue
            if fewer is not None:
                kept.append(fewer)
            left_out.append(LeftOut(show(part), why))
        if not left_out or not kept or all(self._holds(part) for part in kept):
            return None
        part = And(tuple(kept)) if len(kept) > 1 else kept[0]
        if part in self._mission.parts or self._feasibility.is_hopeless(part):
            return None
        return GoalPart(part, tuple(left_out))

    def _subgoals(self, goal: Formula) -> Iterator[Formula]:
        if isinstance(goal, Forall):
            goal = ground(goal, self._context.task.objects)
        if isinstance(goal, And):
            for part in goal.parts:
                yield from self._subgoals(part)
        else:
            yield goal

    def _why_not(self, part: Formula) -> str:
        """Return why a subgoal cannot be reached; empty if it may be."""
        context = self._context
        beliefs, domain = context.belief.snapshot(), context.catalogue.domain
        alone = Mission(goal=part, wanted=self._wanted_by(part))
        gone = alone.unfound(beliefs, domain)
        if gone:
            return f"{' and '.join(gone)} could not be found"
        if not self._feasibility.is_hopeless(part):
            return ""
        gone = alone.missing(beliefs, domain)
        return f"{' and '.join(gone)} could not be found" if gone else "there is no way to do it"

    def _wanted_by(self, part: Formula) -> tuple[str, ...]:
        types = {
            variable.type
            for formula in walk(part)
            if isinstance(formula, (Exists, Forall, Count))
            for variable in formula.variables
        }
        return tuple(name for name in self._mission.wanted if name in types)

    def _fewer(self, part: Formula) -> Formula | None:
        """Return *part* for as many things as it can be reached for, where it counts them."""
        if isinstance(part, Count):
            for number in range(part.at_least - 1, 0, -1):
                fewer = replace(part, at_least=number, at_most=None)
                if not self._feasibility.is_hopeless(fewer):
                    return fewer
        return None

    def _holds(self, part: Formula) -> bool:
        context = self._context
        return evaluate(part, context.belief.snapshot().assumed, context.task.objects) is Truth.TRUE
