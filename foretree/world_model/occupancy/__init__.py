"""Occupancy grids: a home seen from above as far as a body has seen it, and ways through it.

* :mod:`~foretree.world_model.occupancy.grid`: ``Grid`` and ``Cell``, how cells are numbered
* :mod:`~foretree.world_model.occupancy.occupancy_grid`: ``Chart``, which pictures are added to;
  :mod:`~foretree.world_model.occupancy.depth_points` and :mod:`~foretree.world_model.occupancy._class_layer`
  say what they show
* :mod:`~foretree.world_model.occupancy.costmap`: ``make_costmap``, where a body can stand
* :mod:`~foretree.world_model.occupancy.paths`: ``Ways`` from one cell to all others, by fast marching
* :mod:`~foretree.world_model.occupancy.motion_cost`: ``paces``, the steps and turns of a way
* :mod:`~foretree.world_model.occupancy.frontiers`: ``frontiers``, where the known ends
* :mod:`~foretree.world_model.occupancy.standing_spots`: ``standing_spots``, from where something is reached
* :mod:`~foretree.pictures.occupancy_picture`: ``draw_chart``, for people

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
