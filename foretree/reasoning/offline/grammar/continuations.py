"""Continuations of commands: what is done with a further thing as with the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.clauses import Clause, Slot
from foretree.reasoning.offline.lexicon import skip_fillers
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser

#: Words at the end of what goes the same way as something else.
_TOO = ("too", "also", "well")
#: What goes into one thing after another.
_MORE = frozenset({"some", "more"})


def going_along(before: Clause, tokens: list[str], start: int, nouns: NounPhraseParser) -> Iterator[Clause]:
    """Yield what is done with a further thing as with that of the command before.

    It goes where that does, "and the umbrella too"; or the words behind that are for both: "fill the cup with
    milk and the glass".
    """
    slots = before.pattern.slots
    moved = len(slots) == 2 and slots[1].destination and not slots[0].destination
    shared = len(slots) == 1 and before.pattern.parts[-1] not in slots and not before.pattern.states
    if not moved and not shared:
        return
    follows = shared and nouns.goes_on(before.end, start)
    for phrase, at in nouns.at(start):
        end = skip_fillers(tokens, at)
        end += tokens[end:] == ["also"]
        ends = end == len(tokens) or tokens[end] in lexicon.CONNECTIVES
        too = end > at and tokens[end - 1] in _TOO
        if ends and (too or follows):
            yield replace(before, things={**before.things, slots[0].name: phrase}, start=start, end=end)


def in_turn(before: Clause, tokens: list[str], start: int, nouns: NounPhraseParser) -> Iterator[Clause]:
    """Yield what is done to one thing after another: "pour milk into the cup, and some into the glass"."""
    slot, part = before.pattern.parts[-1], before.pattern.parts[-2:-1]
    if not isinstance(slot, Slot) or slot.destination or not part or isinstance(part[0], Slot):
        return
    start += start < len(tokens) and tokens[start] in _MORE
    words = before.words[-1]
    same = (one[-1] for one in part[0] if len(one) == len(words))
    if (
        len(words) + len(before.pattern.slots) < 3
        or tokens[start : start + 1] == []
        or tokens[start] not in same
    ):
        return
    for phrase, at in nouns.at(start + 1):
        end = skip_fillers(tokens, at)
        if end == len(tokens) or tokens[end] in lexicon.CONNECTIVES:
            yield replace(before, things={**before.things, slot.name: phrase}, start=start, end=end)
