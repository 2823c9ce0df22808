"""The reviser that asks a language model: what it is asked, how its answer is read, and what becomes of it.

- :mod:`~foretree.revision.llm.reviser`: ``LlmReviser``
- :mod:`~foretree.revision.llm._action_space`: which actions there are, in the words of the prompt
- :mod:`~foretree.revision.llm._answer_text`: the steps in the text of an answer, without its wrapping
- :mod:`~foretree.revision.llm._structures`: JSON and lists in it
- :mod:`~foretree.revision.llm._prose`: the prose around the steps
- :mod:`~foretree.revision.llm._words`: what the words of steps stand for
- :mod:`~foretree.revision.llm._notation`: plans as tuples or triplets; the edits that an answer may mean
- :mod:`~foretree.revision.llm._reading`: of those, the one that reaches the goal
- :mod:`~foretree.revision.llm._prompt`: what the model is told: the remaining plan, and what is wrong
- :mod:`~foretree.revision.llm._realisation`: from steps that name classes to a plan that reaches the goal
"""
