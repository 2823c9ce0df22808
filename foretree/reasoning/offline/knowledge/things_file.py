"""Common knowledge, ``configs/language/things.yaml``: what things are like, and what they are for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.config_cache import cached_file
from foretree.errors import suggest
from foretree.file_errors import error_at
from foretree.reasoning.offline.knowledge.kinds_file import KindTable, load_kinds
from foretree.reasoning.offline.knowledge.lemmas import lemma
from foretree.schema import Strict, validate

_LIST = re.compile(r"<([^<>]+)>")
#: What can be done with a thing, to it, and in, on or from it.
ROLES = ("with", "done", "at")
#: What may be said of being at a thing.
PLACES = frozenset(re.findall(r"\w+", "in on at under from out into onto inside off over against"))


@dataclass(frozen=True)
class ThingUse:
    """Uses of the things of a class.

    Attributes:
        role: with them, to them ("done"), or in, on or from them ("at").
        verbs: the verbs, as lemmas.
        places: the prepositions that are said with them, if only some are.
        words: what goes with these verbs, as lemmas.
        second: whether other things are meant first.
    """

    role: str
    verbs: frozenset[str]
    words: frozenset[str]
    places: frozenset[str] = frozenset()
    second: bool = False


@dataclass(frozen=True)
class KnownThing:
    """Common knowledge of the things of a class.

    Attributes:
        name: the class.
        traits: the words that may be said of the things themselves, as lemmas.
        uses: what can be done with them.
        kept: the furniture where they belong, the most usual first; each with what is as usual.
    """

    name: str
    traits: frozenset[str]
    uses: tuple[ThingUse, ...]
    kept: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class ThingTable:
    """Common knowledge of classes of things.

    Attributes:
        things: the classes by name, in the order of the file.
        same: the word that stands for those of one meaning, by lemma.
        by_word: the classes of which a word may be said.
    """

    things: Mapping[str, KnownThing]
    same: Mapping[str, str]
    by_word: Mapping[str, frozenset[str]]

    def meaning(self, word: str) -> str:
        """Return the lemma that stands for a word and for those that mean the same."""
        found = lemma(word)
        return self.same.get(found, found)


_Text = Annotated[str, Field(min_length=1)]


class _Thing(Strict):
    is_: str = Field(default="", alias="is")
    with_: dict[_Text, str | None] = Field(default_factory=dict, alias="with")
    done: dict[_Text, str | None] = Field(default_factory=dict)
    at: dict[_Text, str | None] = Field(default_factory=dict)
    kept: tuple[_Text, ...] = ()

    def uses(self) -> Iterator[tuple[str, str, str]]:
        """Yield each role with its verbs and words."""
        for role, listed in zip(ROLES, (self.with_, self.done, self.at), strict=True):
            yield from ((role, verbs, words or "") for verbs, words in listed.items())


class _Things(Strict):
    same: tuple[tuple[_Text, ...], ...] = ()
    words: dict[str, _Text] = Field(default_factory=dict)
    things: dict[str, _Thing] = Field(default_factory=dict)


def load_things(path: Path | None = None) -> ThingTable:
    """Read what is commonly known of things.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    return cached_file("language", "things", _read) if path is None else _read(path)


def _read(path: Path) -> ThingTable:
    read = validate(_Things, read_yaml(path), path)
    # Not through the cache: what is made of the kinds must be made anew when they change.
    kinds = load_kinds(find_config("language", "kinds"))
    same = {lemma(word): lemma(group[0]) for group in reversed(read.same) for word in group}
    lists = {**_of_kinds(kinds), **read.words}

    def meanings(text: str, where: tuple[str, ...]) -> frozenset[str]:
        for name in _LIST.findall(text):
            if name not in lists:
                problem = f"there is no list of words {name!r}. {suggest(name, lists)}"
                raise error_at(path, ("things", *where), problem)
        plain = _LIST.sub(lambda match: lists[match[1]], text)
        return frozenset(same.get(lemma(word), lemma(word)) for word in plain.split())

    traits_of_kinds = _kinds_of_classes(kinds)
    things: dict[str, KnownThing] = {}
    for name, thing in read.things.items():
        uses = tuple(
            ThingUse(
                role,
                meanings(verbs.removeprefix("~"), (name, role)) - PLACES,
                meanings(words, (name, role)),
                PLACES.intersection(verbs.split()),
                second=verbs.startswith("~"),
            )
            for role, verbs, words in thing.uses()
        )
        traits = meanings(" ".join((thing.is_, *traits_of_kinds.get(name, ()))), (name, "is"))
        kept = tuple(tuple(one.strip() for one in place.split("|")) for place in thing.kept)
        things[name] = KnownThing(name, traits, uses, kept)
    return ThingTable(things, same, _index(things.values()))


def _of_kinds(kinds: KindTable) -> Mapping[str, str]:
    """The words of each kind, and the classes that belong to it."""
    return {
        name: " ".join((*(word for word, one in kinds.nouns.items() if one is kind), *kind.of)).replace(
            "_", " "
        )
        for name, kind in kinds.by_name.items()
    }


def _kinds_of_classes(kinds: KindTable) -> Mapping[str, list[str]]:
    """The kinds that each class belongs to."""
    found: dict[str, list[str]] = {}
    for kind_name, kind in kinds.by_name.items():
        for name in _classes(kind.of, kinds, set()):
            found.setdefault(name, []).append(kind_name)
    return found


def _classes(names: Collection[str], kinds: KindTable, seen: set[str]) -> Iterator[str]:
    for name in names:
        yield name.replace(" ", "_")
        inner = kinds.by_name.get(name)
        if inner is not None and name not in seen:
            yield from _classes(inner.of, kinds, {*seen, name})


def _index(things: Iterable[KnownThing]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for thing in things:
        for word in thing.traits.union(*(use.verbs | use.words for use in thing.uses)):
            found.setdefault(word, set()).add(thing.name)
    return {word: frozenset(names) for word, names in found.items()}
