"""A viewer beside a run: the command `view` in a process of its own, so that it costs the run nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from foretree.cli._terminal import say
from foretree.errors import ForetreeError


class ViewerError(ForetreeError):
    """The viewer does not start."""


@contextmanager
def viewer(run: str) -> Iterator[subprocess.Popen[str]]:
    """Show *run* in the browser during the body, and steer it from there.

    Raises:
        ViewerError: the viewer does not start; the message says why.
    """
    command = [sys.executable, "-m", "foretree.cli", "view", run, "--control"]
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
    """Let a person look at the end of a run, until Ctrl-C; off a terminal nobody would press it."""
    if not sys.stdout.isatty() or child.poll() is not None:
        return
    say("The run can still be looked at in the browser; Ctrl-C ends that.", err=True)
    with suppress(KeyboardInterrupt):
        child.wait()
