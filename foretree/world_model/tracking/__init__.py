"""Tracking: which of what is seen is which of what is known.

* :mod:`~foretree.world_model.tracking._candidates`: ``Candidates``, what a thing seen may be, the nearest
  first; ``one_to_one``, pairs by cost
* :mod:`~foretree.world_model.tracking._match_costs`: how far what is seen is from what is known, and how
  differently it looks

Nothing is imported here.
"""
