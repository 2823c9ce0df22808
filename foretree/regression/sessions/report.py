"""What a suite of sessions came to: the arithmetic, and the document that says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from xml.etree.ElementTree import Element

from foretree.reasoning.models.model import Spending
from foretree.regression.core.averages import mean
from foretree.regression.core.rate import Rate, summary_data
from foretree.regression.reports.document import Bullets, Document, Plot, Section, Table
from foretree.regression.reports.junit import Case, Verdict
from foretree.regression.reports.model_costs import together, told
from foretree.regression.reports.outline import Outline
from foretree.regression.reports.plots import bars
from foretree.regression.reports.remarks import in_short, unsound
from foretree.regression.sessions.episode import SessionEpisode


@dataclass(frozen=True)
class Summary:
    """The episodes of one variant, added up.

    Attributes:
        variant: its name.
        success: episodes that ended as their scenario asks.
        illegal: actions begun that the world refused, of all that were begun.
        in_view: those of them that could be seen to be impossible.
        actions: that were begun, per episode.
        skipped: actions that turned out not to be needed, per episode.
        revised: changes of the plan, per episode.
        planned: plans that a planner was asked for, per episode.
        seconds: on the session's clock, per episode.
        spent: on language models, in all episodes.
        crashed: episodes.
        hung: episodes.
        left: episodes that left a node running or an execution alive.
    """

    variant: str
    success: Rate
    illegal: Rate
    in_view: Rate
    actions: float
    skipped: float
    revised: float
    planned: float
    seconds: float
    spent: Spending
    crashed: int
    hung: int
    left: int


@dataclass(frozen=True)
class Report(Outline):
    """What a suite came to.

    Attributes:
        suite: its name.
        seed: what the episodes' seeds were made from.
        episodes: in the order of the suite, however they were run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many more episodes were to be run when somebody interrupted it.
    """

    suite: str
    seed: int
    episodes: tuple[SessionEpisode, ...]
    wall: float = 0.0
    processor: float = 0.0
    missing: int = 0

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that were run, in the order of the suite."""
        return tuple(dict.fromkeys(episode.variant for episode in self.episodes))

    def of(self, variant: str, scenario: str | None = None) -> tuple[SessionEpisode, ...]:
        """The episodes of a variant, and of a scenario if one is given."""
        return tuple(e for e in self.episodes if e.variant == variant and scenario in (None, e.scenario))

    def summary(self, variant: str) -> Summary:
        """The episodes of a variant, added up."""
        return summarise(variant, self.of(variant))

    def successes(self) -> Iterator[tuple[str, tuple[Rate, ...]]]:
        """Each scenario with its success in each variant."""
        for scenario in dict.fromkeys(episode.scenario for episode in self.episodes):
            yield scenario, tuple(_success(self.of(variant, scenario)) for variant in self.variants)

    def unsound(self) -> tuple[SessionEpisode, ...]:
        """The episodes that did not end as they must."""
        return tuple(episode for episode in self.episodes if not episode.sound)

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite

    def document(self) -> Document:
        """All of it for people."""
        return _document(self)

    def cases(self) -> Iterator[Case]:
        """A case for each scenario in each variant."""
        for variant in self.variants:
            for scenario in dict.fromkeys(episode.scenario for episode in self.of(variant)):
                yield _case(self.suite, self.of(variant, scenario))

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            **self.outline(),
            "variants": [summary_data(self.summary(variant)) for variant in self.variants],
            "episodes": [asdict(episode) for episode in self.episodes],
        }


def summarise(variant: str, episodes: Sequence[SessionEpisode]) -> Summary:
    """Add *episodes* up."""
    started = sum(e.started for e in episodes)

    return Summary(
        variant=variant,
        success=_success(episodes),
        illegal=Rate(sum(len(e.illegal) for e in episodes), started),
        in_view=Rate(sum(len(e.in_view) for e in episodes), started),
        actions=mean(e.started for e in episodes),
        skipped=mean(e.skipped for e in episodes),
        revised=mean(e.revised for e in episodes),
        planned=mean(e.planned for e in episodes),
        seconds=mean(e.seconds for e in episodes),
        spent=together(e.spent for e in episodes),
        crashed=sum(e.trouble == "crashed" for e in episodes),
        hung=sum(e.trouble == "hung" for e in episodes),
        left=sum(bool(e.running or e.alive) for e in episodes),
    )


def _success(episodes: Sequence[SessionEpisode]) -> Rate:
    return Rate(sum(e.success for e in episodes), len(episodes))


# -- for people and for services ------------------------------------------------------------------------

_HEADINGS = (
    "variant",
    "success",
    "illegal actions",
    "of them in view",
    "actions",
    "skipped",
    "revisions",
    "plans",
    "seconds",
    "crashed",
    "hung",
    "left over",
)


def _row(summary: Summary) -> tuple[str, ...]:
    return (
        summary.variant,
        str(summary.success),
        str(summary.illegal),
        str(summary.in_view.count),
        f"{summary.actions:.1f}",
        f"{summary.skipped:.2f}",
        f"{summary.revised:.2f}",
        f"{summary.planned:.2f}",
        f"{summary.seconds:.0f}",
        str(summary.crashed),
        str(summary.hung),
        str(summary.left),
    )


def _document(report: Report) -> Document:
    summaries = [report.summary(variant) for variant in report.variants]
    spent = told([(summary.variant, summary.spent, summary.success.of) for summary in summaries])
    # A column per variant: there are more figures than variants, and a page is only so wide.
    headings, *figures = zip(_HEADINGS, *map(_row, summaries), strict=True)
    scenarios = [(name, *(f"{r.count}/{r.of}" for r in rates)) for name, rates in report.successes()]
    plot = Plot("Success, in percent", _success_plot(report))
    return Document(
        report.suite,
        f"{len(report.episodes)} episodes, seed {report.seed}. Intervals are Wilson's, at 95 %; actions, "
        "skipped, revisions, plans and seconds are per episode.",
        (
            Section("Variants", (Table(headings, figures), plot, *spent)),
            Section("Success by scenario", (Table(("scenario", *report.variants), scenarios),)),
            Section("Remarks", (Bullets(tuple(_remarks(report))),)),
        ),
    )


def _success_plot(report: Report) -> Element:
    rates = [100 * report.summary(variant).success.value for variant in report.variants]
    return bars(report.variants, [("success", rates)], "success, %", top=100.0)


def _case(suite: str, episodes: Sequence[SessionEpisode]) -> Case:
    first, bad = episodes[0], [episode for episode in episodes if not episode.sound]
    verdict: Verdict = "passed"
    if bad:
        verdict = "error" if any(episode.trouble for episode in bad) else "failure"
    return Case(
        f"{suite}.{first.variant}",
        suite,
        first.scenario,
        sum(episode.effort.wall for episode in episodes),
        verdict,
        f"{len(bad)} of {len(episodes)} episodes: {_fault(bad[0])}" if bad else "",
        "\n".join(f"seed {episode.seed}: {episode.details or _fault(episode)}" for episode in bad),
        properties={"success": f"{sum(e.success for e in episodes)}/{len(episodes)}"},
    )


def _remarks(report: Report) -> Iterator[str]:
    """What a table does not say: how long it took, and which episodes did not end as they must."""
    if report.interruption:
        yield report.interruption
    if report.processor > 0:
        pace = len(report.episodes) / report.processor
        yield (
            f"{report.wall:.1f} s on the wall, {report.processor:.1f} s of processors: "
            f"{pace:.2f} episodes per second and core."
        )
    faults = [f"{e.scenario}, {e.variant}, seed {e.seed}: {_fault(e)}" for e in report.unsound()]
    yield from unsound(faults, "episodes")


def _fault(episode: SessionEpisode) -> str:
    if episode.trouble:
        return in_short(episode.trouble, episode.details)
    if episode.running:
        return f"left running: {', '.join(episode.running)}"
    if episode.alive:
        return f"left alive: {', '.join(episode.alive)}"
    return f"began what it could see to be impossible: {', '.join(episode.in_view)}"
