"""PDDL texts, with the place of each word and warnings about oddities."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from foretree.planning.pddl.errors import PddlError, PddlWarning

#: A parenthesis, a word, or a comment. A variable may follow a word without a blank between.
TOKEN = re.compile(r"[()]|\??[^\s();?]+|\?|;[^\n]*")


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """The offsets at which lines begin, cached: each of thousands of actions asks for its line."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


@dataclass(slots=True, eq=False)
class Source:
    """A text, the file that it came from, and the warnings about it.

    Attributes:
        name: the file, or where else the text came from.
        text: the text.
        line: the line of the file in which the text begins, for text that is embedded in a file.
        lenient: whether harmless oddities become warnings. Files from elsewhere are read so, as other
            planners read them; skills and goals are not: their writers are at hand.
    """

    name: str
    text: str
    line: int = 1
    lenient: bool = False
    _warnings: dict[PddlWarning, None] = field(default_factory=dict, init=False, repr=False)

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
        """Raise the given kind of error about the text at the offset."""
        raise kind(problem, self.name, *self.place(at))

    def warn(self, kind: type[PddlError], at: int, problem: str, read_as: str) -> None:
        """Note an oddity, in the order in which they are found.

        Args:
            kind: the error that it is for strict readers.
            at: the offset.
            problem: the oddity, and what would be valid.
            read_as: how it is read all the same.

        Raises:
            PddlError: the text is read strictly.
        """
        if not self.lenient:
            self.fail(kind, at, problem)
        self._warnings[PddlWarning(f"{problem} {read_as}", self.name, *self.place(at))] = None

    @property
    def warnings(self) -> tuple[PddlWarning, ...]:
        """All oddities that were noted."""
        return tuple(self._warnings)
