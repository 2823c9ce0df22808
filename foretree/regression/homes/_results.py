"""Results of a suite of household tasks, added up and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from foretree.regression.core.figures import Measure
from foretree.regression.core.statistics import pair_up
from foretree.regression.core.trial import last_line
from foretree.regression.core.variants import AgentVariant
from foretree.regression.homes._draw import DrawnErrand
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._suite import HomesSuite
from foretree.regression.homes._summary import FIGURES, HomePair, found_by, paired_difference
from foretree.regression.reports.suite_report import SuiteReport, summaries


@dataclass(frozen=True)
class HomesResults(SuiteReport[HomesSuite, HomeEpisode]):
    """Results of a suite of household tasks.

    Attributes:
        drawn: the errands that were drawn.
    """

    kind = "homes"
    result = HomeEpisode
    measures = (
        Measure[HomeEpisode]("success", lambda e: e.success, 1),
        Measure[HomeEpisode]("goal conditions", lambda e: e.met, 1),
        Measure[HomeEpisode]("weighted success", lambda e: e.weighted_success, 1),
        Measure[HomeEpisode]("mistakes", lambda e: len(e.mistakes), -1),
        Measure[HomeEpisode]("illegal controls", lambda e: len(e.illegal), -1),
        Measure[HomeEpisode]("controls", lambda e: e.controls, -1, "both succeed"),
        Measure[HomeEpisode]("revisions", lambda e: e.revised, 0),
        Measure[HomeEpisode]("processor seconds", lambda e: e.effort.processor, 0),
    )

    drawn: tuple[DrawnErrand, ...] = ()

    @property
    def variants(self) -> tuple[AgentVariant, ...]:
        """The variants that were run, in the order of the suite."""
        ran = self.values("variant")
        return tuple(variant for name, variant in self.suite.variants.items() if name in ran)

    @property
    def noises(self) -> tuple[float, ...]:
        """Amounts of noise that there were."""
        return tuple(sorted({episode.noise for episode in self.episodes}))

    def at_noise(self, variant: str, noise: float | None = None, **wanted: object) -> tuple[HomeEpisode, ...]:
        """The episodes of a variant; with the suite's own noise unless another is given."""
        return self.of(variant=variant, noise=self.suite.noise if noise is None else noise, **wanted)

    def by_variant(self, noise: float | None = None) -> Mapping[str, tuple[HomeEpisode, ...]]:
        """The episodes of each variant that was run with that noise."""
        groups = {variant.name: self.at_noise(variant.name, noise) for variant in self.variants}
        return {name: group for name, group in groups.items() if group}

    def pairs_with(self, variant: str, noise: float | None = None) -> tuple[HomePair, ...]:
        """The reference and another variant, errand by errand."""
        reference = self.at_noise(self.suite.reference.name, noise)
        return pair_up(reference, self.at_noise(variant, noise), lambda e: (e.label, e.noise))

    def contrasts(self) -> Iterator[tuple[AgentVariant, str, tuple[HomePair, ...]]]:
        """Each variant but the reference, with the guard that it lacks and the pairs to compare it by."""
        for variant in self.variants:
            if variant != self.suite.reference and (found := self.pairs_with(variant.name)):
                yield variant, self.suite.without(variant), found

    def command(self, episode: HomeEpisode) -> str:
        """Command that carries one episode out again, and keeps it to be replayed."""
        seed = f" --seed {self.selection.seed}" if self.selection.seed else ""
        reviser = f" --reviser {','.join(self.suite.revisers)}" if self.suite.revisers else ""
        which = f"--only {episode.label} --variant {episode.variant} --noise {episode.noise:g}"
        return f"foretree regress {self.selection.suite} {which}{seed}{reviser} --keep"

    def extra_faults(self) -> Iterator[str]:
        """The errands that could not be drawn."""
        for drawn in self.drawn:
            if drawn.trouble:
                yield f"{drawn.label}: could not be drawn: {last_line(drawn.details)}"

    def aggregates(self) -> dict[str, Any]:
        """The summaries of variants, what each guard is worth, and the errands."""
        return {
            "variants": summaries(FIGURES, self.by_variant()),
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
            "noise": {f"{noise:g}": summaries(FIGURES, self.by_variant(noise)) for noise in self.noises},
            "errands": [asdict(drawn) for drawn in self.drawn],
        }
