"""The reviser that asks a language model: what it is asked, how its answer is read, and what becomes of it.

- :mod:`~foretree.revision.llm.reviser`: ``LlmReviser``
- :mod:`~foretree.revision.llm.action_space`: which actions there are, in the words of the prompt
- :mod:`~foretree.revision.llm.notation`: plans as tuples or triplets, written and read
- :mod:`~foretree.revision.llm.prompt`: what the model is told
- :mod:`~foretree.revision.llm.feedback`: what is wrong, in a sentence
- :mod:`~foretree.revision.llm.edit`: the remaining plan as the model has edited it
- :mod:`~foretree.revision.llm.binding`: which things are meant by classes
- :mod:`~foretree.revision.llm.realising`: from steps that name classes to a plan that reaches the goal
"""
