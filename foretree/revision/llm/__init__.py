"""The reviser that asks a language model: what it is asked, how its answer is read, and what becomes of it.

- :mod:`~foretree.revision.llm.reviser`: ``LlmReviser``
- :mod:`~foretree.revision.llm._action_space`: which actions there are, in the words of the prompt
- :mod:`~foretree.revision.llm._notation`: plans as tuples or triplets, written and read
- :mod:`~foretree.revision.llm._prompt`: what the model is told: the remaining plan, and what is wrong
- :mod:`~foretree.revision.llm._realisation`: from steps that name classes to a plan that reaches the goal
"""
