"""Mistakes in an instruction. Nothing moves after any of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from foretree.errors import ForetreeError


class InstructionError(ForetreeError):
    """An instruction that does not lead to a goal."""


class NotUnderstoodError(InstructionError):
    """Words or a sentence that mean nothing to the reasoner.

    Attributes:
        slips: words that are not known, each with the one that was surely meant; empty unless all have one.
        hint: finds out what could be said instead. It takes long, so only the error that is told has it.
    """

    def __init__(
        self,
        message: str,
        slips: Mapping[str, str] | None = None,
        hint: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(message)
        self.slips = dict(slips or {})
        self.hint = hint

    def add_hint(self) -> None:
        """Add what could be said instead to the message."""
        if self.hint is not None:
            self.args = (f"{self} {self.hint()}", *self.args[1:])
            self.hint = None


class UnreadWordsError(NotUnderstoodError):
    """Words that are not known, or that are put as no command is, whatever they stand for."""


class AmbiguousError(InstructionError):
    """Several things are meant by the same words.

    Attributes:
        words: the words.
        among: the things that they may stand for, where the person can choose one of them.
    """

    def __init__(self, message: str, words: str = "", among: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.words = words
        self.among = among


class NoSuchThingError(InstructionError):
    """Something is referred to that is not there, as far as is known.

    Attributes:
        wanted: classes of which another thing may be what is meant, and be somewhere that was not looked yet.
    """

    def __init__(self, message: str, wanted: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.wanted = wanted


class NotPossibleError(InstructionError):
    """Something is asked of a thing that it does not afford."""

    def __init__(self, message: str, misfits: int = 1) -> None:
        super().__init__(message)
        self.misfits = misfits


class UnsafeError(NotPossibleError):
    """Something is asked for that is dangerous."""
