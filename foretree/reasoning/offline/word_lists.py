"""Word lists that a user can edit: ``configs/language``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from foretree.config import find_config
from foretree.config_cache import cached


@cache
def word_lists(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of ``configs/language/NAME.yaml`` by what stands before each.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    return cached(f"word lists {name}", lambda: _read(name))


@cache
def fetching_verbs() -> frozenset[str]:
    """Return the verbs of fetching something, which goes to the person it is for."""
    return frozenset({"get", "fetch", *word_lists("verbs").get("fetch", ())})


def _read(name: str) -> Mapping[str, tuple[str, ...]]:
    # Only here: what reads and checks files is dear to load.
    from foretree.reasoning.offline._word_file import read_word_file

    return read_word_file(find_config("language", name))
