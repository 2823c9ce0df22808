"""Notes on PDDL text: what is odd in it, and read all the same."""

from __future__ import annotations

from foretree.planning.pddl.errors import PddlError, PddlWarning
from foretree.planning.pddl.source import Source


class Notes:
    """Warnings about one text, in the order in which they were found.

    Args:
        source: the text.
        strict: whether every oddity is an error. Skills and goals are read so: their writers are at hand,
            while files that come from elsewhere are read as other planners read them.
    """

    def __init__(self, source: Source, *, strict: bool = False) -> None:
        self._source = source
        self._strict = strict
        self._found: dict[PddlWarning, None] = {}

    def add(self, kind: type[PddlError], at: int, problem: str, read_as: str) -> None:
        """Note what is odd at an offset.

        Args:
            kind: the error that it is for strict readers.
            at: the offset.
            problem: what is odd, and what would be valid.
            read_as: how it is read all the same.

        Raises:
            PddlError: this reader is strict.
        """
        if self._strict:
            self._source.fail(kind, at, problem)
        line, column = self._source.place(at)
        self._found[PddlWarning(f"{problem} {read_as}", self._source.name, line, column)] = None

    @property
    def warnings(self) -> tuple[PddlWarning, ...]:
        """All that was noted."""
        return tuple(self._found)
