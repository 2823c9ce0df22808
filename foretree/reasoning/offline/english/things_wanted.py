"""Things that a speaker wants, and goes back to by "one": "I need a shirt, lay *one* on the bed"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.lexicon import BE, INDEFINITE, WANT
from foretree.reasoning.offline.sentences.statements import Statement

_ONE = frozenset({"one", "some"})
_RECEIVERS = frozenset({"me", "us"})
#: After these, "one" is no whole thing.
_OF = frozenset({"of", "more", "other"})


def with_one_named(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements with what is wanted in place of "one", and without the wish for it."""
    wanted: list[tuple[int, Statement]] = []
    named: dict[int, Statement] = {}
    for at, statement in enumerate(statements):
        one = _one_at(statement.words)
        if _is_wish(statement):
            wanted.append((at, statement))
        elif one is not None and wanted and not statement.condition:
            position, wish = wanted.pop()
            told = [words[1:] for words in (wish.words, *wish.shorter)]
            said = [(*statement.words[:one], *thing, *statement.words[one + 1 :]) for thing in told]
            shorter = [_named(words, thing) for words in statement.shorter for thing in told[::-1]]
            named[at] = replace(statement, words=said[0], shorter=(*said[1:], *filter(None, shorter)))
            named[position] = replace(wish, words=(), shorter=(), mentioned=wish.words)
    yield from (named.get(at, statement) for at, statement in enumerate(statements))


def _is_wish(statement: Statement) -> bool:
    """Return whether a statement wishes for any one thing, and says nothing else."""
    words = statement.words
    determined = words[1:2] and words[1] in {*INDEFINITE, "some"}
    return words[:1] == (WANT,) and bool(determined) and BE not in words and not statement.condition


def _one_at(words: Words) -> int | None:
    """Return the position of "one" as the object of a verb: "bring me *one*"."""
    at = 1 + (words[1:2] != () and words[1] in _RECEIVERS)
    goes_on = words[at + 1 : at + 2]
    return at if words[at : at + 1] and words[at] in _ONE and (not goes_on or goes_on[0] not in _OF) else None


def _named(words: Words, thing: Words) -> Words:
    at = _one_at(words)
    return () if at is None else (*words[:at], *thing, *words[at + 1 :])
