"""Running a folder of PDDL: every problem by both planners, and empty ones for what starting takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from foretree._version import __version__
from foretree.planning.solvers.fast_downward.solver import find_binary
from foretree.regression.core.result_cache import code_files, digest
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.pddl._contest import EMPTY, PddlTrials, find_driver
from foretree.regression.pddl._tasks import PddlTask, find_tasks
from foretree.regression.pddl.report import PddlReport, PddlSuite
from foretree.regression.reports.suite_report import run_fields

#: After so many problems comes an empty one; there are at least so many.
_EMPTY_EVERY, _EMPTY_LEAST = 10, 3
#: What stops a program that waits does so before this many times its limit, and the other one is run too.
_PATIENCE = 25.0


def open_pddl_suite(selection: Selection) -> PddlSuite:
    """The problems that are selected of a folder.

    Raises:
        SuiteError: there are no such problems, or one has no domain.
    """
    if selection.folder is None:
        raise SuiteError("Say which folder: foretree regress pddl FOLDER plans the PDDL problems in it.")
    tasks = find_tasks(selection.folder, selection.only, selection.first)
    return PddlSuite(selection.folder, selection.limit, tasks)


def run_pddl_suite(suite: PddlSuite, run: SuiteRun) -> PddlReport:
    """Plan the problems of a folder with Foretree and with Fast Downward.

    Ctrl-C ends it early, with a report on the problems that were done by then.

    Raises:
        SolverError: Fast Downward is not there.
        ResultCacheError: results cannot be kept, or are there already but of something else.
    """
    find_driver()
    kind = PddlTrials(suite.limit, _PATIENCE * (suite.limit + 10.0))
    with run.with_cache(suite.name, lambda: _made_of(suite)) as cached:
        done = cached.results(kind, _with_empty(suite.tasks), PddlReport.what)
    episodes = tuple(episode for episode in done.results if not episode.empty)
    empty = tuple(episode for episode in done.results if episode.empty)
    return PddlReport(suite, episodes, run.selection, empty, **run_fields(done))


def _with_empty(tasks: Sequence[PddlTask]) -> tuple[PddlTask, ...]:
    """The tasks, with empty ones among them: what else the machine does changes what starting takes."""
    every = min(_EMPTY_EVERY, max(1, len(tasks) // _EMPTY_LEAST))
    result: list[PddlTask] = []
    empty = PddlTask(0, EMPTY, Path(), Path())
    for number, task in enumerate(tasks):
        if number % every == 0:
            result.append(empty)
        result.append(task)
    result += [empty] * max(0, _EMPTY_LEAST - result.count(empty))
    return tuple(
        replace(task, number=number, name=f"{EMPTY} {number}" if task is empty else task.name)
        for number, task in enumerate(result)
    )


def _made_of(suite: PddlSuite) -> dict[str, str]:
    """Everything that results depend on, besides the names of the problems."""
    return {
        "suite": suite.name,
        "folder": str(suite.folder.resolve()),
        "limit": f"{suite.limit:g}",
        "version": __version__,
        "code": digest(code_files()),
        "Fast Downward": digest([find_binary()]),
    }
