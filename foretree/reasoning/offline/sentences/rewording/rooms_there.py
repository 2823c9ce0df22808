"""Rooms that "there" stands for behind furniture: "the bag in office 604 … under the table *there*"."""

from __future__ import annotations

from collections.abc import Sequence

from foretree.reasoning.offline.lexicon import DEFINITE, tokens_of, word_set
from foretree.reasoning.offline.phrases.noun_phrases import noun_phrases
from foretree.reasoning.offline.phrases.words.scene_words import scene_words
from foretree.reasoning.reasoner import Situation

#: What may follow the name of a room: "the kitchen table" is no kitchen.
_ENDING = word_set(
    """
    , . ; and or then but there back to onto on in into under beneath underneath below at by from is are which
    that should must has have belongs belong
    """
)
_LONGEST_NAME = 4


def with_rooms_there(instruction: str, situation: Situation) -> str:
    """Return an instruction with the room that was named last for "there" behind furniture."""
    tokens = tokens_of(instruction, marks=True)
    if "there" not in tokens or not scene_words(situation).rooms:
        return instruction
    found: list[str] = []
    for at, word in enumerate(tokens):
        room = _room_before(tokens[:at], situation) if word == "there" else []
        found.extend(["in", *room] if room and _is_furniture(tokens, at, situation) else [word])
    return " ".join(found) if len(found) > len(tokens) else instruction


def _room_before(tokens: Sequence[str], situation: Situation) -> list[str]:
    """Return the words for the room that is named last; empty if none is."""
    rooms = scene_words(situation).rooms
    for begin in range(len(tokens) - 1, -1, -1):
        for _, end in rooms.at(tokens, begin):
            if end < len(tokens) and tokens[end] in _ENDING:
                return [*tokens[begin:end]] if tokens[begin - 1] != "the" else ["the", *tokens[begin:end]]
    return []


def _is_furniture(tokens: Sequence[str], end: int, situation: Situation) -> bool:
    """Return whether the words before a position are for furniture: "the desk"."""
    nouns, ontology = noun_phrases(tokens, situation), situation.ontology
    ends = (
        phrase.class_name or ""
        for at in range(max(0, end - _LONGEST_NAME), end)
        if tokens[at] in DEFINITE
        for phrase, stop in nouns.at(at)
        if stop == end
    )
    return any(name in ontology and ontology.type_of(name) == "asset" for name in ends)
