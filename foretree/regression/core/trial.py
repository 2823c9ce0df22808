"""Trials and their results: carried out within a limit, measured, and told whatever goes wrong in them."""

from __future__ import annotations

import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, replace
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

from foretree.regression.core.processor_time import processor_time

#: What can be wrong with a trial, apart from not reaching its goal.
Trouble: TypeAlias = Literal["", "crashed", "hung"]

_Self = TypeVar("_Self", bound="TrialResult")


class Numbered(Protocol):
    """Something with a place in its suite."""

    @property
    def number(self) -> int:
        """Its place."""
        ...


class StorableResult(Numbered, Protocol):
    """Result of a trial, as far as running and keeping it is concerned; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    identity: ClassVar[tuple[str, ...]]

    def __init__(self, **facts: Any) -> None: ...

    @property
    def trouble(self) -> Trouble:
        """Crash or hang, if it was one."""
        ...

    def numbered(self: R, number: int) -> R:
        """Return the same at another place in the suite."""
        ...


T = TypeVar("T", bound=Numbered)
R = TypeVar("R", bound=StorableResult)


@dataclass(frozen=True)
class Effort:
    """Seconds that a trial took: on the wall, and of processors, planners included."""

    wall: float = 0.0
    processor: float = 0.0


@dataclass(frozen=True)
class TrialResult:
    """Result of one trial. Two of the same trial are equal, wherever and whenever they ran.

    Attributes:
        identity: the fields that tell it from all others of its suite, however it is run.
        number: its place in the suite.
        trouble: whether it crashed or hung.
        details: the error behind the trouble, with its traceback.
        effort: what it took of the machine.
    """

    identity: ClassVar[tuple[str, ...]]

    number: int
    trouble: Trouble = field(default="", kw_only=True)
    details: str = field(default="", kw_only=True)
    effort: Effort = field(default=Effort(), compare=False, kw_only=True)

    def numbered(self: _Self, number: int) -> _Self:
        """Return the same at another place in the suite."""
        return replace(self, number=number)

    @property
    def cluster(self) -> str:
        """Property in common with other results, so that they tell less than as many others would; empty
        if nothing: intervals are those of a bootstrap by cluster then."""
        return ""

    @property
    def title(self) -> str:
        """Its identity for people: ``busy, guards, seed 7``."""
        values = ((name, getattr(self, name)) for name in self.identity)
        return ", ".join(v if isinstance(v, str) else f"{name} {_plain(v)}" for name, v in values)

    @property
    def fault(self) -> str:
        """Fault in one line; empty if there is none. Not reaching a goal is no fault."""
        return f"{self.trouble}: {last_line(self.details)}" if self.trouble else ""

    @property
    def sound(self) -> bool:
        """True if it ended as every trial must, whatever it came to."""
        return not self.fault


def result_key(identity: Iterable[str], facts: Mapping[str, Any]) -> str:
    """Name under which a result is kept: the values of its identity."""
    return " ".join(_plain(facts[name]) for name in identity)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def last_line(details: str) -> str:
    """The last line of *details*, which says most of a traceback."""
    return (details.strip().splitlines() or ["no details"])[-1]


class TrialKind(ABC, Generic[T, R]):
    """Trials of one kind: how one is carried out and what its result is made of.

    An instance is sent to the worker processes, so it is a dataclass of what can be pickled.

    Attributes:
        result: the class of the results.
        limit: seconds on the wall after which a trial counts as hung.
    """

    result: type[R]
    limit: float

    @abstractmethod
    def facts(self, trial: T) -> dict[str, Any]:
        """Facts of the result that are known before the trial is carried out."""

    @abstractmethod
    def carry_out(self, trial: T, limit: float) -> dict[str, Any]:
        """Carry *trial* out within *limit* seconds on the wall; the rest of the result."""

    def key(self, trial: T) -> str:
        """Name under which the result of *trial* is kept."""
        return result_key(self.result.identity, self.facts(trial))

    def run(self, trial: T, limit: float | None = None) -> R:
        """Carry *trial* out and measure it; an exception becomes part of the result."""
        wall, processor = time.perf_counter(), processor_time()
        try:
            found = self.carry_out(trial, self.limit if limit is None else limit)
        except Exception:  # whatever it is: a suite goes on, and counts it, with its traceback, as a crash
            found = {"trouble": "crashed", "details": traceback.format_exc()}
        effort = Effort(time.perf_counter() - wall, processor_time() - processor)
        return self.result(**self.facts(trial), **found, effort=effort)

    def troubled(self, trial: T, trouble: Trouble, details: str, wall: float = 0.0) -> R:
        """Result of a trial that could not report one itself, after *wall* seconds."""
        return self.result(**self.facts(trial), trouble=trouble, details=details, effort=Effort(wall))
