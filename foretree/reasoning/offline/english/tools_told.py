"""Tools that are told apart from the deed: "slice the bread, *use the knife on the counter*"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foretree.reasoning.offline.english._clause_words import Words
from foretree.reasoning.offline.sentences.statements import Statement


def with_tools_told(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements; what shall be used is told with the deed before, or else with the one after."""
    found: list[Statement] = []
    tool: Words = ()
    for statement in statements:
        used = _used(statement)
        if used and found and found[-1].words and not tool:
            found[-1] = _using(found[-1], used)
        elif used and not found and not tool:
            tool = used
        elif tool and statement.words:
            found.append(_using(statement, tool))
            tool = ()
        else:
            found.append(statement)
    yield from found
    if tool:
        yield Statement(("use", *tool))


def _used(statement: Statement) -> Words:
    """Return what a statement says shall be used; empty if it says another thing, or what for."""
    words = statement.words
    told = statement.condition or statement.other or statement.mentioned or statement.optional
    plain = words[:1] == ("use",) and not told
    return words[1:] if plain and {"to", "for", "as", "instead", "hand", "hands"}.isdisjoint(words) else ()


def _using(statement: Statement, tool: Words) -> Statement:
    shorter = tuple((*words, "using", *tool) for words in statement.shorter)
    return replace(statement, words=(*statement.words, "using", *tool), shorter=shorter)
