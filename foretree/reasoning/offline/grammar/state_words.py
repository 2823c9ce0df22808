"""Words for states: the domain's, and what people say for these (``configs/language/adjectives.yaml``)."""

from __future__ import annotations

from collections.abc import Iterable

from foretree.reasoning.offline.word_lists import word_lists
from foretree.world_model.ontology import Ontology

#: What has something in it is said to be so: "with milk".
_HOLDING = "with "


def state_words(predicate: str, ontology: Ontology) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words for a state, and those for its opposite; the domain's own come first."""
    own = ontology.predicate_words.get(predicate, (predicate.replace("_", " "),))
    opposites = ontology.predicate_opposites.get(predicate, ())
    return _with_synonyms(own), _with_synonyms(opposites)


def _with_synonyms(words: Iterable[str]) -> tuple[str, ...]:
    synonyms = word_lists("adjectives")
    own = tuple(words)
    return tuple(dict.fromkeys((*own, *(other for word in own for other in synonyms.get(word, ())))))


def substances(ontology: Ontology) -> dict[str, str]:
    """Return the words for what may be in a vessel, with the predicates of what has it in it."""
    return {
        said.removeprefix(_HOLDING): predicate
        for predicate, words in ontology.predicate_words.items()
        for said in words
        if said.startswith(_HOLDING)
    }
