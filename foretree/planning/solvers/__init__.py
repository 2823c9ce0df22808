"""Solvers: Fast Downward in a warm worker process, and what else unified-planning knows.

- :mod:`~foretree.planning.solvers.base`: ``Solver``, ``ImprovingSolver``, ``Limits``, ``Mode``, ``Solution``
- :mod:`~foretree.planning.solvers.registry`: ``find_solver``, ``solver_names``
- :mod:`~foretree.planning.solvers.fast_downward.solver`: ``FastDownward``, ``shared_planner``
"""
