"""The command that runs suites."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from foretree.cli._exit_codes import INTERRUPTED
from foretree.cli._options import JsonOption, SeedOption, UsageError
from foretree.cli._terminal import new_console, say

PANEL = "Running"

commands = typer.Typer()


@commands.command("regress", rich_help_panel=PANEL)
def regress_command(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite of configs/suites, or a file; or pddl.")
    ] = "smoke",
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="With pddl: a folder of PDDL domains and problems, planned side by side with Fast Downward.",
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes",
            "-n",
            metavar="N",
            min=1,
            help="Episodes per variant; of a planning suite: seeds per task and setting.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            min=1,
            max=1024,
            help="Processes; all cores by default.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="SCENARIO",
            help="Only this scenario or task; with pddl a problem, a folder, or a pattern such as "
            "'logistics*'; may be given several times.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="VARIANT",
            help="Only this variant; may be given several times.",
            show_default=False,
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--setting",
            metavar="SETTING",
            help="Of a planning suite: only this setting; may be given several times.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="Of a planning suite: only tasks of this level (simple, moderate, compositional).",
            show_default=False,
        ),
    ] = None,
    reviser: Annotated[
        list[str] | None,
        typer.Option(
            "--reviser",
            metavar="NAME",
            help="Who is asked when something is wrong, in every variant that revises plans: rules, llm, "
            "planner; with commas or given several times.",
            show_default=False,
        ),
    ] = None,
    growth: Annotated[
        Path | None,
        typer.Option(
            "--growth",
            metavar="FILE",
            help="Of a planning suite: show what larger buildings took, from bench_compression.py's JSON.",
            show_default=False,
        ),
    ] = None,
    ablate: Annotated[
        list[str] | None,
        typer.Option(
            "--ablate",
            metavar="GUARDS",
            help="In homes: compare with what comes without each of these guards, or all; with commas.",
            show_default=False,
        ),
    ] = None,
    mode: Annotated[
        list[str] | None,
        typer.Option(
            "--mode", metavar="MODE", help="In homes: how things begin: fixed or diverse.", show_default=False
        ),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(
            "--split",
            metavar="SPLIT",
            help="In homes: which layouts are drawn from: seen or unseen.",
            show_default=False,
        ),
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(
            "--noise", min=0, metavar="TIMES", help="In homes: times the default noise.", show_default=False
        ),
    ] = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="In homes: find out, too, how success depends on noise.")
    ] = False,
    limit: Annotated[
        float,
        typer.Option(
            "--limit",
            min=1,
            metavar="SECONDS",
            help="With pddl: seconds of processors that each planner has for a problem.",
        ),
    ] = 30.0,
    first: Annotated[
        bool, typer.Option("--first", help="With pddl: only the first problem of each folder.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="In homes: keep every episode as a run, to be replayed.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write the report into this folder too: Markdown, JSON, JUnit XML, and a page with plots. "
            "In homes and with pddl, results are kept there as they come in, and not run again.",
            show_default=False,
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            "--markdown",
            metavar="FILE",
            help="Write the report to this file too, as Markdown.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run a suite, and print what each of its variants came to.

    A suite of sessions carries scenarios out with and without guards; a planning suite plans tasks with one
    hand and with two, with and without closed doors, and without one part of planning after the other; a
    suite in homes carries household tasks out with all guards, without each of them, and without any. With
    pddl, the problems of a folder are planned by Foretree and by Fast Downward.

    Exits with 1 if an episode crashed, hung, left something running, or began with guards what it could see
    to be impossible; or if the world did not accept a plan. Not reaching a goal is no reason.

    Examples:

    foretree regress smoke -n 50

    foretree regress smoke --only mango-moved --variant guards --json

    foretree regress building --level simple -n 1 -o reports

    foretree regress household --ablate presence,attribute,all --split unseen -n 100 -o reports

    foretree regress pddl benchmarks --first --limit 30 -o reports
    """
    from foretree.regression.core.interrupts import interrupted_once
    from foretree.regression.pddl.choice import PddlChoice
    from foretree.regression.reports.output import markdown as as_markdown
    from foretree.regression.reports.output import print_report, write_report, write_text
    from foretree.regression.suites import HomesChoice, Selection, regress

    choice = Selection(
        count=episodes,
        jobs=jobs,
        seed=seed,
        only=tuple(only or ()),
        variants=tuple(variant or ()),
        settings=tuple(setting or ()),
        levels=tuple(level or ()),
        growth=growth,
        revisers=tuple(name for names in reviser or () for name in names.split(",")),
        homes=HomesChoice(
            ablate=tuple(part.strip() for parts in ablate or () for part in parts.split(",") if part.strip()),
            modes=tuple(mode or ()),
            splits=tuple(split or ()),
            noise=noise,
            sweep=sweep,
            keep=keep,
            folder=output,
        ),
        pddl=PddlChoice(folder, limit, first),
    )
    for where in (output, markdown.parent if markdown is not None else None):
        if where is not None:
            _check_writable(where)
    with interrupted_once():
        report = regress(suite, choice, console=new_console(stderr=True))
    print_report(report, new_console(), as_json=json)
    if json and report.interruption:
        say(report.interruption, err=True)
    if markdown is not None:
        write_text(markdown, as_markdown(report))
    if output is not None:
        for path in write_report(report, output):
            say(f"wrote {path}", err=True)
    if not report.complete:
        raise typer.Exit(INTERRUPTED)
    if not report.ok:
        raise typer.Exit(1)


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
