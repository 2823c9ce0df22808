"""Continuations of commands: what is done with a further thing as with the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.grammar.clauses import Clause, Slot
from foretree.reasoning.offline.lexicon import skip_fillers
from foretree.reasoning.offline.phrases.descriptions import NounPhrase
from foretree.reasoning.offline.phrases.noun_phrases import NounPhraseParser
from foretree.reasoning.offline.sentences.sequence import step_of

#: Words at the end of what goes the same way as something else.
_TOO = ("too", "also", "well")
#: Words of order: what comes behind one goes the same way as what came before, if nothing more is said of it.
_IN_ORDER = frozenset({"then", "finally", "next", "afterwards", "also", "plus"})
#: What goes into one thing after another.
_MORE = frozenset({"some", "more"})


def going_along(before: Clause, tokens: list[str], start: int, nouns: NounPhraseParser) -> Iterator[Clause]:
    """Yield what is done with a further thing as with that of the command before.

    It goes where that does, "and the umbrella too", "then the umbrella"; or the words behind that are for
    both: "fill the cup with milk and the glass".
    """
    slots = before.pattern.slots
    moved = [slot for slot in slots if not slot.destination]
    shared = len(slots) == 1 and before.pattern.parts[-1] not in slots
    if len(moved) != 1 or not (len(slots) == 2 or shared):
        return
    [slot] = moved
    follows = shared and not before.pattern.states and nouns.goes_on(before.end, start)
    step = step_of(tokens[start : start + 1]) if start < before.end else None
    # In a sentence of its own the word of order was left out: "Put it in the fridge. Then the mango."
    in_order = bool(step and step.number) or not _IN_ORDER.isdisjoint(tokens[before.end : start])
    in_order = in_order and not any(_is_placed(phrase) for phrase, _ in nouns.at(start))
    for phrase, at in nouns.at(start):
        end = skip_fillers(tokens, at)
        end += tokens[end:] == ["also"]
        ends = end == len(tokens) or tokens[end] in lexicon.CONNECTIVES
        too = end > at and tokens[end - 1] in _TOO
        if ends and (too or follows or in_order):
            yield replace(before, things={**before.things, slot.name: phrase}, start=start, end=end)


def _is_placed(phrase: NounPhrase) -> bool:
    """Return whether a place is said that may be where things shall be: "the mug and the cup on it"."""
    return any(one.where is not None and not one.where.source for one in (phrase, *phrase.also))


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
