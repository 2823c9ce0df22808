"""The report on a suite of household tasks: results added up and compared, tables, and plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from foretree.regression.core.figures import Measure
from foretree.regression.core.statistics import Estimate, Rate, pair_up
from foretree.regression.core.trial import last_line
from foretree.regression.core.variants import AgentVariant
from foretree.regression.homes._draw import DrawnErrand
from foretree.regression.homes._episode import HomeEpisode, HomesTrial, HomeTrials
from foretree.regression.homes._mishaps import mishap_blocks, unwanted_table
from foretree.regression.homes._recovery import (
    NoiseRecovery,
    recovery_blocks,
    recovery_from,
    recovery_pairs,
)
from foretree.regression.homes._summary import (
    FIGURES,
    WORTH,
    HomePair,
    PairedDifference,
    cause_of,
    causes,
    comparison_by_kind,
    found_by,
    largest_gains,
    paired_difference,
    points,
    success_of,
    worth_row,
)
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.regression.homes.suite import ALL, HomesSuite
from foretree.regression.reports.document import Block, Commands, Document, Plot, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.plots import Axis, Curve, curves, dumbbells, intervals
from foretree.regression.reports.suite_report import (
    SuiteReport,
    case_of,
    figure_table,
    model_costs,
    summaries,
    total_spending,
)

#: How many causes of failure are told.
_CAUSES = 12


@dataclass(frozen=True)
class HomesReport(SuiteReport[HomesSuite, HomeEpisode]):
    """The report on a suite of household tasks.

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

    #: What intervals are.
    intervals_are: ClassVar[str] = "Intervals hold 95 %: Wilson's of shares, of means those of a bootstrap."

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
                yield variant, self.suite.stands_for(variant), found

    def recoveries(self) -> tuple[NoiseRecovery, ...]:
        """The failures that noise has caused, and which of them are recovered, as far as measured."""
        found = (
            recovery_from(self.episodes, failing, rescuer, noise)
            for noise in self.noises
            if noise
            for failing, rescuer in recovery_pairs(self.suite)
        )
        return tuple(one for one in found if one.judged)

    def command(self, episode: HomeEpisode) -> str:
        """Command that carries one episode out again, and keeps it to be replayed."""
        seed = f" --seed {self.selection.seed}" if self.selection.seed else ""
        reviser = f" --reviser {','.join(self.suite.revisers)}" if self.suite.revisers else ""
        lasting = self.selection.persistence
        persistence = "" if lasting is None else f" --noise-persistence {lasting:g}"
        which = f"--only {episode.label} --variant {episode.variant} --noise {episode.noise:g}"
        return f"foretree regress {self.selection.suite} {which}{persistence}{seed}{reviser} --keep"

    def kinds_of(self, episode: HomeEpisode) -> tuple[str, ...]:
        """The kinds of errands that an episode's errand is of."""
        several = FAMILIES[episode.family].several
        return "several things or steps" if several else "one or two things", episode.mode, episode.split

    def kinds(self) -> tuple[str, ...]:
        """The kinds of errands that there are, in order."""
        every = ("one or two things", "several things or steps", *self.suite.modes, *self.suite.splits)
        return tuple(kind for kind in every if any(kind in self.kinds_of(e) for e in self.episodes))

    @property
    def introduction(self) -> str:
        """Return what was run, and what the figures are."""
        return (
            f"{len(self.episodes)} episodes, seed {self.selection.seed}, {self.suite.noise:g} times the "
            f"default noise. {self.intervals_are} Weighted is what is multiplied by the length of the best "
            "plan known, made with full knowledge, and divided by the controls that it took; other figures "
            "are per episode."
        )

    def extra_sections(self) -> Iterator[Section]:
        """Sections that only some suites have."""
        yield from ()

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
            "recovery": [recovery.as_data() for recovery in self.recoveries()],
            "noise": {f"{noise:g}": summaries(FIGURES, self.by_variant(noise)) for noise in self.noises},
            "errands": [asdict(drawn) for drawn in self.drawn],
        }

    def document(self) -> Document:
        """The report for people."""
        sections = [
            Section("Variants", tuple(_variants(self))),
            Section("What guards are worth", tuple(_guards(self))),
            Section("What should not happen", tuple(_mishaps(self))),
            Section("Failures caused by noise", tuple(recovery_blocks(self.recoveries()))),
            Section("Success by kind of errand", tuple(_by_kind(self))),
            Section("Success by family", tuple(_families(self))),
            Section("Success by noise", tuple(_noise(self))),
            Section("Where it mattered most", tuple(_where_most(self))),
            Section("Why episodes failed", tuple(_causes(self)), long=True),
            *self.extra_sections(),
            *self.closing(),
        ]
        return Document(
            self.name,
            self.introduction,
            tuple(section for section in sections if section.blocks),
        )

    def failures(self) -> Iterator[tuple[HomeEpisode, HomeTrials, HomesTrial]]:
        """The episodes that failed."""
        drawn = {one.label: one for one in self.drawn}
        for e in self.episodes:
            if not (e.success and e.sound) and e.label in drawn:
                trial = HomesTrial(e.number, drawn[e.label], e.variant, e.noise)
                yield e, HomeTrials(self.suite), trial

    def cases(self) -> Iterator[Case]:
        """A case for each family in each variant."""
        for variant in self.variants:
            for family in self.suite.families:
                if given := self.of(variant=variant.name, family=family):
                    success = success_of(given)
                    yield case_of(
                        f"{self.name}.{variant.name}",
                        self.name,
                        family,
                        given,
                        self.what,
                        output="\n".join(
                            f"{e.label}: {cause_of(e)}" for e in given if e.sound and not e.success
                        ),
                        properties={"success": f"{success.count}/{success.of}"},
                    )

    def extra_remarks(self) -> Iterator[str]:
        """Homes that were passed over, and runs that can be looked at."""
        passed_over = sum(drawn.passed_over for drawn in self.drawn)
        if passed_over:
            yield (
                f"{passed_over} homes were drawn for {len(self.drawn)} errands and passed over, since the "
                "task could not have been done there."
            )
        for episode in self.episodes:
            if episode.run:
                yield f"{episode.label}, {episode.variant}: look at it with foretree replay {episode.run}"


# -- variants --------------------------------------------------------------------------------------------


def _variants(report: HomesReport) -> Iterator[Block]:
    groups = report.by_variant()
    if not groups:
        return
    yield figure_table("variant", FIGURES, groups)
    rates = []
    for name, group in groups.items():
        rate = success_of(group)
        low, high = rate.interval
        rates.append((name, 100 * rate.value, (100 * low, 100 * high)))
    yield Plot("Success, with intervals", intervals(rates, "success, %"))
    spent = {name: (total_spending(e.spent for e in group), len(group)) for name, group in groups.items()}
    yield from model_costs(spent)


# -- guards ---


_DIFFERENCES: Mapping[str, Callable[[PairedDifference], Estimate]] = {
    "success": lambda found: found.success,
    "weighted success": lambda found: found.weighted_success,
    "goal conditions": lambda found: found.met,
}


def _guards(report: HomesReport) -> Iterator[Block]:
    """Advantage of the reference over each other variant, and that where its guard found something."""
    rows, differences = [], []
    for variant, guard, given in report.contrasts():
        found = paired_difference(given)
        rows.append(worth_row(variant.name, given))
        differences.append((variant.name, found))
        if where := [pair for pair in given if guard and found_by(pair.one, guard)]:
            finder = "any guard" if guard == ALL else guard
            rows.append(worth_row(f"… where {finder} found something", where))
    if not rows:
        return
    yield (
        f"How much better {report.suite.reference.name} is, pair by pair; in percentage points. A star: "
        "the interval of the difference leaves out 0. Won and lost are pairs in which it alone succeeds, or "
        "the other alone; p is how likely it is that they are split so unevenly by chance (McNemar's exact "
        "test). Controls are compared where both succeed."
    )
    yield Table(("than", *WORTH), rows)
    yield unwanted_table(report.suite.reference.name, differences)
    for what, of in _DIFFERENCES.items():
        spans = [(name, of(found)) for name, found in differences]
        shown = [(name, 100 * e.value, (100 * e.low, 100 * e.high)) for name, e in spans]
        title = f"{what.capitalize()} of {report.suite.reference.name} minus that of the others"
        yield Plot(title, intervals(shown, "percentage points"))


def _where_most(report: HomesReport) -> Iterator[Block]:
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


def _shown(report: HomesReport, episode: HomeEpisode) -> tuple[str, ...]:
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


def _mishaps(report: HomesReport) -> Iterator[Block]:
    groups = report.by_variant()
    if groups:
        yield from mishap_blocks(groups)


# -- by kind ---------------------------------------------------------------------------------------------


def _by_kind(report: HomesReport) -> Iterator[Block]:
    kinds = report.kinds()
    if not kinds:
        return
    variants = [variant.name for variant in report.variants]
    rows = [
        (
            kind,
            *(
                str(success_of([e for e in report.at_noise(v) if kind in report.kinds_of(e)]))
                for v in variants
            ),
        )
        for kind in kinds
    ]
    yield Table(("", *variants), rows)
    for variant, guard, found in report.contrasts():
        if guard == ALL:
            split = {kind: [pair for pair in found if kind in report.kinds_of(pair.one)] for kind in kinds}
            yield comparison_by_kind(report.suite.reference.name, variant.name, split)


def _families(report: HomesReport) -> Iterator[Block]:
    variants = report.variants
    families = list(dict.fromkeys(episode.family for episode in report.episodes))
    if not families:
        return
    rows = []
    for family in families:
        found = [success_of(report.at_noise(variant.name, family=family)) for variant in variants]
        rows.append((family, *(f"{rate.count}/{rate.of}" for rate in found)))
    yield Table(("family", *(variant.name for variant in variants)), rows)
    bare = next((v.name for v in variants if report.suite.stands_for(v) == ALL), "")
    if bare:
        reference = report.suite.reference.name

        def percent(name: str, family: str) -> float:
            return 100 * success_of(report.at_noise(name, family=family)).value

        rates = [(f, percent(reference, f), percent(bare, f)) for f in families]
        yield Plot("Success by family", dumbbells(rates, (reference, bare), "success, %"))


# -- noise -----------------------------------------------------------------------------------------------


def _noise(report: HomesReport) -> Iterator[Block]:
    """Only errands that were carried out with every amount of noise: at each point the same ones."""
    if len(report.noises) < 2:
        return
    elsewhere = [e for e in report.episodes if e.noise != report.suite.noise]
    names = list(dict.fromkeys(e.variant for e in elsewhere))
    labels = {e.label for e in elsewhere}

    def rate(name: str, noise: float) -> Rate:
        return success_of([e for e in report.at_noise(name, noise) if e.label in labels])

    reference = report.suite.reference.name
    others = [name for name in names if name != reference and reference in names]

    def more(name: str, noise: float) -> str:
        pairs = [pair for pair in report.pairs_with(name, noise) if pair.one.label in labels]
        return points(paired_difference(pairs).success) if pairs else ""

    rows = [
        (
            f"{noise:g}",
            *(str(rate(name, noise)) for name in names),
            *(more(name, noise) for name in others),
        )
        for noise in report.noises
    ]
    yield Table(("times the default noise", *names, *(f"{reference} over {name}" for name in others)), rows)
    lines = []
    for name in names:
        rates = [(noise, rate(name, noise)) for noise in report.noises]
        known = [(noise, found) for noise, found in rates if found.of]
        spans = [(100 * found.interval[0], 100 * found.interval[1]) for _, found in known]
        lines.append(Curve(name, [(noise, 100 * found.value) for noise, found in known], spans=spans))
    yield Plot("Success by noise", curves(lines, Axis("times the default noise"), Axis("success, %")))


# -- causes and remarks ----------------------------------------------------------------------------------


def _causes(report: HomesReport) -> Iterator[Block]:
    for variant in report.variants:
        found = causes(report.at_noise(variant.name))
        if found:
            rows = [(cause, str(len(given)), given[0].label) for cause, given in found[:_CAUSES]]
            yield Table(("cause", "episodes", "for example"), rows, variant.name)
