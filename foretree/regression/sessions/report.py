"""The report on a suite of sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foretree.regression.core.agent_episode import TROUBLE
from foretree.regression.core.figures import Figure, Measure, average, digits, just_count, ratio
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import Rate
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.reports.document import Document, Plot, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.plots import bars
from foretree.regression.reports.suite_report import (
    SuiteReport,
    case_of,
    figure_table,
    model_costs,
    run_fields,
    summaries,
    total_spending,
)
from foretree.regression.sessions.episode import SessionEpisode, SessionTrials
from foretree.regression.sessions.suite import ScenarioTrial, Suite, read_suite


def _success(episodes: Sequence[SessionEpisode]) -> Rate:
    return Rate(sum(e.success for e in episodes), len(episodes))


#: What the episodes of a variant are added up to. Illegal actions are those that the world refused, of all
#: that were begun; what is not a rate is per episode.
FIGURES: tuple[Figure[SessionEpisode], ...] = (
    Figure("success", _success, "success"),
    Figure("illegal", ratio(lambda e: len(e.illegal), lambda e: e.started), "illegal actions"),
    Figure("in_view", ratio(lambda e: len(e.in_view), lambda e: e.started), "of them in view", just_count),
    Figure("actions", average(lambda e: e.started), "actions", digits(1)),
    Figure("skipped", average(lambda e: e.skipped), "skipped", digits(2)),
    Figure("revised", average(lambda e: e.revised), "revisions", digits(2)),
    Figure("planned", average(lambda e: e.planned), "plans", digits(2)),
    Figure("seconds", average(lambda e: e.seconds), "seconds", digits(0)),
    Figure("spent", lambda episodes: total_spending(e.spent for e in episodes)),
    *TROUBLE,
)


@dataclass(frozen=True)
class SessionReport(SuiteReport[Suite, SessionEpisode]):
    """Results of a suite of sessions."""

    kind = "sessions"
    result = SessionEpisode
    measures = (
        Measure[SessionEpisode]("success", lambda e: e.success, 1),
        Measure[SessionEpisode]("illegal actions", lambda e: len(e.illegal), -1),
        Measure[SessionEpisode]("actions", lambda e: e.started, -1, "both succeed"),
        Measure[SessionEpisode]("revisions", lambda e: e.revised, 0),
        Measure[SessionEpisode]("plans", lambda e: e.planned, 0),
        Measure[SessionEpisode]("seconds", lambda e: e.seconds, -1, "both succeed"),
        Measure[SessionEpisode]("processor seconds", lambda e: e.effort.processor, 0),
    )

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that were run, in the order of the suite."""
        return self.values("variant")

    def by_variant(self) -> Mapping[str, tuple[SessionEpisode, ...]]:
        """The episodes of each variant."""
        return {variant: self.of(variant=variant) for variant in self.variants}

    def aggregates(self) -> dict[str, Any]:
        """The summary of each variant."""
        return {"variants": summaries(FIGURES, self.by_variant(), "variant")}

    def document(self) -> Document:
        """The report for people."""
        groups = self.by_variant()
        rates = [100 * _success(group).value for group in groups.values()]
        plot = bars(self.variants, [("success", rates)], "success, %", top=100.0)
        spent = {name: (total_spending(e.spent for e in group), len(group)) for name, group in groups.items()}
        return Document(
            self.name,
            f"{len(self.episodes)} episodes, seed {self.selection.seed}. Intervals are Wilson's, at 95 %; "
            "actions, skipped, revisions, plans and seconds are per episode.",
            (
                Section(
                    "Variants",
                    (
                        figure_table("variant", FIGURES, groups),
                        Plot("Success, in percent", plot),
                        *model_costs(spent),
                    ),
                ),
                Section(
                    "Success by scenario", (Table(("scenario", *self.variants), list(self._by_scenario())),)
                ),
                *self.closing(),
            ),
        )

    def cases(self) -> Iterator[Case]:
        """A case for each scenario in each variant."""
        for variant in self.variants:
            for scenario in self.values("scenario"):
                if found := self.of(variant=variant, scenario=scenario):
                    rate = _success(found)
                    success = {"success": f"{rate.count}/{rate.of}"}
                    yield case_of(
                        f"{self.name}.{variant}", self.name, scenario, found, self.what, properties=success
                    )

    def failures(self) -> Iterator[tuple[SessionEpisode, SessionTrials, ScenarioTrial]]:
        """The episodes that failed."""
        for e in self.episodes:
            if not (e.success and e.sound):
                trial = ScenarioTrial(e.number, e.scenario, e.variant, e.seed)
                yield e, SessionTrials(self.suite), trial

    def _by_scenario(self) -> Iterator[tuple[str, ...]]:
        for scenario in self.values("scenario"):
            rates = (_success(self.of(variant=variant, scenario=scenario)) for variant in self.variants)
            yield scenario, *(f"{rate.count}/{rate.of}" for rate in rates)


def open_session_suite(selection: Selection) -> Suite:
    """The suite as it is selected.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    suite = read_suite(selection.suite).only(selection.only, selection.variants)
    return suite.revised_by(selection.revisers).optimised_for(selection.optimise)


def run_session_suite(suite: Suite, run: SuiteRun) -> SessionReport:
    """Run a suite of sessions.

    Ctrl-C ends it early, with a report on the episodes that were done by then.
    """
    trials = suite.trials(run.selection.episodes, run.selection.seed)
    done = run.results(SessionTrials(suite), trials, SessionReport.what)
    return SessionReport(suite, done.results, run.selection, **run_fields(done))
