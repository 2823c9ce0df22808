"""The file of kinds, ``configs/language/kinds.yaml``: nouns for many classes, and what is said of things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import find_config, read_yaml, stamp
from foretree.file_errors import error_at, errors_at
from foretree.reasoning.offline.grammar.verb_forms import gerund, participle, third_person
from foretree.reasoning.offline.knowledge.wordings import WordingCompiler, WordingError, WordingPattern
from foretree.reasoning.offline.word_index import WordIndex
from foretree.schema import Strict, validate
from foretree.world_model.ontology import plurals

_Text = Annotated[str, Field(min_length=1)]
_SUBJECT = r"(?P<subject>(?:\([^()]*\)\?? |a |the )?(?:\([^()]*\)|[a-z]+)) "
_OPTIONAL = re.compile(r"(\([^()]*\)|\S+)\?")
_PREPOSITION = "(?:with|from|on|in|off|under|at|to|out of|into|through|by|for)"
_SENTENCE = re.compile(
    rf"(?:_ |{_SUBJECT})(?P<verb>\([^()]*\)|[a-z]+)(?P<rest>.*?)"
    rf"(?P<preposition> (?:{_PREPOSITION}|\({_PREPOSITION}(?:\|{_PREPOSITION})*\)))?"
    r"(?P<object> _(?P<after> .*)?)?"
)
#: What stands in the sentences that are made of one: who does it, how far, and what it is for.
_LISTS = {
    "people": "you|one|i|we|people|a person|someone|everyone|anyone|they|he|she|most people|my wife"
    "|my husband|guests|children|kids|persons|a human|humans|folks",
    "may": "can|could|would|should|might|may|will|usually|always|normally|often|typically|generally|like to"
    "|want to|have to|need to|tend to|use to|only|commonly|can usually|would normally|mostly|most often",
    "used": "used|meant|made|suitable|good|intended|designed|fit|handy|useful|right|built|needed|required"
    "|there",
    "that": "that|which|who|what",
    "are": "is|are|gets|get|was|can be|should be|may be|has to be|is usually|is normally|is often"
    "|are usually",
}
_PEOPLE, _MAY, _USED, _THAT, _ARE = (f"<{name}>" for name in _LISTS)


@dataclass(frozen=True)
class KindOfThings:
    """What names or describes things of several classes.

    Attributes:
        of: classes and other kinds, the most typical first.
        affords: affordances; classes that are likely to have each of them belong to it, too.
        without: classes that do not.
    """

    of: tuple[str, ...] = ()
    affords: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class ThingDescription:
    """What is said of things, after the noun: "that you cut bread with"."""

    wording: WordingPattern
    kind: KindOfThings
    #: Whether it says what they are for: of those, any one will do.
    for_use: bool


@dataclass(frozen=True)
class KindTable:
    """The kinds.

    Attributes:
        nouns: the kind of each noun.
        collective: those that mean several things without a plural: "cutlery".
        plurals: the kind of each plural of a noun.
        descriptions: what is said of things, by the words in it; what comes first is tried first.
        by_name: the kinds by their names in the file.
    """

    nouns: Mapping[str, KindOfThings]
    collective: frozenset[str]
    plurals: Mapping[str, KindOfThings]
    descriptions: WordIndex[ThingDescription]
    by_name: Mapping[str, KindOfThings]


class _Kind(Strict):
    of: tuple[_Text, ...] = ()
    affords: tuple[_Text, ...] = ()
    without: tuple[_Text, ...] = ()

    def kind(self) -> KindOfThings:
        return KindOfThings(self.of, self.affords, self.without)


class _NamedKind(_Kind):
    words: tuple[_Text, ...] = ()
    collective: bool = False


class _Description(_Kind):
    say: tuple[_Text, ...] = Field(min_length=1)


class _Kinds(Strict):
    words: dict[str, tuple[_Text, ...]] = Field(default_factory=dict)
    kinds: dict[str, _NamedKind] = Field(default_factory=dict)
    descriptions: tuple[_Description, ...] = ()


def load_kinds(path: Path | None = None) -> KindTable:
    """Read the kinds.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    return _read(stamp(path or find_config("language", "kinds")))


@lru_cache(maxsize=4)
def _read(file: tuple[Path, int, int]) -> KindTable:
    path = file[0]
    read = validate(_Kinds, read_yaml(path), path)
    lists = {name: tuple(words.split("|")) for name, words in _LISTS.items()}
    compiler = WordingCompiler({**lists, **read.words})
    listed: tuple[tuple[str | int, _Kind], ...] = (*read.kinds.items(), *enumerate(read.descriptions))
    for where, entry in listed:
        if not entry.of and not entry.affords:
            key = ("kinds" if isinstance(where, str) else "descriptions", where)
            raise error_at(path, key, "it names no classes: give `of` or `affords`.")
    descriptions = []
    for number, described in enumerate(read.descriptions):
        for index, say in enumerate(described.say):
            with errors_at(path, ("descriptions", number, "say", index)):
                for text, for_use in _after_nouns(say):
                    descriptions.append(ThingDescription(compiler.compile(text), described.kind(), for_use))
    names = {name: kind.kind() for name, kind in read.kinds.items()}
    words = {word: names[name] for name, kind in read.kinds.items() for word in (name, *kind.words)}
    collective = {
        word for name, kind in read.kinds.items() if kind.collective for word in (name, *kind.words)
    }
    many = {form: kind for word, kind in reversed(words.items()) for form in plurals(word)}
    described_by = WordIndex((one, one.wording.needed) for one in descriptions)
    return KindTable(words, frozenset(collective), many, described_by, names)


def _after_nouns(say: str) -> Iterator[tuple[str, bool]]:
    """Yield what follows a noun for what a sentence says of the thing ``_``, and whether it is a use.

    Raises:
        WordingError: it is no such sentence.
    """
    if "_" not in say.split():
        yield say, False
        return
    read = _SENTENCE.fullmatch(say)
    misplaced = read is None or (read["object"] is None) is (read["subject"] is not None)
    if read is None or misplaced or say.split().count("_") > 1:
        raise WordingError(f'"{say}" is no sentence about "_", such as "you cut bread with _".')
    verbs = read["verb"].strip("()").split("|")
    base, third, ing, done = (
        f"({'|'.join(' '.join((form(first), *more)) for first, *more in map(str.split, verbs))})"
        for form in (str, third_person, gerund, participle)
    )
    rest, preposition = read["rest"] + (read["after"] or ""), read["preposition"] or ""
    if read["subject"] is None:
        rest = rest + preposition
        yield f"{_THAT}? {_MAY}? ({base}|{third}){rest}", False
        yield f"{_THAT}? {_ARE}? {ing}{rest}", False
        yield f"{_USED}? (to {base}|for {ing}){rest}", False
        yield f"{_THAT} (is|are) {_USED} (to {base}|for {ing}){rest}", False
        return
    yield from _of_objects(read["subject"], (base, third, ing, done), rest, preposition)


def _of_objects(
    subject: str, forms: tuple[str, str, str, str], rest: str, preposition: str
) -> Iterator[tuple[str, bool]]:
    base, third, ing, done = forms
    used = subject == "you"
    who = _PEOPLE if used else subject
    yield f"{_THAT}? {who} {_MAY}? ({base}|{third}){rest}{preposition}", used
    if preposition:
        yield f"{preposition} (which|whom|what) {who} {_MAY}? ({base}|{third}){rest}", used
        named = rest.replace("{stuff}?", "{stuff}")
        if _OPTIONAL.sub("", named).strip():
            yield f"{_THAT}? {named} {_ARE} {done}{preposition}", used
            # "Something to crack walnuts", without "with".
            yield f"{_USED}? to {base} {named}{'' if used else preposition}", used
            yield f"{_THAT}? {who} {_MAY}? (use|need|require|take) (to {base}|for {ing}) {named}", used
            yield f"{_THAT}? (is|are) {_USED} (to {base}|for {ing}) {named}", used
            yield f"{_USED}? for {ing} {named}", used
    else:
        yield f"{_THAT}? {_ARE}? {done}{rest}", used
    if used:
        yield f"{_USED}? (for {_PEOPLE} to|to) {base}{rest}{preposition}", used
        yield f"{_THAT} (is|are) {_USED} (to {base}{rest}{preposition}|for {ing}{rest})", used
        yield (
            f"{_USED}? for {ing}{rest} ({preposition})?" if preposition else f"{_USED}? for {ing}{rest}",
            used,
        )
