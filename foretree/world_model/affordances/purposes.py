"""What things are for, by ``configs/affordances/purposes.yaml``: what is for the same can replace another.

Affordances tell what can be done with a thing, purposes what people have it for: a soup tureen and a kettle
both hold liquids and can be shut, but soup is served in a bowl.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from foretree.config import read_yaml
from foretree.config_cache import cached_file
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.world_model.affordances.placement import BY_HEAD, Placer
from foretree.world_model.ontology import plain

_Name = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True)
class Purpose:
    """What things are for.

    Attributes:
        name: the purpose, in words.
        made: names of the classes that are made for it.
        serves: names of the classes that will do for it, the best first.
        words: words that speak of the need for it.
    """

    name: str
    made: tuple[str, ...]
    serves: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def rank(self, names: frozenset[str]) -> int | None:
        """Return how well a class of some names will do, 0 for the best; None if it will not."""
        if not names.isdisjoint(self.made):
            return 0
        return next((at for at, name in enumerate(self.serves, start=1) if name in names), None)


@dataclass(frozen=True)
class Purposes:
    """What things are for.

    Attributes:
        purposes: the purposes.
        alone: names of classes that nothing takes the place of.
    """

    purposes: tuple[Purpose, ...]
    alone: frozenset[str]


class _Purpose(Strict):
    made: tuple[_Name, ...] = Field(min_length=1)
    serves: tuple[_Name, ...] = ()
    words: tuple[_Name, ...] = ()


class _Purposes(Strict):
    purposes: dict[_Name, _Purpose] = Field(min_length=1)
    alone: tuple[_Name, ...] = ()


def load_purposes(path: Path | None = None) -> Purposes:
    """Read the purposes.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """
    return cached_file("affordances", "purposes", _read) if path is None else _read(path)


def names_of(name: str, placer: Placer) -> frozenset[str]:
    """What people call the class that a name is likeliest for; nothing where that would be a guess."""
    placed = placer.place(name)
    if placed.confidence < BY_HEAD:
        return frozenset()
    kind = max(placed.classes, key=placed.classes.__getitem__)
    return frozenset((plain(kind), *placer.mapping.classes[kind].words))


def purposes_of(name: str, placer: Placer) -> tuple[Purpose, ...] | None:
    """The purposes that a class is made for: none where nothing takes its place; None if it is not known."""
    names, known = names_of(name, placer), load_purposes()
    found = tuple(purpose for purpose in known.purposes if not names.isdisjoint(purpose.made))
    return found if found or not names.isdisjoint(known.alone) else None


def rank_for(purposes: Iterable[Purpose], name: str, placer: Placer) -> int | None:
    """Return how well a class will do for one of some purposes, 0 for the best; None if it will not."""
    names = names_of(name, placer)
    return min((rank for purpose in purposes if (rank := purpose.rank(names)) is not None), default=None)


def _read(path: Path) -> Purposes:
    read = validate(_Purposes, read_yaml(path), path)
    for name, purpose in read.purposes.items():
        for key, listed in (("made", purpose.made), ("serves", purpose.serves)):
            twice = next((one for at, one in enumerate(listed) if one in listed[:at]), None)
            if twice is not None:
                raise error_at(path, ("purposes", name, key), f"{twice!r} is listed for the second time.")
    return Purposes(
        tuple(
            Purpose(name, tuple(map(plain, one.made)), tuple(map(plain, one.serves)), one.words)
            for name, one in read.purposes.items()
        ),
        frozenset(map(plain, read.alone)),
    )
