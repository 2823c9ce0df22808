"""The nodes: guards that check first, leaves that understand, plan, explore, act.

What other rooms use, by module:

- :mod:`~foretree.behaviours.runtime`: ``Runtime``, what all nodes of a session share
- :mod:`~foretree.behaviours.settings`: ``Settings``, how an agent behaves
- :mod:`~foretree.behaviours.guards`: the four guards; :mod:`~foretree.behaviours.act`: the leaf that acts
- :mod:`~foretree.behaviours.mission`: what a session is about
- :mod:`~foretree.behaviours.learner`: ``Learner``, what a run teaches later ones
- one module per further leaf: ``understand``, ``make_plan``, ``explore``, ``persevere``, ``take_up``
- :mod:`~foretree.behaviours.serial`: how the record writes actions, plans, facts and entities
"""
