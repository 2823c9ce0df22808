"""Language in, structured answers out.

What other rooms use, by module (none is imported here):

- :mod:`~foretree.reasoning.reasoner`: the ``Reasoner`` protocol, ``Situation``, ``Understanding``;
  :mod:`~foretree.reasoning.instruction_errors`: the mistakes that it tells
- :mod:`~foretree.reasoning.offline.commands`: ``CommandReasoner``, for direct commands, without a model or a
  network
- :mod:`~foretree.reasoning.phrase_templates`: ``PhraseTemplate``, a wording by which people ask for a skill
- :mod:`~foretree.reasoning.retrieval`: the places of a building that an instruction needs
- :mod:`~foretree.reasoning.models.endpoint`: asks a model server

Language lives in three rooms, by what a change is about:

================================================  ==========================================================
to change                                         look in
================================================  ==========================================================
the phrases by which people ask for a skill       the skill's file, under ``forms`` (``configs/skills/``)
names of things, synonyms, things a task takes    the domain's YAML file (``configs/domains/``)
articles, numbers, pronouns, politeness           :mod:`foretree.reasoning.offline.lexicon`
how a sentence is read, and what is refused       :mod:`foretree.reasoning.offline`
the places that an instruction mentions           :mod:`foretree.reasoning.retrieval`
model servers, recorded answers, prices           :mod:`foretree.reasoning.models`
prompts for revisions, a model's answers to them  :mod:`foretree.revision.llm`
================================================  ==========================================================
"""
