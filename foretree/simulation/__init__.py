"""Worlds to run in: the embedded household or building, and one that executes any PDDL domain.

What other rooms use, by module (none is imported here, since a world needs few of them):

- :mod:`~foretree.simulation.household`: ``HouseholdWorld``
- :mod:`~foretree.simulation.pddl_world`: ``PddlWorld``
- :mod:`~foretree.simulation.scene`: ``Scene``, ``load_scene``
- :mod:`~foretree.simulation.scatter`: scenes drawn by chance
- :mod:`~foretree.simulation.briefing`: facts of a scene that the agent is told
- :mod:`~foretree.simulation.faults`, :mod:`~foretree.simulation.deeds`: faults, as a script and by chance
- :mod:`~foretree.simulation.simulated_robot`: ``SimulatedRobot``
- :mod:`~foretree.simulation.stage`: base of all worlds
- :mod:`~foretree.simulation.judge`, :mod:`~foretree.simulation.verdict`: goals and plans judged by the
  world's truth
"""
