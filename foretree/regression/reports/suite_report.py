"""The report on a suite of any kind: its results added up, told to people, and listed as tests.

A kind of suite fills in a :class:`SuiteReport`: which figures its results are added up to, what its document
says besides, and which of its results make a test case.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import reduce
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from foretree.reasoning.models.model import Spending
from foretree.regression.core.agent_episode import SessionTrialKind
from foretree.regression.core.figures import Figure, Measure, Summary, summarise, summary_data
from foretree.regression.core.runner import Done
from foretree.regression.core.selection import Selection
from foretree.regression.core.trial import TrialResult
from foretree.regression.reports.document import Block, Bullets, Document, Links, Section, Table
from foretree.regression.reports.junit import Case, Verdict

#: What did not end as it must is listed one by one up to this many.
_MOST_LISTED = 20


class Named(Protocol):
    """A suite, as far as its report is concerned."""

    @property
    def name(self) -> str:
        """Its name."""
        ...


S = TypeVar("S", bound=Named)
R = TypeVar("R", bound=TrialResult)


@dataclass(frozen=True)
class SuiteReport(ABC, Generic[S, R]):
    """Results of a suite.

    Attributes:
        kind: the kind of suites that it is for.
        what: what its results are called.
        result: the class of its results.
        measures: what two runs are compared by, result by result.
        suite: what was run.
        episodes: the results in the order of the suite, however they were run.
        selection: what of the suite was run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many more were to be run when it was interrupted.
        reused: how many were not run, since their results were there already.
        replays: pages of failed results, by name and path from the report.
    """

    kind: ClassVar[str]
    what: ClassVar[str] = "episodes"
    result: ClassVar[type[TrialResult]]
    measures: ClassVar[tuple[Measure[Any], ...]]

    suite: S
    episodes: tuple[R, ...]
    selection: Selection = field(default=Selection())
    wall: float = field(default=0.0, kw_only=True)
    processor: float = field(default=0.0, kw_only=True)
    missing: int = field(default=0, kw_only=True)
    reused: int = field(default=0, kw_only=True)
    replays: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)

    # -- what a kind fills in ----------------------------------------------------------------------
    @abstractmethod
    def aggregates(self) -> dict[str, Any]:
        """The summaries, as plain data."""

    @abstractmethod
    def document(self) -> Document:
        """The report for people."""

    @abstractmethod
    def cases(self) -> Iterator[Case]:
        """The results as a list of tests."""

    def extra_remarks(self) -> Iterator[str]:
        """Remarks that only this kind has."""
        yield from ()

    def extra_faults(self) -> Iterator[str]:
        """Faults apart from those of the results."""
        yield from ()

    def failures(self) -> Iterator[tuple[TrialResult, SessionTrialKind[Any, Any], Any]]:
        """The results of sessions that failed, each with its kind and its trial: it can be recorded."""
        yield from ()

    # -- what all have in common -------------------------------------------------------------------
    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite.name

    @property
    def complete(self) -> bool:
        """True if all of it was run."""
        return not self.missing

    @property
    def interruption(self) -> str:
        """Remark on how much was run, if it was interrupted."""
        done = len(self.episodes)
        return f"Interrupted: {done} of {done + self.missing} {self.what} were run." if self.missing else ""

    @property
    def ok(self) -> bool:
        """True if every result is as it must be, whether or not goals were reached."""
        return all(episode.sound for episode in self.episodes) and not any(self.extra_faults())

    def of(self, **wanted: object) -> tuple[R, ...]:
        """The results with these values: ``report.of(variant="full", level="simple")``."""
        return tuple(e for e in self.episodes if all(getattr(e, key) == wanted[key] for key in wanted))

    def values(self, key: str) -> tuple[str, ...]:
        """The values of a field of the results, in the order in which they come."""
        return tuple(dict.fromkeys(getattr(episode, key) for episode in self.episodes))

    def as_data(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {
            "suite": self.name,
            "kind": self.kind,
            "selection": self.selection.chosen(),
            "seed": self.selection.seed,
            "ok": self.ok,
            "complete": self.complete,
            "missing": self.missing,
            "wall": round(self.wall, 3),
            "processor": round(self.processor, 3),
            **self.aggregates(),
            "episodes": [asdict(episode) for episode in self.episodes],
        }

    def closing(self) -> Iterator[Section]:
        """The last sections: replays, and what no table says: time taken, what did not end as it must."""
        if self.replays:
            yield Section("Replays of failed episodes", (Links(self.replays),))
        yield Section("Remarks", (Bullets(tuple(self._remarks())),))

    def _remarks(self) -> Iterator[str]:
        if self.interruption:
            yield self.interruption
        if self.selection.shard is not None:
            yield f"This is shard {self.selection.shard}; `foretree regress merge` puts all of them together."
        if self.reused:
            yield f"{self.reused} {self.what} were taken from the results that were there already."
        ran = len(self.episodes) - self.reused
        if self.processor > 0 and ran > 0:
            yield (
                f"{self.wall:.1f} s on the wall, {self.processor:.1f} s of processors: "
                f"{ran / self.processor:.2f} {self.what} per second and core."
            )
        yield from self.extra_remarks()
        faults = [*self.extra_faults(), *(f"{e.title}: {e.fault}" for e in self.episodes if not e.sound)]
        yield from faults[:_MOST_LISTED]
        if len(faults) > _MOST_LISTED:
            yield f"And {len(faults) - _MOST_LISTED} more {self.what} did not end as they must."


def run_fields(done: Done[Any]) -> dict[str, Any]:
    """Fields of a report that say how its results were run."""
    return {name: getattr(done, name) for name in ("wall", "processor", "missing", "reused")}


def summaries(
    figures: Sequence[Figure[R]], groups: Mapping[str, Sequence[R]], key: str = "name"
) -> list[dict[str, Any]]:
    """Summaries of groups of results, each with the name of its group, as plain data."""
    return [{key: name, **summary_data(summarise(figures, group))} for name, group in groups.items()]


def figure_table(
    what: str, figures: Sequence[Figure[R]], groups: Mapping[str, Sequence[R]], upright: bool = True
) -> Table:
    """A table of figures of groups of results.

    Args:
        what: what the groups are.
        figures: those with a heading are shown.
        groups: the results of each.
        upright: whether there is a column for each group instead of a row: a page is only so wide.
    """
    shown = [figure for figure in figures if figure.heading]
    found: dict[str, Summary] = {name: summarise(shown, group) for name, group in groups.items()}
    rows = [
        (what, *(figure.heading for figure in shown)),
        *((name, *(figure.show(one[figure.key]) for figure in shown)) for name, one in found.items()),
    ]
    headings, *cells = zip(*rows, strict=True) if upright else rows
    return Table(headings, cells)


def case_of(
    suite: str, group: str, name: str, results: Sequence[TrialResult], what: str, **more: Any
) -> Case:
    """The test case of some results: it fails where one of them did not end as it must.

    Args:
        suite, group, name: where it is listed.
        results: at least one.
        what: what the results are called.
        more: what else is said of it.
    """
    bad = [result for result in results if not result.sound]
    verdict: Verdict = "passed"
    if bad:
        verdict = "error" if any(result.trouble for result in bad) else "failure"
    return Case(
        suite,
        group,
        name,
        sum(result.effort.wall for result in results),
        verdict,
        f"{len(bad)} of {len(results)} {what}: {bad[0].fault}" if bad else "",
        "\n".join(f"{result.title}: {result.details or result.fault}" for result in bad),
        **more,
    )


# -- language models -------------------------------------------------------------------------------------


def total_spending(spent: Iterable[Spending]) -> Spending:
    """All of it together."""
    return reduce(Spending.with_, spent, Spending())


def model_costs(spent: Mapping[str, tuple[Spending, int]]) -> Iterator[Block]:
    """Table of what each variant has spent on models, with its episodes; nothing if none was asked."""
    if not any(one.questions for one, _ in spent.values()):
        return
    yield "What was spent on language models in all episodes. Costs are in the currency of the prices."
    yield Table(
        ("variant", "questions", "requests", "tokens asked", "tokens answered", "cost", "cost per episode"),
        [
            (
                name,
                *map(str, (one.questions, one.calls, one.asked, one.answered)),
                f"{one.cost:.4f}",
                f"{one.cost / max(1, episodes):.6f}",
            )
            for name, (one, episodes) in spent.items()
        ],
    )
