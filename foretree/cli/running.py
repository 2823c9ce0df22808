"""Commands that carry something out, or show what would be done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from foretree.cli._options import PaceOptions, PlanOptions, RunOptions, UsageError
from foretree.cli._signals import heard
from foretree.cli._terminal import ask, finish, open_run, show_warnings, wait_for_enter, waiting
from foretree.printable import clean

if TYPE_CHECKING:
    from foretree.bringup.request import Request
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import Run
    from foretree.runs.views.terminal import Show
    from foretree.trees.session import Session

PANEL = "Running"

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def run(
    options: RunOptions,
    watching: PaceOptions,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before every tick.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Ask before every action.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan; carry nothing out.")] = False,
    frozen: Annotated[
        bool, typer.Option("--frozen", help="In a home: keep nothing of what this run learns for later runs.")
    ] = False,
    compared: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Afterwards compare with the same run with replanning after failures only, and with neither "
            "guards nor replanning.",
        ),
    ] = False,
    run_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="The run's id; made up if not given.", show_default=False),
    ] = None,
) -> None:
    """Carry out an instruction, a goal, or any PDDL task, checking the world before every action.

    Examples:

    foretree run "put the mango into the fridge" -f "at 5: move mango1 on table2"

    foretree run --goal "(on mug1 desk1)" --scene flat --guards none --seed 7

    foretree run "put a mug on a table" --home l_kitchen/3 --seed 6

    foretree run --domain my.pddl --problem my-problem.pddl
    """
    from foretree.clock import PacedClock
    from foretree.runs.store import RunStore

    request = replace(options.request(), learns=not frozen)
    if dry_run:
        _print_plan(request, "json" if watching.json else "outline")
        return
    clock = PacedClock(0.0)
    # Before there is a record: what is not understood leaves none behind.
    session, relay = request.prepare(clock)
    show_warnings(session.warnings)

    def begin(recorder: RunRecorder, view: Show) -> Session:
        relay.to = recorder
        clock.speed = 0.0 if watching.speed is None and (step or confirm) else watching.pace(view)
        if step:
            session.before_tick.append(lambda session: wait_for_enter(view, session.ticks + 1))
        if confirm:
            session.context.permission = lambda action: ask(f"Do {action}?", view)
        return session

    view = _carry_out(lambda: RunStore().create(options.title, options.place, run_id), begin, watching)
    finish(view, list(request.baselines()) if compared and not watching.json else ())


@commands.command(rich_help_panel=PANEL)
def plan(
    options: PlanOptions,
    pddl: Annotated[bool, typer.Option("--pddl", help="Print domain and problem instead.")] = False,
    compressed: Annotated[
        bool,
        typer.Option(
            "--compressed", help="With --pddl: the problem that is really solved, on the compressed map."
        ),
    ] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print the tree for Graphviz instead.")] = False,
    xml: Annotated[bool, typer.Option("--xml", help="Print the tree for Groot2 instead.")] = False,
    ascii_tree: Annotated[
        bool, typer.Option("--ascii", help="Print the tree in plain ASCII instead.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the plan as one JSON object instead.")] = False,
) -> None:
    """Show what would be done: the goal, the plan with its costs and assumptions, the compiled tree.

    Examples:

    foretree plan "wash the mug and put it into the cupboard" --scene studio

    foretree plan "bring me the apple" --dot | dot -Tsvg > apple.svg

    foretree plan "put the coat on the drying rack" --scene office --pddl --compressed
    """
    request = options.request()
    asked = {"pddl": pddl, "dot": dot, "xml": xml, "ascii": ascii_tree, "json": json}
    forms = [form for form, wanted in asked.items() if wanted]
    if len(forms) > 1:
        raise UsageError(f"--{forms[0]} and --{forms[1]} exclude each other: ask for one form at a time.")
    if compressed and not pddl:
        raise UsageError("--compressed says which problem --pddl prints: ask for both.")
    _print_plan(request, "compressed" if compressed else forms[0] if forms else "outline")


@commands.command(rich_help_panel=PANEL)
def resume(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run that was interrupted.", show_default=False)
    ],
    watching: PaceOptions,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a real robot moves.")] = False,
) -> None:
    """Resume a run that was interrupted: find out what became of it, look, plan anew, go on.

    Example: foretree resume last
    """
    from foretree.bringup.resume import reopen
    from foretree.runs.reader import events as read

    opened = open_run(run)

    def begin(recorder: RunRecorder, view: Show) -> Session:
        for event in read(opened):
            view.lines(event)
        recorder.listen(view.event)
        allow = (lambda question: True) if yes else lambda question: ask(question, view)
        return reopen(opened, recorder, allow, watching.pace(view))

    finish(_carry_out(lambda: opened, begin, watching, interrupted=True))


def _carry_out(
    record: Callable[[], Run],
    begin: Callable[[RunRecorder, Show], Session],
    watching: PaceOptions,
    interrupted: bool = False,
) -> Show:
    """Run a session with a view of it, and return the view.

    Args:
        record: makes or opens the run's record.
        begin: makes the session.
        watching: how it is shown.
        interrupted: whether the record is that of an interrupted run, which it stays without a session.
    """
    from foretree.runs.recorder import RunRecorder

    session: Session | None = None
    with heard() as signals, ExitStack() as last:
        opened = record()
        recorder = RunRecorder(opened)
        last.callback(recorder.abandon)  # should it not come to an end: there is no thread to be had, say
        with watching.view(opened) as view:
            if not interrupted:
                recorder.listen(view.event)
            try:
                with signals.let_in():
                    session = begin(recorder, view)
                    result = session.run()
            finally:
                if session is None and interrupted:
                    recorder.abandon()
                else:
                    recorder.close(_outcome(session))
    if result.error is not None:
        raise result.error
    return view


def _outcome(session: Session | None) -> str:
    """The outcome of a run; without a result, it was ended in too much of a hurry to wait for one."""
    return session.result.outcome if session is not None and session.result is not None else "cancelled"


class _Planning:
    """The stage that planning has reached, asked whenever it is drawn."""

    def __rich__(self) -> str:
        from foretree.planning.solvers.fast_downward.solver import shared_planner_stage

        stage = shared_planner_stage()
        return f"planning: {stage} …" if stage else "planning …"


def _print_plan(request: Request, form: str) -> None:
    from foretree.agent.plan_request import NoPlanError
    from foretree.bringup.preview import preview
    from foretree.runs.encoding import canonical

    try:
        with waiting(_Planning()):
            session = request.open_to_plan()
            show_warnings(session.warnings)
            text = preview(session, form)
    except NoPlanError as error:
        if form == "json":
            typer.echo(canonical({"status": error.status, "why": str(error), "timed": error.timed}))
        raise
    typer.echo(clean(text))  # or escape sequences would vanish from names where it is a pipe
