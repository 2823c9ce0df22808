"""The report on tasks from words: what was done with another meaning, then what failed, and at which part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from foretree.regression.core.figures import Figure, Measure, average, digits, number, share
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import median, quantile
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.core.wordings import Half
from foretree.regression.reports.document import Bullets, Document, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.suite_report import SuiteReport, case_of, figure_table, run_fields, summaries
from foretree.regression.words.suite import OR, SUCCESS, Failure, WordsSuite, read_words_suite
from foretree.regression.words.trial import WordsEpisode, WordsTrials

_Groups = Mapping[str, Sequence[WordsEpisode]]


def _milliseconds(
    combine: Callable[[Iterable[float]], float], of: Callable[[WordsEpisode], float | None]
) -> Callable[[Sequence[WordsEpisode]], float]:
    return lambda episodes: 1000 * combine(s for e in episodes if (s := of(e)) is not None)


def _p95(values: Iterable[float]) -> float:
    return quantile([*values] or [0.0], 0.95)


def _blamed(part: str) -> Callable[[WordsEpisode], bool]:
    return lambda e: e.failure == part


#: The parts that can be to blame, in their order.
FAILURES: tuple[Failure, ...] = get_args(Failure)

#: How long the parts take: what they are called, seconds, and what they are from and to.
_TIMES: Sequence[tuple[str, Callable[[WordsEpisode], float | None], str]] = (
    ("to_goal", lambda e: e.to_goal, "to the goal"),
    ("to_plan", lambda e: e.to_plan, "from the goal to a plan"),
)

#: What the trials of a group are added up to.
FIGURES: tuple[Figure[WordsEpisode], ...] = (
    Figure("trials", len, "trials"),
    Figure("other_meaning", share(lambda e: e.other_meaning), "another meaning"),
    Figure("success", share(lambda e: e.success), "success"),
    *(Figure(part, share(_blamed(part)), f"failed: {part}") for part in FAILURES),
    Figure("nodes", average(lambda e: e.nodes), "nodes", digits(1)),
    *(
        Figure(f"{key}_{name}", _milliseconds(combine, of), f"ms {what}, {name}", digits(0))
        for key, of, what in _TIMES
        for name, combine in (("median", median), ("p95", _p95))
    ),
    Figure("crashed", number(lambda e: e.trouble == "crashed"), "crashed"),
    Figure("hung", number(lambda e: e.trouble == "hung"), "hung"),
)

#: Those that are shown of each wording and level.
_OF_GROUPS = tuple(f for f in FIGURES if f.key in ("trials", "other_meaning", "success", *FAILURES))


@dataclass(frozen=True)
class WordsReport(SuiteReport[WordsSuite, WordsEpisode]):
    """Results of a suite of tasks from words."""

    kind = "words"
    what = "trials"
    result = WordsEpisode
    measures = (
        Measure[WordsEpisode]("another meaning", lambda e: e.other_meaning, -1),
        Measure[WordsEpisode]("success", lambda e: e.success, 1),
        Measure[WordsEpisode]("nodes retrieved", lambda e: e.nodes, 0),
        Measure[WordsEpisode]("seconds to the goal", lambda e: e.to_goal or 0.0, 0, "both succeed"),
    )

    @property
    def reference(self) -> str:
        """The variant that stands beside what was published."""
        return next(iter(self.suite.variants))

    def by_half(self) -> _Groups:
        """The trials of the frozen wordings, of the open ones, and of both, in each variant."""
        found: dict[str, Sequence[WordsEpisode]] = {}
        for variant in self.suite.variants:
            prefix = f"{variant}, " if len(self.suite.variants) > 1 else ""
            halves = {half: self.of(variant=variant, half=half) for half in get_args(Half)}
            found |= {f"{prefix}{half}": group for half, group in halves.items() if group}
            found[f"{prefix}both"] = self.of(variant=variant)
        return {name: group for name, group in found.items() if group}

    def by(self, key: str) -> _Groups:
        """The trials of the reference by one of their fields."""
        values = self.values(key)
        found = {value: self.of(variant=self.reference, **{key: value}) for value in values}
        return {value: group for value, group in found.items() if group}

    def aggregates(self) -> dict[str, Any]:
        """The summaries of halves, wordings and levels."""
        return {
            "frozen_at": self.suite.planning.frozen_at,
            "published": dict(self.suite.published or {}),
            "halves": summaries(FIGURES, self.by_half(), "half"),
            "wordings": summaries(FIGURES, self.by("wording"), "wording"),
            "levels": summaries(FIGURES, self.by("level"), "level"),
        }

    def document(self) -> Document:
        """The report for people."""
        frozen = self.suite.planning.frozen_at
        committed = (
            f" The frozen wordings were written before they were tried, at {frozen}." if frozen else ""
        )
        lead = (
            f"{self.suite.says} {len(self.episodes)} {self.what}, seed {self.selection.seed}. Another "
            "meaning: something else than the person meant was carried out and would be reported as done, "
            "judged by the truth of the simulated world. Intervals are Wilson's, at 95 %."
            f"{committed}"
        )
        return Document(self.name, lead, tuple(self._sections()))

    def _sections(self) -> Iterator[Section]:
        suite, halves = self.suite, self.by_half()
        if wrong := [_misread(e) for e in self.episodes if e.other_meaning]:
            yield Section("Carried out with another meaning", (Bullets(wrong),))
        says = [f"{name}: {variant.says}" for name, variant in suite.variants.items() if variant.says]
        yield Section("Results", (figure_table("half", FIGURES, halves), Bullets(says)))
        if suite.published and halves:
            yield Section("Beside what was published", (self._beside(suite.published),))
        tables = [
            figure_table(key, _OF_GROUPS, found, upright=False)
            for key in ("wording", "level", "setting")
            if (found := self.by(key))
        ]
        yield Section(f"By wording, level and setting, {self.reference}", tuple(tables))
        rows = [(e.title, e.say, e.failure, e.goal or e.reason) for e in self.episodes if e.failure]
        yield Section("Failures", (Table(("trial", "said", "to blame", "with"), rows),), long=True)
        yield from self.closing()

    def _beside(self, published: Mapping[str, float]) -> Table:
        """The shares of the reference beside the published ones. A name may be of several parts."""
        tried = self.of(variant=self.reference)
        halves = {half: [e for e in tried if e.half == half] for half in get_args(Half)}
        rows = []
        for name, percent in published.items():
            counted = share(partial(_came_to, tuple(name.split(OR))))
            rows.append((name, f"{percent:.2f} %", *(str(counted(group)) for group in halves.values())))
        return Table(("share of trials", "published", *halves), rows)

    def cases(self) -> Iterator[Case]:
        """A case for each trial."""
        for e in self.episodes:
            properties = {"half": e.half, "success": str(e.success).lower(), "failure": e.failure}
            group = f"{self.name}.{e.variant}"
            yield case_of(group, f"{e.level}.{e.task}", e.title, (e,), self.what, properties=properties)


def _came_to(outcomes: Sequence[str], episode: WordsEpisode) -> bool:
    return (episode.failure or SUCCESS) in outcomes


def _misread(episode: WordsEpisode) -> str:
    unasked = f"; nobody asked for {', '.join(episode.unasked)}" if episode.unasked else ""
    return f'{episode.title}: "{episode.say}" was read as {episode.goal}{unasked}'


def open_words_suite(selection: Selection) -> WordsSuite:
    """The suite as it is selected.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    suite = read_words_suite(selection.suite)
    return suite.only(selection.only, selection.settings, selection.variants, selection.levels)


def run_words_suite(suite: WordsSuite, run: SuiteRun) -> WordsReport:
    """Run a suite of tasks from words.

    Ctrl-C ends it early, with a report on the trials that were done by then.
    """
    selection = run.selection
    trials = suite.trials(selection.episodes, selection.seed)
    done = run.results(WordsTrials(suite), trials, WordsReport.what)
    return WordsReport(suite, done.results, selection, **run_fields(done))
