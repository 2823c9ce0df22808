"""The results of such a suite, added up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from foretree.regression.core.rate import summary_data
from foretree.regression.homes._draw import DrawnErrand
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._suite import HomesSuite, HomesVariant
from foretree.regression.homes._summary import (
    HomesSummary,
    Pair,
    found_by,
    paired_difference,
    pairs,
    summarise_homes,
)
from foretree.regression.reports.outline import Outline


@dataclass(frozen=True)
class HomesResults(Outline):
    """What a suite of household tasks came to.

    Attributes:
        suite: what was run.
        source: the name or file by which the suite was asked for.
        seed: what the errands' seeds were made from.
        drawn: the errands that were drawn.
        episodes: in the order of the suite, however they were run.
        wall: seconds that it took.
        processor: seconds of processors that it took, planners included.
        missing: how many more episodes were to be run when somebody interrupted it.
        kept: how many episodes were not run, since their results were there already.
    """

    suite: HomesSuite
    source: str
    seed: int
    drawn: tuple[DrawnErrand, ...]
    episodes: tuple[HomeEpisode, ...]
    wall: float = 0.0
    processor: float = 0.0
    missing: int = 0
    kept: int = 0

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite.name

    @property
    def ok(self) -> bool:
        """Whether every episode ended as it must, and every errand could be drawn."""
        return all(e.sound for e in self.episodes) and not any(drawn.trouble for drawn in self.drawn)

    @property
    def variants(self) -> tuple[HomesVariant, ...]:
        """The variants that were run, in the order of the suite."""
        ran = {episode.variant for episode in self.episodes}
        return tuple(variant for name, variant in self.suite.variants.items() if name in ran)

    def of(self, variant: str, noise: float | None = None, **wanted: str) -> tuple[HomeEpisode, ...]:
        """The episodes of a variant with these values; with the suite's own noise unless another is given."""
        at = self.suite.noise if noise is None else noise
        return tuple(
            e
            for e in self.episodes
            if e.variant == variant
            and e.noise == at
            and all(getattr(e, key) == value for key, value in wanted.items())
        )

    def pairs_with(self, variant: str, noise: float | None = None) -> tuple[Pair, ...]:
        """The reference and another variant, errand by errand."""
        return pairs(self.of(self.suite.reference.name, noise), self.of(variant, noise))

    def contrasts(self) -> Iterator[tuple[HomesVariant, str, tuple[Pair, ...]]]:
        """Each variant but the reference, with the guard that it lacks and the pairs to compare it by."""
        for variant in self.variants:
            if variant != self.suite.reference and (found := self.pairs_with(variant.name)):
                yield variant, self.suite.without(variant), found

    def summaries(self, noise: float | None = None) -> Iterator[HomesSummary]:
        """The episodes of each variant, added up."""
        for variant in self.variants:
            if found := self.of(variant.name, noise):
                yield summarise_homes(variant.name, found)

    @property
    def noises(self) -> tuple[float, ...]:
        """How much noise there was in any episode."""
        return tuple(sorted({episode.noise for episode in self.episodes}))

    def unsound(self) -> tuple[HomeEpisode, ...]:
        """The episodes that did not end as they must."""
        return tuple(episode for episode in self.episodes if not episode.sound)

    def command(self, episode: HomeEpisode) -> str:
        """What carries one episode out again, and keeps it to be replayed."""
        seed = f" --seed {self.seed}" if self.seed else ""
        reviser = f" --reviser {','.join(self.suite.revisers)}" if self.suite.revisers else ""
        which = f"--only {episode.label} --variant {episode.variant} --noise {episode.noise:g}"
        return f"foretree regress {self.source} {which}{seed}{reviser} --keep"

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            **self.outline(),
            "variants": [summary_data(summary) for summary in self.summaries()],
            "worth": [
                {
                    "reference": self.suite.reference.name,
                    "variant": variant.name,
                    "without": guard,
                    "all": paired_difference(found).as_data(),
                    "found": paired_difference(
                        [p for p in found if guard and found_by(p.one, guard)]
                    ).as_data(),
                }
                for variant, guard, found in self.contrasts()
            ],
            "noise": {
                f"{noise:g}": [summary_data(summary) for summary in self.summaries(noise)]
                for noise in self.noises
            },
            "errands": [asdict(drawn) for drawn in self.drawn],
            "episodes": [asdict(episode) for episode in self.episodes],
        }
