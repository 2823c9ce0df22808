"""Running a suite of either kind: reading it, choosing from it, and reporting on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foretree.config import find_config, read_yaml
from foretree.errors import takes_extra
from foretree.regression.core.runner import Batch, carry_out
from foretree.regression.core.selection import SuiteError
from foretree.regression.pddl.choice import PddlChoice
from foretree.regression.reports.output import Reported
from foretree.regression.sessions.episode import run_episode, troubled
from foretree.regression.sessions.report import Report
from foretree.regression.sessions.suite import Suite, read_suite

if TYPE_CHECKING:
    from rich.console import Console

    from foretree.regression.planning.report import PlanningReport
    from foretree.regression.planning.suite import PlanningSuite
    from foretree.regression.planning.trial import PlannerFactory, W

#: Seconds on the wall after which an episode counts as hung.
EPISODE_LIMIT = 60.0
#: Seconds on the wall after which a trial counts as hung: it plans twice, and its limits are shorter.
TRIAL_LIMIT = 240.0


#: The suite that is a folder of PDDL.
PDDL = "pddl"


@dataclass(frozen=True)
class HomesChoice:
    """What of a suite of household tasks is run, and how. Nothing chosen means all of it.

    Attributes:
        ablate: guards, or ``all``, without each of which it is run besides.
        modes: how things begin.
        splits: which layouts are drawn from.
        noise: how many times the default noise, instead of what the suite says.
        sweep: whether to find out, too, how success depends on noise.
        keep: whether every episode is kept as a run.
        folder: where results are kept as they come in.
    """

    ablate: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    noise: float | None = None
    sweep: bool = False
    keep: bool = False
    folder: Path | None = None


@dataclass(frozen=True)
class Selection:
    """What of a suite is run, and how. Nothing chosen means all of it.

    Attributes:
        count: episodes per variant, or seeds per setting; by default as many as the suite says.
        jobs: how many processes; by default as many as there are processors.
        seed: decides all seeds.
        only: scenarios or tasks, by name.
        variants: by name.
        settings: of a planning suite, by name.
        levels: of a planning suite's tasks.
        growth: a file with what larger buildings took, for the report on a planning suite.
        revisers: who is asked when something is wrong, in every variant that revises plans.
        homes: what is for suites of household tasks only.
        pddl: what is for a folder of PDDL only.
    """

    count: int | None = None
    jobs: int | None = None
    seed: int = 0
    only: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    growth: Path | None = None
    revisers: tuple[str, ...] = ()
    homes: HomesChoice = HomesChoice()
    pddl: PddlChoice = field(default_factory=PddlChoice)


def regress(name_or_path: str, choice: Selection, console: Console | None = None) -> Reported:
    """Run a suite: sessions, planning, household tasks, or a folder of PDDL.

    Args:
        name_or_path: which; ``pddl`` is the folder that is chosen.
        choice: what of it.
        console: where progress is shown, if it is a terminal.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was chosen is not in it.
    """
    if name_or_path == PDDL:
        return _regress_pddl(choice, console)
    if choice.pddl != PddlChoice():
        raise SuiteError(
            f"The suite {name_or_path} is no folder of PDDL: a folder, --limit and --first go with "
            "foretree regress pddl FOLDER."
        )
    kind = read_yaml(find_config("suites", name_or_path)).get("kind", "sessions")
    if kind == "planning":
        return _regress_planning(name_or_path, choice, console)
    if choice.settings or choice.levels or choice.growth:
        raise SuiteError(
            f"The suite {name_or_path} runs sessions: settings, levels and growth are for planning."
        )
    if kind == "homes":
        return _regress_homes(name_or_path, choice, console)
    _need_no_home(name_or_path, choice)
    suite = read_suite(name_or_path).only(choice.only, choice.variants).revised_by(choice.revisers)
    return run_suite(suite, choice.count, choice.jobs, choice.seed, console)


def _need_no_home(name_or_path: str, choice: Selection) -> None:
    if replace(choice.homes, folder=None) != HomesChoice():
        raise SuiteError(
            f"The suite {name_or_path} is not in grid homes: only there are ablations, modes, splits, "
            "another noise, a sweep, and runs that are kept."
        )


def _regress_pddl(choice: Selection, console: Console | None) -> Reported:
    if choice.pddl.folder is None:
        raise SuiteError("Say which folder: foretree regress pddl FOLDER plans the PDDL problems in it.")
    for_this = Selection(
        jobs=choice.jobs,
        only=choice.only,
        homes=HomesChoice(folder=choice.homes.folder),
        pddl=choice.pddl,
        seed=choice.seed,
    )
    if choice != for_this:
        raise SuiteError(
            "A folder of PDDL has neither variants nor settings, and each problem is planned once. Valid: "
            "--only, --first, --limit, --jobs, --output, --markdown and --json."
        )
    from foretree.regression.pddl.running import run_pddl_suite

    return run_pddl_suite(choice.pddl, choice.only, choice.jobs, choice.homes.folder, console)


def _regress_planning(name_or_path: str, choice: Selection, console: Console | None) -> Reported:
    if choice.revisers:
        raise SuiteError(f"The suite {name_or_path} plans: nothing is revised in it.")
    _need_no_home(name_or_path, choice)
    from foretree.regression.planning.factory import HouseholdFactory, ground
    from foretree.regression.planning.growth import read_growth
    from foretree.regression.planning.suite_file import read_planning_suite

    planning = read_planning_suite(name_or_path, ground)
    planning = planning.only(choice.only, choice.settings, choice.variants, choice.levels)
    growth = read_growth(choice.growth) if choice.growth else ()
    report = run_planning_suite(planning, HouseholdFactory(), choice.count, choice.jobs, choice.seed, console)
    return replace(report, growth=growth)


def _regress_homes(name_or_path: str, choice: Selection, console: Console | None) -> Reported:
    with takes_extra("homes", f"The suite {name_or_path} is in grid homes, which"):
        from foretree.regression.homes.running import RunOptions, run_homes_suite
        from foretree.regression.homes.suite_file import read_homes_suite

    homes = choice.homes
    suite = read_homes_suite(name_or_path)
    if homes.noise is not None:
        suite = replace(suite, noise=homes.noise)
    if homes.ablate:
        suite = suite.ablated(homes.ablate)
    suite = suite.only(choice.only, choice.variants, homes.modes, homes.splits).revised_by(choice.revisers)
    manner = RunOptions(choice.count, choice.jobs, choice.seed, homes.sweep, homes.keep, homes.folder)
    return run_homes_suite(suite, name_or_path, manner, console)


def run_suite(
    suite: Suite,
    episodes: int | None = None,
    jobs: int | None = None,
    seed: int = 0,
    console: Console | None = None,
    limit: float = EPISODE_LIMIT,
) -> Report:
    """Run a suite of sessions.

    Ctrl-C ends it early, with a report on the episodes that were done by then.

    Args:
        suite: what to run.
        episodes: how many per variant; by default every scenario as often as the suite says.
        jobs: how many processes; by default as many as there are processors.
        seed: decides the seeds of the episodes.
        console: where a progress bar is shown, if it is a terminal.
        limit: seconds on the wall after which an episode counts as hung.
    """
    tasks = suite.tasks(episodes, seed)
    work = Batch(tasks, partial(run_episode, suite), partial(troubled, suite), limit)
    done = carry_out(work, jobs, console)
    return Report(suite.name, seed, done.results, done.wall, done.processor, done.missing)


def run_planning_suite(
    suite: PlanningSuite,
    workshop: PlannerFactory[W],
    seeds: int | None = None,
    jobs: int | None = None,
    seed: int = 0,
    console: Console | None = None,
    limit: float = TRIAL_LIMIT,
) -> PlanningReport:
    """Run a planning suite.

    Ctrl-C ends it early, with a report on the trials that were done by then.

    Args:
        suite: what to run.
        workshop: where worlds and planners come from; it is sent to the processes.
        seeds: how often each task is planned in each setting; by default as often as the suite says.
        jobs: how many processes; by default as many as there are processors.
        seed: decides the seeds of the trials.
        console: where a progress bar is shown, if it is a terminal.
        limit: seconds on the wall after which a trial counts as hung.
    """
    from foretree.regression.planning.report import PlanningReport
    from foretree.regression.planning.trial import run_trial, troubled_trial

    work = Batch(
        suite.trials(seeds, seed),
        partial(run_trial, suite, workshop),
        partial(troubled_trial, suite),
        limit,
    )
    done = carry_out(work, jobs, console)
    return PlanningReport(suite, seed, done.results, done.wall, done.processor, done.missing)
