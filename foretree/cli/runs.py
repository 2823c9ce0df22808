"""Commands about runs: to look at them, and to control those that go on in another terminal."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep
from typing import Annotated

import typer

from foretree.cli._options import (
    FilmOptions,
    JsonOption,
    RunArgument,
    UsageError,
    ViewOptions,
    sensible_speed,
)
from foretree.cli._terminal import finish, new_console, open_run, say

PANEL = "Looking at runs"

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def runs(
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=0, help="Only the newest N; 0 for all.")
    ] = 30,
    json: JsonOption = False,
) -> None:
    """List the runs, the newest last.

    Example: foretree runs -n 5
    """
    from foretree.runs.encoding import canonical
    from foretree.runs.store import Listing, RunStore
    from foretree.runs.views.tables import run_lines, runs_table

    store = RunStore()
    found = store.list()
    listing = Listing(found.runs[-limit:] if limit else found.runs, found.notes)
    console = new_console()
    if json:
        for info in listing.runs:
            typer.echo(canonical({**info.as_data(), "path": str(info.path)}))
    elif not console.is_terminal:
        for line in run_lines(listing):
            typer.echo(line)
    elif listing.runs:
        console.print(runs_table(listing, console))
        left_out = len(found.runs) - len(listing.runs)
        if left_out:
            say(f"{left_out} older runs are not shown; `foretree runs -n 0` lists all.")
    if not found.runs:
        say(f"There are no runs in {store.directory} yet.", err=True)
    for note in listing.notes:
        say(f"Skipped: {note}", err=True)


@commands.command(rich_help_panel=PANEL)
def show(
    run: RunArgument,
    tick: Annotated[
        int | None,
        typer.Option(
            "--tick", metavar="N", min=0, help="As it was at the end of this tick.", show_default=False
        ),
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Also every line about what happened.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write it as one page for the browser instead.", show_default=False
        ),
    ] = None,
    *,
    film: FilmOptions,
) -> None:
    """Show a run: its tree, what happened last, what it came to.

    Examples:

    foretree show last --tick 120

    foretree show last --html mango.html

    foretree show last --film mango.gif
    """
    opened = open_run(run)
    if film.film is not None:
        if html is not None:
            raise UsageError("--html and --film write different files: ask for one of them.")
        film.write(opened, film.film, tick)
        return
    film.refuse()
    if html is not None:
        from foretree.debugger.page import write_page

        write_page([opened], html)
        say(f"Wrote {html}: it needs neither a server nor the network.")
        return
    from foretree.runs.reader import events as read
    from foretree.runs.views.terminal import Show

    view = Show("plain", new_console(), opened.id)
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


@commands.command(rich_help_panel=PANEL)
def watch(run: RunArgument, form: ViewOptions) -> None:
    """Follow a run that goes on in another terminal, until it ends. Ctrl-C ends only the watching.

    Example: foretree watch last
    """
    from foretree.runs.reader import follow

    opened = open_run(run)
    with form.view(opened) as view:
        for event in follow(opened):
            view.event(event)
    finish(view)


@commands.command(rich_help_panel=PANEL)
def replay(
    run: RunArgument,
    speed: Annotated[
        float,
        typer.Option(
            "--speed",
            metavar="TIMES",
            callback=sensible_speed,
            help="Times as fast as it was; 0 does not wait at all.",
        ),
    ] = 1.0,
    tick: Annotated[
        int | None,
        typer.Option("--tick", metavar="N", min=0, help="Stop after this tick.", show_default=False),
    ] = None,
    *,
    form: ViewOptions,
) -> None:
    """Play a run again, without the robot. Off a terminal it does not wait.

    Example: foretree replay last --speed 4
    """
    from foretree.runs.reader import events as read
    from foretree.runs.reader import paced

    opened = open_run(run)
    with form.view(opened) as view:
        for event in paced(read(opened), speed if view.mode == "live" else 0.0):
            if tick is not None and event.tick > tick:
                break
            view.event(event)
    if tick is None and view.mode != "json":
        view.print(view.summary(view.state))


@commands.command(rich_help_panel=PANEL)
def why(
    run: RunArgument,
    step: Annotated[
        str,
        typer.Argument(
            metavar="STEP",
            help="An action's id (`a3`), or n for the n-th that the robot was told to do.",
            show_default=False,
        ),
    ],
) -> None:
    """Explain why an action was done: what for, what was expected, what was seen, what was revised.

    Example: foretree why last 2
    """
    from foretree.runs.reader import events as read
    from foretree.runs.views.tables import why_page
    from foretree.runs.views.why import why as explain

    console = new_console()
    console.print(why_page(explain(read(open_run(run)), step), console))


@commands.command(rich_help_panel=PANEL)
def compare(first: RunArgument, second: RunArgument) -> None:
    """Show where two runs diverge, the wall clock aside. Exits with 1 if they do.

    Example: foretree compare 20261120-101502-mango-k3f last
    """
    from foretree.runs.reader import compare as first_difference

    difference = first_difference(open_run(first), open_run(second))
    if difference is None:
        say("The runs are the same.")
        return
    say(f"The runs diverge at {difference}.")
    raise typer.Exit(1)


@commands.command(rich_help_panel=PANEL)
def export(
    run: RunArgument,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="Of all events: json (one document), jsonl (an event per line), csv, mcap (Foxglove), or "
            "html (a page that replays the run in the browser, offline). "
            "Of the tree: py-trees-js (snapshots), btcpp (XML) or btlog (logs) for Groot2, dot, svg, png.",
        ),
    ] = "jsonl",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The file to write; `-` is standard output.")
    ] = "-",
    at: Annotated[
        float | None,
        typer.Option("--at", metavar="SECONDS", min=0, help="The tree at this moment.", show_default=False),
    ] = None,
) -> None:
    """Write a run out in another format.

    Examples:

    foretree export last -f csv -o mango.csv

    foretree export last -f html -o mango.html

    foretree export last -f svg --at 12.4 -o mango.svg
    """
    from foretree.debugger.page import PAGE_FORMATS
    from foretree.pictures.tree_picture import PICTURE_FORMATS
    from foretree.runs.export.formats import FORMATS
    from foretree.runs.export.formats import export as write

    formats = {**FORMATS, **PAGE_FORMATS, **PICTURE_FORMATS}
    for path in write(open_run(run), form, output, formats, at):
        say(f"Wrote {path}.", err=True)


@commands.command(rich_help_panel=PANEL)
def bag(
    path: Annotated[
        Path,
        typer.Argument(metavar="BAG", help="An MCAP file, or a folder of rosbag2.", show_default=False),
    ],
    robot: Annotated[
        str, typer.Option("--robot", metavar="FILE", help="The robot file.", show_default=False)
    ],
    scene: Annotated[
        str, typer.Option("--scene", metavar="SCENE", help="The scene whose map it has.", show_default=False)
    ] = "",
    run: Annotated[
        str,
        typer.Option(
            "--run", metavar="RUN", help="Have the agent go through this run once more.", show_default=False
        ),
    ] = "",
) -> None:
    """Play a bag of ROS to a robot's senses: what they observe, and what they cannot use.

    With the run that it was recorded with, the agent is there as well. What it believes and decides has to be
    what is on record; if it is not, the first difference is told, and the exit code is 1.

    Examples:

    foretree bag recording/ --robot my_robot.yaml --scene my_flat.yaml

    foretree bag run.mcap --robot my_robot.yaml --run last
    """
    from foretree.bringup.ros.bag_playing import played_lines, replay_run

    if run:
        if scene:
            raise typer.BadParameter("--scene is not taken with --run: the run names its scene.")
        say(replay_run(path, robot, open_run(run)))
        return
    for line in played_lines(path, robot, scene):
        typer.echo(line)


@commands.command(rich_help_panel=PANEL)
def stop(
    run: RunArgument,
    patience: Annotated[
        float, typer.Option("--wait", metavar="SECONDS", min=0, help="Seconds to wait for the run to end.")
    ] = 10.0,
) -> None:
    """Stop a run in another terminal: first the robot, then the tree.

    Example: foretree stop last
    """
    from foretree.runs.reader import wait_for_end
    from foretree.runs.store import RunError

    opened = open_run(run)
    request = opened.request("stop")
    info = wait_for_end(opened, patience)
    if info.status != "running":
        say(f"Run {opened.id} has ended: {info.outcome or info.status}.")
        return
    heard = "has heard it but not ended" if opened.taken(request) else "has not answered"
    raise RunError(
        f"Run {opened.id} was asked to stop and {heard} within {patience:g} s. If it hangs, end process "
        f"{info.writer.pid} on {info.writer.host}, and stop the robot by hand."
    )


@commands.command(rich_help_panel=PANEL)
def pause(run: RunArgument) -> None:
    """Pause a run in another terminal before its next tick. What the robot is doing goes on to its end.

    Example: foretree pause last
    """
    _tell(run, "pause", "waits from the next tick on. `foretree step` makes one tick, `foretree go` goes on")


@commands.command(rich_help_panel=PANEL)
def step(run: RunArgument) -> None:
    """Let a paused run in another terminal make one tick.

    Example: foretree step last
    """
    _tell(run, "step", "makes one tick")


@commands.command(rich_help_panel=PANEL)
def go(run: RunArgument) -> None:
    """Let a paused run in another terminal go on.

    Example: foretree go last
    """
    _tell(run, "resume", "goes on")


def _tell(run: str, what: str, then: str, patience: float = 5.0) -> None:
    """Ask a run in another terminal for something, and wait until it has heard."""
    from foretree.runs.store import RunError

    opened = open_run(run)
    request = opened.request(what)
    until = monotonic() + patience
    while not opened.taken(request):
        if monotonic() > until:
            raise RunError(f"Run {opened.id} has not answered within {patience:g} s.")
        sleep(0.02)
    say(f"Run {opened.id} {then}.")
