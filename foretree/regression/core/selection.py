"""Choosing from a suite by name, and the seeds of what is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TypeVar

from foretree.errors import ForetreeError, suggest

T = TypeVar("T")


class SuiteError(ForetreeError):
    """What was asked for is not in the suite."""


def seed_of(seed: int, scenario: str, turn: int) -> int:
    """The seed of one episode: its own, whatever else the suite holds and however it is run."""
    return int.from_bytes(sha256(f"{seed}/{scenario}/{turn}".encode()).digest()[:4], "big")


def chosen(kind: str, suite: str, among: Mapping[str, T], names: Iterable[str]) -> Mapping[str, T]:
    """Those of *among* that are named; all if none is.

    Raises:
        SuiteError: there is none of that name.
    """
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in among:
            raise SuiteError(f"The suite {suite} has no {kind} {name!r}. {suggest(name, among)}")
    return {name: among[name] for name in wanted} if wanted else among
