"""Tools of the agent, and which of them can help now.

- :mod:`~foretree.agent.tools.chooser`: the tools, the protocol of those who choose, the rules that do so
- :mod:`~foretree.agent.tools.survey`: which tools can help in a situation; no other may be chosen
- :mod:`~foretree.agent.tools.feasibility`: what cannot be reached from what is known, and what would help
- :mod:`~foretree.agent.tools.parts`: the part of a goal that can be reached
- :mod:`~foretree.agent.tools.substitution`: another thing in place of a missing one
"""
