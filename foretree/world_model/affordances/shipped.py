"""The object-affordance mapping of the configuration files, read through the cache on disk."""

from __future__ import annotations

from functools import lru_cache

from foretree.config_cache import cached
from foretree.world_model.affordances.embedding import Embed
from foretree.world_model.affordances.mapping import AffordanceMapping
from foretree.world_model.affordances.placement import Placer


def shipped_mapping() -> AffordanceMapping:
    """Return what the files among the configs say; each call makes a mapping of its own.

    Raises:
        ConfigError: with the file, the line, the key and what is valid there.
    """

    def read() -> AffordanceMapping:
        from foretree.world_model.affordances.mapping_file import load_mapping  # reading takes more modules

        return load_mapping()

    return cached("affordances", read)


def shipped_placer(embed: Embed | None = None) -> Placer:
    """Return a placer among the classes of the mapping, with an embedder if there is one."""
    return Placer(shipped_mapping(), embed)


@lru_cache(maxsize=1)
def common_placer() -> Placer:
    """Return the placer that all share who only look things up; nothing that is learned changes it."""
    return shipped_placer()
