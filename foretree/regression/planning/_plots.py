"""The plots of a report on a planning suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from foretree.regression.core.averages import mean
from foretree.regression.planning.growth import Growth
from foretree.regression.planning.suite import RANGES
from foretree.regression.reports.document import Plot
from foretree.regression.reports.plots import Axis, Curve, bars, curves, dumbbells

if TYPE_CHECKING:
    from foretree.regression.planning._results import PlanningResults


def success(report: PlanningResults) -> Element:
    """Success by level and variant."""
    levels = _levels(report)

    def share(variant: str, level: str) -> float | None:
        found = report.of(variant=variant, level=level)
        return 100 * mean(e.success for e in found) if found else None

    given = [(variant, [share(variant, level) for level in levels]) for variant in report.suite.variants]
    return bars(levels, given, "success, %", top=100.0)


def by_level(report: PlanningResults, what: str) -> Element:
    """A figure of plans by level and setting, in the reference variant."""
    levels = _levels(report)

    def value(setting: str, level: str) -> float | None:
        found = [e for e in report.of(variant=report.reference, level=level, setting=setting) if e.success]
        return mean(getattr(e, what) for e in found) if found else None

    given = [(setting, [value(setting, level) for level in levels]) for setting in report.suite.settings]
    return bars(levels, given, what)


def times(report: PlanningResults, what: str) -> Element:
    """The share of trials that came to the first plan, or to the proof, in so many seconds."""
    given = []
    for variant in report.suite.variants:
        found = report.of(variant=variant)
        times = sorted(getattr(e.timing, what) for e in found if e.planned and (e.proved or what == "first"))
        points = [(seconds, 100 * (index + 1) / len(found)) for index, seconds in enumerate(times)]
        given.append(Curve(variant, points, steps=True))
    return curves(given, Axis("seconds", log=True), Axis("trials, %"))


def growth(lines: Sequence[Growth]) -> Element:
    """How long planning takes in larger buildings."""
    return curves(
        [Curve(line.name, line.points) for line in lines],
        Axis("times the size"),
        Axis("seconds", log=True),
    )


def per_task(report: PlanningResults) -> Iterator[Plot]:
    """Actions of each task in two settings: with two hands and one, and with open doors and closed ones."""
    for contrast in report.suite.contrasts():
        if not contrast.one.easiest:
            continue
        names = (contrast.one.name, contrast.other.name)
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


def _levels(report: PlanningResults) -> list[str]:
    return [level for level in RANGES if any(task.level == level for task in report.suite.tasks.values())]
