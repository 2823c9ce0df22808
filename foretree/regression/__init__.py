"""Regression: suites of scenarios and of planning tasks, run many times over, and what they came to.

What others use, by module:

- :mod:`~foretree.regression.suites`: ``regress``, ``Choice``: a suite of any kind, chosen from and run
- :mod:`~foretree.regression.sessions.suite`: suites of sessions; :mod:`~foretree.regression.sessions.episode`
  carries one out, :mod:`~foretree.regression.sessions.report` says what they came to
- :mod:`~foretree.regression.planning.suite_file`, :mod:`~foretree.regression.planning.report`: the same for
  planning; ``homes_suite_file`` and ``homes_report`` for homes
- :mod:`~foretree.regression.language.suite_file`, :mod:`~foretree.regression.language.report`: the same for
  what people say and mean by it
- :mod:`~foretree.regression.pddl`: problems that others wrote
- :mod:`~foretree.regression.core.runner`: work done side by side, of whatever kind
- :mod:`~foretree.regression.reports.output`: reports on a terminal and as files
"""
