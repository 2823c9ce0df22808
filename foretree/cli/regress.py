"""The commands that run suites, compare two runs of one, and put shards together."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foretree.cli._commands import OptionGroup
from foretree.cli._options import JsonOption, SeedOption, UsageError
from foretree.cli._terminal import INTERRUPTED, new_console, say

if TYPE_CHECKING:
    from foretree.regression.core.selection import Selection
    from foretree.regression.reports.suite_report import SuiteReport

PANEL = "Running"

commands = typer.Typer()


def _option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, show_default=False, **more)


MarkdownOption = Annotated[
    Path | None, _option("--markdown", metavar="FILE", help="Write the report to this file too, as Markdown.")
]


class SuiteOptions(OptionGroup):
    """Options of a :class:`~foretree.regression.core.selection.Selection`."""

    suite: Annotated[
        str,
        typer.Argument(metavar="SUITE", help="A suite of configs/suites, or a file; or pddl, or alfred."),
    ] = "smoke"
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="With pddl: a folder of PDDL domains and problems, planned side by side with Fast Downward. "
            "With alfred: a folder of ALFRED's trials and layouts.",
            show_default=False,
        ),
    ] = None
    autogptp: Annotated[
        Path | None,
        _option(
            "--autogptp",
            metavar="PATH",
            help="In place of a suite: AutoGPT+P's evaluation files in this folder, or one of scenarios.",
        ),
    ] = None
    episodes: Annotated[
        int | None,
        _option(
            "--episodes",
            "-n",
            metavar="N",
            min=1,
            help="Episodes per variant; of a planning suite: seeds per task and setting.",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        _option("--jobs", "-j", metavar="N", min=1, max=1024, help="Processes; all cores by default."),
    ] = None
    seed: SeedOption = 0
    only: Annotated[
        list[str] | None,
        _option(
            "--only",
            metavar="SCENARIO",
            help="Only this scenario or task; with pddl a problem, a folder, or a pattern such as "
            "'logistics*'; may be given several times.",
        ),
    ] = None
    variants: Annotated[
        list[str] | None,
        _option("--variant", metavar="VARIANT", help="Only this variant; may be given several times."),
    ] = None
    settings: Annotated[
        list[str] | None,
        _option(
            "--setting",
            metavar="SETTING",
            help="Of a planning suite: only this setting; may be given several times.",
        ),
    ] = None
    levels: Annotated[
        list[str] | None,
        _option(
            "--level",
            metavar="LEVEL",
            help="Of a planning suite: only tasks of this level (simple, moderate, compositional).",
        ),
    ] = None
    revisers: Annotated[
        list[str] | None,
        _option(
            "--reviser",
            metavar="NAME",
            help="Reviser chain of every variant that revises plans: rules, llm, planner; with commas or "
            "given several times.",
        ),
    ] = None
    optimise: Annotated[
        str,
        _option(
            "--optimise",
            metavar="WHAT",
            help="What the plans of every variant are made by: cost, or success, the probability that all of "
            "a plan succeeds.",
        ),
    ] = ""
    garbage: Annotated[
        list[str] | None,
        _option(
            "--garbage",
            metavar="KIND",
            help="Of a language suite: have a model server on this machine understand, and spoil its "
            "recorded answers in this way, or in all; with commas.",
        ),
    ] = None
    growth: Annotated[
        Path | None,
        _option(
            "--growth",
            metavar="FILE",
            help="Of a planning suite: show what larger buildings took, from bench_compression.py's JSON.",
        ),
    ] = None
    ablate: Annotated[
        list[str] | None,
        _option(
            "--ablate",
            metavar="PARTS",
            help="Compare with what comes without each of these: in homes guards, or all; of a language "
            "suite affordances or corrections; with commas.",
        ),
    ] = None
    modes: Annotated[
        list[str] | None,
        _option("--mode", metavar="MODE", help="In homes: how things begin: fixed or diverse."),
    ] = None
    splits: Annotated[
        list[str] | None,
        _option(
            "--split",
            metavar="SPLIT",
            help="In homes: which layouts are drawn from: seen or unseen. With alfred: even, odd or all, by "
            "the numbers of rooms.",
        ),
    ] = None
    rooms: Annotated[
        list[str] | None,
        _option("--rooms", metavar="NUMBERS", help="With alfred: only these rooms; with commas."),
    ] = None
    descriptions: Annotated[
        bool,
        typer.Option("--descriptions", help="With alfred: ask in people's own words, without the goal."),
    ] = False
    check: Annotated[
        bool,
        typer.Option("--check", help="With alfred: only make homes, and plan with full knowledge."),
    ] = False
    noise: Annotated[
        float | None, _option("--noise", min=0, metavar="TIMES", help="In homes: times the default noise.")
    ] = None
    persistence: Annotated[
        float | None,
        _option(
            "--noise-persistence",
            min=0,
            metavar="METRES",
            help="In homes: over how many metres errors of views last; the agent is not told.",
        ),
    ] = None
    recovery: Annotated[
        bool,
        typer.Option("--recovery", help="In homes: what share of failures by noise guards recover, too."),
    ] = False
    sweep: Annotated[
        bool, typer.Option("--sweep", help="In homes: find out, too, how success depends on noise.")
    ] = False
    limit: Annotated[
        float,
        typer.Option(
            "--limit",
            min=1,
            metavar="SECONDS",
            help="With pddl: seconds of processors that each planner has for a problem.",
        ),
    ] = 30.0
    first: Annotated[
        bool, typer.Option("--first", help="With pddl: only the first problem of each folder.")
    ] = False
    keep: Annotated[
        bool, typer.Option("--keep", help="In homes: keep every episode as a run, to be replayed.")
    ] = False
    shard: Annotated[
        str | None,
        _option(
            "--shard",
            metavar="I/N",
            help="Only every N-th trial, from the I-th on; foretree regress merge puts all N reports "
            "together.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        _option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write the report into this folder too: Markdown, JSON, JUnit XML, and a page with plots. "
            "In homes and with pddl, results are kept there as they come in, and not run again.",
        ),
    ] = None

    def selection(self) -> Selection:
        """The selection that is meant."""
        from foretree.regression.core.selection import Selection, Shard

        said: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in vars(self).items()
        }
        files = said.pop("autogptp")
        if files is not None:
            if self.folder is not None or self.suite != "smoke":
                raise UsageError("--autogptp stands in place of a suite: leave out the suite, or the option.")
            said |= {"suite": "autogptp", "folder": files}
        said |= {name: _split_commas(said[name] or ()) for name in ("revisers", "ablate", "garbage")}
        said |= {name: tuple(filter(None, said[name])) for name in ("ablate", "garbage")}
        said["rooms"] = tuple(map(_room, _split_commas(said["rooms"] or ())))
        said["shard"] = Shard.read(self.shard) if self.shard is not None else None
        return Selection(**{name: value for name, value in said.items() if value is not None})


def _split_commas(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for several in names for part in several.split(","))


def _room(text: str) -> int:
    """The number of a room.

    Raises:
        UsageError: it is none.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"--rooms takes numbers of rooms, such as 4,218, not {text!r}.")
    return int(text)


class ReportOptions(OptionGroup):
    """Files that a report is written to."""

    markdown: MarkdownOption = None
    csv: Annotated[
        Path | None, _option("--csv", metavar="FILE", help="Write the episodes to this file, one per line.")
    ] = None
    parquet: Annotated[
        Path | None,
        _option(
            "--parquet",
            metavar="FILE",
            help="Write the episodes to this file, as Parquet. Takes foretree[parquet].",
        ),
    ] = None
    json: JsonOption = False

    def check(self, output: Path | None) -> None:
        """Refuse what could not be written, before hours are spent on the report.

        Raises:
            UsageError: a folder cannot be written into, or a file is a folder or is named twice.
            MissingPackageError: Parquet files cannot be written.
        """
        files = {"--markdown": self.markdown, "--csv": self.csv, "--parquet": self.parquet}
        for where in (output, *(file.parent for file in files.values() if file)):
            if where is not None:
                _check_writable(where)
        _check_files({option: file for option, file in files.items() if file is not None})
        if self.parquet is not None:
            from foretree.regression.reports.episode_table import need_parquet

            need_parquet()

    def write(self, report: SuiteReport[Any, Any], output: Path | None) -> None:
        """Print a report and write it where it is to go; leave with the exit code that it has."""
        from foretree.regression.reports.episode_table import write_csv, write_parquet
        from foretree.regression.reports.output import markdown, print_report, write_report, write_text

        print_report(report, new_console(), as_json=self.json)
        if self.json and report.interruption:
            say(report.interruption, err=True)
        if self.markdown is not None:
            write_text(self.markdown, markdown(report))
        if self.csv is not None:
            write_csv(report.episodes, self.csv)
        if self.parquet is not None:
            write_parquet(report.episodes, self.parquet)
        if output is not None:
            for path in write_report(report, output):
                say(f"wrote {path}", err=True)
        if not report.complete:
            raise typer.Exit(INTERRUPTED)
        if not report.ok:
            raise typer.Exit(1)


@commands.command("regress", rich_help_panel=PANEL)
def regress_command(options: SuiteOptions, report_options: ReportOptions) -> None:
    """Run a suite, and print what each of its variants came to.

    A suite of sessions carries scenarios out with and without guards; a planning suite plans tasks with one
    hand and with two, with and without closed doors, and without one part of planning after the other; a
    suite of tasks from words runs those tasks from what people say; a language suite measures whether the
    agent does what people mean; a suite in homes carries household tasks out with all guards, without each of
    them, and without any. With pddl, the problems of a folder are planned by Foretree and by Fast Downward;
    with alfred, ALFRED's trials are carried out in homes made of their rooms.

    Exits with 1 if an episode crashed, hung, left something running, or began with guards what it could see
    to be impossible; or if the world did not accept a plan. Not reaching a goal is no reason.

    Examples:

    foretree regress smoke -n 50

    foretree regress smoke --only mango-moved --variant guards --json

    foretree regress building --level simple -n 1 -o reports

    foretree regress language -o reports

    foretree regress household --ablate presence,attribute,all --split unseen -n 100 -o reports

    foretree regress household --shard 2/8 -o reports/2

    foretree regress pddl benchmarks --first --limit 30 -o reports

    foretree regress alfred FOLDER --split even -n 60 -o reports

    foretree regress --autogptp evaluation -o reports
    """
    from foretree.regression.core.interrupts import interrupted_once
    from foretree.regression.suites import regress

    report_options.check(options.output)
    with interrupted_once():
        report = regress(options.selection(), console=new_console(stderr=True))
    if options.output is not None and report.complete:
        from foretree.debugger.replays import with_replays

        report = with_replays(report, options.output, lambda line: say(line, err=True))
    report_options.write(report, options.output)


@commands.command("regress merge", rich_help_panel=PANEL)
def merge_command(
    shards: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPORT...", help="The JSON reports of all shards, or the folders they are in."
        ),
    ],
    report_options: ReportOptions,
    output: Annotated[
        Path | None,
        _option("--output", "-o", metavar="FOLDER", help="Write the report into this folder too."),
    ] = None,
) -> None:
    """Put the reports of all shards of a suite together, as if it had been run at once.

    Exits as foretree regress does.

    Examples:

    foretree regress merge reports/1 reports/2 reports/3 -o reports/all
    """
    from foretree.regression.merging import merge

    report_options.check(output)
    report_options.write(merge(shards), output)


@commands.command("regress diff", rich_help_panel=PANEL)
def diff_command(
    old: Annotated[
        Path, typer.Argument(metavar="OLD", help="A JSON report of a suite, or the folder it is in.")
    ],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another report of the same suite.")],
    markdown: MarkdownOption = None,
    json: JsonOption = False,
) -> None:
    """Compare two runs of a suite, trial by trial: what got better, what got worse, and how sure that is.

    What has the same scenario, variant and seed in both makes a pair. Differences are means over pairs, with
    95 % intervals.

    Exits with 1 if something got worse: if an interval leaves out 0 on the wrong side, or a trial that ended
    as it must in OLD does not in NEW. Times on the processor are shown, but do not count.

    Examples:

    foretree regress diff reports/monday reports/tuesday
    """
    from foretree.regression.reports.output import markdown as as_markdown
    from foretree.regression.reports.output import print_report, write_text
    from foretree.regression.run_comparison import compare_runs

    ReportOptions(markdown=markdown).check(None)
    found = compare_runs(old, new)
    print_report(found, new_console(), as_json=json)
    if markdown is not None:
        write_text(markdown, as_markdown(found))
    if not found.ok:
        raise typer.Exit(1)


def _check_files(files: dict[str, Path]) -> None:
    """Refuse files, by their options, that are folders, or of which two are the same."""
    options: dict[str, str] = {}
    for option, file in files.items():
        if os.path.isdir(file):
            raise UsageError(f"{option} takes a file, but {file} is a folder.")
        other = options.setdefault(os.path.realpath(file), option)
        special = os.path.exists(file) and not os.path.isfile(file)  # such as /dev/stdout
        if other != option and not special:
            raise UsageError(f"{other} and {option} are the same file, {file}: name two.")


def _check_writable(folder: Path) -> None:
    """Refuse a folder that no report could be written into, before hours are spent on the report."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if os.path.exists(one))
    from tempfile import TemporaryFile

    try:
        with suppress(FileNotFoundError):
            folder.stat()  # its name may be one that no folder can have
        with TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise UsageError(f"Cannot write into {folder}: {error.strerror}.") from error
