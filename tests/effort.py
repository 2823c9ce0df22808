"""Effort measured against effort: processor time of a peer in the same run, as machines differ and are shared.

A test never compares a time with a constant. What is to be held to a figure in seconds is in ``benchmarks/``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from time import process_time


def times_as_much(do: Callable[[], object], peer: Callable[[], object], rounds: int = 5) -> float:
    """Processor time of *do* in that of *peer*: the least of each, taken by turns."""
    pairs = [(spent(do), spent(peer)) for _ in range(rounds)]
    return min(ours for ours, _ in pairs) / max(min(theirs for _, theirs in pairs), 1e-6)


def growth(do: Callable[[int], object], small: int, large: int, rounds: int = 5) -> float:
    """Processor time of *do* for *large* in that for *small*."""
    return times_as_much(lambda: do(large), lambda: do(small), rounds)


def process_times_as_much(ours: list[str], peer: list[str], rounds: int = 3, **environment: str) -> float:
    """Processor time of ``python OURS`` in that of ``python PEER``, start-up included."""
    pairs = [(_child(ours, environment), _child(peer, environment)) for _ in range(rounds)]
    return min(mine for mine, _ in pairs) / min(theirs for _, theirs in pairs)


def spent(do: Callable[[], object]) -> float:
    """Processor time of *do*, to be compared with another: for what takes a preparation that does not count."""
    begun = process_time()
    do()
    return process_time() - begun


def _child(words: list[str], environment: dict[str, str]) -> float:
    process = subprocess.Popen(
        [sys.executable, *words],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"python {' '.join(words)} ended with {process.returncode}"
    return used.ru_utime + used.ru_stime
