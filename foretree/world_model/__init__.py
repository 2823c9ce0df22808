"""What the agent believes: entities, facts, the map, and which detection is which entity.

What other rooms use, by module:

- :mod:`~foretree.world_model.beliefs.facts`: ``Atom``, ``Fact``, ``Truth``
- :mod:`~foretree.world_model.beliefs.belief`: ``Belief`` and its ``Snapshot``
- :mod:`~foretree.world_model.beliefs.entities`: ``Entity``, ``Pose``
- :mod:`~foretree.world_model.observation`: ``Observation``, ``Detection``, ``Covered``
- :mod:`~foretree.world_model.beliefs.vocabulary`: ``Vocabulary``, ``PredicateInfo``, the kinds of predicates
- :mod:`~foretree.world_model.ontology`: ``Ontology``, the classes of things and what they afford
- :mod:`~foretree.world_model.camera_model`: ``Lens`` and ``Stance``: where what a pixel shows is
- :mod:`~foretree.world_model.maps.places`: ``PlaceGraph``, nodes and passages
- :mod:`~foretree.world_model.maps.building_map`: ``BuildingMap``, which adds rooms, doors, and assets with
  images and captions; :mod:`~foretree.world_model.maps.map_builder` makes one,
  :mod:`~foretree.world_model.maps.map_file` and :mod:`~foretree.world_model.maps.graphml` read and write
  them, :mod:`~foretree.pictures.map_text` and :mod:`~foretree.pictures.map_picture` show them
- :mod:`~foretree.world_model.maps.compressed_map`: ``CompressedMap``, the map reduced to the nodes that
  matter
- :mod:`~foretree.world_model.builtin_predicates`, :mod:`~foretree.world_model.builtin_predicates`: the few
  predicates that the program itself has to know
- :mod:`~foretree.world_model.beliefs.consequences`: what follows from where things are
- :mod:`~foretree.world_model.occupancy`: a home seen from above by a body with a camera, and ways through it
- :mod:`~foretree.world_model.likely_places`: ``LikelyPlaces``, where things of a class tend to be
- :mod:`~foretree.world_model.tracking.tracker`: ``Tracker``, which brings observations into a belief
- :mod:`~foretree.world_model.beliefs.entity_creation`: how a belief is told of a new entity
"""
