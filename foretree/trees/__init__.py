"""Plans as trees, the agent's own tree, and the session that ticks them.

What others use, by module:

- :mod:`~foretree.trees.plan_node`: ``PlanNode``, which carries out a plan and is the only place where a tree
  changes; within it, :mod:`~foretree.trees.agenda` knows what is left,
  :mod:`~foretree.trees.watch` finds what is wrong, :mod:`~foretree.trees.mending` asks about it, and
  :mod:`~foretree.trees.last_look` makes sure at the end
- :mod:`~foretree.trees.compiler`: ``Compiler``, ``Builder``: the nodes of an action
- :mod:`~foretree.trees.agent`: the agent's tree, from its file
- :mod:`~foretree.trees.session`: ``Session``, ``Result``; :mod:`~foretree.trees.fast_tick`: ``FastTree``
- :mod:`~foretree.trees.embedded`: sessions in embedded worlds
- :mod:`~foretree.trees.resume`: interrupted runs, taken up
- :mod:`~foretree.trees.preview` and :mod:`~foretree.trees.export`: trees to look at
"""
