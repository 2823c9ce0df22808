"""Sections of a report on what each guard is worth: variants against the reference, errand by errand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from foretree.regression.core.statistics import Estimate
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._results import HomesResults
from foretree.regression.homes._suite import ALL
from foretree.regression.homes._summary import (
    HomePair,
    PairedDifference,
    found_by,
    largest_gains,
    paired_difference,
)
from foretree.regression.reports.document import Block, Commands, Plot, Table
from foretree.regression.reports.plots import intervals


def guards(report: HomesResults) -> Iterator[Block]:
    """Advantage of the reference over each other variant, and that where its guard found something."""
    rows, differences = [], []
    for variant, guard, given in report.contrasts():
        found = paired_difference(given)
        rows.append(_row(variant.name, len(given), found))
        differences.append((variant.name, found))
        if where := [pair for pair in given if guard and found_by(pair.one, guard)]:
            finder = "any guard" if guard == ALL else guard
            rows.append(_row(f"… where {finder} found something", len(where), paired_difference(where)))
    if not rows:
        return
    yield (
        f"How much better {report.suite.reference.name} is, pair by pair; in percentage points. A star: "
        "the interval of the difference leaves out 0. Won and lost are pairs in which it alone succeeds, or "
        "the other alone; p is how likely it is that they are split so unevenly by chance (McNemar's exact "
        "test). Controls are compared where both succeed."
    )
    yield Table(("than", *_WORTH), rows)
    for what, of in _DIFFERENCES.items():
        spans = [(name, of(found)) for name, found in differences]
        shown = [(name, 100 * e.value, (100 * e.low, 100 * e.high)) for name, e in spans]
        title = f"{what.capitalize()} of {report.suite.reference.name} minus that of the others"
        yield Plot(title, intervals(shown, "percentage points"))


#: What is said of pairs, and of what their differences are shown.
_WORTH = (
    "pairs",
    "success",
    "weighted success",
    "goal conditions",
    "weighted goal conditions",
    "won",
    "lost",
    "p",
    "controls",
)
_DIFFERENCES: Mapping[str, Callable[[PairedDifference], Estimate]] = {
    "success": lambda found: found.success,
    "weighted success": lambda found: found.weighted_success,
    "goal conditions": lambda found: found.met,
}


def _row(name: str, pairs: int, found: PairedDifference) -> tuple[str, ...]:
    controls = found.controls
    return (
        name,
        str(pairs),
        points(found.success),
        points(found.weighted_success),
        points(found.met),
        points(found.weighted_met),
        str(found.won),
        str(found.lost),
        f"{found.chance:.3f}" if found.chance >= 0.001 else "< 0.001",
        f"{controls.value:+.0f} ({controls.low:+.0f} to {controls.high:+.0f}){_star(controls)}",
    )


def where_most(report: HomesResults) -> Iterator[Block]:
    """For each guard the errands in which it mattered most, with what shows them."""
    for variant, guard, found in report.contrasts():
        if not guard:
            continue
        for pair in largest_gains(found, guard):
            one, other = pair.one, pair.other
            name = "All guards" if guard == ALL else guard.capitalize()
            yield (
                f"{name}: {one.label}, {one.instruction!r}. {report.suite.reference.name}: {_end(one)}; "
                f"{variant.name}: {_end(other)}."
            )
            yield Commands((*_shown(report, one), *_shown(report, other)))


def _shown(report: HomesResults, episode: HomeEpisode) -> tuple[str, ...]:
    """Commands that show an episode: its run if it was kept, else carrying it out again first."""
    if episode.run:
        return (f"foretree replay {episode.run}",)
    return report.command(episode), "foretree replay last"


def _end(episode: HomeEpisode) -> str:
    count, of = episode.conditions
    said = (
        "success" if episode.success else f"{count} of {of} conditions ({episode.reason or episode.outcome})"
    )
    return f"{said} after {episode.controls} controls"


def by_kind(name: str, variant: str, split: Mapping[str, Sequence[HomePair]]) -> Table:
    """Table of the advantage of the first of each pair, by kind of errand.

    Args:
        name: the first.
        variant: the second.
        split: the pairs, by kind.
    """
    rows = [_row(kind, len(given), paired_difference(given)) for kind, given in split.items()]
    return Table(("", *_WORTH), rows, f"How much better {name} is than {variant}, pair by pair")


def points(found: Estimate) -> str:
    """A difference of shares in percentage points, with a star if its interval leaves out 0."""
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f}){_star(found)}"


def _star(found: Estimate) -> str:
    return " *" if found.significant else ""
