"""Plans as trees, the agent's own tree, and the session that ticks them.

- :mod:`~foretree.trees.plan_node`: ``PlanNode``, which carries out a plan and is the only place where a tree
  changes while it runs; ``Builder``, to have actions carried out by leaves of your own
- :mod:`~foretree.trees.agent_tree`: the agent's tree, from its file
- :mod:`~foretree.trees.session`: ``Session``, ``Result``
- :mod:`~foretree.trees.fast_tick`: ``FastTree``, whose tick costs what runs
- :mod:`~foretree.trees.export`: a tree as an outline, DOT or XML
"""
