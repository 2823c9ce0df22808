"""Retrieval by embeddings."""

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from office import office

from foretree.reasoning.retrieval.embedding import EmbeddingRetriever, HashedEmbedder
from foretree.reasoning.retrieval.keyword import KeywordRetriever


@pytest.fixture(scope="module")
def index():
    return office().index


def likeness(one, other, embed):
    first, second = embed([one, other])
    return sum(x * y for x, y in zip(first, second, strict=True))


def test_texts_that_share_words_are_alike():
    embed = HashedEmbedder(["the red cup", "the blue cup", "the green plate"])
    assert likeness("slice the bread", "slicing bread", embed) > likeness(
        "slice the bread", "boil water", embed
    )
    assert likeness("a red thing", "the red cup", embed) > likeness("a cup", "the red cup", embed), "rarer"
    assert likeness("the fridges", "a fridge", embed) > 0.3, "letters in common"


@settings(deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_every_text_has_a_vector(texts):
    for vector in HashedEmbedder(size=64)(texts):
        assert len(vector) == 64
        length = sum(x * x for x in vector)
        assert length == 0.0 or isclose(length, 1.0)


def test_it_finds_what_words_find_and_what_is_like_it(index):
    for task in (
        "wash the cloth and hang it on the drying rack",
        "slice the bread",
        "make two cups of coffee",
    ):
        by_words = KeywordRetriever().retrieve(task, index)
        found = EmbeddingRetriever().retrieve(task, index)
        assert found.hits[: len(by_words.hits)] == by_words.hits
        assert found.calls == 0


class Counting:
    """An embedder that says of every text how much it is about the window."""

    def __init__(self):
        self.texts = []

    def __call__(self, texts):
        self.texts.append(list(texts))
        return [[1.0, 0.0] if "window" in text or "view" in text else [0.0, 1.0] for text in texts]


def test_an_embedder_of_ones_own_adds_what_no_word_reaches(index):
    embed = Counting()
    retriever = EmbeddingRetriever(embed, calls=1)
    found = retriever.retrieve("spoil the view", index)
    assert "window1" not in KeywordRetriever().retrieve("spoil the view", index).nodes
    assert found.nodes == ("window1",)
    assert found.hits[0].why == 'its text is like "spoil the view"'
    assert found.calls == 2, "the texts of the index, and the instruction"


def test_the_texts_of_an_index_are_embedded_once(index):
    embed = Counting()
    retriever = EmbeddingRetriever(embed, calls=1)
    retriever.retrieve("spoil the view", index)
    found = retriever.retrieve("enjoy the view, and close the fridge", index)
    assert found.calls == 1
    assert [len(texts) for texts in embed.texts] == [len(index.nodes), 1, 2]
    assert embed.texts[-1] == ["enjoy the view", "close the fridge"]


def test_nothing_said_nothing_found(index):
    assert EmbeddingRetriever().retrieve(" . ", index).nodes == ()
