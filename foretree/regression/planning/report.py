"""The report on a planning suite: how good plans are, how long they take, and what each part is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element

from foretree.regression.core.figures import Measure, summarise
from foretree.regression.core.selection import Selection
from foretree.regression.core.statistics import mean, median
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.planning._results import FIGURES, Gain, compare, seconds
from foretree.regression.planning.factory import HouseholdFactory, task_vocabulary
from foretree.regression.planning.growth import Growth, read_growth
from foretree.regression.planning.suite import RANGES, PlanningSuite
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.planning.trial import PlanningEpisode, PlanningTrials
from foretree.regression.reports.document import Bullets, Document, Plot, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.plots import Axis, Curve, bars, curves, dumbbells
from foretree.regression.reports.suite_report import SuiteReport, case_of, figure_table, run_fields, summaries

#: What a plan can consist of, navigation included. Together, the tasks of a suite should need all of them.
ACTIONS = (
    *("pick", "place_in", "place_on", "place_under", "open", "close", "pour", "cut", "stir", "scoop", "fold"),
    *("wipe", "turn_on", "turn_off", "hang_on", "open_door", "move"),
)


@dataclass(frozen=True)
class PlanningReport(SuiteReport[PlanningSuite, PlanningEpisode]):
    """The report on a planning suite.

    Attributes:
        growth: what larger buildings take, measured elsewhere.
    """

    kind = "planning"
    what = "trials"
    result = PlanningEpisode
    measures = (
        Measure[PlanningEpisode]("success", lambda e: e.success, 1),
        Measure[PlanningEpisode]("proved cheapest", lambda e: e.proved, 1),
        Measure[PlanningEpisode]("plan cost", lambda e: e.cost, -1, "both succeed"),
        Measure[PlanningEpisode]("actions", lambda e: e.actions, -1, "both succeed"),
        Measure[PlanningEpisode]("seconds to the first plan", lambda e: e.timing.first, 0),
        Measure[PlanningEpisode]("seconds to the proof", lambda e: e.timing.proof, 0),
    )

    growth: tuple[Growth, ...] = ()

    @property
    def reference(self) -> str:
        """The variant that the others are compared with."""
        return next(iter(self.suite.variants))

    def between(self, one: str, other: str, **wanted: str) -> Gain:
        """Gain of the reference in one setting against another."""
        found, compared = (self.of(variant=self.reference, setting=s, **wanted) for s in (one, other))
        return compare(f"{one} over {other}", found, compared, across=True)

    def gains(self) -> list[Gain]:
        """Gains by two hands, by open doors, and by each part of planning."""
        reference, *others = self.suite.variants
        return [
            *(self.between(contrast.one, contrast.other) for contrast in self.suite.contrasts()),
            *(
                compare(f"{reference} over {variant}", self.of(variant=reference), self.of(variant=variant))
                for variant in others
            ),
        ]

    def by_variant(self) -> Mapping[str, tuple[PlanningEpisode, ...]]:
        """The trials of each variant."""
        return {variant: self.of(variant=variant) for variant in self.suite.variants}

    def by_setting(self) -> Mapping[str, tuple[PlanningEpisode, ...]]:
        """The trials of the reference in each setting."""
        return {s: self.of(variant=self.reference, setting=s) for s in self.suite.settings}

    def aggregates(self) -> dict[str, Any]:
        """The summaries of variants and settings, and the gains."""
        return {
            "variants": summaries(FIGURES, self.by_variant()),
            "settings": summaries(FIGURES, self.by_setting()),
            "gains": [asdict(gain) for gain in self.gains()],
            "growth": [asdict(point) for point in self.growth],
        }

    def document(self) -> Document:
        """The report for people."""
        lead = f"{self.suite.says} {len(self.episodes)} trials, seed {self.selection.seed}."
        return Document(self.name, lead, tuple(_sections(self)))

    def cases(self) -> Iterator[Case]:
        """A case for each task in each setting and variant."""
        for variant in self.suite.variants:
            for task in self.suite.tasks:
                for setting in self.suite.settings:
                    if found := self.of(variant=variant, task=task, setting=setting):
                        yield _case(f"{self.name}.{variant}", found, self.what)

    def extra_remarks(self) -> Iterator[str]:
        """Kinds of action that plans use, and the tasks that are not what their level says."""
        used = {action for e in self.of(variant=self.reference) for action in e.used}
        missing = ", ".join(action for action in ACTIONS if action not in used)
        yield f"No plan uses {missing}." if missing else f"All {len(ACTIONS)} kinds of action are used."
        outside = [f"{name} ({found})" for name, found in _outside(self)]
        if outside:
            yield f"Not what their level says: {', '.join(outside)}."
        for name, tasks in _differing(self):
            yield f"{name}: {tasks} of {len(self.suite.tasks)} tasks."


def open_planning_suite(selection: Selection) -> PlanningSuite:
    """The suite as it is selected.

    Raises:
        ConfigError: the suite makes no sense.
        SuiteError: what was selected is not in it.
    """
    suite = read_planning_suite(selection.suite, task_vocabulary)
    return suite.only(selection.only, selection.settings, selection.variants, selection.levels)


def run_planning_suite(
    suite: PlanningSuite, run: SuiteRun, factory: HouseholdFactory | None = None
) -> PlanningReport:
    """Run a planning suite.

    Ctrl-C ends it early, with a report on the trials that were done by then.

    Args:
        suite: what to run.
        run: how.
        factory: where worlds and planners come from; it is sent to the processes.

    Raises:
        SuiteError: the file of the growth in larger buildings makes no sense.
    """
    selection = run.selection
    growth = read_growth(selection.growth) if selection.growth else ()
    kind = PlanningTrials(suite, factory or HouseholdFactory())
    done = run.results(kind, suite.trials(selection.episodes, selection.seed), PlanningReport.what)
    return PlanningReport(suite, done.results, selection, growth, **run_fields(done))


# -- sections --------------------------------------------------------------------------------------------


def _sections(report: PlanningReport) -> Iterator[Section]:
    suite, reference = report.suite, report.reference
    yield from report.closing()
    yield Section(
        "By variant",
        (
            figure_table("variant", FIGURES, report.by_variant()),
            Bullets([f"{name}: {v.says}" for name, v in suite.variants.items() if v.says]),
            Plot("Success by level and variant, in percent", _success(report)),
            Plot("Share of plans found, by seconds until the first plan", _times(report, "first")),
            Plot("Share of plans proved, by seconds until the proof", _times(report, "proof")),
        ),
    )
    yield Section(
        f"By setting, {reference}",
        (
            figure_table("setting", FIGURES, report.by_setting()),
            Bullets([f"{name}: {s.says}" for name, s in suite.settings.items() if s.says]),
            Plot("Actions per plan, by level and setting", _by_level(report, "actions")),
            Plot("Cost per plan, by level and setting", _by_level(report, "cost")),
        ),
    )
    yield Section(
        "Plan quality",
        (
            "Mean relative reduction over the trials of the same task and seed that both sides solved; in "
            "how many of these the first plan is shorter, in how many it is dearer, in how many different.",
            Table(
                ("compared", "pairs", "fewer actions", "lower cost", "shorter", "dearer", "different"),
                [
                    (
                        gain.name,
                        str(gain.pairs),
                        f"{100 * gain.actions:.1f} %",
                        f"{100 * gain.cost:.1f} %",
                        str(gain.shorter),
                        str(gain.dearer),
                        str(gain.other),
                    )
                    for gain in report.gains()
                ],
            ),
            *_per_task(report),
        ),
    )
    yield Section("Where the time goes", tuple(_break_down(report)))
    if report.growth:
        yield Section("Growth", (Plot("Planning in larger buildings", _growth(report.growth)),))
    yield Section("Plans without proof", tuple(_unproved(report)), long=True)
    yield Section("Tasks", (_tasks(report),), long=True)


def _break_down(report: PlanningReport) -> Iterator[Table]:
    planned = {v: [e for e in report.of(variant=v) if e.planned] for v in report.suite.variants}
    parts = dict.fromkeys(part for found in planned.values() for e in found for part in e.timing.parts)

    def row(name: str, of: Callable[[PlanningEpisode], float]) -> tuple[str, ...]:
        return name, *(seconds(median(map(of, found))) for found in planned.values())

    yield Table(
        ("part of the way to the first plan, median", *planned),
        [*(row(part, partial(_part, part)) for part in parts), row("all of it", lambda e: e.timing.first)],
    )
    again = {v: [e for e in found if e.again is not None] for v, found in planned.items()}
    again = {variant: found for variant, found in again.items() if found}
    if again:
        yield Table(
            ("planned again after a change", "led to the goal", "map, median", "first plan, median"),
            [
                (
                    variant,
                    f"{sum(bool(e.again) for e in found)}/{len(found)}",
                    seconds(median(e.timing.again_map or 0.0 for e in found)),
                    seconds(median(e.timing.again or 0.0 for e in found)),
                )
                for variant, found in again.items()
            ],
        )


def _part(name: str, episode: PlanningEpisode) -> float:
    return episode.timing.parts.get(name, 0.0)


def _unproved(report: PlanningReport) -> Iterator[Table | str]:
    found = [e for e in report.of(variant=report.reference) if e.planned and not e.proved]
    if not found:
        yield f"None: every plan of {report.reference} is proved to be the cheapest with what was looked at."
        return
    yield Table(
        ("task", "setting", "seed", "cost", "no plan is below", "why"),
        [
            (e.task, e.setting, str(e.seed), str(e.cost), str(e.lower_bound), e.why or "not tried")
            for e in found
        ],
    )


def _tasks(report: PlanningReport) -> Table:
    rows = []
    for name, task in report.suite.tasks.items():
        cells = []
        for setting in report.suite.settings:
            found = report.of(variant=report.reference, task=name, setting=setting)
            solved = [e for e in found if e.success]
            actions = f", {mean(e.actions for e in solved):.1f} actions" if solved else ""
            cells.append(f"{len(solved)}/{len(found)}{actions}")
        rows.append((name, task.level, *cells))
    return Table(("task", "level", *report.suite.settings), rows)


# -- plots -----------------------------------------------------------------------------------------------


def _success(report: PlanningReport) -> Element:
    """Success by level and variant."""
    levels = _levels(report)

    def share(variant: str, level: str) -> float | None:
        found = report.of(variant=variant, level=level)
        return 100 * mean(e.success for e in found) if found else None

    given = [(variant, [share(variant, level) for level in levels]) for variant in report.suite.variants]
    return bars(levels, given, "success, %", top=100.0)


def _by_level(report: PlanningReport, what: str) -> Element:
    """A figure of plans by level and setting, in the reference variant."""
    levels = _levels(report)

    def value(setting: str, level: str) -> float | None:
        found = [e for e in report.of(variant=report.reference, level=level, setting=setting) if e.success]
        return mean(getattr(e, what) for e in found) if found else None

    given = [(setting, [value(setting, level) for level in levels]) for setting in report.suite.settings]
    return bars(levels, given, what)


def _times(report: PlanningReport, what: str) -> Element:
    """The share of trials that came to the first plan, or to the proof, in so many seconds."""
    given = []
    for variant in report.suite.variants:
        found = report.of(variant=variant)
        times = sorted(getattr(e.timing, what) for e in found if e.planned and (e.proved or what == "first"))
        points = [(time, 100 * (index + 1) / len(found)) for index, time in enumerate(times)]
        given.append(Curve(variant, points, steps=True))
    return curves(given, Axis("seconds", log=True), Axis("trials, %"))


def _growth(lines: Sequence[Growth]) -> Element:
    """Curves of the planning time in larger buildings."""
    return curves(
        [Curve(line.name, line.points) for line in lines],
        Axis("times the size"),
        Axis("seconds", log=True),
    )


def _per_task(report: PlanningReport) -> Iterator[Plot]:
    """Actions of each task in two settings: with two hands and one, and with open doors and closed ones."""
    for contrast in report.suite.contrasts():
        if contrast.one not in report.suite.easiest():
            continue
        names = (contrast.one, contrast.other)
        rows = []
        for task in report.suite.tasks:
            one, other = (
                [e.actions for e in report.of(variant=report.reference, task=task, setting=name) if e.success]
                for name in names
            )
            if one and other:
                rows.append((task, mean(one), mean(other)))
        if rows:
            yield Plot(
                f"Actions of each task: {' and '.join(names)}", dumbbells(rows, names, "actions per plan")
            )


def _levels(report: PlanningReport) -> list[str]:
    return [level for level in RANGES if any(task.level == level for task in report.suite.tasks.values())]


# -- cases and remarks -----------------------------------------------------------------------------------


def _case(suite: str, found: Sequence[PlanningEpisode], what: str) -> Case:
    """It fails where the whole report is not ok. What else did not succeed is told, not held against it."""
    first, failed = found[0], [e for e in found if not e.success]
    lines = []
    if failed:
        lines.append(f"{len(failed)} of {len(found)} {what} did not succeed.")
        if not first.must:
            lines.append("This variant is there for comparison: its plans need not be possible.")
        lines += [f"seed {e.seed}: {e.shortfall}" for e in failed]
    figures = summarise(FIGURES, found)
    properties = {
        "comparison": "false" if first.must else "true",
        "success": f"{figures['success'].count}/{figures['success'].of}",
        "proved": f"{figures['proved'].count}/{figures['proved'].of}",
        "cost": f"{figures['cost']:.1f}",
        "actions": f"{figures['actions']:.1f}",
        "first_plan_median": f"{figures['first_median']:.3f}",
        "proof_median": f"{figures['proof_median']:.3f}",
    }
    group = f"{first.level}.{first.task}"
    return case_of(suite, group, first.setting, found, what, output="\n".join(lines), properties=properties)


def _differing(report: PlanningReport) -> Iterator[tuple[str, int]]:
    """Numbers of tasks in which two hands make a shorter plan, and in which doors change it."""
    for contrast in report.suite.contrasts():
        if contrast.one in report.suite.easiest():
            gains = [report.between(contrast.one, contrast.other, task=task) for task in report.suite.tasks]
            if contrast.by == "hands":
                yield "Two hands make a shorter plan in", sum(gain.shorter > 0 for gain in gains)
            else:
                yield "Doors make another plan in", sum(gain.other > 0 for gain in gains)


def _outside(report: PlanningReport) -> Iterator[tuple[str, str]]:
    """The tasks whose best plan with two hands and open doors is not what their level says."""
    for setting in report.suite.easiest():
        for name, task in report.suite.tasks.items():
            tried = report.of(variant=report.reference, task=name, setting=setting)
            found = [e for e in tried if e.proved]
            if not found:
                continue
            stops, actions = (sorted({getattr(e, of) for e in found}) for of in ("stops", "actions"))
            (least_stops, most_stops), (least, most) = RANGES[task.level]
            if stops[0] < least_stops or stops[-1] > most_stops or actions[0] < least or actions[-1] > most:
                yield name, f"{_span(stops)} stops, {_span(actions)} actions"


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if values[0] == values[-1] else f"{values[0]} to {values[-1]}"
