"""Grid homes: procedural rooms and flats with things in them, and what a robot can do there.

* :mod:`~foretree.simulation.homes.geometry`: cells, boxes, free spots
* :mod:`~foretree.simulation.homes.bodies`: what the classes of things are like
* :mod:`~foretree.simulation.homes.layout`, :mod:`~foretree.simulation.homes.site`,
  :mod:`~foretree.simulation.homes.architect`: walls, rooms, furniture, and families of them
* :mod:`~foretree.simulation.homes.home`, :mod:`~foretree.simulation.homes.parts`: what there is and where
* :mod:`~foretree.simulation.homes.motion`: how the robot moves
"""
