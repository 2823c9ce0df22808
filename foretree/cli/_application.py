"""The application: all commands, and the way out of every error."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Annotated, Any

import typer

from foretree._version import __version__
from foretree.cli import affordances, domains, installation, maps, regress, robots, running, runs, viewing
from foretree.cli._commands import CommandGroup, Entries, Entry, of_command, of_group
from foretree.cli._terminal import FAULT, INTERRUPTED, OUTPUT_ERRORS, UNREADABLE, hush, say
from foretree.errors import ForetreeError
from foretree.printable import PrintableStream, cut


def _commands() -> dict[str, Entry]:
    """Every command, in the order of the help."""
    listed = {}
    for module in (running, installation, regress, runs, viewing):
        for info in module.commands.registered_commands:
            entry = of_command(info)
            listed[entry.name] = entry
    for name, group in (("domain", domains), ("map", maps), ("robot", robots), ("affordances", affordances)):
        listed[name] = of_group(name, group.commands, group.PANEL)
    return listed


class _Foretree(CommandGroup):
    """All commands. Ctrl-C ends them with the exit code that shells expect."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = Entries(_commands())

    def make_context(self, *given: Any, **options: Any) -> Any:
        with _refusing_in_short():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _refusing_in_short():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise SystemExit(INTERRUPTED) from None


@contextmanager
def _refusing_in_short() -> Iterator[None]:
    """Cut what the reader of the command line says of words that it cannot read: it quotes them whole."""
    try:
        yield
    except Exception as error:  # typer has not always had the class of its refusals from the same package
        said = getattr(error, "message", None)
        if isinstance(said, str):
            error.message = cut(said)  # type: ignore[attr-defined]
        raise


# Drawing boxes would cost more than everything else that a person waits for here.
app = typer.Typer(
    name="foretree",
    cls=_Foretree,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
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


def exit_code_of(arguments: list[str] | None) -> int:
    """Run the command line, say in one paragraph what went wrong, and return the exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed before we were started
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))
    with redirect_stdout(PrintableStream(sys.stdout)), redirect_stderr(PrintableStream(sys.stderr)):
        return _exit_code_of(arguments)


def _exit_code_of(arguments: list[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    own = given[: given.index("--")] if "--" in given else given
    debug = "--debug" in own
    words = [word for word in own if word != "--debug"] + given[len(own) :]
    try:
        try:
            app(args=words, prog_name="foretree")
        finally:
            # While it can still be reported that this was not possible.
            sys.stdout.flush()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except ForetreeError as error:
        _explain(str(error), debug)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        hush()
        return 0
    except Exception as error:
        if _is_starved(error):
            _explain("There is too little memory, or what was asked for takes too much of it.", debug)
            return UNREADABLE
        if isinstance(error, OSError) and error.errno in OUTPUT_ERRORS:
            hush()
            _explain(f"The output cannot be written: {error.strerror}.", debug)
            return UNREADABLE
        _explain(
            f"A fault in Foretree: {type(error).__name__}: {error}. Run it again with --debug to see where.",
            debug,
        )
        return FAULT
    return 0


def _is_starved(error: Exception) -> bool:
    """Tell whether memory, or the number of processes and threads, is at its limit."""
    match error:
        case OSError():
            return error.errno in (errno.ENOMEM, errno.EAGAIN)
        case ImportError():  # what is loaded is mapped into memory; hashlib hides that it could not be
            hidden = "from 'hashlib'" in str(error)
            return hidden or "failed to map segment" in str(error) or os.strerror(errno.ENOMEM) in str(error)
        case SystemError():  # of the interpreter itself, which found no memory for the exception
            return "without setting an exception" in str(error) or "without exception set" in str(error)
    return isinstance(error, MemoryError) or str(error) == "can't start new thread"


def _explain(message: str, debug: bool) -> None:
    with suppress(OSError):  # where nothing can be written, the exit code has to do
        if debug:
            traceback.print_exc()
        say(f"foretree: {cut(message)}", err=True)
