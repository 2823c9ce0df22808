"""Runs in the browser: the command, and a viewer beside a run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Annotated

import typer

from foretree.cli._terminal import say
from foretree.errors import ForetreeError

PANEL = "Looking at runs"

#: Seconds that a browser has to hear of a run's end: the server looks four times a second.
FAREWELL = 1.0

commands = typer.Typer()


@commands.command(rich_help_panel=PANEL)
def view(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run's id, the beginning of one, `last`, or a run file; without one, all runs.",
            show_default=False,
        ),
    ] = "",
    at: Annotated[
        float | None,
        typer.Option("--at", metavar="SECONDS", min=0, help="Open at this moment.", show_default=False),
    ] = None,
    scene: Annotated[
        str,
        typer.Option("--scene", metavar="SCENE", help="Show this scene instead.", show_default=False),
    ] = "",
    control: Annotated[
        bool, typer.Option("--control", help="Allow viewers to pause, step, stop and surprise sessions.")
    ] = False,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Listen here; others than loopback need --token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="Listen on this port, or the next free one; 8765 by default.",
            show_default=False,
        ),
    ] = None,
    token: Annotated[
        str,
        typer.Option("--token", metavar="SECRET", help="What viewers have to know.", show_default=False),
    ] = "",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
) -> None:
    """Show runs in the browser: the tree, the world, the belief and the plan at any moment. Ctrl-C ends it.

    Examples:

    foretree view

    foretree view last --at 12.4

    foretree view last --control
    """
    from urllib.parse import quote

    from foretree.debugger.serving import listen, run_page, serve, show_in_browser
    from foretree.pictures.scene_picture import scene_png
    from foretree.runs.store import RunStore

    store = RunStore()
    opened_run = store.open(run) if run else None
    if opened_run is not None:
        store = RunStore(opened_run.path.parent)  # a run file may lie anywhere
    scene_page = f"#/scene/{quote(scene, safe='')}" if scene else ""
    page = run_page(opened_run.id, at) if opened_run is not None else scene_page
    served = listen(host, port, token, control)
    address = served.address(page)

    def opened() -> None:
        if port and served.port != port:
            say(f"Port {port} is in use; taking {served.port}.", err=True)
        what = f"run {opened_run.id}" if opened_run is not None else "runs"
        say(f"Showing {what} at {address} (Ctrl-C ends it)")
        if browser and not show_in_browser(address):
            say("No browser opens here: open that address yourself.", err=True)

    serve(served, store, scene_png, opened)


class ViewerError(ForetreeError):
    """The viewer does not start."""


@contextmanager
def viewer(run: str) -> Iterator[subprocess.Popen[str]]:
    """Show *run* in the browser during the body, and steer it from there.

    The command `view` runs in a process of its own, so that it costs the run nothing.

    Raises:
        ViewerError: the viewer does not start; the message says why.
    """
    command = [sys.executable, "-m", "foretree", "view", run, "--control"]
    # In a session of its own, so that Ctrl-C ends the run first.
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        address = child.stdout.readline()  # its only line, once it can be reached
        if not address:
            raise ViewerError(child.stderr.read().strip() or "The viewer did not start.")
        say(address.strip().replace(" (Ctrl-C ends it)", ""), err=True)
        yield child
    finally:
        child.terminate()
        child.wait()


def linger(child: subprocess.Popen[str]) -> None:
    """Keep the viewer until Ctrl-C, so that a person can look at the end of a run.

    Off a terminal, only until browsers have been told of the end: else they would show a run that goes on.
    """
    if child.poll() is not None:
        return
    if not sys.stdout.isatty():
        sleep(FAREWELL)
        return
    say("The run can still be looked at in the browser; Ctrl-C ends that.", err=True)
    with suppress(KeyboardInterrupt):
        child.wait()
