"""The command that talks: lines from a terminal or a pipe, answers above the prompt."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from functools import partial

import typer

from foretree.cli._exit_codes import OUTCOME_CODES
from foretree.cli._options import SpeedOption, TalkOptions, pace
from foretree.cli._signals import heard
from foretree.cli._terminal import say, show_warnings

PANEL = "Running"
PROMPT = "> "

#: What is asked for, and how a talk ends.
_GREETING = 'Say what is to be done, or ask. "stop" stops the robot, "bye" ends the talk.'

#: Takes the prompt away, so that what is told stands above it.
_CLEAR = b"\r\x1b[K"

commands = typer.Typer()


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


def _code(outcome: str) -> int:
    return OUTCOME_CODES.get(outcome, 2)


class _Lines:
    """The lines that are typed or piped in. Nothing waits in Python's buffers: select knows of what has come.

    Attributes:
        interrupts: whether a person types them.
    """

    def __init__(self, source: int, interrupts: bool) -> None:
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
