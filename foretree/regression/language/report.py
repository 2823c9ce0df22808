"""The report on a language suite: first what was done with another meaning, then how much was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from foretree.regression.core.agent_episode import TROUBLE
from foretree.regression.core.figures import Figure, Measure, number, ratio, share
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import median, quantile
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.core.wordings import Half
from foretree.regression.language._judgement import Response
from foretree.regression.language.garbage import garbage_variants
from foretree.regression.language.suite import InstructionCase, LanguageSuite, LanguageTrial
from foretree.regression.language.suite_file import read_language_suite
from foretree.regression.language.trial import LanguageEpisode, LanguageTrials
from foretree.regression.reports.document import Bullets, Document, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.suite_report import SuiteReport, case_of, figure_table, run_fields, summaries

_Episodes = Sequence[LanguageEpisode]


def _came_to(response: str) -> Callable[[_Episodes], int]:
    return number(lambda e: e.response == response)


def _milliseconds(
    combine: Callable[[Iterable[float]], float], of: Callable[[LanguageEpisode], float | None]
) -> Callable[[_Episodes], float | None]:
    def figure(episodes: _Episodes) -> float | None:
        taken = [1000 * seconds for e in episodes if (seconds := of(e)) is not None]
        return combine(taken) if taken else None

    return figure


def _p95(values: Iterable[float]) -> float:
    return quantile(values, 0.95)


def _shown(milliseconds: float | None) -> str:
    return "–" if milliseconds is None else f"{milliseconds:.1f} ms"


#: The responses that are counted one by one.
_SHOWN_RESPONSES: tuple[Response, ...] = ("reached", "asked", "refused", "answered", "suggested", "failed")

#: What the trials of a group are added up to. Minimal plans are of all cases with a goal to be
#: reached, minimal calls of all that say how many are needed.
FIGURES: tuple[Figure[LanguageEpisode], ...] = (
    Figure("cases", len, "cases"),
    Figure("other_meaning", share(lambda e: e.response == "other"), "another meaning"),
    Figure("success", share(lambda e: e.success), "success"),
    Figure(
        "minimal_plans", ratio(lambda e: e.minimal_plan, lambda e: e.wanted == "reaches"), "minimal plans"
    ),
    Figure(
        "minimal_calls",
        ratio(lambda e: e.minimal_calls, lambda e: e.least_calls is not None),
        "minimal calls of tools",
        lambda rate: str(rate) if rate.of else "–",
    ),
    *(
        Figure(name, _came_to(name), name)
        for name in ("reached", "asked", "refused", "answered", "suggested", "failed")
    ),
    Figure("deeds", number(lambda e: not e.success and e.started), "failed after a deed"),
    Figure("no_reason", number(lambda e: not (e.success or e.reason)), "failed without a reason"),
    Figure("to_goal_median", _milliseconds(median, lambda e: e.to_goal), "to the goal, median", _shown),
    Figure("to_goal_p95", _milliseconds(_p95, lambda e: e.to_goal), "to the goal, 95th percentile", _shown),
    Figure("to_plan_median", _milliseconds(median, lambda e: e.to_plan), "goal to plan, median", _shown),
    Figure("to_plan_p95", _milliseconds(_p95, lambda e: e.to_plan), "goal to plan, 95th percentile", _shown),
    *TROUBLE,
)

#: More groups than that have a row each.
_MOST_COLUMNS = 4

#: The figures that are shown of each of many variants.
_OF_VARIANTS = tuple(
    figure
    for figure in FIGURES
    if figure.key in ("cases", "other_meaning", "success", "asked", "refused", "deeds", "no_reason", "hung")
)

#: The figures that are shown of each family.
_OF_FAMILIES = tuple(
    figure
    for figure in FIGURES
    if figure.key in ("cases", "other_meaning", "success", "minimal_plans", "asked", "refused")
)


@dataclass(frozen=True)
class LanguageReport(SuiteReport[LanguageSuite, LanguageEpisode]):
    """Results of a language suite."""

    kind = "language"
    what = "trials"
    result = LanguageEpisode
    measures = (
        Measure[LanguageEpisode]("another meaning", lambda e: e.response == "other", -1),
        Measure[LanguageEpisode]("success", lambda e: e.success, 1),
        Measure[LanguageEpisode]("cost", lambda e: e.cost, -1, "both succeed"),
        Measure[LanguageEpisode]("calls of tools", lambda e: sum(e.calls.values()), -1, "both succeed"),
        Measure[LanguageEpisode]("seconds to the goal", lambda e: e.to_goal or 0.0, 0, "both succeed"),
        Measure[LanguageEpisode]("processor seconds", lambda e: e.effort.processor, 0),
    )

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that were run, in the order of the suite."""
        return self.values("variant")

    def by_half(self, **wanted: object) -> Mapping[str, tuple[LanguageEpisode, ...]]:
        """The trials of the frozen half, of the open half, and of both, in each variant."""
        found: dict[str, tuple[LanguageEpisode, ...]] = {}
        for variant in self.variants:
            tried = tuple(self.of(variant=variant, **wanted))
            halves = {half: tuple(e for e in tried if e.half == half) for half in get_args(Half)}
            halves = {half: group for half, group in halves.items() if group}
            if len(halves) > 1:
                halves["both"] = tried
            prefix = f"{variant}, " if len(self.variants) > 1 else ""
            found |= {f"{prefix}{half}": group for half, group in halves.items()}
        return found

    def by_family(self) -> Mapping[str, tuple[LanguageEpisode, ...]]:
        """The same of each family, where the suite has any."""
        return {
            f"{family}, {name}": group
            for family in self.values("family")
            if family
            for name, group in self.by_half(family=family).items()
        }

    def aggregates(self) -> dict[str, Any]:
        """The summaries of the halves and of the families."""
        return {
            "frozen_at": self.suite.frozen_at,
            "halves": summaries(FIGURES, self.by_half(), "half"),
            "families": summaries(FIGURES, self.by_family(), "family"),
        }

    def document(self) -> Document:
        """The report for people."""
        frozen = self.suite.frozen_at
        committed = f" The frozen half was written before the reasoner, at {frozen}." if frozen else ""
        return Document(
            self.name,
            f"{len(self.episodes)} {self.what}. Another meaning: something else than the person meant was "
            "carried out, judged by the truth of the simulated world. Intervals are Wilson's, at 95 %."
            f"{committed}",
            tuple(self._sections()),
        )

    def _sections(self) -> Iterator[Section]:
        if halves := self.by_half():
            few = len(halves) <= _MOST_COLUMNS
            shown = FIGURES if few else _OF_VARIANTS
            yield Section("Results", (figure_table("half", shown, halves, upright=few),))
        if families := self.by_family():
            yield Section("Families", (figure_table("family", _OF_FAMILIES, families, upright=False),))
        if wrong := [_misread(e) for e in self.episodes if e.response == "other"]:
            yield Section("Carried out with another meaning", (Bullets(wrong),))
        rows = [
            (e.title if len(self.variants) > 1 else e.case, e.say, e.wanted, e.response, _why(e))
            for e in self.episodes
        ]
        yield Section("Cases", (Table(("case", "said", "should have", "came to", "with"), rows),), long=True)
        yield from self.closing()

    def extra_remarks(self) -> Iterator[str]:
        """The number of plans of which it is not known whether they are minimal."""
        unproved = sum(e.response == "reached" and e.least is None for e in self.episodes)
        if unproved:
            yield (
                f"In {unproved} {self.what} the goal was reached, but no plan was proved to be the "
                "cheapest in time. They count as not minimal."
            )

    def failures(self) -> Iterator[tuple[LanguageEpisode, LanguageTrials, LanguageTrial]]:
        """The trials that failed; of a thing in place of another there is no session."""
        for e in self.episodes:
            if not (e.success and e.sound) and isinstance(self.suite.cases[e.case], InstructionCase):
                yield e, LanguageTrials(self.suite), LanguageTrial(e.number, e.case, e.variant)

    def cases(self) -> Iterator[Case]:
        """A case for each trial."""
        for e in self.episodes:
            properties = {"wanted": e.wanted, "response": e.response, "half": e.half}
            group = f"{self.name}.{e.variant}"
            yield case_of(group, self.name, e.case, (e,), self.what, output=_why(e), properties=properties)


def _why(episode: LanguageEpisode) -> str:
    return episode.goal or episode.reason


def _misread(episode: LanguageEpisode) -> str:
    unasked = f"; nobody asked for {', '.join(episode.unasked)}" if episode.unasked else ""
    return f'{episode.title}: "{episode.say}" was read as {episode.goal}{unasked}'


def open_language_suite(selection: Selection) -> LanguageSuite:
    """The suite as it is selected.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    suite = read_language_suite(selection.suite).served_by(garbage_variants(selection.garbage))
    suite = suite.ablated(selection.ablate).only(selection.only, selection.variants)
    return suite.revised_by(selection.revisers)


def run_language_suite(suite: LanguageSuite, run: SuiteRun) -> LanguageReport:
    """Run a language suite.

    Ctrl-C ends it early, with a report on the trials that were done by then.
    """
    done = run.results(LanguageTrials(suite), suite.trials(), LanguageReport.what)
    return LanguageReport(suite, done.results, run.selection, **run_fields(done))
