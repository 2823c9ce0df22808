"""Charts: a home seen from above as far as a body has seen it, and ways through it.

* :mod:`~foretree.world_model.charts.grid`: ``Grid`` and ``Cell``, how cells are numbered
* :mod:`~foretree.world_model.charts.chart`: ``Chart``, which pictures are added to;
  :mod:`~foretree.world_model.charts.sight` and :mod:`~foretree.world_model.charts.class_layer` say what
  they show
* :mod:`~foretree.world_model.charts.footing`: ``find_footing``, where a body can stand
* :mod:`~foretree.world_model.charts.ways`: ``Ways`` from one cell to all others, by fast marching
* :mod:`~foretree.world_model.charts.gait`: ``paces``, the steps and turns of a way
* :mod:`~foretree.world_model.charts.frontiers`: ``frontiers``, where the known ends
* :mod:`~foretree.world_model.charts.standing_spots`: ``standing_spots``, from where something is reached
* :mod:`~foretree.world_model.charts.chart_picture`: ``draw_chart``, for people

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
