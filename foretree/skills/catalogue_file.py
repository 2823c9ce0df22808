"""Reading of a catalogue: a domain, its classes, and the skill files, checked against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from foretree.config import ConfigError, config_files, find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import Domain
from foretree.reasoning.phrase_templates import PhraseTemplate
from foretree.schema import Strict, validate
from foretree.skills._operator_table import OperatorTable, read_operator_table
from foretree.skills._skill_file import (
    NewPredicate,
    PhraseEntry,
    SkillFile,
    phrase_templates,
    read_skill_file,
)
from foretree.skills.catalogue import Catalogue, default_skills, infer_kinds, takes_two_robots
from foretree.world_model.beliefs.consequences import DIFFER, IS
from foretree.world_model.beliefs.facts import PredicateInfo, Vocabulary
from foretree.world_model.ontology import Ontology
from foretree.world_model.ontology_file import load_ontology


class _Forms(Strict):
    forms: dict[str, tuple[PhraseEntry, ...]]


def load_catalogue(
    domain: str = "household",
    skills: Iterable[str] | None = None,
    changes: Mapping[str, Mapping[str, str]] | None = None,
) -> Catalogue:
    """Read a domain and the skills that act in it.

    Args:
        domain: one of ``configs/domains``, or the path of such a YAML file.
        skills: names from ``configs/skills``, or paths of such files; all of ``configs/skills`` if None. A
            domain whose file says what each of its operators is, or in which words people ask for it, names
            its skills itself; others come on top.
        changes: values that differ from the skills' files, by skill and key: ``{"pick": {"retries": "0"}}``.

    Raises:
        ConfigError: a file is missing or says something that makes no sense; with file and line.
        PddlError: the domain or an action is wrong; with file, line and column.
    """
    path = find_config("domains", domain)
    ontology = load_ontology(path)
    if ontology.domain is None:
        raise ConfigError(f"{path}: domain: is missing; it names the PDDL file that the classes extend.")
    base = read_domain(ontology.domain)
    table = read_operator_table(path, base)
    if table is not None:
        base = table.expanded(base)
    _check_ontology(path, ontology, base)
    base = replace(base, types={**base.types, **ontology.types()})
    named = () if skills is None and "forms" in read_yaml(path) else skills
    files = _by_name(read_skill_file(path, base, changes) for path in _skill_files(table, named))
    for name, values in (changes or {}).items():
        if name not in files:
            key = next(iter(values))
            raise ConfigError(f"--set skill.{name}.{key}: there is no skill {name!r}. {suggest(name, files)}")
    added = _new_predicates(files, base)
    base = replace(base, predicates={**base.predicates, **{n: p.parameters for n, p in added.items()}})
    forms = _forms_of_operators(path, base)
    if table is None:
        if skills is None:
            files = {name: file for name, file in files.items() if file.entry.action is not None}
        made = default_skills(base) | {name: file.skill(base) for name, file in files.items()}
        made |= {name: replace(made[name], forms=own) for name, own in forms.items()}
    else:
        own = (file for name, file in files.items() if name not in table.action_types)
        made = table.skills(base, files) | {file.name: file.skill(base) for file in own}
    joint = {name: made.pop(name) for name in files if name in made and takes_two_robots(made[name], base)}
    complete = replace(base, operators={name: skill.operator for name, skill in made.items()})
    return Catalogue(complete, _vocabulary(complete, ontology, added), ontology, made, joint)


def _forms_of_operators(path: Path, domain: Domain) -> dict[str, tuple[PhraseTemplate, ...]]:
    """The wordings by which people ask for the operators of a domain, as far as its own file says them."""
    read = validate(_Forms, {"forms": read_yaml(path).get("forms", {})}, path)
    for name in read.forms:
        if name not in domain.operators:
            problem = f"the domain {domain.name} has no such operator. {suggest(name, domain.operators)}"
            raise error_at(path, ("forms", name), problem)
    return {
        name: phrase_templates(entries, domain.operators[name], domain, path, ("forms", name))
        for name, entries in read.forms.items()
    }


def _skill_files(table: OperatorTable | None, skills: Iterable[str] | None) -> list[Path]:
    """The skill files to read: those of the types in the table come first."""
    if table is None and skills is None:
        return list(config_files("skills").values())
    own = () if table is None else (*table.action_types, *table.further)
    return [find_config("skills", name) for name in dict.fromkeys((*own, *(skills or ())))]


def _by_name(files: Iterable[SkillFile]) -> dict[str, SkillFile]:
    found: dict[str, SkillFile] = {}
    for file in files:
        other = found.setdefault(file.name, file)
        if other is not file:
            raise error_at(file.path, ("skill",), f"{other.path} already describes {file.name!r}.")
    return found


def _new_predicates(files: Mapping[str, SkillFile], domain: Domain) -> dict[str, NewPredicate]:
    added: dict[str, NewPredicate] = {}
    for file in files.values():
        for name, predicate in file.predicates.items():
            if name in domain.predicates:
                raise error_at(
                    file.path, ("predicates", name), f"the domain {domain.name} has this predicate already."
                )
            if added.setdefault(name, predicate) != predicate:
                raise error_at(
                    file.path,
                    ("predicates", name),
                    "another skill file declares it, but not in the same way.",
                )
    return added


def _vocabulary(domain: Domain, ontology: Ontology, added: Mapping[str, NewPredicate]) -> Vocabulary:
    """Return the settings of each predicate in the files; its kind is inferred where they leave it open."""
    given = dict(ontology.vocabulary.predicates) | {name: new.info for name, new in added.items()}
    settled = ontology.kinds_given | {name for name, new in added.items() if new.kind_given}
    for name, kind in infer_kinds(domain).items():
        if name not in settled:
            given[name] = replace(given.get(name, PredicateInfo()), kind=kind)
    return Vocabulary(given)


def _check_ontology(path: Path, ontology: Ontology, domain: Domain) -> None:
    """Refuse classes and predicates that the PDDL domain knows nothing of."""
    types = [*domain.types, "object"]
    for known in ontology.classes.values():
        if known.parent not in types:
            raise error_at(
                path,
                ("classes", known.name, "is"),
                f"{known.parent!r} is no type of {ontology.domain}. {suggest(known.parent, types)}",
            )
        if known.name != known.parent and domain.types.get(known.name, known.parent) != known.parent:
            raise error_at(
                path,
                ("classes", known.name, "is"),
                f"{ontology.domain} has a type of this name, below {domain.types[known.name]!r}.",
            )
        for index, predicate in enumerate(known.affords):
            if len(domain.predicates.get(predicate, ())) != 1:
                unary = [name for name, parameters in domain.predicates.items() if len(parameters) == 1]
                problem = f"{predicate!r} is no predicate of one thing in {ontology.domain}."
                raise error_at(
                    path, ("classes", known.name, "affords", index), f"{problem} {suggest(predicate, unary)}"
                )

    def check(key: KeyPath, predicate: str, arity: int) -> None:
        if len(domain.predicates.get(predicate, ())) != arity:
            problem = f"{ontology.domain} has no predicate {predicate!r} of {arity} things."
            raise error_at(path, key, f"{problem} {suggest(predicate, domain.predicates)}")

    for index, rule in enumerate(ontology.follows):
        for number, atom in enumerate(rule.when):
            if (atom[0], len(atom)) not in ((IS, 3), (DIFFER, 3)):
                check(("follows", index, "when", number), atom[0], len(atom) - 1)
        check(("follows", index, "then"), rule.then[0], len(rule.then) - 1)
    if ontology.parts is not None:
        for part, predicate, arity in ontology.parts.predicates():
            check(("parts", part), predicate, arity)
    for predicate in ontology.vocabulary.predicates:
        if predicate not in domain.predicates and predicate != "class":
            raise error_at(
                path,
                ("predicates", predicate),
                f"{ontology.domain} has no such predicate. {suggest(predicate, domain.predicates)}",
            )
