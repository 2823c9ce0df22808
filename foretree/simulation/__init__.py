"""Worlds to run in: the embedded household or building, and one that executes any PDDL domain.

What other rooms use, by module (none is imported here, since a world needs few of them):

- :mod:`~foretree.simulation.household.world`: ``HouseholdWorld``
- :mod:`~foretree.simulation.pddl_world.world`: ``PddlWorld``
- :mod:`~foretree.simulation.household.scene`: ``Scene``, and ``scatter``, which puts its items elsewhere,
  at random; :mod:`~foretree.simulation.household.scene_file`: ``load_scene``
- :mod:`~foretree.simulation.household.initial_belief`: facts of a scene that the agent is told
- :mod:`~foretree.simulation.faults.fault_script`: faults, as a script and by chance
- :mod:`~foretree.simulation.action_timing`: actions in simulated time, and the faults that strike
- :mod:`~foretree.simulation.household.goal_oracle`, :mod:`~foretree.simulation.household.plan_execution`:
  goals and plans judged by the world's truth
"""
