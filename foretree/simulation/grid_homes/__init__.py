"""Grid homes: procedural rooms and flats with things in them, and what a robot can do there.

* :mod:`~foretree.simulation.grid_homes.layouts.geometry`: cells, boxes, free spots
* :mod:`~foretree.simulation.grid_homes._object_classes`,
  :mod:`~foretree.simulation.grid_homes.layouts.spawn_priors`: what classes of things are like, and where such
  things usually lie
* :mod:`~foretree.simulation.grid_homes.layouts.layout`,
  :mod:`~foretree.simulation.grid_homes.layouts._room_site`,
  :mod:`~foretree.simulation.grid_homes.layouts.layout_generator`: walls, rooms, furniture, and families of
  them
* :mod:`~foretree.simulation.grid_homes.home`, :mod:`~foretree.simulation.grid_homes._parts`: what there is,
  and where
* :mod:`~foretree.simulation.grid_homes.layouts.spawning`: homes with what a task takes
* :mod:`~foretree.simulation.grid_homes.rules`, :mod:`~foretree.simulation.grid_homes._motion`,
  :mod:`~foretree.simulation.grid_homes._physics`: what each control does, and what follows from it
* :mod:`~foretree.simulation.grid_homes.disturbances`: hands that fail, and other people
* :mod:`~foretree.simulation.grid_homes.event_log`, :mod:`~foretree.simulation.grid_homes.goals`,
  :mod:`~foretree.simulation.grid_homes.families`, :mod:`~foretree.simulation.grid_homes.mistakes`: what came
  of it
* :mod:`~foretree.simulation.grid_homes.episode`: a home drawn for a task, with a body in it, and a judge
* :mod:`~foretree.simulation.grid_homes.camera.visibility`,
  :mod:`~foretree.simulation.grid_homes.camera._raycast`: what a camera sees
* :mod:`~foretree.simulation.grid_homes.camera.noise`,
  :mod:`~foretree.simulation.grid_homes.camera.recognition_errors`,
  :mod:`~foretree.simulation.grid_homes.camera._appearance`: what it takes it for, and what that looks like
* :mod:`~foretree.simulation.grid_homes.camera.camera`, :mod:`~foretree.simulation.grid_homes.body.body`: both
  together, and a hand
* :mod:`~foretree.simulation.grid_homes.body.remote_body`: the same in another process
* :mod:`~foretree.simulation.grid_homes.camera.frame_picture`: frames for people
"""
