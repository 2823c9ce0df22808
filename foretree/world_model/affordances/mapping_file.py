"""The files of the object-affordance mapping, in ``configs/affordances/``: its affordances, its classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import KeyPath, error_at
from foretree.schema import Strict, validate
from foretree.world_model.affordances.mapping import Affordance, AffordanceMapping, AffordingClass
from foretree.world_model.ontology import plain

_Probability: TypeAlias = Annotated[float, Field(ge=0, le=1)]


#: An affordance and its probability, if that is not the usual one.
_Listed: TypeAlias = Annotated[
    dict[str, _Probability | None],
    BeforeValidator(lambda listed: {listed: None} if isinstance(listed, str) else listed),
]


class _Definition(Strict):
    means: str = Field(min_length=1)
    words: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    use: bool = True
    implies: tuple[str, ...] = ()


class _Definitions(Strict):
    affordances: dict[str, _Definition] = Field(min_length=1)
    states: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    state_words: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class _Entry(Strict):
    words: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    affords: tuple[_Listed, ...] = ()


class _Classes(Strict):
    usual: _Probability = 0.95
    otherwise: _Probability = 0.03
    sections: dict[str, str] = Field(default_factory=dict)
    classes: dict[str, _Entry] = Field(min_length=1)


def load_mapping(definitions: Path | None = None, classes: Path | None = None) -> AffordanceMapping:
    """Read the definitions of the affordances, and what each class affords.

    Args:
        definitions: the file with the affordances; by default that among the configs.
        classes: the file with the classes; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    definitions = definitions or find_config("affordances", "affordances")
    classes = classes or find_config("affordances", "classes")
    known = validate(_Definitions, read_yaml(definitions), definitions)
    _check_definitions(definitions, known)
    read = validate(_Classes, read_yaml(classes), classes)
    _check_names(classes, read)
    sections = _sections(classes, read)
    return AffordanceMapping(
        affordances={
            name: Affordance(name, d.means, d.words, d.predicates, d.use, d.implies)
            for name, d in known.affordances.items()
        },
        classes={
            name: AffordingClass(
                name,
                _probabilities(classes, name, entry, read.usual, known.affordances),
                tuple(map(plain, entry.words)),
                entry.like,
                sections[name],
            )
            for name, entry in read.classes.items()
        },
        otherwise=read.otherwise,
        states={state: frozenset(lost) for state, lost in known.states.items()},
        state_words=known.state_words,
    )


def _sections(path: Path, read: _Classes) -> Mapping[str, str]:
    """The section of each class; empty for those before the first one."""
    for section, first in read.sections.items():
        if first not in read.classes:
            problem = f"there is no class {first!r}. {suggest(first, read.classes)}"
            raise error_at(path, ("sections", section), problem)
    begun = {first: section for section, first in read.sections.items()}
    found: dict[str, str] = {}
    section = ""
    for name in read.classes:
        section = found[name] = begun.get(name, section)
    return found


def _probabilities(
    path: Path, name: str, entry: _Entry, usual: float, known: Iterable[str]
) -> Mapping[str, float]:
    """The probabilities of the affordances that a class lists."""
    found: dict[str, float] = {}
    for index, listed in enumerate(entry.affords):
        for affordance, probability in listed.items():
            where = ("classes", name, "affords", index)
            _check_affordance(path, where, affordance, known)
            if affordance in found:
                raise error_at(path, where, f"{affordance} is listed for the second time.")
            found[affordance] = usual if probability is None else probability
    return found


def _check_affordance(path: Path, where: KeyPath, affordance: str, known: Iterable[str]) -> None:
    if affordance not in known:
        raise error_at(path, where, f"there is no affordance {affordance!r}. {suggest(affordance, known)}")


def _check_definitions(path: Path, read: _Definitions) -> None:
    """Check that a predicate states one affordance, and that affordances name others that there are."""
    owner: dict[str, str] = {}
    for name, definition in read.affordances.items():
        for index, predicate in enumerate(definition.predicates):
            if owner.setdefault(predicate, name) != name:
                problem = (
                    f"{predicate!r} already states {owner[predicate]}; a predicate states one affordance."
                )
                raise error_at(path, ("affordances", name, "predicates", index), problem)
        for index, implied in enumerate(definition.implies):
            _check_affordance(path, ("affordances", name, "implies", index), implied, read.affordances)
    for state, lost in read.states.items():
        for index, affordance in enumerate(lost):
            _check_affordance(path, ("states", state, index), affordance, read.affordances)
    for state in read.state_words:
        if state not in read.states:
            problem = f"there is no state {state!r}. {suggest(state, read.states)}"
            raise error_at(path, ("state_words", state), problem)


def _check_names(path: Path, read: _Classes) -> None:
    """Check that look-alikes are classes, and that no word names two classes."""
    owner: dict[str, str] = {}
    for name in read.classes:
        if owner.setdefault(plain(name), name) != name:
            raise error_at(path, ("classes", name), f"it is the same class as {owner[plain(name)]!r}.")
    for name, entry in read.classes.items():
        for index, word in enumerate(map(plain, entry.words)):
            if owner.setdefault(word, name) != name:
                problem = f"{word!r} already means {owner[word]}; a word names one class."
                raise error_at(path, ("classes", name, "words", index), problem)
        for index, other in enumerate(entry.like):
            if other not in read.classes:
                problem = f"there is no class {other!r}. {suggest(other, read.classes)}"
                raise error_at(path, ("classes", name, "like", index), problem)
