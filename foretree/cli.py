"""The command line. Thin: it reads options, calls the rooms, prints what they say.

Rooms are imported inside the commands that use them, so that ``foretree --help`` answers at once.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from foretree import __version__
from foretree.errors import ForetreeError

if TYPE_CHECKING:
    from foretree.runs.store import Run
    from foretree.runs.terminal import Show
    from foretree.trees.embedded import Request
    from foretree.trees.session import Session

#: What ``foretree`` exits with.
EXIT_CODES = {
    0: "done: the goal was reached, or the command did what it was asked",
    1: "the run ended without reaching its goal (given up or failed); there is no plan; `compare` found a "
    "difference",
    2: "a command, an instruction, a goal or a file was not understood; nothing has moved, and no run is "
    "recorded",
    3: "a run cannot be found, read or written, or was interrupted",
    4: "the robot cannot be talked to, or was told something it does not offer",
    70: "a fault in Foretree itself, or in a node of the user's; `--debug` shows where",
    130: "interrupted by Ctrl-C, stopped from another terminal, or not allowed to go on",
}

#: The exit code for each way a run can end.
OUTCOME_CODES = {"reached": 0, "given-up": 1, "failed": 1, "cancelled": 130, "error": 70}

#: Times as fast as real time, for people to watch.
_WATCHING_SPEED = 8.0

#: Seconds after which what has happened is on the screen, so that a question can be put below it.
_SCREEN_DELAY = 0.15

_FAULT = 70
_INTERRUPTED = 130


class _Commands(TyperGroup):
    """Commands that Ctrl-C ends with the exit code that shells expect."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise SystemExit(_INTERRUPTED) from None


app = typer.Typer(
    name="foretree",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"foretree {__version__}")
        raise typer.Exit


@app.callback()
def foretree(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error. Can stand anywhere.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A behaviour-tree agent for robots that checks the world before every action."""


# -- running -----------------------------------------------------------------------------------------
_RUNNING = "Running"

_InstructionArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTRUCTION", help="What the robot is asked for, in plain words.", show_default=False
    ),
]
_GoalOption = Annotated[
    str, typer.Option("--goal", "-g", metavar="PDDL", help='A goal instead, e.g. "(on mug1 table2)".')
]
_SceneOption = Annotated[
    str, typer.Option("--scene", "-s", help="A scene of the embedded household, or a scene file.")
]
_HomeOption = Annotated[
    str,
    typer.Option(
        "--home",
        metavar="FAMILY/NUMBER",
        help="A grid home that nobody has told the robot of, e.g. l_kitchen/3; --seed says what is in it. "
        "Takes foretree\\[homes].",
    ),
]
_DomainOption = Annotated[
    Path | None, typer.Option("--domain", help="A PDDL domain file, with --problem.", show_default=False)
]
_ProblemOption = Annotated[
    Path | None, typer.Option("--problem", help="A PDDL problem file, with --domain.", show_default=False)
]
_FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        "-f",
        metavar="WHEN: DEED",
        help='Something to go wrong, e.g. "after 2: move mango1 on table2"; may be given several times.',
        show_default=False,
    ),
]
_SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any value of a configuration file: agent.tick_hz=20, scene.noise.confusion=0.1, "
        "skill.pick.retries=0; may be given several times.",
        show_default=False,
    ),
]
_AgentOption = Annotated[str, typer.Option("--agent", help="The agent's file.")]
_GuardsOption = Annotated[
    str | None,
    typer.Option("--guards", help="Guards to compile in, with commas; none for none.", show_default=False),
]
_ReviserOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reviser",
        metavar="NAME",
        help="Who is asked when something is wrong, in this order: rules, llm, planner; with commas or given "
        "several times; none for nobody.",
        show_default=False,
    ),
]
_SpeedOption = Annotated[
    float | None,
    typer.Option(
        "--speed",
        min=0,
        metavar="TIMES",
        help="Times as fast as real time; 0 as fast as it goes. On a terminal 8, else 0.",
        show_default=False,
    ),
]
_SeedOption = Annotated[int, typer.Option("--seed", help="Decides what is left to chance.")]


@app.command(rich_help_panel=_RUNNING)
def run(
    instruction: _InstructionArgument = "",
    goal: _GoalOption = "",
    scene: _SceneOption = "kitchen",
    domain: _DomainOption = None,
    problem: _ProblemOption = None,
    home: _HomeOption = "",
    fault: _FaultOption = None,
    agent: _AgentOption = "default",
    guards: _GuardsOption = None,
    reviser: _ReviserOption = None,
    settings: _SetOption = None,
    seed: _SeedOption = 0,
    speed: _SpeedOption = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before every tick.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Ask before every action.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")] = False,
    frozen: Annotated[
        bool, typer.Option("--frozen", help="In a home: teach later runs nothing of what this one finds out.")
    ] = False,
    compare_guards: Annotated[
        bool, typer.Option("--compare", help="Afterwards say what the same run without guards comes to.")
    ] = False,
    run_id: Annotated[
        str | None, typer.Option("--id", help="The run's id; made up if not given.", show_default=False)
    ] = None,
    json: _JsonOption = False,
    plain: _PlainOption = False,
) -> None:
    """Carry out an instruction, a goal, or any PDDL task, checking the world before every action.

    Examples:

    foretree run "put the mango into the fridge" -f "at 5: move mango1 on table2"

    foretree run --goal "(on mug1 desk1)" --scene flat --guards none --seed 7

    foretree run "put the mango into the fridge" --reviser rules,llm,planner

    foretree run "put a mug on a table" --home l_kitchen/3 --seed 6

    foretree run --domain my.pddl --problem my-problem.pddl
    """
    from foretree.clock import PacedClock
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import RunStore
    from foretree.trees.watching import without_guards

    request = _request(
        instruction, goal, scene, domain, problem, fault, agent, guards, settings, seed, reviser, home
    )
    request = replace(request, learns=not frozen)
    if dry_run:
        _print_plan(request, "json" if json else "outline")
        return
    request.check()  # so that what is not understood leaves no run behind
    named = instruction or goal or str(problem)
    record = RunStore().create(named, home or (scene if problem is None else ""), run_id)
    recorder = RunRecorder(record)
    session: Session | None = None
    with _stoppable(), _show(record, json, plain) as view:
        recorder.listen(view.event)
        pace = (
            (_WATCHING_SPEED if view.mode == "live" and not (step or confirm) else 0.0)
            if speed is None
            else speed
        )
        try:
            session, _ = request.open(recorder=recorder, clock=PacedClock(pace))
            if step:
                session.before_tick.append(lambda session: _wait_for_enter(view, session.ticks + 1))
            if confirm:
                session.runtime.permission = lambda action: _ask(f"Do {action}?", view)
            result = session.run()
        finally:
            recorder.close(_outcome(session))
    if result.error is not None:
        raise result.error
    _finish(view, without_guards(request) if compare_guards and not json else ())


@app.command(rich_help_panel=_RUNNING)
def plan(
    instruction: _InstructionArgument = "",
    goal: _GoalOption = "",
    scene: _SceneOption = "kitchen",
    domain: _DomainOption = None,
    problem: _ProblemOption = None,
    agent: _AgentOption = "default",
    guards: _GuardsOption = None,
    settings: _SetOption = None,
    pddl: Annotated[bool, typer.Option("--pddl", help="Print domain and problem instead.")] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print the tree for Graphviz instead.")] = False,
    xml: Annotated[bool, typer.Option("--xml", help="Print the tree for Groot2 instead.")] = False,
    ascii_tree: Annotated[
        bool, typer.Option("--ascii", help="Print the tree in plain ASCII instead.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the plan as one JSON object instead.")] = False,
) -> None:
    """Say what would be done: the goal, the plan with its costs and assumptions, the compiled tree.

    Examples:

    foretree plan "wash the mug and put it into the cupboard" --scene studio

    foretree plan "bring me the apple" --dot | dot -Tsvg > apple.svg
    """
    request = _request(instruction, goal, scene, domain, problem, None, agent, guards, settings, 0)
    asked = {"pddl": pddl, "dot": dot, "xml": xml, "ascii": ascii_tree, "json": json}
    forms = [form for form, wanted in asked.items() if wanted]
    if len(forms) > 1:
        raise UsageError(f"--{forms[0]} and --{forms[1]} exclude each other: ask for one form at a time.")
    _print_plan(request, forms[0] if forms else "outline")


@app.command(rich_help_panel=_RUNNING)
def resume(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run that was interrupted.", show_default=False)
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a real robot moves.")] = False,
    speed: _SpeedOption = None,
    json: _JsonOption = False,
    plain: _PlainOption = False,
) -> None:
    """Take up a run that was interrupted: find out what became of it, look, plan anew, go on.

    Example: foretree resume last
    """
    from foretree.runs.reader import events as read
    from foretree.runs.recorder import RunRecorder
    from foretree.trees.resume import reopen

    opened = _open(run)
    recorder = RunRecorder(opened)
    session: Session | None = None
    with _stoppable(), _show(opened, json, plain) as view:
        for event in read(opened):
            view.lines(event)
        recorder.listen(view.event)
        pace = (_WATCHING_SPEED if view.mode == "live" else 0.0) if speed is None else speed
        try:
            session = reopen(
                opened, recorder, (lambda question: True) if yes else lambda q: _ask(q, view), pace
            )
        except BaseException:
            recorder.abandon()
            raise
        try:
            result = session.run()
        finally:
            recorder.close(_outcome(session))
    if result.error is not None:
        raise result.error
    _finish(view)


@app.command(rich_help_panel=_RUNNING)
def doctor() -> None:
    """Check every part that is optional or comes from elsewhere, and say how to add what is missing."""
    from foretree.health import examine

    failed = False
    for finding in examine():
        sign = "ok     " if finding.ok else "missing" if finding.optional else "BROKEN "
        typer.echo(f"{sign}  {finding.part:<22} {finding.says}")
        if not finding.ok and finding.remedy:
            typer.echo(f"         {'':<22} {finding.remedy}")
        failed = failed or not (finding.ok or finding.optional)
    if failed:
        raise typer.Exit(1)


@app.command(rich_help_panel=_RUNNING)
def new(
    kind: Annotated[str, typer.Argument(help="skill, scene, map, agent or robot.", show_default=False)],
    name: Annotated[str, typer.Argument(help="What to call it, in lower case.", show_default=False)],
    directory: Annotated[
        Path | None,
        typer.Option(
            "--in", help="Where to put the file; the working directory by default.", show_default=False
        ),
    ] = None,
) -> None:
    """Make a commented file to start from: a skill, a scene, a map, an agent or a robot. It
    works as it is.

    Example: foretree new skill polish
    """
    from foretree.scaffold import create, how_to_try

    path = create(kind, name, directory or Path())
    typer.echo(f"{path} is there. It works as it is; its comments say what to change.")
    typer.echo(f"Try it: {how_to_try(kind, path)}")


@app.command("regress", rich_help_panel=_RUNNING)
def regress_command(
    suite: Annotated[str, typer.Argument(help="A suite of configs/suites, or a file.")] = "smoke",
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes",
            "-n",
            min=1,
            help="Episodes per variant; of a planning suite: seeds per task and setting.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; all cores by default.", show_default=False),
    ] = None,
    seed: _SeedOption = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="SCENARIO",
            help="Only this scenario or task; may be given several times.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option("--variant", help="Only this variant; may be given several times.", show_default=False),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--setting",
            help="Of a planning suite: only this setting; may be given several times.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level",
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
        typer.Option("--mode", help="In homes: how things begin: fixed or diverse.", show_default=False),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(
            "--split", help="In homes: which layouts are drawn from: seen or unseen.", show_default=False
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
            "In homes, results are kept there as they come in, and not run again.",
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
    json: _JsonOption = False,
) -> None:
    """Run a suite, and print what each of its variants came to.

    A suite of sessions carries scenarios out with and without guards; a planning suite plans tasks with one
    hand and with two, with and without closed doors, and without one part of planning after the other; a
    suite in homes carries household tasks out with all guards, without each of them, and without any.

    Exits with 1 if an episode crashed, hung, left something running, or began with guards what it could see
    to be impossible; or if the world did not accept a plan. Not reaching a goal is no reason.

    Examples:

    foretree regress smoke -n 50

    foretree regress smoke --only mango-moved --variant guards --json

    foretree regress building --level simple -n 1 -o reports

    foretree regress household --ablate presence,attribute,all --split unseen -n 100 -o reports
    """
    from foretree.regression import Choice, HomesChoice, print_report, regress, write_report, write_text
    from foretree.regression import markdown as as_markdown

    choice = Choice(
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
    )
    report = regress(suite, choice, console=_console(stderr=True))
    if not report.complete:
        # This is the way out already: pressing Ctrl-C again must not cost the report on what was done.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    print_report(report, _console(), as_json=json)
    if json and report.interruption:
        typer.echo(report.interruption, err=True)
    if markdown is not None:
        write_text(markdown, as_markdown(report))
    if output is not None:
        for path in write_report(report, output):
            typer.echo(f"wrote {path}", err=True)
    if not report.complete:
        raise typer.Exit(_INTERRUPTED)
    if not report.ok:
        raise typer.Exit(1)


class UsageError(ForetreeError):
    """Options that do not go together."""


def _request(
    instruction: str,
    goal: str,
    scene: str,
    domain: Path | None,
    problem: Path | None,
    faults: list[str] | None,
    agent: str,
    guards: str | None,
    settings: list[str] | None,
    seed: int,
    revisers: list[str] | None = None,
    home: str = "",
) -> Request:
    from foretree.trees.embedded import Options, Request, Wish

    if (domain is None) != (problem is None):
        raise UsageError("--domain and --problem go together: a PDDL task is both files.")
    asked = [bool(instruction.strip()), bool(goal.strip()), domain is not None]
    if sum(asked) != 1:
        raise UsageError(
            "Say what is to be done, in one way: an instruction in quotes, --goal, or --domain with "
            '--problem. For example: foretree run "put the mango into the fridge".'
        )
    if domain is not None and scene != "kitchen":
        raise UsageError("--scene is for the household: a PDDL task brings its own world in --problem.")
    if home and (domain is not None or scene != "kitchen"):
        raise UsageError("--home is a world of its own: it goes with neither --scene nor --domain.")
    overrides, changes = {}, {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        file = key.partition(".")[0]
        if not equals or file not in ("agent", "scene", "skill") or file == key:
            raise UsageError(
                f"--set {setting}: write agent.KEY=VALUE, scene.KEY=VALUE or skill.NAME.KEY=VALUE, for "
                "example agent.tick_hz=20, scene.noise.confusion=0.1 or skill.pick.retries=0."
            )
        if file == "agent":
            overrides[key.removeprefix("agent.")] = value
        else:
            changes[key] = value
    if guards is not None:
        overrides["guards"] = guards
    if revisers:
        overrides["revisers"] = ",".join(revisers)
    options = Options(agent, overrides, tuple(faults) if faults else None, seed, changes)
    return Request(Wish(instruction, goal), scene, options, domain, problem, home)


def _print_plan(request: Request, form: str) -> None:
    from foretree.trees.preview import preview

    with _console(stderr=True).status("planning …"):
        text = preview(request.open()[0], form)
    typer.echo(text)


def _wait_for_enter(view: Show, tick: int) -> None:
    """Let the person look before *tick*. The end of the input stops the run: nobody is there to go on."""
    sleep(_SCREEN_DELAY)
    with view.aside():
        try:
            _prompt(f"tick {tick}: Enter goes on, Ctrl-C stops ")
        except EOFError:
            raise KeyboardInterrupt from None


def _ask(question: str, view: Show) -> bool:
    sleep(_SCREEN_DELAY)
    with view.aside():
        try:
            return _prompt(f"{question} [y/N] ").strip().lower() in ("y", "yes")
        except EOFError:
            return False


def _prompt(text: str) -> str:
    """Ask on standard error: standard output may be a pipe, or JSON."""
    print(text, end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        print(file=sys.stderr)
        raise EOFError
    return answer


def _outcome(session: Session | None) -> str:
    """How the run ended; without a result, somebody was in too much of a hurry to wait for one."""
    return session.result.outcome if session is not None and session.result is not None else "cancelled"


@contextmanager
def _stoppable() -> Iterator[None]:
    """Whoever ends the process (kill, a closed terminal) stops the robot first, as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = {name: signal.signal(name, interrupt) for name in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


# -- domains -----------------------------------------------------------------------------------------
domains = typer.Typer(no_args_is_help=True, help="Make planning domains out of others.")
app.add_typer(domains, name="domain", rich_help_panel="Domains")


def _names(option: str, what: str) -> Any:
    return typer.Option(option, metavar="NAMES", help=f"{what}, with commas.", show_default=False)


@domains.command("expand")
def expand_domain(
    base: Annotated[
        Path, typer.Argument(metavar="BASE", help="The PDDL domain of a tabletop.", show_default=False)
    ],
    navigation: Annotated[bool, typer.Option("--navigation", help="Robots and things are at nodes.")] = False,
    doors: Annotated[bool, typer.Option("--doors", help="Doors are to be opened.")] = False,
    hands: Annotated[
        int | None,
        typer.Option("--hands", metavar="N", help="Tell N hands of a robot apart.", show_default=False),
    ] = None,
    costs: Annotated[bool, typer.Option("--costs", help="Count deeds and the ways between nodes.")] = False,
    robots: Annotated[
        int | None,
        typer.Option("--robots", metavar="N", help="Say which of N robots acts.", show_default=False),
    ] = None,
    carry: Annotated[str, _names("--carry", "Predicates that say what goes with what it rests on")] = "",
    mobile: Annotated[str, _names("--mobile", "Types of things that are pushed with what is on them")] = "",
    two_handed: Annotated[str, _names("--two-handed", "Actions that take two hands at once")] = "",
    placeless: Annotated[str, _names("--placeless", "Types of what is nowhere, such as colours")] = "",
    anchors: Annotated[
        Path | None,
        typer.Option(
            "--anchors",
            metavar="FILE",
            help="A YAML file that says hand_free, holding, door_open, or any other option.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there.", show_default=False),
    ] = None,
) -> None:
    """Make the domain of a building out of the domain of a tabletop.

    Examples:

    foretree domain expand blocks.pddl --navigation --doors --hands 2 --costs -o building.pddl

    foretree domain expand tray.pddl --navigation --carry on,in --two-handed lift_tray,put_tray
    """
    from foretree.config import read_yaml
    from foretree.planning.expansion import Expansion, expand_file, read_expansion, write_expanded

    def listed(names: str) -> tuple[str, ...]:
        return tuple(name.strip() for name in names.split(",") if name.strip())

    options = Expansion(
        navigation=navigation,
        doors=doors,
        hands=hands,
        costs=costs,
        robots=robots,
        carry=listed(carry),
        mobile=listed(mobile),
        two_handed=listed(two_handed),
        placeless=listed(placeless),
    )
    if anchors is not None:
        options |= read_expansion(read_yaml(anchors), anchors)
    if options == Expansion():
        raise UsageError("Say what to add to the domain, for example --navigation --doors --hands 2 --costs.")
    if output is not None and output.resolve() == base.resolve():
        raise UsageError(f"{output} is the domain that is to be expanded: write the result to another file.")
    text = write_expanded(expand_file(base, options, anchors), base.name)
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {output}: {error.strerror}.") from error
    typer.echo(f"{output} is written.")


# -- looking at runs ---------------------------------------------------------------------------------
_LOOKING = "Looking at runs"


def _complete_run(incomplete: str) -> list[str]:
    from foretree.runs.store import RunStore

    return [name for name in (*RunStore().ids(), "last") if name.startswith(incomplete)]


_RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's id, the beginning of one, `last` for the newest, or a run file.",
        autocompletion=_complete_run,
        show_default=False,
    ),
]
_JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]
_PlainOption = Annotated[bool, typer.Option("--plain", help="Plain lines, as when not on a terminal.")]


@app.command(rich_help_panel=_LOOKING)
def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="Only the newest N; 0 for all.")] = 30,
    json: _JsonOption = False,
) -> None:
    """List the runs, the newest last.

    Example: foretree runs -n 5
    """
    from foretree.runs.encoding import canonical
    from foretree.runs.store import Listing, RunStore
    from foretree.runs.tables import info_data, run_lines, runs_table

    store = RunStore()
    found = store.list()
    listing = Listing(found.runs[-limit:] if limit else found.runs, found.notes)
    console = _console()
    if json:
        for info in listing.runs:
            typer.echo(canonical(info_data(info)))
    elif not console.is_terminal:
        for line in run_lines(listing):
            typer.echo(line)
    elif listing.runs:
        console.print(runs_table(listing, console))
        left_out = len(found.runs) - len(listing.runs)
        if left_out:
            typer.echo(f"{left_out} older runs are not shown; `foretree runs -n 0` lists all.")
    if not found.runs:
        typer.echo(f"There are no runs in {store.directory} yet.", err=True)
    for note in listing.notes:
        typer.echo(f"Skipped: {note}", err=True)


@app.command(rich_help_panel=_LOOKING)
def show(
    run: _RunArgument,
    tick: Annotated[
        int | None,
        typer.Option("--tick", min=0, help="As it was at the end of this tick.", show_default=False),
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Also every line about what happened.")] = False,
) -> None:
    """Show a run: its tree, what happened last, what it came to.

    Example: foretree show last --tick 120
    """
    from foretree.runs.reader import events as read
    from foretree.runs.terminal import Show

    opened = _open(run)
    view = Show("plain", _console(), opened.id)
    for event in read(opened):
        if tick is not None and event.tick > tick:
            break
        lines = view.lines(event)
        if events:
            for line in lines:
                typer.echo(line)
    view.print(view.live(view.state, recent=not events))
    if tick is None:
        view.print(view.summary(view.state))


@app.command(rich_help_panel=_LOOKING)
def watch(run: _RunArgument, json: _JsonOption = False, plain: _PlainOption = False) -> None:
    """Follow a run that goes on in another terminal, until it ends. Ctrl-C ends only the watching.

    Example: foretree watch last
    """
    from foretree.runs.reader import follow

    opened = _open(run)
    with _show(opened, json, plain) as view:
        for event in follow(opened):
            view.event(event)
    _finish(view)


@app.command(rich_help_panel=_LOOKING)
def replay(
    run: _RunArgument,
    speed: Annotated[
        float, typer.Option("--speed", min=0, help="Times as fast as it was; 0 does not wait at all.")
    ] = 1.0,
    tick: Annotated[
        int | None, typer.Option("--tick", min=0, help="Stop after this tick.", show_default=False)
    ] = None,
    json: _JsonOption = False,
    plain: _PlainOption = False,
) -> None:
    """Play a run again, without the robot. Off a terminal it does not wait.

    Example: foretree replay last --speed 4
    """
    from foretree.runs.reader import events as read
    from foretree.runs.reader import paced

    opened = _open(run)
    with _show(opened, json, plain) as view:
        for event in paced(read(opened), speed if view.mode == "live" else 0.0):
            if tick is not None and event.tick > tick:
                break
            view.event(event)
    if tick is None and view.mode != "json":
        view.print(view.summary(view.state))


@app.command(rich_help_panel=_LOOKING)
def why(
    run: _RunArgument,
    step: Annotated[
        str,
        typer.Argument(
            metavar="STEP",
            help="An action's id (`a3`), or n for the n-th that the robot was told to do.",
            show_default=False,
        ),
    ],
) -> None:
    """Say why an action was done: what for, what was expected, what was seen, what was revised.

    Example: foretree why last 2
    """
    from foretree.runs.reader import events as read
    from foretree.runs.tables import why_page
    from foretree.runs.why import why as explain

    console = _console()
    console.print(why_page(explain(read(_open(run)), step), console))


@app.command(rich_help_panel=_LOOKING)
def compare(first: _RunArgument, second: _RunArgument) -> None:
    """Say where two runs part, the wall clock aside. Exits with 1 if they do.

    Example: foretree compare 20261120-101502-mango-k3f last
    """
    from foretree.runs.reader import compare as first_difference

    difference = first_difference(_open(first), _open(second))
    if difference is None:
        typer.echo("The runs are the same.")
        return
    typer.echo(f"The runs part at {difference}.")
    raise typer.Exit(1)


@app.command(rich_help_panel=_LOOKING)
def export(
    run: _RunArgument,
    form: Annotated[
        str, typer.Option("--format", "-f", help="json (one document), jsonl (an event per line), or csv.")
    ] = "jsonl",
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; `-` is standard output.")
    ] = "-",
) -> None:
    """Write a run out in another format.

    Example: foretree export last -f csv -o mango.csv
    """
    from foretree.runs.reader import export as as_text
    from foretree.runs.store import RunError

    text = as_text(_open(run), form)
    if output == "-":
        for piece in text:
            sys.stdout.write(piece)
        return
    try:
        with open(output, "w", encoding="utf-8", newline="") as file:
            file.writelines(text)
    except OSError as error:
        raise RunError(f"Cannot write {output}: {error.strerror}.") from error


@app.command(rich_help_panel=_LOOKING)
def stop(
    run: _RunArgument,
    patience: Annotated[
        float, typer.Option("--wait", min=0, help="Seconds to wait for the run to end.")
    ] = 10.0,
) -> None:
    """Stop a run that goes on in another terminal: first the robot, then the tree.

    Example: foretree stop last
    """
    from foretree.runs.reader import wait_for_end
    from foretree.runs.store import RunError

    opened = _open(run)
    request = opened.request("stop")
    info = wait_for_end(opened, patience)
    if info.status != "running":
        typer.echo(f"Run {opened.id} has ended: {info.outcome or info.status}.")
        return
    heard = "has heard it but not ended" if opened.taken(request) else "has not answered"
    raise RunError(
        f"Run {opened.id} was asked to stop and {heard} within {patience:g} s. If it hangs, end process "
        f"{info.writer.pid} on {info.writer.host}, and stop the robot by hand."
    )


@app.command(rich_help_panel=_LOOKING)
def pause(run: _RunArgument) -> None:
    """Have a run in another terminal wait before its next tick. What the robot is doing goes on to its end.

    Example: foretree pause last
    """
    _tell(run, "pause", "waits from the next tick on. `foretree step` makes one tick, `foretree go` goes on")


@app.command(rich_help_panel=_LOOKING)
def step(run: _RunArgument) -> None:
    """Have a paused run in another terminal make one tick.

    Example: foretree step last
    """
    _tell(run, "step", "makes one tick")


@app.command(rich_help_panel=_LOOKING)
def go(run: _RunArgument) -> None:
    """Have a paused run in another terminal go on.

    Example: foretree go last
    """
    _tell(run, "resume", "goes on")


# -- maps --------------------------------------------------------------------------------------------
maps = typer.Typer(no_args_is_help=True, help="Show maps of buildings, and bring them from GraphML.")
app.add_typer(maps, name="map", rich_help_panel="Maps")


@maps.command("show")
def show_map(
    name: Annotated[
        str, typer.Argument(metavar="MAP", help="A map of configs/maps, or a map file.", show_default=False)
    ],
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="FILE", help="Draw it into this file too.", show_default=False),
    ] = None,
    graphml: Annotated[
        Path | None,
        typer.Option(
            "--graphml", metavar="FILE", help="Write it to this file too, as GraphML.", show_default=False
        ),
    ] = None,
    closed: Annotated[
        str,
        typer.Option(
            "--closed", metavar="DOORS", help="Doors that are closed, with commas.", show_default=False
        ),
    ] = "",
    path: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--path", metavar="FROM TO", help="Tell the cheapest way between two nodes.", show_default=False
        ),
    ] = None,
) -> None:
    """Show a map: rooms, doors and assets, what closed doors cut off, the way from here to there.

    Examples:

    foretree map show office

    foretree map show office --png office.png --closed kitchen_door,door602 --path fridge1 table605
    """
    from foretree.config import find_config
    from foretree.world_model.graphml import write_graphml
    from foretree.world_model.map_file import load_map
    from foretree.world_model.map_page import map_page
    from foretree.world_model.map_picture import draw

    if png is not None and png.suffix.lower() != ".png" and not png.is_dir():
        raise UsageError(f"{png} is not the name of a PNG file: call it {png.with_suffix('.png')}.")
    building = load_map(find_config("maps", name))
    shut = [door.strip() for door in closed.split(",") if door.strip()]
    typer.echo(map_page(building, _console().width, shut, path))
    way = building.places.path(*path, lambda door: door not in shut) if path else None
    if png is not None:
        try:
            draw(building, path=way.nodes if way else (), closed=shut).save(png, "PNG", optimize=True)
        except OSError as error:
            raise UsageError(f"Cannot write {png}: {error.strerror}.") from error
        typer.echo(f"\n{png} is written.")
    if graphml is not None:
        write_graphml(building, graphml)
        typer.echo(f"\n{graphml} is written.")


@maps.command("import")
def import_map(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A GraphML file.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The map file to write.", show_default=False),
    ],
) -> None:
    """Make a map file out of GraphML, after the checks that every map has to pass.

    Example: foretree map import office.graphml -o office.yaml
    """
    from foretree.world_model.graphml import read_graphml
    from foretree.world_model.map_file import write_map

    if output.resolve() == file.resolve():
        raise UsageError(f"{output} is the file that is to be read: write the map to another one.")
    building = read_graphml(file)
    write_map(building, output)
    typer.echo(
        f"{output} is written: {len(building.places)} nodes, {len(building.assets)} assets. "
        f"See it: foretree map show {output}"
    )


# -- helpers -----------------------------------------------------------------------------------------
def _open(run: str) -> Run:
    from foretree.runs.store import RunStore

    return RunStore().open(run)


def _tell(run: str, what: str, then: str, patience: float = 5.0) -> None:
    """Ask a run in another terminal for something, and wait until it has heard."""
    from foretree.runs.store import RunError

    opened = _open(run)
    request = opened.request(what)
    until = monotonic() + patience
    while not opened.taken(request):
        if monotonic() > until:
            raise RunError(f"Run {opened.id} has not answered within {patience:g} s.")
        sleep(0.02)
    typer.echo(f"Run {opened.id} {then}.")


def _console(stderr: bool = False) -> Any:
    from rich.console import Console

    class Patient(Console):
        """A console that goes quiet when nobody reads it; rich's own would end the process."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            _hush()

    return Patient(highlight=False, stderr=stderr)


def _show(run: Run, json: bool, plain: bool) -> Show:
    from foretree.runs.terminal import Show

    return Show("json" if json else "plain" if plain else "auto", _console(), run.id)


def _finish(view: Show, beside: Sequence[str] = ()) -> NoReturn:
    """Print the summary and leave with the code that says how the run ended."""
    if view.mode != "json":
        try:
            view.print(view.summary(view.state, beside))
        except (BrokenPipeError, SystemExit):  # the latter is what rich makes of it
            _hush()  # nobody reads it, but how the run ended still counts
    raise typer.Exit(OUTCOME_CODES.get(view.state.outcome, 1))


def _hush() -> None:
    """Whoever read our output has seen enough. Python would complain once more when it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; every error becomes one paragraph and an exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed before we were started
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))
    given = list(sys.argv[1:] if arguments is None else arguments)
    own = given[: given.index("--")] if "--" in given else given
    debug = "--debug" in own
    words = [word for word in own if word != "--debug"] + given[len(own) :]
    try:
        app(args=words, prog_name="foretree")
    except ForetreeError as error:
        _explain(str(error), debug)
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except BrokenPipeError:
        _hush()
        raise SystemExit(0) from None
    except Exception as error:
        _explain(
            f"A fault in Foretree: {type(error).__name__}: {error}. Run it again with --debug to see where.",
            debug,
        )
        raise SystemExit(_FAULT) from None
    raise SystemExit(0)


def _explain(message: str, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    print(f"foretree: {message}", file=sys.stderr)


if __name__ == "__main__":
    main()
