"""Commands that carry something out, or show what would be done."""

from __future__ import annotations

import os
import select
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from subprocess import Popen
from typing import TYPE_CHECKING, Annotated

import typer

from foretree.cli._options import (
    PaceOptions,
    PlanOptions,
    RunOptions,
    SpeedOption,
    TalkOptions,
    UsageError,
    pace,
)
from foretree.cli._signals import heard
from foretree.cli._terminal import (
    OUTCOME_CODES,
    ask,
    finish,
    open_run,
    say,
    show_warnings,
    wait_for_enter,
    waiting,
)
from foretree.cli.viewing import linger, viewer
from foretree.printable import clean

if TYPE_CHECKING:
    from foretree.bringup.request import Request
    from foretree.runs.recorder import RunRecorder
    from foretree.runs.store import Run
    from foretree.runs.views.terminal import Show
    from foretree.trees.session import Session

PANEL = "Running"

PROMPT = "> "

#: What is asked for, and how a talk ends.
_GREETING = 'Say what is to be done, or ask. "stop" stops the robot, "bye" ends the talk.'

#: Takes the prompt away, so that what is told stands above it.
_CLEAR = b"\r\x1b[K"

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
    viewed: Annotated[
        bool, typer.Option("--view", help="Show the run in the browser, and steer it from there.")
    ] = False,
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
        session.mission.conversation.attended |= viewed
        clock.speed = 0.0 if watching.speed is None and (step or confirm) else watching.pace(view)
        if step:
            session.before_tick.append(lambda session: wait_for_enter(view, session.ticks + 1))
        if confirm:
            session.context.permission = lambda action: ask(f"Do {action}?", view)
        return session

    with ExitStack() as beside:
        shown: list[Popen[str]] = []

        def record() -> Run:
            created = RunStore().create(options.title, options.place, run_id)
            if viewed:
                shown.append(beside.enter_context(viewer(created.id)))
            return created

        view = _carry_out(record, begin, watching)
        try:
            finish(view, list(request.baselines()) if compared and not watching.json else ())
        finally:
            for child in shown:
                linger(child)


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
        session = reopen(opened, recorder, allow, watching.pace(view))
        with suppress(OSError):  # there may be nothing that answers could come from
            lines = _Lines(sys.stdin.fileno(), sys.stdin.isatty())
            session.mission.conversation.attended |= lines.attended
            session.before_tick.append(lambda session: _answer(session, lines))
        return session

    finish(_carry_out(lambda: opened, begin, watching, interrupted=True))


@commands.command(rich_help_panel=PANEL)
def talk(options: TalkOptions, speed: SpeedOption = None) -> None:
    """Talk with the agent: instructions, questions and corrections, also while the robot moves.

    Each instruction that moves the robot is a run of its own, in the world that the one before has left.
    "Stop", or Ctrl-C, stops the robot. "Bye", the end of the input, or Ctrl-C while nothing is done, ends the
    talk. Lines from a pipe are taken in order, each once the one before is done, or asks something.

    Exits with 0 if all was done and answered; else with the code of the first line that was not.

    Examples:

    foretree talk --scene studio

    foretree talk --scene flat < lines.txt
    """
    from foretree.bringup.talk import Talk
    from foretree.clock import PacedClock

    lines = _Lines(sys.stdin.fileno(), sys.stdin.isatty())
    request = options.request()
    opened = Talk(request, PacedClock(pace(speed, lines.interrupts)), lines, partial(heard, leaving=False))
    show_warnings(opened.warnings)
    if lines.interrupts:
        lines.tell(_GREETING)
    opened.go_on()
    codes = (_code(outcome) for outcome in opened.outcomes)
    raise typer.Exit(0 if lines.interrupts else next((code for code in codes if code), 0))


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


def _code(outcome: str) -> int:
    return OUTCOME_CODES.get(outcome, 2)


def _answer(session: Session, lines: _Lines) -> None:
    """Hand on what answers a question of the session; meanwhile the world stands still."""
    conversation = session.mission.conversation
    while conversation.attended and conversation.question is not None and not conversation.waiting:
        try:
            words = lines.hear(wait=True)
        except EOFError:
            conversation.attended = False
            return
        if words is not None and words.strip():
            session.say(words.strip())


class _Lines:
    """The lines that are typed or piped in. Nothing waits in Python's buffers: select knows of what has come.

    Attributes:
        interrupts: whether a person types them.
        attended: whether any may come: from a terminal, a pipe or a file, but not from ``/dev/null``.
    """

    def __init__(self, source: int, interrupts: bool) -> None:
        self.attended = interrupts or not stat.S_ISCHR(os.fstat(source).st_mode)
        self.interrupts = interrupts
        self._source = source
        self._come = b""
        self._over = False
        self._lock = threading.Lock()

    def hear(self, wait: bool) -> str | None:
        """Return the next line; None if there is none yet and it is not to be waited for."""
        while b"\n" not in self._come and not self._over:
            if not wait and not select.select([self._source], [], [], 0)[0]:
                return None
            piece = os.read(self._source, 65536)
            self._come += piece
            self._over = not piece
        if not self._come:
            raise EOFError
        line, _, self._come = self._come.partition(b"\n")
        words = line.decode(errors="replace")
        if not self.interrupts:
            self._write(lambda: say(f"{PROMPT}{words}"))
        else:
            self._write(lambda: None)
        return words

    def tell(self, text: str) -> None:
        """Say *text*, above the prompt where there is one."""
        self._write(lambda: say(text))

    def _write(self, told: Callable[[], None]) -> None:
        with self._lock:
            if self.interrupts:
                sys.stdout.flush()
                os.write(sys.stdout.fileno(), _CLEAR)  # what is printable only would be spelt out
            told()
            if self.interrupts:
                sys.stdout.write(PROMPT)
            sys.stdout.flush()
