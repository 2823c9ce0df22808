"""Grammars, and the clauses of sentences, that are kept: an instruction is read in several ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foretree.reasoning.offline.grammar.patterns import Grammar
from foretree.reasoning.offline.phrases.latest import Latest
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.offline.sentences.courtesies import load_courtesies
from foretree.reasoning.offline.sentences.moments import placed_words
from foretree.reasoning.reasoner import Situation

if TYPE_CHECKING:
    from foretree.reasoning.offline.english.reading import EnglishReading

#: So many grammars are kept: sessions of one process share them.
_MOST_GRAMMARS = 4
#: The clauses of so many word sequences are kept.
_MOST_CLAUSES = 64

#: Grammars by what they are made of, the last used last.
_grammars: dict[tuple[int, int], tuple[Situation, Grammar]] = {}
_clauses = Latest[dict[tuple[str, ...], "EnglishReading"]]()


def grammar_of(situation: Situation) -> Grammar:
    """Return the grammar of a situation's forms, made once."""
    # Further nouns change nothing of it.
    key = id(situation.domain.operators), id(situation.ontology.vocabulary)
    kept = _grammars.pop(key, None)
    # Of equal forms most are the same objects: to compare them is quick, to hash them is not.
    if kept is None or kept[0].forms != situation.forms:
        grammar = Grammar(situation.forms, situation.domain, situation.ontology)
        kept = (situation, grammar)  # with the situation, whose parts' ids stay taken
    _grammars[key] = kept
    while len(_grammars) > _MOST_GRAMMARS:
        _grammars.pop(next(iter(_grammars)))
    return kept[1]


def clauses_of(tokens: Sequence[str], situation: Situation, grammar: Grammar) -> EnglishReading:
    """Return the clauses of some words.

    Raises:
        NotUnderstoodError: a clause changes what shall be done in a way that is not understood.
    """
    from foretree.reasoning.offline.english.reading import EnglishReader  # dear to load

    nouns = situation.ontology.words_of_names
    said = tuple(tokens)  # words that are placed are equal to others with another place
    kept = _clauses.of((grammar, nouns, scene_words(situation).rooms), dict)
    if said not in kept:
        if len(kept) >= _MOST_CLAUSES:
            kept.clear()
        placed = load_courtesies().without_asides(placed_words(tokens, situation, grammar.verbs))
        kept[said] = EnglishReader(grammar.verbs, nouns).reading(placed)
    return kept[said]
