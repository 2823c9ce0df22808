"""Purposes of things, by ``configs/affordances/purposes.yaml``: what is for the same can replace another.

Affordances tell what can be done with a thing, purposes what people have it for: a soup tureen and a kettle
both hold liquids and can be shut, but soup is served in a bowl.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from foretree.config_cache import cached_file
from foretree.world_model.affordances.placement import BY_HEAD, Placer
from foretree.world_model.affordances.purpose import Purpose, Purposes
from foretree.world_model.ontology import plain


def load_purposes(path: Path | None = None) -> Purposes:
    """Read the purposes.

    Args:
        path: the file; by default that among the configs.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """

    def read(path: Path) -> Purposes:
        from foretree.world_model.affordances.purposes_file import read_purposes  # reading takes more modules

        return read_purposes(path)

    return cached_file("affordances", "purposes", read) if path is None else read(path)


def names_of(name: str, placer: Placer) -> frozenset[str]:
    """Return what people call the class that a name is likeliest for; nothing where that would be a guess."""
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
