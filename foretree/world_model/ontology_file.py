"""Ontologies as YAML: the classes and predicates in the file of a domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from foretree.config import read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.world_model.beliefs.consequences import ConsequenceRule, read_pattern
from foretree.world_model.beliefs.facts import Atom, Kind, PredicateInfo, Vocabulary
from foretree.world_model.ontology import AlwaysRule, ClassGroup, Need, ObjectClass, Ontology, Parts, plain


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
    words: tuple[str, ...] = ()
    like: tuple[str, ...] = ()


class _Always(Strict):
    has: str
    lacks: str
    then: str


class _Follows(Strict):
    when: tuple[str, ...] = Field(min_length=1)
    then: str


class _Parts(Strict):
    of: Mapping[str, str] = Field(min_length=1)
    number: int = Field(ge=1)
    called: str = Field(pattern=r"^[a-z][a-z_]*$")
    within: str
    listed: str


class _Need(Strict):
    said: tuple[str, ...] = Field(min_length=1)
    take: tuple[str, ...] = Field(min_length=1)


class _Group(Strict):
    words: tuple[str, ...] = Field(min_length=1)
    of: tuple[str, ...] = Field(min_length=2)
    collective: bool = False


class _File(Strict):
    domain: str | None = None
    # How the domain is expanded, which skill each operator is, which skills there are, and what the words
    # for a failure teach: read by foretree.skills._operator_table.
    expand: Mapping[str, Any] = Field(default_factory=dict)
    operators: Mapping[str, Any] = Field(default_factory=dict)
    skills: Any = ()
    lessons: Any = ()
    predicates: Mapping[str, _Predicate] = Field(default_factory=dict)
    always: tuple[_Always, ...] = ()
    follows: tuple[_Follows, ...] = ()
    parts: _Parts | None = None
    classes: Mapping[str, _Class] = Field(default_factory=dict)
    needs: tuple[_Need, ...] = ()
    groups: tuple[_Group, ...] = ()


def load_ontology(path: Path) -> Ontology:
    """Read the classes and predicates of a domain.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    read = validate(_File, read_yaml(path), path)
    classes = {name: ObjectClass(name, c.is_, c.affords, c.words, c.like) for name, c in read.classes.items()}
    _check(path, classes, read.groups)
    _check_needs(path, read.needs, classes)
    if read.parts is not None:
        _check_parts(path, read.parts, classes)
    return Ontology(
        classes=classes,
        vocabulary=Vocabulary({name: _info(p) for name, p in read.predicates.items()}),
        predicate_words={name: (plain(name), *map(plain, p.words)) for name, p in read.predicates.items()},
        predicate_opposites={name: tuple(map(plain, p.opposites)) for name, p in read.predicates.items()},
        kinds_given=frozenset(n for n, p in read.predicates.items() if "kind" in p.model_fields_set),
        domain=path.parent / read.domain if read.domain else None,
        always=tuple(AlwaysRule(rule.has, rule.lacks, rule.then) for rule in read.always),
        follows=tuple(_rule(path, index, rule) for index, rule in enumerate(read.follows)),
        parts=Parts(**read.parts.model_dump()) if read.parts else None,
        needs=tuple(Need(tuple(map(plain, need.said)), need.take) for need in read.needs),
        groups=tuple(ClassGroup(tuple(map(plain, g.words)), g.of, g.collective) for g in read.groups),
        source=path,
    )


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


def _info(predicate: _Predicate) -> PredicateInfo:
    return PredicateInfo(**predicate.model_dump(exclude={"words", "opposites"}))


def _check(path: Path, classes: Mapping[str, ObjectClass], groups: Sequence[_Group]) -> None:
    owner = {plain(name): name for name in classes}
    for known in classes.values():
        for index, other in enumerate(known.like):
            if other not in classes:
                problem = f"there is no class {other!r}. {suggest(other, classes)}"
                raise error_at(path, ("classes", known.name, "like", index), problem)
        for index, word in enumerate(map(plain, known.words)):
            if owner.setdefault(word, known.name) != known.name:
                problem = f"{word!r} already means {owner[word]}; a word names one class."
                raise error_at(path, ("classes", known.name, "words", index), problem)
    for number, group in enumerate(groups):
        for index, name in enumerate(group.of):
            if name not in classes:
                problem = f"there is no class {name!r}. {suggest(name, classes)}"
                raise error_at(path, ("groups", number, "of", index), problem)
        for index, word in enumerate(map(plain, group.words)):
            if word in owner:
                problem = f"{word!r} already means {owner[word]}; name a group by a word of its own."
                raise error_at(path, ("groups", number, "words", index), problem)


def _check_parts(path: Path, parts: _Parts, classes: Mapping[str, ObjectClass]) -> None:
    for whole, part in parts.of.items():
        for name in (whole, part):
            if name not in classes:
                problem = f"there is no class {name!r}. {suggest(name, classes)}"
                raise error_at(path, ("parts", "of", whole), problem)


def _check_needs(path: Path, needs: Sequence[_Need], classes: Mapping[str, ObjectClass]) -> None:
    afforded = {affordance for known in classes.values() for affordance in known.affords}
    for number, need in enumerate(needs):
        for index, wanted in enumerate(need.take):
            if wanted not in afforded and wanted not in classes:
                what = f"there is no class {wanted!r}, and none affords it."
                problem = f"{what} {suggest(wanted, {*afforded, *classes})}"
                raise error_at(path, ("needs", number, "take", index), problem)
