"""The base of every error that Foretree raises on purpose.

Each room defines its own subclasses, one per kind of mistake. A message says what is wrong, where, and
what would have been valid; the command line prints it as one paragraph without a traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from foretree.printable import LONGEST_QUOTE, clean, cut


class ForetreeError(Exception):
    """A mistake of the user, a file, a model or a robot, in words a person can act on."""

    #: What the command line exits with when this error ends it (docs/cli.md lists all codes).
    exit_code = 2

    def __str__(self) -> str:
        """The message, printable and cut: names and values in it are from files, people and models."""
        return cut(clean(self.message()))

    def message(self) -> str:
        """The message, whole."""
        return super().__str__()


def suggest(word: str, valid: Iterable[str], limit: int = 12) -> str:
    """Say what would have been valid instead of *word*: the near misses first, else the whole list."""
    names = sorted(set(valid))
    near = near_miss(word, names)
    if near:
        return near
    if not names:
        return "There are none."
    shown = ", ".join(names[:limit])
    more = len(names) - limit
    return f"Valid: {shown}" + (f" and {more} more." if more > 0 else ".")


def near_miss(word: str, valid: Iterable[str]) -> str:
    """Ask back with the names that *word* nearly is; empty if there are none."""
    if len(word) > LONGEST_QUOTE:  # comparing takes its length squared
        return ""
    names = sorted(set(valid))
    # Slips hardly ever hit the first letter: "nope" is no "open".
    sure = difflib.get_close_matches(word, names, n=3, cutoff=0.8)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    near = [name for name in close if name in sure or name[:1].lower() == word[:1].lower()]
    return f"Did you mean {' or '.join(near)}?" if near and word not in near else ""


class MissingPackageError(ForetreeError):
    """A package that is needed is not installed."""


@contextmanager
def takes_extra(name: str, what: str) -> Iterator[None]:
    """Import inside of this what *what* takes; if it is not installed, say which extra brings it.

    Raises:
        MissingPackageError: a package is missing, and none of our own.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "foretree":
            raise
        raise MissingPackageError(
            f"{what} take the package {error.name}, which is missing. Install it with: "
            f"pip install 'foretree[{name}]' (in a checkout: pip install '.[{name}]')"
        ) from error
