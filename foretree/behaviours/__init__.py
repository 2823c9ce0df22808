"""The nodes: guards that check first, leaves that understand, plan, explore, act.

What other rooms use, by module:

- :mod:`~foretree.agent.context`: ``Runtime``, what all nodes of a session share
- :mod:`~foretree.agent.settings`: ``Settings``, how an agent behaves
- :mod:`~foretree.behaviours.guards`: the four guards; :mod:`~foretree.behaviours.act`: the leaf that acts
- :mod:`~foretree.agent.mission`: what a session is about
- :mod:`~foretree.agent.learning`: ``Learner``, what a run teaches later ones
- one module per further leaf: ``understand``, ``make_plan``, ``explore``, ``persevere``, ``take_up``
- :mod:`~foretree.agent.json_codec`: how the record writes actions, plans, facts and entities
"""
