"""What a plan expects of the world, what contradicts it, and who revises the plan then.

What other rooms use, by module:

- :mod:`~foretree.revision.expectation`: ``Expectation`` and how it measures up to a belief
- :mod:`~foretree.revision.deriving`: where expectations come from
- :mod:`~foretree.revision.discrepancy`: ``Discrepancy``
- :mod:`~foretree.revision.revision`: ``Revision``, ``Situation``, the ``Reviser`` protocol
- :mod:`~foretree.revision.rules` and :mod:`~foretree.revision.planner`: the revisers there are
- :mod:`~foretree.revision.inquiry`: asks one after the other
- :mod:`~foretree.revision.task`: the domain with the objects that are believed to exist
"""
