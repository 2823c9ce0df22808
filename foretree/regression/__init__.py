"""Regression: suites of scenarios and of planning tasks, run many times over, and what they came to.

What others use, by module:

- :mod:`~foretree.regression.suites`: ``regress``, ``Choice``: a suite of any kind, chosen from and run
- :mod:`~foretree.regression.suite`: suites of sessions; :mod:`~foretree.regression.episode` carries one out,
  :mod:`~foretree.regression.report` says what they came to
- :mod:`~foretree.regression.planning_suite_file`, :mod:`~foretree.regression.planning_report`: the same for
  planning; ``homes_suite_file`` and ``homes_report`` for homes
- :mod:`~foretree.regression.pddl`: problems that others wrote
- :mod:`~foretree.regression.runner`: work done side by side, of whatever kind
- :mod:`~foretree.regression.output`: reports on a terminal and as files
"""
