"""Selection from a suite: what of it is run, with which seeds, and which share of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from foretree.errors import ForetreeError, suggest

T = TypeVar("T")

#: The most digits of a number in the name of a shard.
_MOST_DIGITS = 9


class SuiteError(ForetreeError):
    """Selection that the suite does not have."""


@dataclass(frozen=True)
class Shard:
    """One of several shares of a suite, each of which is run somewhere else: every *of*-th trial."""

    index: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Read ``2/8``: the second of eight.

        Raises:
            SuiteError: it says something else.
        """
        index, slash, of = text.partition("/")
        numbers = all(n.isascii() and n.isdecimal() and len(n) <= _MOST_DIGITS for n in (index, of))
        if slash and numbers and 1 <= int(index) <= int(of):
            return cls(int(index), int(of))
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise SuiteError(f"A shard is I/N, such as 2/8 for the second of eight, not {shown!r}.")

    def holds(self, number: int) -> bool:
        """Return whether the trial of that number is in it."""
        return number % self.of == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


@dataclass(frozen=True)
class Selection:
    """Part of a suite that is run, and the way of running it. Nothing chosen means all of it.

    Attributes:
        suite: name of a suite, its file, ``pddl`` for a folder of PDDL, ``alfred`` for one of ALFRED's
            trials, or ``autogptp`` for scenarios.
        folder: the folder of PDDL, or of ALFRED's trials; or the folder or the file of scenarios.
        episodes: episodes per variant, or seeds per setting; by default as many as the suite says.
        jobs: processes; by default as many as there are processors.
        seed: decides all seeds.
        only: scenarios, tasks or problems, by name.
        variants: by name.
        settings: of a planning suite, by name.
        levels: of a planning suite's tasks.
        revisers: reviser chain of every variant that revises plans.
        optimise: what all variants make plans by: ``cost`` or ``success``; empty for what they say.
        garbage: of a language suite: kinds of garbage, or ``all``, that a model server on this machine mixes
            with its recorded answers.
        growth: a file with what larger buildings took, for the report on a planning suite.
        ablate: in homes: guards, or ``all``, without each of which it is run besides; of a language suite:
            ``affordances``, ``corrections``.
        modes: in homes: how things begin.
        splits: in homes: which layouts are drawn from; of ALFRED: ``even`` or ``odd``, rooms with such
            numbers.
        rooms: of ALFRED: the numbers of the rooms.
        descriptions: of ALFRED: whether the task is given in people's own words, instead of the goal.
        check: of ALFRED: whether homes are only made, and planned in with full knowledge.
        noise: in homes: how many times the default noise, instead of what the suite says.
        persistence: in homes: over how many metres errors of views last, instead of what the suite says.
        recovery: in homes: whether to find out, too, what share of failures caused by noise guards recover.
        sweep: in homes: whether to find out, too, how success depends on noise.
        limit: of a folder of PDDL: seconds of processors that each planner has for a problem.
        first: of a folder of PDDL: whether only the first problem of each folder is planned.
        keep: in homes: whether every episode is kept as a run.
        output: in homes and of PDDL: the folder where results are kept as they come in.
        shard: which share of the trials is run; all if None.
    """

    suite: str = "smoke"
    folder: Path | None = None
    episodes: int | None = None
    jobs: int | None = None
    seed: int = 0
    only: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    revisers: tuple[str, ...] = ()
    optimise: str = ""
    garbage: tuple[str, ...] = ()
    growth: Path | None = None
    ablate: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    rooms: tuple[int, ...] = ()
    descriptions: bool = False
    check: bool = False
    noise: float | None = None
    persistence: float | None = None
    recovery: bool = False
    sweep: bool = False
    limit: float = 30.0
    first: bool = False
    keep: bool = False
    output: Path | None = None
    shard: Shard | None = None

    def chosen(self) -> dict[str, Any]:
        """The fields that differ from their defaults, as plain data."""
        said = asdict(self)
        plain = {f.name: said[f.name] for f in fields(self) if getattr(self, f.name) != f.default}
        return {name: str(value) if isinstance(value, Path) else value for name, value in plain.items()}


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
