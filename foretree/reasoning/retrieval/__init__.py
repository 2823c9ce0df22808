"""The asset nodes of a building that an instruction needs, so that planning can leave out the others.

- :mod:`~foretree.reasoning.retrieval.node_index`: ``NodeIndex``, the text about each node, and
  ``index_building``, which makes one
- :mod:`~foretree.reasoning.retrieval.retriever`: the ``Retriever`` protocol;
  :mod:`~foretree.reasoning.retrieval.keyword`, :mod:`~foretree.reasoning.retrieval.embedding` and
  :mod:`~foretree.reasoning.retrieval.llm` keep it
- :mod:`~foretree.reasoning.retrieval.missing_nodes`: ``find_missing_nodes`` adds what the goal needs
"""
