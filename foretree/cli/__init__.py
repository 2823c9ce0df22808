"""The command line. Thin: it reads options, calls the rooms, prints what they say.

Rooms are imported inside the commands that use them, so that ``foretree --help`` answers at once. All else
is imported by :func:`main`, once signals are heard: Ctrl-C during the import shows no traceback either.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from foretree.cli._terminal import EXIT_CODES, INTERRUPTED, UNREADABLE

TYPE_CHECKING = False  # typing takes longer to load than all that is loaded before signals are heard
if TYPE_CHECKING:
    from typing import NoReturn

    import typer

    app: typer.Typer

#: Objects that are made before the youngest are looked at for garbage.
_YOUNG = 50_000

__all__ = ["EXIT_CODES", "app", "main"]


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; every error becomes one paragraph and an exit code."""
    if arguments is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))  # until it is heard properly
    # Starting makes much that stays: looking for garbage as often as usual takes a seventh of it.
    gc.set_threshold(_YOUNG)
    # pydantic looks for plug-ins in the metadata of every installed package; our models have a use for none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from foretree.children import allow_forks
    from foretree.cli._signals import heard, leave_at_once

    code = INTERRUPTED
    try:
        _load_for_ends_of_threads()
        with heard(signal.SIGINT) as signals, signals.let_in():
            if arguments is None:
                allow_forks()
            from foretree.cli._application import exit_code_of

            code = exit_code_of(arguments)
    except KeyboardInterrupt:
        pass
    except MemoryError:
        sys.stderr.write("foretree: There is too little memory.\n")
        code = UNREADABLE
    if arguments is None:
        leave_at_once(code)
    raise SystemExit(code)


def _load_for_ends_of_threads() -> None:
    """Load what the C library ends a thread with, while there is memory: without, it aborts the process.

    It loads that when the first thread is ended from outside, which is too late where memory is limited.
    """
    try:
        import resource

        if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            import ctypes

            ctypes.CDLL("libgcc_s.so.1")
    except (ImportError, OSError, ValueError):
        pass  # there is no such limit, or no such library, here


def __getattr__(name: str) -> object:
    """Load the application when it is asked for."""
    if name == "app":
        from foretree.cli._application import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
