"""Running a folder of PDDL: every problem by both planners, and empty ones for what starting takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foretree._version import __version__
from foretree.planning.solvers.fast_downward.solver import find_binary
from foretree.regression.core.cached_run import Shelf, code_files, digest
from foretree.regression.core.result_cache import ResultCache
from foretree.regression.core.runner import Batch
from foretree.regression.pddl._contest import (
    EMPTY,
    PddlEpisode,
    compare_planners,
    find_driver,
    troubled_comparison,
)
from foretree.regression.pddl._report import PddlReport
from foretree.regression.pddl._tasks import PddlTask, find_tasks
from foretree.regression.pddl.choice import PddlChoice

if TYPE_CHECKING:
    from rich.console import Console

#: After so many problems comes an empty one; there are at least so many.
_EMPTY_EVERY, _EMPTY_LEAST = 10, 3
#: What stops a program that waits does so before this many times its limit, and the other one is run too.
_PATIENCE = 25.0


def run_pddl_suite(
    choice: PddlChoice,
    only: Sequence[str] = (),
    jobs: int | None = None,
    keep_in: Path | None = None,
    console: Console | None = None,
) -> PddlReport:
    """Plan the problems of a folder with Foretree and with Fast Downward.

    Ctrl-C ends it early, with a report on the problems that were done by then.

    Args:
        only: names of problems or folders, or patterns; all by default.
        jobs: how many processes; by default as many as there are processors.
        keep_in: the folder in which results are kept as they come in, and taken from if they are there.
        console: where progress is shown, if it is a terminal.

    Raises:
        SuiteError: there are no such problems, or one has no domain.
        SolverError: Fast Downward is not there.
        KeptError: results cannot be kept, or are there already but of something else.
    """
    assert choice.folder is not None
    tasks = find_tasks(choice.folder, only, choice.first)
    find_driver()
    kept = None if keep_in is None else ResultCache(keep_in / "pddl.jsonl", _made_of(choice))
    work = Batch(
        _with_empty(tasks),
        partial(compare_planners, choice.limit),
        troubled_comparison,
        _PATIENCE * (choice.limit + 10.0),
    )
    shelf = Shelf(kept, PddlEpisode, _asked, _told)
    try:
        done = shelf.fill(work, jobs, console, "problems")
    finally:
        if kept is not None:
            kept.close()
    return PddlReport(
        str(choice.folder), choice.limit, done.results, done.wall, done.processor, done.missing, shelf.taken
    )


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
    return tuple(replace(task, number=number) for number, task in enumerate(result))


def _asked(task: PddlTask) -> str:
    return f"{EMPTY} {task.number}" if task.name == EMPTY else task.name


def _told(episode: PddlEpisode) -> str:
    return f"{EMPTY} {episode.number}" if episode.empty else episode.name


def _made_of(choice: PddlChoice) -> dict[str, str]:
    """What results depend on, besides what the problems are called."""
    assert choice.folder is not None
    return {
        "suite": "pddl",
        "folder": str(choice.folder.resolve()),
        "limit": f"{choice.limit:g}",
        "version": __version__,
        "code": digest(code_files()),
        "Fast Downward": digest([find_binary()]),
    }
