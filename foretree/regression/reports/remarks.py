"""What reports of both kinds say in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foretree.regression.core.attempt import Trouble

#: What did not end as it must is listed one by one up to this many.
_MOST_LISTED = 20


def interruption(done: int, missing: int, what: str) -> str:
    """How much of a suite was run before somebody interrupted it; nothing if all of it was."""
    return f"Interrupted: {done} of {done + missing} {what} were run." if missing else ""


def in_short(trouble: Trouble, details: str) -> str:
    """What crashed or hung, in one line: the last of a traceback says it."""
    last = details.strip().splitlines()[-1:] or ["nobody knows why"]
    return f"{trouble}: {last[0]}"


def unsound(faults: Sequence[str], what: str) -> Iterator[str]:
    """A line for each of what did not end as it must, and how many more there are."""
    yield from faults[:_MOST_LISTED]
    if len(faults) > _MOST_LISTED:
        yield f"And {len(faults) - _MOST_LISTED} more {what} did not end as they must."
