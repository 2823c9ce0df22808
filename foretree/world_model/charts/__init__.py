"""Charts: a home seen from above as far as a body has seen it, and ways through it.

* :mod:`~foretree.world_model.charts.grid`: ``Grid`` and ``Cell``, how cells are numbered
* :mod:`~foretree.world_model.charts.chart`: ``Chart``, which pictures are added to

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
