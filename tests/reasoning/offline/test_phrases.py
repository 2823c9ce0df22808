"""Phrases that are found by their first words."""

from __future__ import annotations

import gc

import pytest

from foretree.reasoning.offline import lexicon
from foretree.reasoning.offline.commands import CommandReasoner

PHRASES = lexicon.phrases("in, in front of, in front, on top of, on")


@pytest.mark.parametrize(
    ("words", "at", "length"),
    [
        ("in front of it", 0, 3),
        ("in front it", 0, 2),
        ("it is in", 2, 1),  # the sentence ends before a longer phrase could
        ("is on", 1, 1),
        ("on top", 0, 1),
        ("under it", 0, 0),
        ("in", 1, 0),
    ],
)
def test_the_longest_phrase_at_a_position_is_one_that_stands_there(words, at, length):
    assert PHRASES.longest(words.split(), at) == length
    assert length == max((len(phrase) for phrase in PHRASES.at(words.split(), at)), default=0)


def test_no_garbage_is_collected_while_a_sentence_is_read(situation, monkeypatch):
    seen = []
    read = CommandReasoner._of_no_question
    monkeypatch.setattr(
        CommandReasoner,
        "_of_no_question",
        lambda *args: seen.append(gc.isenabled()) or read(*args),
    )
    CommandReasoner().understand("put the mango into the fridge", situation)
    assert seen == [False]
    assert gc.isenabled()
