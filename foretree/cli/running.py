"""Commands that carry something out, or say what would be done."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from foretree.cli._options import (
    AgentOption,
    DomainOption,
    FaultOption,
    GoalOption,
    GuardsOption,
    HomeOption,
    InstructionArgument,
    JsonOption,
    PlainOption,
    ProblemOption,
    ReviserOption,
    SceneOption,
    SeedOption,
    SetOption,
    SpeedOption,
)
from foretree.cli._request import UsageError, print_plan, read_request
from foretree.cli._signals import heard
from foretree.cli._terminal import ask, finish, open_run, show_warnings, view_of, wait_for_enter

if TYPE_CHECKING:
    from foretree.trees.session import Session

PANEL = "Running"

commands = typer.Typer()

#: Times as fast as real time, for people to watch.
_WATCHING_SPEED = 8.0


@commands.command(rich_help_panel=PANEL)
def run(
    instruction: InstructionArgument = "",
    goal: GoalOption = "",
    scene: SceneOption = "kitchen",
    domain: DomainOption = None,
    problem: ProblemOption = None,
    home: HomeOption = "",
    fault: FaultOption = None,
    agent: AgentOption = "default",
    guards: GuardsOption = None,
    reviser: ReviserOption = None,
    settings: SetOption = None,
    seed: SeedOption = 0,
    speed: SpeedOption = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before every tick.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Ask before every action.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")] = False,
    frozen: Annotated[
        bool, typer.Option("--frozen", help="In a home: teach later runs nothing of what this one finds out.")
    ] = False,
    compared: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Afterwards say what the same run comes to with replanning after failures only, and with "
            "neither guards nor replanning.",
        ),
    ] = False,
    run_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="The run's id; made up if not given.", show_default=False),
    ] = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Carry out an instruction, a goal, or any PDDL task, checking the world before every action.

    Examples:

    foretree run "put the mango into the fridge" -f "at 5: move mango1 on table2"

    foretree run --goal "(on mug1 desk1)" --scene flat --guards none --seed 7

    foretree run "put the mango into the fridge" --reviser rules,llm,planner

    foretree run "put a mug on a table" --home l_kitchen/3 --seed 6

    foretree run --domain my.pddl --problem my-problem.pddl
    """
    from foretree.bringup.unguarded_run import peers
    from foretree.clock import PacedClock
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import RunStore

    request = read_request(
        instruction, goal, scene, domain, problem, fault, agent, guards, settings, seed, reviser, home
    )
    request = replace(request, learns=not frozen)
    if dry_run:
        print_plan(request, "json" if json else "outline")
        return
    show_warnings(request.check())  # so that what is not understood leaves no run behind
    named = instruction or goal or (problem.name if problem is not None else "")
    session: Session | None = None
    with heard() as signals, ExitStack() as last:
        record = RunStore().create(named, home or (scene if problem is None else ""), run_id)
        recorder = RunRecorder(record)
        last.callback(recorder.abandon)  # should it not come to an end: there is no thread to be had, say
        with view_of(record, json, plain) as view:
            recorder.listen(view.event)
            pace = (
                (_WATCHING_SPEED if view.mode == "live" and not (step or confirm) else 0.0)
                if speed is None
                else speed
            )
            try:
                with signals.let_in():
                    session, _ = request.open(recorder=recorder, clock=PacedClock(pace))
                    if step:
                        session.before_tick.append(lambda session: wait_for_enter(view, session.ticks + 1))
                    if confirm:
                        session.context.permission = lambda action: ask(f"Do {action}?", view)
                    result = session.run()
            finally:
                recorder.close(_outcome(session))
    if result.error is not None:
        raise result.error
    finish(view, list(peers(request)) if compared and not json else ())


@commands.command(rich_help_panel=PANEL)
def plan(
    instruction: InstructionArgument = "",
    goal: GoalOption = "",
    scene: SceneOption = "kitchen",
    domain: DomainOption = None,
    problem: ProblemOption = None,
    agent: AgentOption = "default",
    guards: GuardsOption = None,
    settings: SetOption = None,
    pddl: Annotated[bool, typer.Option("--pddl", help="Print domain and problem instead.")] = False,
    compressed: Annotated[
        bool,
        typer.Option("--compressed", help="With --pddl: what is really solved, on the compressed map."),
    ] = False,
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

    foretree plan "put the coat on the drying rack" --scene office --pddl --compressed
    """
    request = read_request(instruction, goal, scene, domain, problem, None, agent, guards, settings, 0)
    asked = {"pddl": pddl, "dot": dot, "xml": xml, "ascii": ascii_tree, "json": json}
    forms = [form for form, wanted in asked.items() if wanted]
    if len(forms) > 1:
        raise UsageError(f"--{forms[0]} and --{forms[1]} exclude each other: ask for one form at a time.")
    if compressed and not pddl:
        raise UsageError("--compressed says which problem --pddl prints: ask for both.")
    print_plan(request, "compressed" if compressed else forms[0] if forms else "outline")


@commands.command(rich_help_panel=PANEL)
def resume(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run that was interrupted.", show_default=False)
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a real robot moves.")] = False,
    speed: SpeedOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Take up a run that was interrupted: find out what became of it, look, plan anew, go on.

    Example: foretree resume last
    """
    from foretree.bringup.resume import reopen
    from foretree.runs.reader import events as read
    from foretree.runs.recorder import RunRecorder

    opened = open_run(run)
    session: Session | None = None
    with heard() as signals, ExitStack() as last:
        recorder = RunRecorder(opened)
        last.callback(recorder.abandon)
        with view_of(opened, json, plain) as view:
            try:
                with signals.let_in():
                    for event in read(opened):
                        view.lines(event)
                    recorder.listen(view.event)
                    pace = (_WATCHING_SPEED if view.mode == "live" else 0.0) if speed is None else speed
                    session = reopen(
                        opened, recorder, (lambda question: True) if yes else lambda q: ask(q, view), pace
                    )
                    result = session.run()
            finally:
                if session is None:
                    recorder.abandon()
                else:
                    recorder.close(_outcome(session))
    if result.error is not None:
        raise result.error
    finish(view)


def _outcome(session: Session | None) -> str:
    """How the run ended; without a result, somebody was in too much of a hurry to wait for one."""
    return session.result.outcome if session is not None and session.result is not None else "cancelled"
