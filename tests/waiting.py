"""Deadlines of tests: generous, as the machine may be busy, and a failure says what it waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

#: Seconds after which something is taken to never happen.
PATIENCE = 120.0

Found = TypeVar("Found")


def until(condition: Callable[[], Found], what: str | Callable[[], str], patience: float = PATIENCE) -> Found:
    """Return what *condition* returns once that is true; *what* names it where it never is."""
    end = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > end:
            told = what if isinstance(what, str) else what()
            raise AssertionError(f"waited {patience:g} s in vain: {told}")
        time.sleep(0.005)
    return found
