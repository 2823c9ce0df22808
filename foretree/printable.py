"""Printable text: nothing that a terminal would obey, and no more than a person wants to read.

Names, instructions, messages and answers come from files, models and people. Whatever of them reaches a
terminal goes through :func:`clean`, at the border: in :class:`~foretree.errors.ForetreeError`, in
:class:`PrintableStream`, and in the console of the command line, which alone may write colours.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable
from typing import Any, TextIO
from unicodedata import category

#: Characters of a value that is quoted in a message.
LONGEST_QUOTE = 80
#: Characters of a whole message.
LONGEST_MESSAGE = 4000

#: Whatever is not plain ASCII is looked at one by one. A line may end as it does in CSV.
_SUSPECT = re.compile(r"\r(?!\n)|[^\r\n\t -~]")


def clean(text: str) -> str:
    """*text* with all that cannot be printed spelt out: ``\\x1b`` for what begins a terminal's commands.

    Directions of writing (U+202E), characters without width, and halves of characters are spelt out too.
    Lines stay lines, and the wide and narrow spaces of Unicode stay as they are.
    """
    return _SUSPECT.sub(_spelt_out, text)


def printable(text: str) -> str:
    """*text* as :func:`clean` has it, on one line."""
    return clean(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " "))


def cut(text: str, most: int = LONGEST_MESSAGE) -> str:
    """*text*, without its middle if it is longer than *most*: a message ends with what to do."""
    if len(text) <= most:
        return text
    tail = most // 3
    left_out = len(text) - most
    return f"{text[: most - tail]}… ({left_out:,} characters left out) …{text[-tail:]}"


def quote(value: object, most: int = LONGEST_QUOTE) -> str:
    """*value* as a message quotes it: as Python would, printable, and cut where it is long."""
    if isinstance(value, str):
        return clean(repr(shortened(value, most)))
    return clean(shortened(_short.repr(value), most))


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """*text* up to *most* characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(count: int, noun: str) -> str:
    """*count* of something: ``1 action``, ``2 actions``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


class PrintableStream:
    """A stream for text, all of which is made printable on its way.

    rich knows which of what it writes are colours: it finds the stream itself under the name that it uses for
    that. The console of the command line cleans the text that it is given.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write *text*, cleaned."""
        self.rich_proxied_file.write(clean(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts, cleaned."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # the way round
            raise AttributeError(name)
        return getattr(self.rich_proxied_file, name)


def _spelt_out(found: re.Match[str]) -> str:
    character = found.group()
    if character.isprintable() or category(character) == "Zs":
        return character
    if character == "\x7f":  # the only one that JSON leaves as it is: it has to be JSON afterwards too
        return "\\u007f"
    return character.encode("unicode_escape").decode("ascii")


_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = LONGEST_QUOTE
