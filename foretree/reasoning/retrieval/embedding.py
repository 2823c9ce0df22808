"""Retrieval by embeddings: texts as vectors, of which those of like texts point the same way.

An embedder tells which captions are *like* an instruction, also where they share no word. What an instruction
takes without saying so (a knife, to slice bread) is like it in no way at all; so what it names and what that
takes is found as by :mod:`~foretree.reasoning.retrieval.keyword`, and embeddings add what words do not reach.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, sqrt

from foretree.reasoning.retrieval._stemming import STOPS, stem, words_of
from foretree.reasoning.retrieval.keyword import MOST, KeywordRetriever
from foretree.reasoning.retrieval.node_index import NodeIndex
from foretree.reasoning.retrieval.retriever import Hit, Retrieved, first_of_each
from foretree.world_model.affordances.embedding import Embed, cosine

#: For each clause of an instruction the likest nodes are taken, so many, if they are at least so alike.
_FOR_CLAUSE = 1
_ALIKE = 0.2
#: How much the letters of a word weigh against the word itself, and how many of them are taken at a time.
_LETTERS_WEIGH = 0.25
_LETTERS = 4

_CLAUSES = re.compile(r"[.,;:!?]|\band\b|\bthen\b")


class HashedEmbedder:
    """An embedder that needs no model: words, and groups of their letters, hashed into a vector.

    Texts are alike when they share words, rare ones above all, or words with the same letters in them.

    Args:
        texts: from these it learns which words are rare.
        size: the length of the vectors. The longer, the fewer words share a place by accident.
    """

    def __init__(self, texts: Sequence[str] = (), size: int = 1024) -> None:
        self._size = size
        self._texts = len(texts)
        self._having = Counter(feature for text in texts for feature in set(_features(text)))

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length one for each text; of length zero if there is no word in it."""
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> list[float]:
        vector = [0.0] * self._size
        for feature, times in Counter(_features(text)).items():
            # crc32 is the same in every process; hash() is not.
            place = zlib.crc32(feature.encode())
            rare = log((1 + self._texts) / (1 + self._having[feature])) + 1.0
            weight = rare * (1.0 + log(times)) * (_LETTERS_WEIGH if feature.startswith("#") else 1.0)
            vector[place % self._size] += weight if place & 0x80000000 else -weight
        length = sqrt(sum(x * x for x in vector))
        return [x / length for x in vector] if length else vector


class EmbeddingRetriever:
    """Finds nodes by what an instruction names and takes, and by how like it the texts of nodes are.

    The texts of an index are embedded once for as long as they stay the same.

    Args:
        embed: the embedder; without one, a :class:`HashedEmbedder` over the texts of the index.
        calls: how many requests to a model one call of *embed* amounts to.
        most: more nodes than this are not retrieved.
    """

    def __init__(self, embed: Embed | None = None, calls: int = 0, most: int = MOST) -> None:
        self._embed = embed
        self._calls = calls
        self._most = most
        self._texts: tuple[str, ...] = ()
        self._vectors: Sequence[Sequence[float]] = ()
        self._embedder: Embed = embed or HashedEmbedder()

    def retrieve(self, instruction: str, index: NodeIndex) -> Retrieved:
        """See :class:`~foretree.reasoning.retrieval.retriever.Retriever`."""
        named = KeywordRetriever(self._most).retrieve(instruction, index)
        calls = self._know(index)
        clauses = [clause.strip() for clause in _CLAUSES.split(instruction) if clause.strip()]
        alike: list[Hit] = []
        if clauses:
            calls += self._calls
            for clause, vector in zip(clauses, self._embedder(clauses), strict=True):
                alike += [Hit(node, f'its text is like "{clause}"') for node in self._nearest(vector, index)]
        hits = first_of_each((*named.hits, *alike), self._most)
        return Retrieved(hits, calls, named.nowhere, named.note, named.things)

    def _know(self, index: NodeIndex) -> int:
        """Embed the texts of *index* if that has not been done; how many requests it took."""
        texts = tuple(index.text(node) for node in index.nodes)
        if texts == self._texts:
            return 0
        if self._embed is None:
            self._embedder = HashedEmbedder(texts)
        self._vectors = self._embedder(texts)
        self._texts = texts
        return self._calls

    def _nearest(self, vector: Sequence[float], index: NodeIndex) -> list[str]:
        alike = sorted(
            (-cosine(vector, other), node) for node, other in zip(index.nodes, self._vectors, strict=True)
        )
        return [node for likeness, node in alike[:_FOR_CLAUSE] if -likeness >= _ALIKE]


def _features(text: str) -> Iterator[str]:
    for word in words_of(text):
        if word not in STOPS:
            yield stem(word)
            marked = f"<{word}>"
            for at in range(len(marked) - _LETTERS + 1):
                yield f"#{marked[at : at + _LETTERS]}"
