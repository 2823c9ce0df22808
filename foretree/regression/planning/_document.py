"""What a planning suite came to, for people: the sections of the report and their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from foretree.regression.core.averages import mean, median
from foretree.regression.planning import _plots as plots
from foretree.regression.planning._remarks import remarks
from foretree.regression.planning._summary import PlanningSummary
from foretree.regression.planning.trial import PlanningEpisode
from foretree.regression.reports.document import Bullets, Document, Plot, Section, Table

if TYPE_CHECKING:
    from foretree.regression.planning._results import PlanningResults

_Cells = Callable[[PlanningSummary], str]

_FIGURES: Sequence[tuple[str, _Cells]] = (
    ("success", lambda s: str(s.success)),
    ("plans that failed", lambda s: str(s.refused)),
    ("proved cheapest", lambda s: f"{100 * s.proved.value:.1f} %"),
    ("plan cost", lambda s: f"{s.cost:.1f}"),
    ("actions", lambda s: f"{s.actions:.2f}"),
    ("first plan, median", lambda s: _seconds(s.first_median)),
    ("first plan, worst", lambda s: _seconds(s.first_worst)),
    ("proof, median", lambda s: _seconds(s.proof_median)),
    ("search alone, median", lambda s: _seconds(s.search_median)),
    ("model calls", lambda s: f"{s.asked:.1f}"),
)


def _seconds(value: float) -> str:
    """A time; a dash for what was never done, which is what exactly none means."""
    if value == 0:
        return "–"
    return f"{value:.3f} s" if value >= 0.01 else f"{1000 * value:.2f} ms"


def document(report: PlanningResults) -> Document:
    """The whole report."""
    lead = f"{report.suite.says} {len(report.episodes)} trials, seed {report.seed}."
    return Document(report.name, lead, tuple(_sections(report)))


def _sections(report: PlanningResults) -> Iterator[Section]:
    suite, reference = report.suite, report.reference
    yield Section("Remarks", (Bullets(tuple(remarks(report))),))
    yield Section(
        "By variant",
        (
            _upright("variant", tuple(report.by_variant())),
            Bullets([f"{v.name}: {v.says}" for v in suite.variants.values() if v.says]),
            Plot("Success by level and variant, in percent", plots.success(report)),
            Plot("Share of plans found, by seconds until the first plan", plots.times(report, "first")),
            Plot("Share of plans proved, by seconds until the proof", plots.times(report, "proof")),
        ),
    )
    yield Section(
        f"By setting, {reference}",
        (
            _upright("setting", tuple(report.by_setting())),
            Bullets([f"{s.name}: {s.says}" for s in suite.settings.values() if s.says]),
            Plot("Actions per plan, by level and setting", plots.by_level(report, "actions")),
            Plot("Cost per plan, by level and setting", plots.by_level(report, "cost")),
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
            *plots.per_task(report),
        ),
    )
    yield Section("Where the time goes", tuple(_break_down(report)))
    if report.growth:
        yield Section("Growth", (Plot("Planning in larger buildings", plots.growth(report.growth)),))
    yield Section("Plans without proof", tuple(_unproved(report)), long=True)
    yield Section("Tasks", (_tasks(report),), long=True)


def _upright(what: str, summaries: Sequence[PlanningSummary]) -> Table:
    """A column for each summary: there are more figures than that, and a page is only so wide."""
    return Table(
        (what, *(summary.name for summary in summaries)),
        [(heading, *(cell(summary) for summary in summaries)) for heading, cell in _FIGURES],
    )


def _break_down(report: PlanningResults) -> Iterator[Table]:
    planned = {v: [e for e in report.of(variant=v) if e.planned] for v in report.suite.variants}
    parts = dict.fromkeys(part for found in planned.values() for e in found for part in e.timing.parts)

    def row(name: str, seconds: Callable[[PlanningEpisode], float]) -> tuple[str, ...]:
        return name, *(_seconds(median(map(seconds, found))) for found in planned.values())

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
                    _seconds(median(e.timing.again_map or 0.0 for e in found)),
                    _seconds(median(e.timing.again or 0.0 for e in found)),
                )
                for variant, found in again.items()
            ],
        )


def _part(name: str, episode: PlanningEpisode) -> float:
    return episode.timing.parts.get(name, 0.0)


def _unproved(report: PlanningResults) -> Iterator[Table | str]:
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


def _tasks(report: PlanningResults) -> Table:
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
