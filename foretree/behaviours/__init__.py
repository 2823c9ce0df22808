"""The nodes: guards that check first; leaves that understand, plan, explore, act.

- :mod:`~foretree.behaviours.guards`: the four guards
- :mod:`~foretree.behaviours.act`: the leaf that acts
- :mod:`~foretree.behaviours.understand`, :mod:`~foretree.behaviours.make_plan`,
  :mod:`~foretree.behaviours.explore`: one tool of the agent each
- :mod:`~foretree.behaviours.retry`: going on until the goal is reached or given up
- :mod:`~foretree.behaviours.resume_in_flight`: the first leaf of a resumed session
"""
