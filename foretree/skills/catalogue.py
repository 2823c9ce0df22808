"""The catalogue: a domain, the skills that act in it, and how the belief treats its predicates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Domain
from foretree.skills._predicate_kinds import infer_kinds
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.facts import PredicateInfo, Vocabulary
from foretree.world_model.ontology import Ontology


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
    """

    domain: Domain
    vocabulary: Vocabulary
    ontology: Ontology = field(default_factory=Ontology)
    skills: Mapping[str, Skill] = field(default_factory=dict)

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
