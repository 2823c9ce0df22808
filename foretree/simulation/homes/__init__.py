"""Grid homes: procedural rooms and flats with things in them, and what a robot can do there.

* :mod:`~foretree.simulation.homes.geometry`: cells, boxes, free spots
* :mod:`~foretree.simulation.homes.bodies`, :mod:`~foretree.simulation.homes.habits`: what classes of things
  are like, and where such things usually lie
* :mod:`~foretree.simulation.homes.layout`, :mod:`~foretree.simulation.homes.site`,
  :mod:`~foretree.simulation.homes.architect`: walls, rooms, furniture, and families of them
* :mod:`~foretree.simulation.homes.home`, :mod:`~foretree.simulation.homes.parts`: what there is, and where
* :mod:`~foretree.simulation.homes.stocking`: homes with what a task takes
* :mod:`~foretree.simulation.homes.rules`, :mod:`~foretree.simulation.homes.motion`,
  :mod:`~foretree.simulation.homes.physics`: what each control does, and what follows from it
* :mod:`~foretree.simulation.homes.chance`: hands that fail, and other people
* :mod:`~foretree.simulation.homes.log`, :mod:`~foretree.simulation.homes.goals`,
  :mod:`~foretree.simulation.homes.families`, :mod:`~foretree.simulation.homes.mistakes`: what came of it
* :mod:`~foretree.simulation.homes.episode`: a home drawn for a task, with a body in it, and a judge
* :mod:`~foretree.simulation.homes.in_sight`, :mod:`~foretree.simulation.homes.raycast`: what a camera sees
* :mod:`~foretree.simulation.homes.noise`, :mod:`~foretree.simulation.homes.eyesight`,
  :mod:`~foretree.simulation.homes.appearance`: what it takes it for, and what that looks like
* :mod:`~foretree.simulation.homes.camera`, :mod:`~foretree.simulation.homes.body`: both together, and a hand
* :mod:`~foretree.simulation.homes.remote`: the same in another process
* :mod:`~foretree.simulation.homes.picture`: frames for people
"""
