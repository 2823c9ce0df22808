"""The results of such a suite, added up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from foretree.regression.core.rate import summary_data
from foretree.regression.planning._gain import Gain, compare
from foretree.regression.planning._summary import PlanningSummary, summarise_trials
from foretree.regression.planning.growth import Growth
from foretree.regression.planning.suite import PlanningSuite, TrialSetting
from foretree.regression.planning.trial import PlanningEpisode
from foretree.regression.reports.outline import Outline


@dataclass(frozen=True)
class PlanningResults(Outline):
    """What a planning suite came to.

    Attributes:
        suite: what was run.
        seed: what the trials' seeds were made from.
        episodes: in the order of the suite, however they were run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many more trials were to be run when somebody interrupted it.
        growth: what larger buildings take, measured elsewhere.
    """

    what = "trials"

    suite: PlanningSuite
    seed: int
    episodes: tuple[PlanningEpisode, ...]
    wall: float = 0.0
    processor: float = 0.0
    missing: int = 0
    growth: tuple[Growth, ...] = ()

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite.name

    @property
    def reference(self) -> str:
        """The variant that the others are compared with."""
        return next(iter(self.suite.variants))

    def of(self, **wanted: str) -> tuple[PlanningEpisode, ...]:
        """The episodes with these values: ``report.of(variant="full", level="simple")``."""
        return tuple(e for e in self.episodes if all(getattr(e, key) == wanted[key] for key in wanted))

    def between(self, one: TrialSetting, other: TrialSetting, **wanted: str) -> Gain:
        """How much shorter plans of the reference are in one setting than in another."""
        found, compared = (self.of(variant=self.reference, setting=s.name, **wanted) for s in (one, other))
        return compare(f"{one.name} over {other.name}", found, compared, across=True)

    def gains(self) -> Iterator[Gain]:
        """What two hands are worth, what closed doors cost, and what each part of planning contributes."""
        for contrast in self.suite.contrasts():
            yield self.between(contrast.one, contrast.other)
        reference, *others = self.suite.variants
        for variant in others:
            yield compare(f"{reference} over {variant}", self.of(variant=reference), self.of(variant=variant))

    def by_variant(self) -> Iterator[PlanningSummary]:
        """The trials of each variant, added up."""
        for variant in self.suite.variants:
            yield summarise_trials(variant, self.of(variant=variant))

    def by_setting(self) -> Iterator[PlanningSummary]:
        """The trials of the reference in each setting, added up."""
        for setting in self.suite.settings:
            yield summarise_trials(setting, self.of(variant=self.reference, setting=setting))

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            **self.outline(),
            "variants": [summary_data(summary) for summary in self.by_variant()],
            "settings": [summary_data(summary) for summary in self.by_setting()],
            "gains": [asdict(gain) for gain in self.gains()],
            "growth": [asdict(point) for point in self.growth],
            "episodes": [asdict(episode) for episode in self.episodes],
        }
