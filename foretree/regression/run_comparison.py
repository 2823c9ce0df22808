"""Comparison of two runs of a suite, trial by trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from foretree.errors import takes_extra
from foretree.regression.core.figures import Measure
from foretree.regression.core.selection import SuiteError
from foretree.regression.core.statistics import Estimate, Pair, difference, mean, pair_up
from foretree.regression.core.trial import TrialResult
from foretree.regression.reports.document import Bullets, Document, Section, Table
from foretree.regression.saved_report import SavedReport, read_saved_report

#: Trials that got better or worse are listed up to this many.
_MOST_LISTED = 20
#: What is said above them.
_TITLES = {
    "better": "Better: succeeds in the new run only",
    "worse": "Worse: succeeded in the old run only",
    "broken": "Does not end as it must any more",
}


@dataclass(frozen=True)
class MeasuredChange:
    """The change of one measure in one variant.

    Attributes:
        variant: the variant; ``all`` where there are none.
        measure: what is measured.
        old, new: the means over the pairs that are compared.
        change: how much more it is in the new run.
    """

    variant: str
    measure: Measure[Any]
    old: float
    new: float
    change: Estimate

    @property
    def verdict(self) -> str:
        """``better`` or ``worse`` where the interval leaves out 0, else nothing."""
        if not self.measure.better or not self.change.significant:
            return ""
        return "better" if self.change.value * self.measure.better > 0 else "worse"


@dataclass(frozen=True)
class RunComparison:
    """Two runs of a suite, compared trial by trial; the first of each pair is the new one.

    Attributes:
        old, new: the reports.
        pairs: the trials that are in both.
        changes: of each measure in each variant.
    """

    old: SavedReport
    new: SavedReport
    pairs: tuple[Pair[TrialResult], ...]
    changes: tuple[MeasuredChange, ...]

    @property
    def broken(self) -> tuple[TrialResult, ...]:
        """The trials that ended as they must in the old run, and do not in the new one."""
        return tuple(pair.one for pair in self.pairs if pair.other.sound and not pair.one.sound)

    @property
    def ok(self) -> bool:
        """True if nothing got worse."""
        return not self.broken and all(change.verdict != "worse" for change in self.changes)

    def changed_success(self, success: bool) -> tuple[TrialResult, ...]:
        """The trials that succeed in the new run only, or in the old one only."""
        changed_success = (pair for pair in self.pairs if succeeded(pair.one) != succeeded(pair.other))
        return tuple(pair.one for pair in changed_success if succeeded(pair.one) == success)

    def as_data(self) -> dict[str, Any]:
        """The comparison as plain data, for JSON."""
        return {
            "suite": self.new.suite,
            "ok": self.ok,
            "pairs": len(self.pairs),
            "only_old": len(self.old.episodes) - len(self.pairs),
            "only_new": len(self.new.episodes) - len(self.pairs),
            "changes": [
                {
                    "variant": one.variant,
                    "measure": one.measure.name,
                    "old": one.old,
                    "new": one.new,
                    "change": one.change.as_data(),
                    "verdict": one.verdict,
                }
                for one in self.changes
            ],
            **self._listed(),
        }

    def document(self) -> Document:
        """The comparison for people."""
        unpaired = len(self.old.episodes) + len(self.new.episodes) - 2 * len(self.pairs)
        alone = f" {unpaired} that only one of them has are left out." if unpaired else ""
        sections = [_listing(_TITLES[what], lines) for what, lines in self._listed().items() if lines]
        paired = f"{len(self.pairs)} pairs of {self.new.report.what}."
        if all(pair.one == pair.other for pair in self.pairs):
            alone += " Nothing changed: both of each pair came to the same."
        return Document(
            f"{self.new.suite}, compared",
            f"{self.new.path} beside {self.old.path}: {paired}{alone} "
            "A star: the interval of the difference, which holds 95 %, leaves out 0.",
            (Section("Differences", (self._table(),)), *sections),
        )

    def _listed(self) -> dict[str, list[str]]:
        """The trials that are named one by one: those that got better, got worse, or broke."""
        return {
            "better": [e.title for e in self.changed_success(True)],
            "worse": [e.title for e in self.changed_success(False)],
            "broken": [f"{e.title}: {e.fault}" for e in self.broken],
        }

    def _table(self) -> Table:
        rows = [
            (
                f"{one.variant}: {one.measure.name}",
                str(one.change.of),
                f"{one.old:.3g}",
                f"{one.new:.3g}",
                _text(one.change),
                one.verdict,
            )
            for one in self.changes
        ]
        return Table(("measure", "pairs", "old", "new", "difference", "verdict"), rows)


def compare_runs(old: Path, new: Path) -> RunComparison:
    """Compare two reports on a suite.

    Args:
        old: a JSON report, or the folder it is in.
        new: another one.

    Raises:
        MissingPackageError: numpy is not installed.
        SuiteError: one cannot be read, they are of different kinds of suites, or have no trial in common.
    """
    before, after = read_saved_report(old), read_saved_report(new)
    with takes_extra("homes", "Intervals of differences"):
        import_module("numpy")
    if before.report is not after.report:
        raise SuiteError(f"{before.path} and {after.path} are of different kinds of suites.")
    identity = after.report.result.identity
    pairs = pair_up(after.episodes, before.episodes, lambda e: tuple(getattr(e, name) for name in identity))
    if not pairs:
        raise SuiteError(
            f"{before.path} and {after.path} have no trial in common, with the same {', '.join(identity)}."
        )
    return RunComparison(before, after, pairs, tuple(_changes(pairs, after.report.measures)))


def _changes(
    pairs: Sequence[Pair[TrialResult]], measures: Sequence[Measure[Any]]
) -> Iterator[MeasuredChange]:
    groups: dict[str, list[Pair[TrialResult]]] = {}
    for pair in pairs:
        groups.setdefault(getattr(pair.one, "variant", "all"), []).append(pair)
    for variant, group in groups.items():
        both = [pair for pair in group if succeeded(pair.one) and succeeded(pair.other)]
        for measure in measures:
            among = group if measure.where == "all" else both
            if among:
                old = mean(measure.of(pair.other) for pair in among)
                new = mean(measure.of(pair.one) for pair in among)
                yield MeasuredChange(variant, measure, old, new, difference(among, measure.of))


def _text(change: Estimate) -> str:
    # Rounded, so that nothing is left of what adding up leaves behind.
    value, low, high = (round(end, 9) + 0.0 for end in (change.value, change.low, change.high))
    return f"{value:+.3g} ({low:+.3g} to {high:+.3g}){' *' if change.significant else ''}"


def succeeded(episode: TrialResult) -> bool:
    """Return whether an episode of any kind was a success."""
    return bool(getattr(episode, "success", False))


def _listing(title: str, lines: Sequence[str]) -> Section:
    more = [f"And {len(lines) - _MOST_LISTED} more."] if len(lines) > _MOST_LISTED else []
    return Section(title, (Bullets([f"{title}:", *lines[:_MOST_LISTED], *more]),))
