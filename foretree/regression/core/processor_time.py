"""Processor time, with that of children that are still running."""

from __future__ import annotations

import os
from pathlib import Path


def processor_time() -> float:
    """Seconds that this process and everything it has started have computed.

    The operating system itself adds up only children that have ended. A planner that is kept warm has not, so
    where there is ``/proc`` it is asked about those that live.
    """
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return own + sum(map(processor_time_of, _children(os.getpid())))


def processor_time_of(pid: int) -> float:
    """Seconds that a process and everything it has started have computed; 0 where there is no ``/proc``."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    # The name in parentheses may hold anything, so fields are counted from its end.
    user, system, ended_user, ended_system = text.rpartition(")")[2].split()[11:15]
    ticks = int(user) + int(system) + int(ended_user) + int(ended_system)
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_time_of, _children(pid)))


def descendants(pid: int) -> list[int]:
    """The living processes below a process, each before what it has started itself."""
    return [below for child in _children(pid) for below in (child, *descendants(child))]


def _children(pid: int) -> list[int]:
    """The living children of a process, whichever of its threads started them."""
    found: list[int] = []
    for listing in sorted(Path(f"/proc/{pid}/task").glob("*/children")):
        try:
            found.extend(map(int, listing.read_text().split()))
        except OSError:
            continue
    return found
