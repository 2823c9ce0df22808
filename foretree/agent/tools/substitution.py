"""Another thing in place of a missing one: what would do for this instruction, put into the goal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as OneOf
from typing import TypeAlias

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.instruction_reader import situation
from foretree.agent.mission import Mission, located
from foretree.agent.tools.feasibility import Feasibility
from foretree.clock import Deferred
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
from foretree.reasoning.alternatives import (
    Alternative,
    are_akin,
    are_called_alike,
    likeness,
    most_similar,
)
from foretree.reasoning.dangers import refuse_dangerous
from foretree.reasoning.goal_meaning import GoalMeaningError, refuse_excluded
from foretree.reasoning.instruction_errors import UnsafeError
from foretree.reasoning.replacements import LEAST_LIKENESS, is_needed_for, replacements
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.shipped import shipped_placer
from foretree.world_model.articles import with_article
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.ontology import plain, plurals

#: How much a thing has to be like the missing one where a certain one is meant, and where the person speaks
#: of one of their own.
LIKENESS_TO_CERTAIN, LIKENESS_TO_OWN = 0.8, 0.95

#: How words speak of a thing: as any of its kind, as a certain one, or as one of somebody's own.
_Determined: TypeAlias = OneOf["any", "certain", "own"]
_DETERMINERS: dict[str, _Determined] = {
    **dict.fromkeys(("a", "an", "some", "any", "another", "one"), "any"),
    **dict.fromkeys(("the", "this", "that", "these", "those"), "certain"),
    **dict.fromkeys(("my", "our", "your", "his", "her", "their", "its"), "own"),
}
#: The state of what need not be washed first.
CLEAN = "clean"
#: What is so of a tool that is used.
_USED = frozenset({"scooped", "laden"})
#: What is so of a thing that lies ready.
_SET_OUT = "on"
#: So many words may stand between a determiner and its noun.
_BETWEEN = 2


@dataclass(frozen=True, slots=True)
class Replacement:
    """Another thing in place of a missing one.

    Attributes:
        missing: the class of what is missing.
        alternative: what would do.
        goal: the goal with it.
        matters: whether the person has to accept it first.
    """

    missing: str
    alternative: Alternative
    goal: Formula
    matters: bool = False

    @property
    def words(self) -> str:
        """Return what is taken in place of what."""
        return f"{self.alternative.thing} in place of {with_article(self.missing)}"


class Substitution:
    """The search for other things in place of missing ones.

    A thing is taken in place of another where that can do no harm: it is handed over, any of its kind was
    asked for, or it is set out for a need that the person tells. Where a certain thing is to be put away or
    changed, it is replaced by what is nearly the same, if nothing else that was asked for can be done. Where
    that is not so, one of the person's own is replaced by what is not of nearly the same kind, or a thing by
    one for something else, it matters: the person has to accept it, if one is there to be asked.

    Args:
        context: knows what is there.
        mission: has the goal, and what was turned down.
        feasibility: knows what cannot be reached.
    """

    def __init__(self, context: AgentContext, mission: Mission, feasibility: Feasibility) -> None:
        self._context = context
        self._mission = mission
        self._feasibility = feasibility
        self._advice: dict[str, str] = {}

    def unadvised(self) -> str | None:
        """Return a missing class for which nothing would do by affordances, and no adviser was asked."""
        if self._context.adviser is None:
            return None
        return next((name for name in self._replaceable() if name not in self._advice), None)

    def ask(self, missing: str) -> Deferred[str]:
        """Have the adviser asked what would do in place of a class; :meth:`advise` takes the answer."""
        assert self._context.adviser is not None
        things = self._things(missing)
        return self._context.adviser.begin(missing, self._mission.instruction, set(things.values()))

    def advise(self, missing: str, class_name: str) -> None:
        """Take note that things of a class would do in place of a missing one, or, if empty, none."""
        self._advice[missing] = class_name

    def best(self) -> Replacement | None:
        """Return what would do best in place of the first missing thing that can be replaced."""
        return next(filter(None, map(self._for, self._replaceable())), None)

    def proposal(self) -> Replacement | None:
        """Return what could be taken in place of a missing thing if a person were there to accept it."""
        if self._mission.conversation.attended:
            return None
        missing = self._replaceable(if_asked=True)
        return next(filter(None, (self._for(name, if_asked=True) for name in missing)), None)

    def _replaceable(self, if_asked: bool = False) -> Iterator[str]:
        """Iterate over the missing classes in place of which another thing may be taken.

        Args:
            if_asked: whether a person would be asked.
        """
        mission = self._mission
        assert mission.goal is not None
        if not mission.instruction or mission.in_place == "none":
            return  # a goal that was given means what it says; "bring me an orange if there is one"
        beliefs, domain = self._context.belief.snapshot(), self._context.catalogue.domain
        for lack in mission.lacks(beliefs, domain):
            if len(lack.classes) == 1 and lack.classes != mission.tools:
                missing = lack.classes[0]
                asked = mission.conversation.attended or if_asked
                if asked or self._may_be_replaced(missing) or self._is_set_out(missing):
                    yield missing

    def _may_be_replaced(self, missing: str) -> bool:
        """Return whether something may be taken in place of a missing thing without asking."""
        if self._mission.in_place == "welcome" or not self._is_certain(missing):
            return True
        return determined(missing, self._mission.instruction) == "certain" and not self._leaves_any(missing)

    def _leaves_any(self, missing: str) -> bool:
        """Return whether some of the goal can be reached that is not about a missing thing."""
        goal = self._mission.goal
        parts = goal.parts if isinstance(goal, And) else ()
        others = (part for part in parts if not any(_literals_about(part, missing)))
        return any(not self._feasibility.is_hopeless(part) for part in others)

    def _is_certain(self, missing: str) -> bool:
        """Return whether a certain thing is meant, and more is wanted than that a person has it.

        Of what is only used, "the sponge" to wipe with, nothing is wanted.
        """
        said = determined(missing, self._mission.instruction)
        return said != "any" and not self._is_only_used_or_handed_over(missing)

    def _for(self, missing: str, if_asked: bool = False) -> Replacement | None:
        mission = self._mission
        assert mission.goal is not None
        taken = constants_of(mission.goal)
        for alternative in self._candidates(missing):
            if alternative.thing in taken or (missing, alternative.thing) in mission.declined:
                continue
            is_near = alternative.likeness >= LIKENESS_TO_OWN
            is_own = determined(missing, mission.instruction) == "own"
            certain = self._is_certain(missing)
            is_welcome = mission.in_place == "welcome"
            may_be = self._may_be_replaced(missing) and self._is_close(missing, alternative)
            may_be = may_be or self._is_needed(missing, alternative)
            matters = (certain and not (is_welcome or may_be)) or (is_own and not (is_welcome or is_near))
            matters = matters or alternative.is_makeshift
            if matters and not mission.conversation.attended and not if_asked:
                continue
            goal = replaced(mission.goal, missing, alternative.thing)
            if goal == mission.goal or self._is_refused(goal):
                continue
            if not self._hopeless_part(goal, alternative.thing):
                return Replacement(missing, alternative, goal, matters)
        return None

    def _is_set_out(self, missing: str) -> bool:
        """Return whether all that the goal wants of what is missing is that it lies ready somewhere."""
        assert self._mission.goal is not None
        wanted = [*_literals_about(self._mission.goal, missing)]
        return bool(wanted) and all(one.positive and one.atom[0] == _SET_OUT for one in wanted)

    def _is_needed(self, missing: str, alternative: Alternative) -> bool:
        """Return whether a thing is set out for a need that is told, which another one meets, too."""
        instruction, kind = self._mission.instruction, self._things(missing).get(alternative.thing, "")
        return self._is_set_out(missing) and is_needed_for(missing, kind, instruction, _placer())

    def _is_close(self, missing: str, alternative: Alternative) -> bool:
        """Return whether one thing is nearly the same as another: a laptop, for a tablet."""
        kind, placer = self._things(missing)[alternative.thing], _placer()
        # What is eaten has to be of one kind, as fruit is; bread is no cheese.
        akin = are_called_alike if placer.probability(missing, "consumable") >= LIKELY else are_akin
        return alternative.likeness >= LIKENESS_TO_CERTAIN and akin(missing, kind, placer)

    def _is_refused(self, goal: Formula) -> bool:
        entities = self._context.belief.snapshot().entities()
        try:
            refuse_dangerous(goal, {name: entity.best_class for name, entity in entities.items()})
            refuse_excluded(goal, situation(self._context))
        except (UnsafeError, GoalMeaningError):
            return True
        return False

    def _candidates(self, missing: str) -> Iterator[Alternative]:
        """Iterate over what would do: what is for the same, then what was advised."""
        instruction, things = self._mission.instruction, self._things(missing)
        success = self._context.success
        if success is not None:
            placer = success.experience.affordances.placer
        else:
            embed = self._context.embed
            placer = _placer() if embed is None else shipped_placer(embed)
        if self._context.settings.alternatives == "similar":
            found = most_similar(missing, things, placer)
            yield from (one for one in found if one.likeness >= LEAST_LIKENESS)
        else:
            yield from self._ready_first(replacements(missing, instruction, things, placer, self._own))
        advised = self._advice.get(missing)
        if advised:
            alike = likeness(missing, advised, placer)
            yield from (Alternative(name, (), 0.0, alike) for name in things if things[name] == advised)

    def _ready_first(self, found: Sequence[Alternative]) -> tuple[Alternative, ...]:
        """Return the alternatives, of each class those first that need no washing."""
        beliefs, predicates = self._context.belief.snapshot(), self._context.catalogue.domain.predicates
        entities = beliefs.entities()
        classes = list(
            dict.fromkeys(entities[one.thing].best_class for one in found if one.thing in entities)
        )

        def rank(one: Alternative) -> tuple[int, bool]:
            dirty = CLEAN in predicates and beliefs.truth((CLEAN, one.thing)) is Truth.FALSE
            return classes.index(entities[one.thing].best_class), dirty

        return tuple(sorted(found, key=rank))

    def _own(self, name: str, affordance: str) -> float | None:
        """Evidence from experience and people of a single thing."""
        success, thing = self._context.success, self._context.belief.entity(name)
        if success is None or thing is None:
            return None
        return success.experience.affordances.own(thing, affordance)

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

    def _is_only_used_or_handed_over(self, missing: str) -> bool:
        """Return whether all that the goal wants of what is missing, if anything, is that a person has it."""
        assert self._mission.goal is not None
        predicates = self._context.catalogue.domain.predicates
        return all(
            literal.positive
            and (
                literal.atom[0] in _USED
                or any(p.type == "person" for p in predicates.get(literal.atom[0], ()))
            )
            for literal in _literals_about(self._mission.goal, missing)
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
    """Words by which *instruction* speaks of a thing of a class; as of any, if it does not name it."""
    words = re.findall(r"[^\W_]+", instruction.lower())
    known = _placer().mapping.classes.get(class_name)
    nouns = (plain(class_name), *(() if known is None else known.words))
    for name in (name for noun in nouns for name in (noun, *plurals(noun))):
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
    return shipped_placer()
