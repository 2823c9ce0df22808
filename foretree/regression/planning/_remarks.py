"""What the tables of a report on a planning suite do not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from foretree.regression.planning.suite import RANGES
from foretree.regression.reports.remarks import unsound

if TYPE_CHECKING:
    from foretree.regression.planning._results import PlanningResults

#: What a plan can consist of, navigation included. Together, the tasks of a suite should need all of them.
ACTIONS = (
    *("pick", "place_in", "place_on", "place_under", "open", "close", "pour", "cut", "stir", "scoop", "fold"),
    *("wipe", "turn_on", "turn_off", "hang_on", "open_door", "move"),
)


def remarks(report: PlanningResults) -> Iterator[str]:
    """What was interrupted, how long it took, what plans are made of, and what did not end as it must."""
    if report.interruption:
        yield report.interruption
    if report.processor > 0:
        yield f"{report.wall:.1f} s on the wall, {report.processor:.1f} s of processors."
    used = {action for e in report.of(variant=report.reference) for action in e.used}
    missing = [action for action in ACTIONS if action not in used]
    if missing:
        yield f"No plan uses {', '.join(missing)}."
    else:
        yield f"All {len(ACTIONS)} kinds of action are used."
    outside = [f"{name} ({found})" for name, found in _outside(report)]
    if outside:
        yield f"Not what their level says: {', '.join(outside)}."
    for name, tasks in _differing(report):
        yield f"{name}: {tasks} of {len(report.suite.tasks)} tasks."
    bad = [e for e in report.episodes if not e.sound]
    faults = [f"{e.task}, {e.setting}, {e.variant}, seed {e.seed}: {e.fault}" for e in bad]
    yield from unsound(faults, "trials")


def _differing(report: PlanningResults) -> Iterator[tuple[str, int]]:
    """In how many tasks two hands make a shorter plan, and in how many doors change it."""
    for contrast in report.suite.contrasts():
        if contrast.one.easiest:
            gains = [report.between(contrast.one, contrast.other, task=task) for task in report.suite.tasks]
            if contrast.by == "hands":
                yield "Two hands make a shorter plan in", sum(gain.shorter > 0 for gain in gains)
            else:
                yield "Doors make another plan in", sum(gain.other > 0 for gain in gains)


def _outside(report: PlanningResults) -> Iterator[tuple[str, str]]:
    """The tasks whose best plan with two hands and open doors is not what their level says."""
    for setting in report.suite.settings.values():
        if not setting.easiest:
            continue
        for name, task in report.suite.tasks.items():
            tried = report.of(variant=report.reference, task=name, setting=setting.name)
            found = [e for e in tried if e.proved]
            if not found:
                continue
            stops, actions = (sorted({getattr(e, of) for e in found}) for of in ("stops", "actions"))
            (least_stops, most_stops), (least, most) = RANGES[task.level]
            if stops[0] < least_stops or stops[-1] > most_stops or actions[0] < least or actions[-1] > most:
                yield name, f"{_span(stops)} stops, {_span(actions)} actions"


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if values[0] == values[-1] else f"{values[0]} to {values[-1]}"
