"""Adjuncts of commands: what a substance comes from, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from foretree.reasoning.offline.lexicon import starts_with
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser


def source_at(tokens: list[str], at: int, nouns: NounPhraseParser) -> Iterator[tuple[NounPhrase, int]]:
    """Yield what the words from *at* on say that a substance comes from: "from the bag", "out of the jar"."""
    for words in (("from",), ("out", "of"), ("in",)):
        if starts_with(tokens, at, words):
            found = nouns.at(at + len(words))
            yield from ((phrase, end) for phrase, end in found if not phrase.is_room)


def leaving_out(
    things: Mapping[str, NounPhrase], nouns: NounPhraseParser, at: int
) -> Iterator[tuple[dict[str, NounPhrase], int]]:
    """The things without what the words after a command leave out: "put everything away except the mug"."""
    for name, phrase in things.items():
        if phrase.picks in ("all", "some") and not phrase.exceptions:
            # The longest list: "except the mango and the apple" leaves out both.
            for exception, end in islice(nouns.exception(at, phrase), 1):
                yield {**things, name: phrase.leaving_out(exception)}, end
            return


def are_placed(things: Mapping[str, NounPhrase], words: Sequence[str]) -> bool:
    """True if it is said where one of the things is or comes, and not only where it is taken from."""
    if "me" in words or "us" in words:
        return True
    places = [phrase.where for phrase in things.values()]
    return any(where is not None and where.place is not None and not where.source for where in places)
