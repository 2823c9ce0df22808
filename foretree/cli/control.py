"""Commands that tell a run in another terminal what to do."""

from __future__ import annotations

from time import monotonic, sleep
from typing import Annotated

import typer

from foretree.cli._options import RunArgument
from foretree.cli._terminal import open_run, say

PANEL = "Looking at runs"

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def stop(
    run: RunArgument,
    patience: Annotated[
        float, typer.Option("--wait", metavar="SECONDS", min=0, help="Seconds to wait for the run to end.")
    ] = 10.0,
) -> None:
    """Stop a run that goes on in another terminal: first the robot, then the tree.

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
    """Have a run in another terminal wait before its next tick. What the robot is doing goes on to its end.

    Example: foretree pause last
    """
    _tell(run, "pause", "waits from the next tick on. `foretree step` makes one tick, `foretree go` goes on")


@commands.command(rich_help_panel=PANEL)
def step(run: RunArgument) -> None:
    """Have a paused run in another terminal make one tick.

    Example: foretree step last
    """
    _tell(run, "step", "makes one tick")


@commands.command(rich_help_panel=PANEL)
def go(run: RunArgument) -> None:
    """Have a paused run in another terminal go on.

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
