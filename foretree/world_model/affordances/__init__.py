"""Affordances: what objects let an agent do with them.

- :mod:`~foretree.world_model.affordances.mapping`: how likely an affordance is, given a class; read by
  :mod:`~foretree.world_model.affordances.mapping_file`, through a cache by
  :mod:`~foretree.world_model.affordances.shipped`
- :mod:`~foretree.world_model.affordances.placement`: classes that the mapping does not list
- :mod:`~foretree.world_model.affordances.objects`: what single objects afford, and learning from outcomes
- :mod:`~foretree.world_model.affordances.evidence_file`: what was learned about classes, kept for later runs
- :mod:`~foretree.world_model.affordances.evaluation`: precision and recall against a labelled file
"""
