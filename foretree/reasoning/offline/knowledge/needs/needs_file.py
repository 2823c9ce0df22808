"""The file of needs, ``configs/language/needs.yaml``: how people put needs, and which requests meet them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import find_config, read_yaml, stamp
from foretree.errors import suggest
from foretree.file_errors import error_at, errors_at
from foretree.reasoning.offline.grammar.word_index import WordIndex
from foretree.reasoning.offline.knowledge.kinds_file import load_kinds
from foretree.reasoning.offline.knowledge.wordings import WordingCompiler, WordingPattern
from foretree.schema import Strict, validate

_Text = Annotated[str, Field(min_length=1)]
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class PersonalNeed:
    """Something that people say they lack or find wrong, and the requests that put it right.

    Attributes:
        name: a short name.
        means: what is taken to be so: "you are thirsty"; slots in braces.
        wordings: how people put it.
        then: the requests, the best first; the first one that makes sense counts.
        asks: whether it is a request that is only put otherwise.
        only: the kind of which the things in a slot must be.
        covers: needs that are met along with it.
    """

    name: str
    means: str
    wordings: tuple[WordingPattern, ...]
    then: tuple[str, ...]
    asks: bool = False
    only: Mapping[str, str] = field(default_factory=dict)
    covers: tuple[str, ...] = ()

    def matches(self, words: str) -> Iterator[Mapping[str, str]]:
        """Yield what the slots stand for where *words* put this need."""
        for wording in self.wordings:
            yield from wording.matches(words)


@dataclass(frozen=True)
class NeedTable:
    """The needs, in the order of the file.

    Attributes:
        by_words: the names of needs, by the words in their wordings.
    """

    needs: tuple[PersonalNeed, ...]
    by_words: WordIndex[str]

    def among(self, said: Collection[str]) -> tuple[PersonalNeed, ...]:
        """The needs that a sentence of the words *said* may put."""
        names = {*self.by_words.among(said)}
        return tuple(need for need in self.needs if need.name in names)


class _Entry(Strict):
    means: _Text
    say: tuple[_Text, ...] = Field(min_length=1)
    then: tuple[_Text, ...] = Field(min_length=1)
    asks: bool = False
    only: dict[str, str] = Field(default_factory=dict)
    covers: tuple[str, ...] = ()


class _Needs(Strict):
    words: dict[str, tuple[_Text, ...]] = Field(default_factory=dict)
    needs: dict[str, _Entry] = Field(min_length=1)


def load_needs(path: Path | None = None) -> NeedTable:
    """Read the needs.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    return _read(stamp(path or find_config("language", "needs")))


@lru_cache(maxsize=4)
def _read(file: tuple[Path, int, int]) -> NeedTable:
    path = file[0]
    read = validate(_Needs, read_yaml(path), path)
    compiler = WordingCompiler(read.words)
    needs = tuple(_need(path, name, entry, compiler) for name, entry in read.needs.items())
    by_words = WordIndex((need.name, wording.needed) for need in needs for wording in need.wordings)
    return NeedTable(needs, by_words)


def _need(path: Path, name: str, entry: _Entry, compiler: WordingCompiler) -> PersonalNeed:
    wordings = []
    for number, say in enumerate(entry.say):
        with errors_at(path, ("needs", name, "say", number)):
            wordings.append(compiler.compile(say))
    slots = {slot for wording in wordings for slot in wording.slots}
    for key, texts in (("means", (entry.means,)), ("then", entry.then)):
        for number, text in enumerate(texts):
            for slot in _SLOT.findall(text):
                if slot not in slots:
                    where = ("needs", name, key, *((number,) if key == "then" else ()))
                    raise error_at(path, where, f"no wording of it has {{{slot}}}. {suggest(slot, slots)}")
    for slot, kind in entry.only.items():
        if kind not in load_kinds().by_name:
            problem = f"there is no kind {kind!r}. {suggest(kind, load_kinds().by_name)}"
            raise error_at(path, ("needs", name, "only", slot), problem)
    return PersonalNeed(name, entry.means, tuple(wordings), entry.then, entry.asks, entry.only, entry.covers)


def filled(text: str, slots: Mapping[str, str]) -> str | None:
    """Return a text with its slots filled; None if one of them was not said."""
    if not {*_SLOT.findall(text)} <= {*slots}:
        return None
    return _SLOT.sub(lambda match: slots[match[1]], text)
