"""Plans as trees, the agent's own tree, and the session that ticks them.

What others use, by module:

- :mod:`~foretree.trees.plan_node`: ``PlanNode``, which carries out a plan and is the only place where a tree
  changes; within it, :mod:`~foretree.trees._plan_state` knows what is left,
  :mod:`~foretree.trees._plan_monitor` finds what is wrong, :mod:`~foretree.trees._repair` asks about it, and
  :mod:`~foretree.trees._goal_check` makes sure at the end
- :mod:`~foretree.trees._compiler`: ``Compiler``, ``Builder``: the nodes of an action
- :mod:`~foretree.trees.agent_tree`: the agent's tree, from its file
- :mod:`~foretree.trees.session`: ``Session``, ``Result``; :mod:`~foretree.trees.fast_tick`: ``FastTree``
- :mod:`~foretree.bringup.embedded`: sessions in embedded worlds
- :mod:`~foretree.bringup.resume`: interrupted runs, taken up
- :mod:`~foretree.bringup.preview` and :mod:`~foretree.trees.export`: trees to look at
"""
