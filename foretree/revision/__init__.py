"""Expectations of a plan, discrepancies that contradict them, and the revisers that change the plan then.

What other rooms use, by module:

- :mod:`~foretree.revision.expectation`: ``Expectation``, assessed against a belief
- :mod:`~foretree.revision.derivation`: expectations from an action and its purpose
- :mod:`~foretree.revision.discrepancy`: ``Discrepancy``
- :mod:`~foretree.revision.revision`: ``Revision``, ``RevisionRequest``, the ``Reviser`` protocol
- :mod:`~foretree.revision.rules.reviser` and :mod:`~foretree.revision.planner`: the revisers there are
- :mod:`~foretree.revision.reviser_chain`: asks one after the other
- :mod:`~foretree.revision.plan_task`: the domain with the objects that are believed to exist
"""
