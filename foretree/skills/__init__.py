"""Skills of a robot, and the ways of ordering it to use them.

* :mod:`~foretree.skills.robot`: the ``Robot`` protocol, orders, targets, executions and their ends
* :mod:`~foretree.skills.skill`: a skill; :mod:`~foretree.skills.catalogue`: all of them, with their domain;
  :mod:`~foretree.skills.catalogue_file`: reads it
* :mod:`~foretree.skills.executive.executive`: starts executions and leases the robot's parts
* :mod:`~foretree.skills.executors`: the ways of executing that a skill can name

Nothing is imported here: code that only talks to a robot need not load what reads skill files.
"""
