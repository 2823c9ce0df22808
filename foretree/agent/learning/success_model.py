"""Probabilities of success: what skill files say, and what experience has taught.

Each outcome of an action counts for its skill and for the objects that it relied on. After a knife has failed
to cut, another one is likelier to, and so is another way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from foretree.agent.learning.experience import Experience
from foretree.planning.pddl.syntax import Literal
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.evaluation import conjuncts
from foretree.skills.skill import Skill
from foretree.world_model.affordances.mapping import Outcomes
from foretree.world_model.beliefs.facts import Atom, Entity

#: How many outcomes the probability in a skill file counts as.
_STRENGTH = 8.0


class SuccessModel:
    """Implements :class:`~foretree.planning.task.success_costs.SuccessProbabilities` for a session.

    Args:
        skills: by operator.
        experience: what was learned, and takes what is.
        entity: the believed entity of a name.

    Attributes:
        experience: the same.
    """

    def __init__(
        self,
        skills: Mapping[str, Skill],
        experience: Experience,
        entity: Callable[[str], Entity | None],
    ) -> None:
        self._skills = skills
        self.experience = experience
        self._affordances = experience.affordances
        self._entity = entity
        self._outcomes = experience.skills

    def of_operator(self, name: str) -> float:
        """The probability that actions of an operator do what they should where their conditions hold."""
        skill = self._skills.get(name)
        if skill is None:
            return 1.0
        once = self._outcomes.get(name, Outcomes()).rated(skill.success, _STRENGTH)
        return 1.0 - (1.0 - once) ** (skill.retries + 1)

    def of_objects(self, atoms: tuple[Atom, ...]) -> float | None:
        """The probability that static facts about objects hold; None if they are no affordances."""
        wanted: dict[str, list[str]] = {}
        for predicate, name in atoms:
            affordance = self._affordances.mapping.of_predicate(predicate)
            if affordance is not None:
                wanted.setdefault(name, []).append(affordance)
        probability = None
        for name, needed in wanted.items():
            thing = self._entity(name)
            if thing is not None:
                own = self._affordances.probability(thing, *needed)
                probability = own if probability is None else probability * own
        return probability

    def record(self, action: GroundAction, succeeded: bool) -> None:
        """Count the outcome of an action."""
        before = self._outcomes.get(action.name, Outcomes())
        after = before + (Outcomes(held=1.0) if succeeded else Outcomes(failed=1.0))
        self._outcomes[action.name] = after
        relied_on = [
            part.atom
            for part in conjuncts(action.precondition)
            if isinstance(part, Literal) and part.positive and len(part.atom) == 2
        ]
        names = {atom[1] for atom in relied_on}
        things = {name: thing for name in names if (thing := self._entity(name)) is not None}
        self._affordances.record_action(relied_on, things, succeeded)
