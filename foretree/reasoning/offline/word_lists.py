"""Word lists that a user can edit: ``configs/language``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product

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

    lists = read_word_file(find_config("language", name))
    return {key: tuple(one for said in words for one in _spelled_out(said)) for key, words in lists.items()}


def _spelled_out(said: str) -> tuple[str, ...]:
    """Return all that a phrase with choices stands for: "(the|your) (next|) task"."""
    parts = (part.split("|") for part in re.split(r"[()]", said))
    return tuple(dict.fromkeys(" ".join("".join(chosen).split()) for chosen in product(*parts)))
