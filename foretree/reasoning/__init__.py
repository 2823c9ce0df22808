"""Language in, structured answers out.

What other rooms use, by module (none is imported here):

- :mod:`~foretree.reasoning.reasoner`: the ``Reasoner`` protocol, ``Situation``, ``Understanding``
- :mod:`~foretree.reasoning.offline.commands`: ``CommandReasoner``, for direct commands, without a model or a
  network
- :mod:`~foretree.reasoning.phrase_templates`: ``Form``, how people ask for a skill
- :mod:`~foretree.reasoning.retrieval`: which places of a building an instruction needs
- :mod:`~foretree.reasoning.models.endpoint`: asks a model server
"""
