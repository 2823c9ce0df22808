"""Everyday English words: parts of speech, inflected forms, groups of adverbs."""

from __future__ import annotations

import pytest

from foretree.config import ConfigError
from foretree.reasoning.offline.english.lexicon._english_file import read_english_file
from foretree.reasoning.offline.english.lexicon.lexicon_file import english_words


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("settee", {"noun"}),
        ("knives", {"noun"}),
        ("washing machine", {"noun"}),
        ("washing-machine", {"noun"}),
        ("women", {"noun", "person"}),
        ("breakfast", {"noun", "time"}),
        ("tomorrow", {"noun", "time", "adverb"}),
        ("filthy", {"adjective"}),
        ("dirtiest", {"adjective"}),
        ("bigger", {"adjective"}),
        ("gently", {"adverb"}),
        ("toastily", {"adverb"}),
        ("chopped", {"verb", "adjective"}),
        ("mugs", {"noun", "verb"}),
        ("oh dear", {"interjection"}),
        ("love", {"noun", "verb", "vocative"}),
        ("wobblesnark", set()),
    ],
)
def test_words_and_their_forms_have_parts_of_speech(word, parts):
    assert english_words().parts_of_speech(word) == parts


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("put", {("put", "base"), ("put", "past"), ("put", "participle")}),
        ("lay", {("lay", "base"), ("lie", "past")}),
        ("ran", {("run", "past")}),
        ("hopping", {("hop", "ing")}),
        ("hoping", {("hope", "ing")}),
        ("tidies", {("tidy", "s")}),
        ("tidied", {("tidy", "past"), ("tidy", "participle")}),
        ("traveled", {("travel", "past"), ("travel", "participle")}),
        ("travelled", {("travel", "past"), ("travel", "participle")}),
        ("quitting", {("quit", "ing")}),
        ("lying", {("lie", "ing")}),
        ("panicked", {("panic", "past"), ("panic", "participle")}),
        ("runned", set()),
        ("wass", set()),
        ("hoped", {("hope", "past"), ("hope", "participle")}),
        ("is", {("be", "s")}),
        ("teapot", set()),
    ],
)
def test_forms_are_of_their_verbs(word, forms):
    assert set(english_words().verb_form(word)) == forms


def test_adverbs_are_told_by_what_they_say():
    groups = english_words().adverb_groups

    assert groups("tomorrow") == {"time_later"}
    assert groups("in a minute") == {"time_later"}
    assert groups("already") == {"time_now"}
    assert groups("upstairs") == {"place"}
    assert groups("twice") == {"frequency"}
    assert groups("happily") == {"manner", "sentence"}
    assert groups("teapot") == frozenset()


def test_many_words_are_known():
    words = english_words()

    assert len(words.verbs) >= 1200
    assert len(words.adjectives) >= 700
    assert sum(map(len, words.adverbs.values())) >= 250
    assert len(words.nouns) >= 2500
    assert words.verbs >= words.irregular.keys()


def test_a_hole_in_a_list_is_refused(tmp_path):
    file = tmp_path / "english.yaml"
    lists = ("adjectives", "interjections", "vocatives", "nouns_of_time", "persons", "nouns")
    text = "".join(f"{name}: one, two\n" for name in lists)
    file.write_text(f"{text}verbs: go, , come\nirregular: {{go: 'went, gone'}}\nadverbs: {{place: here}}\n")

    with pytest.raises(ConfigError, match="no words between two commas"):
        read_english_file(file)
