"""Grid homes: procedural rooms and flats with things in them, and what a robot can do there. The truth, and no more.

* :mod:`~foretree.simulation.homes.geometry`: cells, boxes, free spots
* :mod:`~foretree.simulation.homes.bodies`: what the classes of things are like
* :mod:`~foretree.simulation.homes.layout`, :mod:`~foretree.simulation.homes.site`,
  :mod:`~foretree.simulation.homes.architect`: walls, rooms and furniture, and the families they are drawn from
* :mod:`~foretree.simulation.homes.home`, :mod:`~foretree.simulation.homes.parts`: what there is and where
* :mod:`~foretree.simulation.homes.motion`: how the robot moves
"""
