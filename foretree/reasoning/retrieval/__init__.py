"""Which asset nodes of a building an instruction needs, so that planning need not look at all of them.

- :class:`NodeIndex`: what is known of each node in words; :func:`index_building` makes one
- :class:`Retriever`: the protocol; :class:`KeywordRetriever`, :class:`EmbeddingRetriever` and
  :class:`LlmRetriever` keep it
- :func:`complete`: adds what the goal needs and was not retrieved
"""

from foretree.reasoning.retrieval.completion import complete
from foretree.reasoning.retrieval.embedding import Embed, EmbeddingRetriever, HashedEmbedder
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.llm import LlmRetriever
from foretree.reasoning.retrieval.node_index import (
    NodeIndex,
    NodeText,
    SeenThing,
    index_building,
    where_things_are,
)
from foretree.reasoning.retrieval.retriever import Hit, Retrieved, Retriever

__all__ = [
    "Embed",
    "EmbeddingRetriever",
    "HashedEmbedder",
    "Hit",
    "KeywordRetriever",
    "LlmRetriever",
    "NodeIndex",
    "NodeText",
    "Retrieved",
    "Retriever",
    "SeenThing",
    "complete",
    "index_building",
    "where_things_are",
]
