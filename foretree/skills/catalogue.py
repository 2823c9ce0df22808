"""The catalogue: a domain, the skills that act in it, and how the belief treats its predicates.

Guards are chosen by a predicate's kind. Where the files leave it open, it is inferred.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Domain, Operator, Typed
from foretree.planning.semantics.operator_index import index_of
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.facts import Kind, PredicateInfo, Vocabulary
from foretree.world_model.ontology import Ontology

#: Types whose objects are the robot or parts of it.
_ROBOT_TYPES = ("agent", "arm", "gripper", "hand", "robot")


class UnknownSkillError(ForetreeError):
    """A skill that the catalogue does not have."""


@dataclass(frozen=True)
class Catalogue:
    """Skills and predicates of one domain.

    Attributes:
        domain: types (the classes of things among them), predicates, and the operators of all skills.
        vocabulary: treatment of each predicate in the belief, its kind given or inferred.
        ontology: the classes of things.
        skills: by name; the names are those of the domain's operators.
        joint: skills that take two robots, by name. They are not among the others, so that nothing is planned
            with them where there is one robot only.
    """

    domain: Domain
    vocabulary: Vocabulary
    ontology: Ontology = field(default_factory=Ontology)
    skills: Mapping[str, Skill] = field(default_factory=dict)
    joint: Mapping[str, Skill] = field(default_factory=dict)

    @cached_property
    def of_a_team(self) -> Catalogue:
        """The catalogue for several robots: with what takes two of them."""
        if not self.joint:
            return self
        skills = {**self.skills, **self.joint}
        operators = {name: skill.operator for name, skill in skills.items()}
        return replace(self, domain=replace(self.domain, operators=operators), skills=skills, joint={})

    def __getitem__(self, name: str) -> Skill:
        try:
            return self.skills[name]
        except KeyError:
            raise UnknownSkillError(
                f"There is no skill called {name!r}. {suggest(name, self.skills)}"
            ) from None

    @classmethod
    def from_domain(cls, domain: Domain) -> Catalogue:
        """Return the catalogue of a bare PDDL domain: every action is a skill, and unstated facts are false.

        Such a world has no poses and no looks. The robot is told an action's arguments by name, and does
        one thing at a time.
        """
        vocabulary = Vocabulary(
            {name: PredicateInfo(kind=kind) for name, kind in infer_kinds(domain).items()}
        )
        return cls(domain, vocabulary, skills=default_skills(domain))


def takes_two_robots(skill: Skill, domain: Domain) -> bool:
    """Return whether a skill is one that two robots use together."""
    robots = (parameter for parameter in skill.operator.parameters if domain.is_a(parameter.type, "robot"))
    return "robot" in domain.types and len([*robots]) > 1


def default_skills(domain: Domain) -> dict[str, Skill]:
    """Return a skill for each operator of a domain, made without a file."""
    return {
        operator.name: Skill(
            name=operator.name,
            says=f"{operator.name}, as the domain {domain.name} defines it.",
            operator=operator,
            resources=("robot",),
            parameters={"by_name": True},
        )
        for operator in domain.operators.values()
    }


def infer_kinds(domain: Domain) -> dict[str, Kind]:
    """The kind of every predicate of a domain, by its signature, its changes and its part in the actions.

    * **robot**: it is about a robot or its hand. So is what changes but has no arguments (``handempty``): it
      can only be about the one who acts.
    * **class**: one argument, and no action ever changes it: what a thing is, or affords.
    * **attribute**: one argument, and actions change it: how a thing is.
    * **place**: several arguments, and some action gives its first argument this for something else, or the
      other way round, as one picks up what lay somewhere: where a thing is.
    * **relation**: the rest.
    """
    changeable = index_of(domain).fluents
    moving = {name for op in domain.operators.values() for name in _exchanged(op)}
    kinds: dict[str, Kind] = {}
    for name, parameters in domain.predicates.items():
        if _about_the_robot(domain, parameters) or (name in changeable and not parameters):
            kinds[name] = "robot"
        elif len(parameters) == 1:
            kinds[name] = "attribute" if name in changeable else "class"
        else:
            kinds[name] = "place" if name in moving else "relation"
    return kinds


def _about_the_robot(domain: Domain, parameters: tuple[Typed, ...]) -> bool:
    names = [name for name in _ROBOT_TYPES if name in domain.types]
    return any(domain.is_a(parameter.type, name) for parameter in parameters for name in names)


def _exchanged(operator: Operator) -> set[str]:
    """The predicates of several arguments whose first one gains or loses another fact in exchange."""
    literals = [effect.literal for effect in operator.effects]
    return {
        one.atom[0]
        for one, other in product(literals, repeat=2)
        if len(one.atom) > 2 and other.positive is not one.positive and one.atom[1] in other.atom[1:]
    }
