"""Regression: suites of scenarios and of planning tasks, run many times over, and what they came to."""

from __future__ import annotations

from foretree.regression.episode import Episode, run_episode
from foretree.regression.output import OutputError, Reported, markdown, print_report, write_report, write_text
from foretree.regression.pddl.running import PddlChoice, run_pddl_suite
from foretree.regression.planning_episode import PlanningEpisode, run_trial
from foretree.regression.planning_report import PlanningReport
from foretree.regression.planning_suite import PlanningSuite
from foretree.regression.planning_suite_file import read_planning_suite
from foretree.regression.rate import Rate
from foretree.regression.report import Report, Summary, summarise
from foretree.regression.suite import Scenario, Suite, SuiteError, Task, Variant, read_suite
from foretree.regression.suites import Choice, HomesChoice, regress, run_planning_suite, run_suite

__all__ = [
    "Choice",
    "Episode",
    "HomesChoice",
    "OutputError",
    "PddlChoice",
    "PlanningEpisode",
    "PlanningReport",
    "PlanningSuite",
    "Rate",
    "Report",
    "Reported",
    "Scenario",
    "Suite",
    "SuiteError",
    "Summary",
    "Task",
    "Variant",
    "markdown",
    "print_report",
    "read_planning_suite",
    "read_suite",
    "regress",
    "run_episode",
    "run_pddl_suite",
    "run_planning_suite",
    "run_suite",
    "run_trial",
    "summarise",
    "write_report",
    "write_text",
]
