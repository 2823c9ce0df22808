"""The form of the file of English words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from foretree.config import read_yaml
from foretree.schema import Strict, validate


def _listed(text: str) -> str:
    if not all(word.strip() for word in text.split(",")):
        raise ValueError("no words between two commas")
    return text


#: Words with commas between them: a list of texts takes ten times as long to read.
_Words: TypeAlias = Annotated[str, Field(min_length=1), AfterValidator(_listed)]


class EnglishFile(Strict):
    """Words by their parts of speech, each list as one text."""

    verbs: _Words
    irregular: dict[str, Annotated[str, Field(pattern=r"^[a-z/-]+, [a-z/-]+$")]]
    adjectives: _Words
    adverbs: dict[str, _Words]
    interjections: _Words
    vocatives: _Words
    nouns_of_time: _Words
    persons: _Words
    nouns: _Words


def read_english_file(path: Path) -> EnglishFile:
    """Read a file of English words.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    return validate(EnglishFile, read_yaml(path), path)
