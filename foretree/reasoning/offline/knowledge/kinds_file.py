"""The file of kinds, ``configs/language/kinds.yaml``: nouns for things of many classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import read_yaml
from foretree.config_cache import cached_file
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.world_model.ontology import plurals

_Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True)
class KindOfThings:
    """Name for things of several classes.

    Attributes:
        of: classes and other kinds, the most typical first.
        affords: affordances; classes that are likely to have each of them belong to it, too.
        without: classes that do not.
    """

    of: tuple[str, ...] = ()
    affords: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class KindTable:
    """The kinds.

    Attributes:
        nouns: the kind of each noun.
        collective: those that mean several things without a plural: "cutlery".
        plurals: the kind of each plural of a noun.
        by_name: the kinds by their names in the file.
        contents: the vessels in which each is usually found that has no class: "soup" in a bowl.
    """

    nouns: Mapping[str, KindOfThings]
    collective: frozenset[str]
    plurals: Mapping[str, KindOfThings]
    by_name: Mapping[str, KindOfThings]
    contents: Mapping[str, tuple[str, ...]]


class _Kind(Strict):
    of: tuple[_Text, ...] = ()
    affords: tuple[_Text, ...] = ()
    without: tuple[_Text, ...] = ()
    words: tuple[_Text, ...] = ()
    collective: bool = False


class _Kinds(Strict):
    kinds: dict[str, _Kind] = Field(default_factory=dict)
    contents: dict[str, tuple[_Text, ...]] = Field(default_factory=dict)


def load_kinds(path: Path | None = None) -> KindTable:
    """Read the kinds.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    return cached_file("language", "kinds", _read) if path is None else _read(path)


def _read(path: Path) -> KindTable:
    read = validate(_Kinds, read_yaml(path), path)
    for name, kind in read.kinds.items():
        if not kind.of and not kind.affords:
            raise error_at(path, ("kinds", name), "it names no classes: give `of` or `affords`.")
    names = {name: KindOfThings(kind.of, kind.affords, kind.without) for name, kind in read.kinds.items()}
    words: dict[str, KindOfThings] = {}
    for name, kind in read.kinds.items():
        said = (name, *kind.words)
        several = {form for word in said for form in plurals(word) if form != word}
        words.update((word, names[name]) for word in said if word not in several)
    collective = {
        word for name, kind in read.kinds.items() if kind.collective for word in (name, *kind.words)
    }
    many = {form: kind for word, kind in reversed(words.items()) for form in plurals(word)}
    contents = {word: tuple(vessels.split()) for vessels, said in read.contents.items() for word in said}
    return KindTable(words, frozenset(collective), many, names, contents)
