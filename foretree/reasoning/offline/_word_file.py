"""The form of files of word lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field, RootModel

from foretree.config import read_yaml
from foretree.schema import validate

_Word: TypeAlias = Annotated[str, Field(min_length=1)]


class WordFile(RootModel[dict[_Word, Annotated[tuple[_Word, ...], Field(min_length=1)]]]):
    """Words, each with a list of others."""


def read_word_file(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Read a file of word lists.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    return validate(WordFile, read_yaml(path), path).root
