"""The index that finds what may be in a sentence by its words."""

from __future__ import annotations

from foretree.reasoning.offline.grammar.word_index import WordIndex


def _words(*texts: str) -> list[frozenset[str]]:
    return [frozenset(text.split()) for text in texts]


def test_items_are_found_by_a_word_of_each_of_their_sets_and_in_order() -> None:
    index = WordIndex(
        [
            ("thirst", _words("thirsty parched", "i we")),
            ("anything", []),
            ("cold", _words("cold freezing", "i we")),
            ("weather", _words("cold")),
        ]
    )

    assert index.among(["we", "are", "freezing"]) == ("anything", "cold")
    assert index.among(["i", "am", "cold", "and", "parched"]) == ("thirst", "anything", "cold", "weather")
    assert index.among(["cold", "it", "is"]) == ("anything", "weather")
    assert index.among([]) == ("anything",)
