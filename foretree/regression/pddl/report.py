"""The report on a folder of PDDL: coverage, cost, processor time and validity, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from foretree.regression.core.figures import Measure
from foretree.regression.core.statistics import mean, median
from foretree.regression.pddl._contest import PddlEpisode, PlannerResult
from foretree.regression.pddl._tasks import PddlTask
from foretree.regression.reports.document import Document, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.suite_report import SuiteReport, case_of

#: Seconds of processors: what takes less is not told apart from nothing, since starting alone varies as much.
RESOLUTION = 0.05


@dataclass(frozen=True)
class PddlSuite:
    """A folder of PDDL.

    Attributes:
        folder: where the problems are.
        limit: seconds of processors that each planner has for a problem.
        tasks: the problems.
        name: of the suite.
    """

    folder: Path
    limit: float
    tasks: tuple[PddlTask, ...] = ()
    name: str = "pddl"


@dataclass(frozen=True)
class PddlReport(SuiteReport[PddlSuite, PddlEpisode]):
    """Results of a folder of PDDL.

    Attributes:
        empty: the comparisons that only measured what starting takes.
    """

    kind = "pddl"
    what = "problems"
    result = PddlEpisode
    measures = (
        Measure[PddlEpisode]("decided", lambda e: e.ours.decided, 1),
        Measure[PddlEpisode]("plan cost", lambda e: e.ours.cost, -1, "both succeed"),
        Measure[PddlEpisode]("processor seconds", lambda e: e.ours.processor, 0),
    )

    empty: tuple[PddlEpisode, ...] = ()

    def starting(self) -> tuple[float, float]:
        """Seconds of processors that an empty plan takes: ours, and Fast Downward's; the medians."""
        empty = [e for e in self.empty if not e.trouble]
        return median(e.ours.processor for e in empty), median(e.theirs.processor for e in empty)

    def net(self, episode: PddlEpisode) -> tuple[float, float]:
        """Seconds of processors, ours and theirs, without those of an empty plan; at least the resolution."""
        ours, theirs = self.starting()
        return (
            max(RESOLUTION, episode.ours.processor - ours),
            max(RESOLUTION, episode.theirs.processor - theirs),
        )

    def ratio(self, episode: PddlEpisode) -> float:
        """Processor time of a problem, as a multiple of Fast Downward's."""
        ours, theirs = self.net(episode)
        return ours / theirs

    def compared(self) -> tuple[PddlEpisode, ...]:
        """The problems that both have decided: only there is it fair to compare times."""
        return tuple(e for e in self.episodes if e.ours.decided and e.theirs.decided)

    def lost(self) -> tuple[PddlEpisode, ...]:
        """The problems that Fast Downward decides and Foretree does not."""
        return tuple(e for e in self.episodes if e.theirs.decided and not e.ours.decided)

    def gained(self) -> tuple[PddlEpisode, ...]:
        """The problems that Foretree decides and Fast Downward does not."""
        return tuple(e for e in self.episodes if e.ours.decided and not e.theirs.decided)

    def cost_ratio(self) -> float:
        """Geometric mean of cost ratios, ours to theirs; 0 where nothing is to be compared."""
        logs = [
            log(e.ours.cost / e.theirs.cost)
            for e in self.compared()
            if e.ours.answer == e.theirs.answer == "solved" and e.ours.cost and e.theirs.cost
        ]
        return exp(mean(logs)) if logs else 0.0

    def aggregates(self) -> dict[str, Any]:
        """The comparison of both planners."""
        ratios = [self.ratio(e) for e in self.compared()]
        ours, theirs = self.starting()
        return {
            "folder": str(self.suite.folder),
            "limit": self.suite.limit,
            "starting": {"ours": round(ours, 3), "theirs": round(theirs, 3)},
            "decided": {
                "ours": sum(e.ours.decided for e in self.episodes),
                "theirs": sum(e.theirs.decided for e in self.episodes),
            },
            "lost": [e.name for e in self.lost()],
            "gained": [e.name for e in self.gained()],
            "processor_ratio": {"median": median(ratios), "worst": max(ratios, default=0.0)},
            "cost_ratio": self.cost_ratio(),
            "empty": [asdict(e) for e in self.empty],
        }

    def as_data(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        data, compared = super().as_data(), self.compared()
        for episode, said in zip(self.episodes, data["episodes"], strict=True):
            said["ratio"] = self.ratio(episode) if episode in compared else None
        return data

    def document(self) -> Document:
        """The report for people."""
        folder, limit = self.suite.folder, self.suite.limit
        lead = (
            f"{len(self.episodes)} problems in {folder}, {limit:g} s of processors each, beside "
            "Fast Downward's lama-first. Every plan is carried out by an independent validator."
        )
        return Document(self.name, lead, tuple(_sections(self)))

    def cases(self) -> Iterator[Case]:
        """A case for each problem."""
        for episode in self.episodes:
            folder, _, name = episode.name.rpartition("/")
            ours, theirs = episode.ours, episode.theirs
            yield case_of(
                "pddl",
                folder or "pddl",
                name,
                [episode],
                self.what,
                output="" if ours.decided else f"{ours.answer}: {ours.why}",
                properties={
                    "ours": ours.answer,
                    "theirs": theirs.answer,
                    "our_processor": f"{ours.processor:.3f}",
                    "their_processor": f"{theirs.processor:.3f}",
                },
            )

    def extra_remarks(self) -> Iterator[str]:
        """Numbers of problems decided, with ratios of time and cost."""
        yield (
            f"Decided: {sum(e.ours.decided for e in self.episodes)} of {len(self.episodes)} by Foretree, "
            f"{sum(e.theirs.decided for e in self.episodes)} by Fast Downward."
        )
        if lost := self.lost():
            yield f"Lost: {', '.join(e.name for e in lost)}."
        if gained := self.gained():
            yield f"Won: {', '.join(e.name for e in gained)}."
        ratios = {e: self.ratio(e) for e in self.compared()}
        if ratios:
            worst = max(ratios, key=ratios.__getitem__)
            yield (
                f"Processor time, that of an empty plan subtracted: {median(ratios.values()):.2f} times Fast "
                f"Downward's in the median, {ratios[worst]:.2f} times at worst ({worst.name}). Less than "
                f"{RESOLUTION:g} s counts as that."
            )
        if (cost := self.cost_ratio()) > 0:
            yield f"Plans cost {cost:.2f} times as much as Fast Downward's, in the geometric mean."


def _sections(report: PddlReport) -> Iterator[Section]:
    yield from report.closing()
    yield Section("Both planners", (_summary(report),))
    losses = [(e.name, e.ours.answer, e.ours.why) for e in report.lost()]
    if losses:
        yield Section("Lost", (Table(("problem", "answer", "why"), losses),))
    refused = [(e.name, e.theirs.answer, e.ours.why) for e in report.episodes if e.ours.answer == "refused"]
    if refused:
        yield Section("Refused", (Table(("problem", "Fast Downward", "why"), refused),))
    slowest = sorted(report.compared(), key=report.ratio, reverse=True)[:10]
    if slowest:
        yield Section("The largest ratios of processor time", (_rows(report, slowest),))
    yield Section("Problems", (_rows(report, report.episodes),), long=True)


def _summary(report: PddlReport) -> Table:
    def count(answer: str, of: Sequence[PlannerResult]) -> str:
        return str(sum(one.answer == answer for one in of))

    ours = [e.ours for e in report.episodes]
    theirs = [e.theirs for e in report.episodes]
    start = report.starting()
    nets = [report.net(e) for e in report.compared()]
    return Table(
        ("", "Foretree", "Fast Downward"),
        (
            *(
                (answer, count(answer, ours), count(answer, theirs))
                for answer in ("solved", "unsolvable", "out of limits", "refused", "broke")
            ),
            ("plans that are wrong", *(str(sum(bool(o.invalid) for o in side)) for side in (ours, theirs))),
            ("cannot be reproduced", str(sum(one.timed for one in ours)), "–"),
            ("starting, processor seconds", *(f"{seconds:.2f}" for seconds in start)),
            (
                "what both decided, without starting, in all",
                *(f"{sum(net[side] for net in nets):.1f}" for side in (0, 1)),
            ),
        ),
    )


def _rows(report: PddlReport, episodes: Sequence[PddlEpisode]) -> Table:
    compared = set(report.compared())
    return Table(
        ("problem", "ours", "theirs", "our cost", "their cost", "our seconds", "their seconds", "ratio"),
        [
            (
                e.name,
                e.ours.answer,
                e.theirs.answer,
                _cost(e.ours),
                _cost(e.theirs),
                f"{e.ours.processor:.2f}",
                f"{e.theirs.processor:.2f}",
                f"{report.ratio(e):.2f}" if e in compared else "–",
            )
            for e in episodes
        ],
    )


def _cost(result: PlannerResult) -> str:
    return str(result.cost) if result.answer == "solved" else "–"
