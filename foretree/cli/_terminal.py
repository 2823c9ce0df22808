"""The terminal: consoles, messages, summaries, questions to a person, and the codes that it exits with."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from time import sleep
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

import typer

from foretree.printable import clean, cut

if TYPE_CHECKING:
    from foretree.runs.store import Run
    from foretree.runs.views.terminal import Show

#: What ``foretree`` exits with.
EXIT_CODES = {
    0: "done: the goal was reached, or the command did what it was asked",
    1: "the run ended without reaching its goal (given up or failed); there is no plan; `compare` found a "
    "difference",
    2: "a command, an instruction, a goal or a file was not understood; nothing has moved, and no run is "
    "recorded",
    3: "a run cannot be found, read or written, or was interrupted; the output cannot be written; there is "
    "too little memory",
    4: "the robot cannot be talked to, or was told something it does not offer",
    70: "a fault in Foretree itself, or in a node of the user's; `--debug` shows where",
    130: "interrupted by Ctrl-C, stopped from another terminal, or not allowed to go on",
}

#: The exit code for each way a run can end.
OUTCOME_CODES = {"reached": 0, "given-up": 1, "failed": 1, "cancelled": 130, "error": 70}

UNREADABLE = 3
FAULT = 70
INTERRUPTED = 130

#: The device is full or broken, a quota or a limit on the size of files is reached.
OUTPUT_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})

#: Seconds after which what has happened is on the screen, so that a question can be put below it.
_SCREEN_DELAY = 0.15

#: More warnings about files are counted and not shown.
_MOST_WARNINGS = 10


def open_run(run: str) -> Run:
    """Open the run that an id, the beginning of one, `last` or a file names."""
    from foretree.runs.store import RunStore

    return RunStore().open(run)


def new_console(stderr: bool = False) -> Any:
    """Return a console that outlives its reader, takes no text for markup, and writes what is printable."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    class Patient(Console):
        """A console that goes quiet when its reader is gone; rich's own would end the process."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush()

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(clean(text), **options)  # before it is laid out

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                if not segment.control and (cleaned := clean(segment.text)) != segment.text:
                    segment = Segment(cleaned, segment.style)
                yield segment

    # The stream that is cleaned on its way would spell out the colours too.
    errors = _Unimportant(getattr(sys.stderr, "rich_proxied_file", sys.stderr)) if stderr else None
    return Patient(highlight=False, markup=False, emoji=False, file=cast("TextIO | None", errors))


def waiting(what: Any) -> AbstractContextManager[object]:
    """Show on standard error what the body waits for, if that is a terminal."""
    if not sys.stderr.isatty():
        return (
            nullcontext()
        )  # a spinner that is not seen would take a thread, and rich longer to load than all else
    status: AbstractContextManager[object] = new_console(stderr=True).status(what)
    return status


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Show on standard error how many of *total* are done: as a bar, or now and then as a line.

    The body calls the function that it gets for each that is done.
    """
    done = 0
    if not sys.stderr.isatty():
        step = max(1, total // 10)

        def tell() -> None:
            nonlocal done
            done += 1
            if done % step == 0 or done == total:
                say(f"{done} of {total} {what}.", err=True)

        yield tell
        return
    from rich.progress import Progress

    with Progress(console=new_console(stderr=True), transient=True) as shown:
        bar = shown.add_task(what, total=total)
        yield lambda: shown.advance(bar)


class _Unimportant:
    """Standard error for what only says that something goes on: not to be heard is no reason to fail."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


def say(message: str, err: bool = False) -> None:
    """Print a paragraph; on a terminal, wrapped between words: an id that is broken cannot be copied."""
    message = clean(message)  # before its lines are measured
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        width = max(20, shutil.get_terminal_size().columns)
        lines = (
            textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
            for line in message.splitlines()
        )
        message = "\n".join(lines)
    typer.echo(message, err=err)


def show_warnings(warnings: Sequence[str]) -> None:
    """Print on standard error what was odd about files, and how they were read."""
    for warning in warnings[:_MOST_WARNINGS]:
        say(f"Warning: {cut(warning)}", err=True)
    more = len(warnings) - _MOST_WARNINGS
    if more > 0:
        say(f"Warning: and {more} more like these.", err=True)


def finish(view: Show, beside: Sequence[str] = ()) -> NoReturn:
    """Print the summary and leave with the code that says how the run ended."""
    if view.mode != "json":
        try:
            view.print(view.summary(view.state, beside))
        except (OSError, SystemExit) as error:  # the latter is what rich makes of a broken pipe
            hush()  # it is not read, but how the run ended still counts
            if isinstance(error, OSError) and error.errno in OUTPUT_ERRORS:
                view.unwritten = view.unwritten or str(error.strerror)
    if view.unwritten:
        say(
            f"foretree: The output could not be written: {view.unwritten}. All of it is on record: "
            f"foretree show {view.run_id}",
            err=True,
        )
    raise typer.Exit(OUTCOME_CODES.get(view.state.outcome, 1))


def hush() -> None:
    """Write nothing more, since the reader is gone. Python would complain once more when it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wait_for_enter(view: Show, tick: int) -> None:
    """Wait for Enter before *tick*. The end of the input stops the run: there is no person to go on."""
    sleep(_SCREEN_DELAY)
    with view.aside():
        try:
            _prompt(f"tick {tick}: Enter goes on, Ctrl-C stops ")
        except EOFError:
            raise KeyboardInterrupt from None


def ask(question: str, view: Show) -> bool:
    """Ask for a yes below what is on the screen; the end of the input is a no."""
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
