"""Words for states: the domain's, and what people say for these (``configs/language/adjectives.yaml``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, TypeAlias

from pydantic import Field, RootModel

from foretree.config import find_config, read_yaml
from foretree.schema import validate
from foretree.world_model.ontology import Ontology

_Word: TypeAlias = Annotated[str, Field(min_length=1)]


class WordFile(RootModel[dict[_Word, Annotated[tuple[_Word, ...], Field(min_length=1)]]]):
    """Words, each with what may be said for it."""


@cache
def load_synonyms(name: str) -> Mapping[str, tuple[str, ...]]:
    """Read ``configs/language/NAME.yaml``: words, each with what may be said for it.

    Raises:
        ConfigError: it cannot be read, or says something that makes no sense.
    """
    path = find_config("language", name)
    return validate(WordFile, read_yaml(path), path).root


def state_words(predicate: str, ontology: Ontology) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words for a state, and those for its opposite; the domain's own come first."""
    own = ontology.predicate_words.get(predicate, (predicate.replace("_", " "),))
    opposites = ontology.predicate_opposites.get(predicate, ())
    return _with_synonyms(own), _with_synonyms(opposites)


def _with_synonyms(words: Iterable[str]) -> tuple[str, ...]:
    synonyms = load_synonyms("adjectives")
    own = tuple(words)
    return tuple(dict.fromkeys((*own, *(other for word in own for other in synonyms.get(word, ())))))
