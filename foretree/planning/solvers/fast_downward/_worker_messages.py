"""Messages between a solver and its worker process.

Domains are large, few, and never change. So each is pickled once and goes along as bytes, and the other side
makes a domain of the same bytes only once.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from foretree.planning._domain_cache import per_domain
from foretree.planning.pddl.syntax import Domain, Problem
from foretree.planning.solvers.base import Limits, Mode, Solution

#: How many domains a worker remembers.
_DOMAINS = 4


@dataclass(frozen=True)
class SolveRequest:
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
class CancelRequest:
    """A request: forget the problem of that number."""

    id: int


@dataclass(frozen=True, slots=True)
class StageEntered:
    """Report: the work on a request is choosing, compiling, grounding, translating, reducing or searching."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class BetterSolution:
    """Report: a plan on the way to the answer, better than those before."""

    id: int
    solution: Solution


@dataclass(frozen=True, slots=True)
class SolveReply:
    """The answer to a request: a solution, or what went wrong (and whether that is a fault of ours)."""

    id: int
    solution: Solution | None
    error: str = ""
    bug: bool = False


def pack(message: object) -> bytes:
    """Return a message as bytes."""
    written = io.BytesIO()
    _Pickler(written, protocol=pickle.HIGHEST_PROTOCOL).dump(message)
    return written.getvalue()


def unpack(message: bytes) -> Any:
    """Return the message that bytes stand for."""
    return _Unpickler(io.BytesIO(message)).load()


class _Pickler(pickle.Pickler):
    def persistent_id(self, thing: object) -> bytes | None:
        return _packed(thing) if isinstance(thing, Domain) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, packed: bytes) -> Domain:
        return _domain(packed)


@per_domain
def _packed(domain: Domain) -> bytes:
    return pickle.dumps(domain, protocol=pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=_DOMAINS)
def _domain(packed: bytes) -> Domain:
    found = pickle.loads(packed)
    assert isinstance(found, Domain)
    return found
