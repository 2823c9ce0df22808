"""The catalogue: everything that can be done, in one domain, with what the belief must know about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Domain
from foretree.skills._predicate_kinds import infer_kinds
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.vocabulary import PredicateInfo, Vocabulary
from foretree.world_model.ontology import Ontology


class UnknownSkillError(ForetreeError):
    """A skill that the catalogue does not have."""


@dataclass(frozen=True)
class Catalogue:
    """What can be done and what can be said about the world.

    Attributes:
        domain: types (the classes of things among them), predicates, and the operators of all skills.
        vocabulary: how the belief treats each predicate, its kind given or inferred.
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
        """A catalogue for a bare PDDL domain: every action is a skill, and what is not stated is false.

        Such a world has no poses and no looks. The robot is told an action's arguments by name, and does
        one thing at a time.
        """
        vocabulary = Vocabulary(
            {name: PredicateInfo(kind=kind) for name, kind in infer_kinds(domain).items()}
        )
        return cls(domain, vocabulary, skills=default_skills(domain))


def load_catalogue(
    domain: str = "household",
    skills: Iterable[str] | None = None,
    changes: Mapping[str, Mapping[str, str]] | None = None,
) -> Catalogue:
    """Read a domain and the skills that act in it.

    Args:
        domain: one of ``configs/domains``, or the path of such a YAML file.
        skills: names from ``configs/skills``, or paths of such files; all of ``configs/skills`` if None. A
            domain whose file says what each of its operators is names its skills itself; others come on top.
        changes: values that differ from the skills' files, by skill and key: ``{"pick": {"retries": "0"}}``.

    Raises:
        ConfigError: a file is missing or says something that makes no sense; with file and line.
        PddlError: the domain or an action is wrong; with file, line and column.
    """
    # What was read once and kept needs no file models.
    from foretree.skills._catalogue_file import read_catalogue

    return read_catalogue(domain, skills, changes)


def default_skills(domain: Domain) -> dict[str, Skill]:
    """Every operator as a skill of its own, which needs no file."""
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
