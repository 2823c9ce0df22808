"""What a robot can do, and how it is told.

* :mod:`~foretree.skills.robot`: the ``Robot`` protocol, orders, targets, executions and their ends
* :mod:`~foretree.skills.skill`: a skill; :mod:`~foretree.skills.catalogue`: all of them, with their domain
* :mod:`~foretree.skills.executive.executive`: starts executions and leases the robot's parts
* :mod:`~foretree.skills.executors`: the ways of executing that a skill can name

Nothing is imported here: whoever only talks to a robot need not load what reads skill files.
"""
