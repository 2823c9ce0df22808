"""The world model: the belief of an agent, and the maps it plans on.

- ``beliefs``: entities, facts, predicates and evidence; :class:`~foretree.world_model.beliefs.belief.Belief`
- ``tracking``: observations become a belief; :class:`~foretree.world_model.tracking.tracker.Tracker`
- ``maps``: :class:`~foretree.world_model.maps.places.PlaceGraph`,
  :class:`~foretree.world_model.maps.building_map.BuildingMap`, their files, and
  :class:`~foretree.world_model.maps.compressed_map.CompressedMap` for planning
- ``occupancy``: the floor as a body with a camera has seen it, paths over it, and frontiers
- ``affordances``: what objects let an agent do with them
- :mod:`~foretree.world_model.observation`: what perception reports
- :mod:`~foretree.world_model.ontology`: classes of objects, read by
  :mod:`~foretree.world_model.ontology_file`
- :mod:`~foretree.world_model.likely_places`: where objects of a class tend to be
- :mod:`~foretree.world_model.camera_model`: the camera of a body
"""
