"""The file of an ontology: ``configs/domains/*.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from foretree.config import config_files, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict, validate
from foretree.world_model.beliefs.consequences import ConsequenceRule, read_pattern
from foretree.world_model.beliefs.facts import Atom, Kind, PredicateInfo, Vocabulary
from foretree.world_model.ontology import (
    AlwaysRule,
    ClassGroup,
    GoalCondition,
    Need,
    ObjectClass,
    Ontology,
    Parts,
    plain,
)


class PredicateEntry(Strict):
    """Settings of a predicate in a file: how the belief treats it."""

    observable: bool = False
    default: bool | None = False
    shelf_life: float | None = Field(default=None, gt=0)
    usual: float | None = Field(default=None, gt=0, lt=1)
    group: str | None = None
    subject: int = Field(default=1, ge=1)
    several: bool = False


class _Predicate(PredicateEntry):
    kind: Kind = "relation"
    words: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()


class _Class(Strict):
    is_: str = Field(alias="is")
    affords: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class _Follows(Strict):
    when: tuple[str, ...] = Field(min_length=1)
    then: str


class _Never(Strict):
    together: tuple[str, ...] = Field(min_length=1)
    because: str = Field(min_length=1)


class _ConditionsFile(Strict):
    never: tuple[_Never, ...] = ()


class _File(Strict):
    domain: str | None = None
    # How the domain is expanded, which skill each operator is, which skills there are, and what the words
    # for a failure teach: read by foretree.skills._operator_table.
    expand: Mapping[str, Any] = Field(default_factory=dict)
    operators: Mapping[str, Any] = Field(default_factory=dict)
    skills: Any = ()
    lessons: Any = ()
    # In which words people ask for the operators of a domain without skill files; its agents, and groups of
    # the mapping's classes: read by foretree.skills.catalogue_file and foretree.skills.affordance_catalogue.
    forms: Any = ()
    agents: Any = ()
    families: Any = ()
    predicates: Mapping[str, _Predicate] = Field(default_factory=dict)
    always: tuple[AlwaysRule, ...] = ()
    follows: tuple[_Follows, ...] = ()
    parts: Parts | None = None
    affordances: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    classes: Mapping[str, _Class] = Field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    groups: tuple[ClassGroup, ...] = ()
    never: tuple[_Never, ...] = ()


def load_ontology(path: Path) -> Ontology:
    """Read the classes and predicates of a domain.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    read = validate(_File, read_yaml(path), path)
    affords = _affords(path, read)
    classes = {
        name: ObjectClass(name, c.is_, affords[name], c.words, c.like, c.covers, c.instead)
        for name, c in read.classes.items()
    }
    _check(path, read, affords)
    return Ontology(
        classes=classes,
        vocabulary=Vocabulary(
            {
                n: PredicateInfo(**p.model_dump(exclude={"words", "opposites"}))
                for n, p in read.predicates.items()
            }
        ),
        predicate_words={name: (plain(name), *map(plain, p.words)) for name, p in read.predicates.items()},
        predicate_opposites={name: tuple(map(plain, p.opposites)) for name, p in read.predicates.items()},
        kinds_given=frozenset(n for n, p in read.predicates.items() if "kind" in p.model_fields_set),
        domain=path.parent / read.domain if read.domain else None,
        always=read.always,
        follows=tuple(_rule(path, index, rule) for index, rule in enumerate(read.follows)),
        parts=read.parts,
        needs=tuple(replace(need, said=tuple(map(plain, need.said))) for need in read.needs),
        groups=tuple(replace(group, words=tuple(map(plain, group.words))) for group in read.groups),
        never=(*_goal_conditions(path, read.never), *_own_conditions(path.stem)),
        source=path,
    )


def _own_conditions(domain: str) -> Iterator[GoalCondition]:
    """The conditions that the file of a domain's name in ``conditions/`` adds, if there is one."""
    file = config_files("conditions").get(domain)
    if file is not None:
        yield from _goal_conditions(file, validate(_ConditionsFile, read_yaml(file), file).never)


def _affords(path: Path, read: _File) -> dict[str, tuple[str, ...]]:
    """Return the static predicates of each class: by its affordances, but what it lacks, and its own."""
    found = {name: known.affords for name, known in read.classes.items()}
    if not read.affordances:
        return found
    from foretree.world_model.affordances.static_predicates import StaticPredicates  # reads further files

    predicates = StaticPredicates()
    for kind, names in read.affordances.items():
        for index, name in enumerate(names):
            if name not in predicates.names:
                problem = f"no affordance has this predicate. {suggest(name, predicates.names)}"
                raise error_at(path, ("affordances", kind, index), problem)
    for name, known in read.classes.items():
        among = read.affordances.get(known.is_, ())
        for index, predicate in enumerate(known.lacks):
            if predicate not in among:
                problem = f"no {known.is_} has {predicate!r} by an affordance. {suggest(predicate, among)}"
                raise error_at(path, ("classes", name, "lacks", index), problem)
        derived = (one for one in predicates.of(name, among) if one not in known.lacks)
        found[name] = tuple(dict.fromkeys((*derived, *known.affords)))
    return found


def _goal_conditions(path: Path, read: Sequence[_Never]) -> Iterator[GoalCondition]:
    return (_goal_condition(path, index, entry) for index, entry in enumerate(read))


def _goal_condition(path: Path, index: int, read: _Never) -> GoalCondition:
    together = []
    for number, text in enumerate(read.together):
        negated = re.fullmatch(r"\(\s*not\s+(\(.*\))\s*\)", text.strip())
        atom = read_pattern(negated[1] if negated else text)
        if atom is None:
            problem = f"write (on ?item ?place) or (not (open ?place)), not {text!r}."
            raise error_at(path, ("never", index, "together", number), problem)
        together.append((atom, negated is None))
    named = {term[1:]: "" for atom, _ in together for term in atom[1:] if term[0] == "?"}
    try:
        read.because.format_map(named)
    except (KeyError, ValueError, IndexError, AttributeError):
        valid = ", ".join(f"{{{name}}}" for name in named)
        problem = f"in braces stand variables of the facts only, as in {valid}, not {read.because!r}."
        raise error_at(path, ("never", index, "because"), problem) from None
    return GoalCondition(tuple(together), read.because)


def _rule(path: Path, index: int, read: _Follows) -> ConsequenceRule:
    def pattern(text: str, *location: str | int) -> Atom:
        atom = read_pattern(text)
        if atom is None:
            raise error_at(path, ("follows", index, *location), f"write (on ?item ?below), not {text!r}.")
        return atom

    when = tuple(pattern(text, "when", number) for number, text in enumerate(read.when))
    then = pattern(read.then, "then")
    named = {term for atom in when for term in atom[1:] if term[0] == "?"}
    for term in then[1:]:
        if term[0] == "?" and term not in named:
            problem = f"nothing under when says what {term} is. {suggest(term, named)}"
            raise error_at(path, ("follows", index, "then"), problem)
    return ConsequenceRule(when, then)


def _check(path: Path, read: _File, affords: Mapping[str, tuple[str, ...]]) -> None:
    """Check that what is named is there, and that no word names two things."""
    for location, name in _named_classes(read):
        if name not in read.classes:
            raise error_at(path, location, f"there is no class {name!r}. {suggest(name, read.classes)}")
    if read.parts and not re.fullmatch(r"[a-z][a-z_]*", read.parts.called):
        problem = f"write small letters and underscores, such as slice, not {read.parts.called!r}."
        raise error_at(path, ("parts", "called"), problem)
    afforded = {predicate for predicates in affords.values() for predicate in predicates}
    for number, need in enumerate(read.needs):
        for index, wanted in enumerate(need.take):
            if wanted not in afforded and wanted not in read.classes:
                what = f"there is no class {wanted!r}, and none affords it."
                problem = f"{what} {suggest(wanted, {*afforded, *read.classes})}"
                raise error_at(path, ("needs", number, "take", index), problem)
    owner = {plain(name): name for name in read.classes}
    for name, known in read.classes.items():
        for index, word in enumerate(map(plain, known.words)):
            if owner.setdefault(word, name) != name:
                problem = f"{word!r} already means {owner[word]}; a word names one class."
                raise error_at(path, ("classes", name, "words", index), problem)
    for number, group in enumerate(read.groups):
        for index, word in enumerate(map(plain, group.words)):
            if word in owner:
                problem = f"{word!r} already means {owner[word]}; name a group by a word of its own."
                raise error_at(path, ("groups", number, "words", index), problem)


def _named_classes(read: _File) -> Iterator[tuple[KeyPath, str]]:
    """The classes that a file names, each with its location."""
    for name, known in read.classes.items():
        for key, others in (("like", known.like), ("covers", known.covers), ("instead", known.instead)):
            yield from ((("classes", name, key, index), other) for index, other in enumerate(others))
    for number, group in enumerate(read.groups):
        yield from ((("groups", number, "of", index), name) for index, name in enumerate(group.of))
    for whole, part in read.parts.of.items() if read.parts else ():
        yield from ((("parts", "of", whole), name) for name in (whole, part))
