"""Mistakes in an expansion: one exception per kind."""

from __future__ import annotations

from foretree.errors import ForetreeError


class ExpansionError(ForetreeError):
    """A domain cannot be expanded as asked.

    Attributes:
        problem: the mistake and what would have been valid.
        about: the kind of thing in the domain that it is about (``action``, ``predicate``, ``type``,
            ``function`` or ``domain``) and its name; None when it is about an option alone.
        option: the option that it is about, None when it is about the domain alone.
        place: where in which file that stands, if it is known.
    """

    def __init__(
        self,
        problem: str,
        about: tuple[str, str] | None = None,
        option: str | None = None,
        place: str = "",
    ) -> None:
        super().__init__(problem, about, option, place)
        self.problem = problem
        self.about = about
        self.option = option
        self.place = place

    def message(self) -> str:
        """See :class:`~foretree.errors.ForetreeError`."""
        return f"{self.place}: {self.problem}" if self.place else self.problem

    def found_at(self, place: str) -> ExpansionError:
        """The same mistake, said to be at a place of a file."""
        return type(self)(self.problem, self.about, self.option, place)


class ExpansionOptionError(ExpansionError):
    """An option asks for something that makes no sense, or names what the domain does not have."""


class HandPredicateNotFoundError(ExpansionError):
    """No predicate of the domain means "the hand is free", or none means "is held"."""


class AmbiguousHandPredicateError(ExpansionError):
    """Several predicates could mean that the hand is free or holds something."""


class AlreadyExpandedError(ExpansionError):
    """The domain is the result of an expansion already."""


class NameClashError(ExpansionError):
    """The domain uses a name that expansion needs for something of its own."""


class UnexpandableOperatorError(ExpansionError):
    """An operator does something that has no counterpart in a building."""


class ProblemExpansionError(ForetreeError):
    """A problem and the building it is to take place in do not fit."""
