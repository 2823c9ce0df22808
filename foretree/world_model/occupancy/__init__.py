"""Occupancy: the floor of a home as a body with a camera has seen it, and paths over it.

* :mod:`~foretree.world_model.occupancy.occupancy_grid`: ``OccupancyGrid``, made of depth images;
  :mod:`~foretree.world_model.occupancy.grid` numbers its cells
* :mod:`~foretree.world_model.occupancy.costmap`: ``make_costmap``, the cost of a step onto each cell
* :mod:`~foretree.world_model.occupancy.paths`: ``ShortestPaths`` and the motions that follow them
* :mod:`~foretree.world_model.occupancy.distances`: distances between many areas at once
* :mod:`~foretree.world_model.occupancy.frontiers`: ``frontiers``, where free cells border on unknown ones
* :mod:`~foretree.world_model.occupancy.standing_spots`: the cells from which something is within reach

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
