"""Mistakes in PDDL text: one exception per kind, each with its place."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.errors import ForetreeError


class PddlError(ForetreeError):
    """PDDL text is wrong.

    Attributes:
        problem: the mistake and what would have been valid, without the place.
        source: the file, or where else the text came from.
        line: counts from 1.
        column: counts from 1.
    """

    def __init__(self, problem: str, source: str, line: int, column: int) -> None:
        super().__init__(problem, source, line, column)
        self.problem = problem
        self.source = source
        self.line = line
        self.column = column

    def message(self) -> str:
        """The problem, after its place."""
        return f"{self.source}:{self.line}:{self.column}: {self.problem}"


class PddlFileError(ForetreeError):
    """A PDDL file cannot be read."""


class PddlSyntaxError(PddlError):
    """Parentheses do not match, or something stands where it cannot stand."""


class UnknownNameError(PddlError):
    """A type, predicate, function, object, section or requirement that is not declared."""


class DuplicateNameError(PddlError):
    """A name is declared twice."""


class UnboundVariableError(PddlError):
    """A variable is used where nothing binds it."""


class ArityError(PddlError):
    """A predicate or function has too many or too few arguments."""


class ArgumentTypeError(PddlError):
    """An argument is not of the type that its predicate or function takes."""


class UnsupportedPddlError(PddlError):
    """Valid PDDL that Foretree does not plan with."""


@dataclass(frozen=True, slots=True)
class PddlWarning:
    """An oddity in PDDL text, and how it was read all the same.

    Attributes:
        problem: the oddity, and how it was read.
        source: the file, or where else the text came from.
        line: counts from 1.
        column: counts from 1.
    """

    problem: str
    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}: {self.problem}"
