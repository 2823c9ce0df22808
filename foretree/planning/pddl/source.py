"""Texts with places: where in a file each word of PDDL stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from foretree.planning.pddl.errors import PddlError

#: A parenthesis, a word, or a comment. A variable may follow a word without a blank between.
TOKEN = re.compile(r"[()]|\??[^\s();?]+|\?|;[^\n]*")


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """Where the lines of a text begin: kept, as each of thousands of actions asks for its line."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


@dataclass(frozen=True, slots=True)
class Source:
    """A text and where it came from.

    ``line`` is the line of the file in which the text begins, for text that is embedded in a file.
    """

    name: str
    text: str
    line: int = 1

    def place(self, at: int) -> tuple[int, int]:
        """The line and the column of an offset into the text, both counted from 1."""
        starts = _line_starts(self.text)
        number = bisect_right(starts, at) - 1
        return self.line + number, at - starts[number] + 1

    def show_place(self, at: int) -> str:
        """``file:line:column`` of an offset into the text."""
        line, column = self.place(at)
        return f"{self.name}:{line}:{column}"

    def fail(self, kind: type[PddlError], at: int, problem: str) -> NoReturn:
        """Raise the given kind of error about what stands at the offset."""
        line, column = self.place(at)
        raise kind(problem, self.name, line, column)
