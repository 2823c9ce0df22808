"""The first of several ways to read words that makes sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from foretree.reasoning.instruction_errors import AmbiguousError, InstructionError
from foretree.reasoning.offline._clause_reader import Progress


def first_that_reads(orders: Sequence[Callable[[], Iterator[Progress]]]) -> Iterator[Progress]:
    """Yield the readings of the first of *orders* that has any.

    Raises:
        InstructionError: none has; the first one's reason.
    """
    difficulty: InstructionError | None = None
    for order in orders:
        read = False
        try:
            for progress in order():
                read = True
                yield progress
        except InstructionError as error:
            asks = isinstance(error, AmbiguousError) and not isinstance(difficulty, AmbiguousError)
            difficulty = error if difficulty is None or asks else difficulty
        if read:
            return
    if difficulty is not None:
        raise difficulty
