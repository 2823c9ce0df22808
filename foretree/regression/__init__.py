"""Regression: suites of scenarios, run many times over, and what they came to."""

from __future__ import annotations

from foretree.regression.episode import Episode, run_episode
from foretree.regression.report import Rate, Report, Summary, markdown, print_report, summarise
from foretree.regression.runner import run_suite
from foretree.regression.suite import Scenario, Suite, SuiteError, Task, Variant, read_suite

__all__ = [
    "Episode",
    "Rate",
    "Report",
    "Scenario",
    "Suite",
    "SuiteError",
    "Summary",
    "Task",
    "Variant",
    "markdown",
    "print_report",
    "read_suite",
    "run_episode",
    "run_suite",
    "summarise",
]
