"""Occupancy: the floor of a home as a body with a camera has seen it, and paths over it.

* :mod:`~foretree.world_model.occupancy.occupancy_grid`: ``OccupancyGrid``, made of depth images, and
  its cells
* :mod:`~foretree.world_model.occupancy.paths`: ``make_costmap``, the cost of a step onto each cell;
  ``ShortestPaths`` over it, and the motions that follow them
* :mod:`~foretree.world_model.occupancy.distances`: distances between many areas at once
* :mod:`~foretree.world_model.occupancy.frontiers`: ``frontiers``, where free cells border on unknown ones
* :mod:`~foretree.world_model.occupancy.standing_spots`: the cells from which something is within reach

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
