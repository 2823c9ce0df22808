"""What a solver and its worker process say to each other: frames of eight bytes of length and a pickle."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from foretree.planning.solvers.base import Limits, Mode, Solution
from foretree.planning.syntax import Problem

_LENGTH = struct.Struct(">Q")


@dataclass(frozen=True)
class Solve:
    """A request: solve this, with the binary that is named.

    With *improve*, whatever plan is found on the way is reported before the answer comes.
    """

    id: int
    problem: Problem
    mode: Mode
    limits: Limits
    binary: str
    improve: bool = False


@dataclass(frozen=True, slots=True)
class Cancel:
    """A request: forget the problem of that number."""

    id: int


@dataclass(frozen=True, slots=True)
class Better:
    """A plan on the way to the answer, better than those before."""

    id: int
    solution: Solution


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: a solution, or what went wrong (and whether that is a mistake of ours)."""

    id: int
    solution: Solution | None
    error: str = ""
    bug: bool = False


def pack(message: object) -> bytes:
    """A message as a frame."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def unpack(buffer: bytearray) -> Iterator[Any]:
    """The messages that are complete in *buffer*; what is left in it is the beginning of the next one."""
    while len(buffer) >= _LENGTH.size:
        end = _LENGTH.size + _LENGTH.unpack_from(buffer)[0]
        if len(buffer) < end:
            return
        body = bytes(buffer[_LENGTH.size : end])
        del buffer[:end]
        yield pickle.loads(body)
