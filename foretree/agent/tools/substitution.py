"""Another thing in place of a missing one: what would do for this instruction, put into the goal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as OneOf
from typing import TypeAlias

from foretree.agent.context import AgentContext
from foretree.agent.mission import Mission, located
from foretree.agent.tools.feasibility import Feasibility
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Exists,
    Formula,
    Literal,
    constants_of,
    literals_of,
    rebuild,
    substitute,
    walk,
)
from foretree.reasoning.alternatives import Alternative, likeness, suggest_alternatives
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.ontology import plain, plurals

#: How much a thing has to be like the missing one; and where the person speaks of one of their own.
LEAST_LIKENESS, LIKENESS_TO_OWN = 0.55, 0.95

#: How words speak of a thing: as any of its kind, as a certain one, or as one of somebody's own.
_Determined: TypeAlias = OneOf["any", "certain", "own"]
_DETERMINERS: dict[str, _Determined] = {
    **dict.fromkeys(("a", "an", "some", "any", "another", "one"), "any"),
    **dict.fromkeys(("the", "this", "that", "these", "those"), "certain"),
    **dict.fromkeys(("my", "our", "your", "his", "her", "their"), "own"),
}
#: So many words may stand between a determiner and its noun.
_BETWEEN = 2


@dataclass(frozen=True, slots=True)
class Replacement:
    """Another thing in place of a missing one.

    Attributes:
        missing: the class of what is missing.
        alternative: what would do.
        goal: the goal with it.
    """

    missing: str
    alternative: Alternative
    goal: Formula

    @property
    def words(self) -> str:
        """What is taken in place of what."""
        return f"{self.alternative.thing} in place of a {self.missing.replace('_', ' ')}"


class Substitution:
    """The search for other things in place of missing ones.

    A thing is taken in place of another where that can do no harm: it is handed over, or any of its kind was
    asked for. A certain thing that is to be put away or changed is not replaced, and one of the person's own
    only by what is of nearly the same kind.

    Args:
        context: knows what is there.
        mission: has the goal, and what was turned down.
        feasibility: knows what cannot be reached.
    """

    def __init__(self, context: AgentContext, mission: Mission, feasibility: Feasibility) -> None:
        self._context = context
        self._mission = mission
        self._feasibility = feasibility

    def best(self) -> Replacement | None:
        """Return what would do best in place of the first missing thing that can be replaced."""
        beliefs, domain = self._context.belief.snapshot(), self._context.catalogue.domain
        for lack in self._mission.lacks(beliefs, domain):
            if len(lack.classes) == 1 and lack.classes != self._mission.tools:
                found = self._for(lack.classes[0])
                if found is not None:
                    return found
        return None

    def _for(self, missing: str) -> Replacement | None:
        mission, placer = self._mission, _placer()
        assert mission.goal is not None
        if not mission.instruction:
            return None  # a goal that was given means what it says
        said = determined(missing, mission.instruction)
        if said != "any" and not self._is_only_handed_over(missing):
            return None
        least = LIKENESS_TO_OWN if said == "own" else LEAST_LIKENESS
        things = self._things(missing)
        taken = constants_of(mission.goal)
        for alternative in suggest_alternatives(missing, mission.instruction, things, placer):
            if alternative.thing in taken or (missing, alternative.thing) in mission.declined:
                continue
            if likeness(missing, things[alternative.thing], placer) < least:
                continue
            goal = replaced(mission.goal, missing, alternative.thing)
            if goal != mission.goal and not self._hopeless_part(goal, alternative.thing):
                return Replacement(missing, alternative, goal)
        return None

    def _things(self, missing: str) -> dict[str, str]:
        """The things at hand that can be moved and are of another class, each with its class."""
        beliefs, domain = self._context.belief.snapshot(), self._context.catalogue.domain
        return {
            name: entity.best_class
            for name, entity in sorted(beliefs.entities().items())
            if domain.is_a(entity.best_class, "item")
            and not domain.is_a(entity.best_class, missing)
            and located(name, beliefs)
        }

    def _is_only_handed_over(self, missing: str) -> bool:
        """Return whether all that the goal wants of what is missing is that a person has it."""
        assert self._mission.goal is not None
        predicates = self._context.catalogue.domain.predicates
        wanted = list(_literals_about(self._mission.goal, missing))
        return bool(wanted) and all(
            literal.positive and any(p.type == "person" for p in predicates.get(literal.atom[0], ()))
            for literal in wanted
        )

    def _hopeless_part(self, goal: Formula, thing: str) -> bool:
        """Return whether what *goal* wants of a thing cannot be reached."""
        parts = goal.parts if isinstance(goal, And) else (goal,)
        return any(
            self._feasibility.is_hopeless(part)
            for part in parts
            if thing in constants_of(part) and not any(isinstance(below, Exists) for below in walk(part))
        )


def replaced(goal: Formula, missing: str, thing: str) -> Formula:
    """*goal* with a thing in place of any thing of the class *missing*."""
    if isinstance(goal, Exists):
        binding = {variable.name: thing for variable in goal.variables if variable.type == missing}
        rest = tuple(variable for variable in goal.variables if variable.name not in binding)
        body = replaced(substitute(goal.body, binding), missing, thing)
        return Exists(rest, body) if rest else body
    if isinstance(goal, Count) and goal.variable.type == missing and goal.at_least == 1:
        return substitute(goal.body, {goal.variable.name: thing})
    return rebuild(goal, lambda part: replaced(part, missing, thing))


def determined(class_name: str, instruction: str) -> _Determined:
    """How *instruction* speaks of a thing of a class; as of any, if it does not name it."""
    noun = plain(class_name)
    words = re.findall(r"[^\W_]+", instruction.lower())
    for name in (noun, *plurals(noun)):
        parts = name.split()
        for at in range(len(words) - len(parts) + 1):
            if words[at : at + len(parts)] == parts:
                before = reversed(words[max(0, at - _BETWEEN - 1) : at])
                return next((_DETERMINERS[word] for word in before if word in _DETERMINERS), "any")
    return "any"


def _literals_about(goal: Formula, class_name: str) -> Iterator[Literal]:
    for part in walk(goal):
        if isinstance(part, (Exists, Count)):
            names = {variable.name for variable in part.variables if variable.type == class_name}
            yield from (literal for literal in literals_of(part.body) if names.intersection(literal.atom))


@lru_cache(maxsize=1)
def _placer() -> Placer:
    return Placer(load_mapping())
