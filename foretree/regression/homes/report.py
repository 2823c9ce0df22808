"""The report on a suite of household tasks: tables, plots, and where each guard mattered most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from foretree.regression.core.figures import summarise
from foretree.regression.core.statistics import Rate
from foretree.regression.homes._comparison import by_kind, guards, points, where_most
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._results import HomesResults
from foretree.regression.homes._suite import ALL
from foretree.regression.homes._summary import FIGURES, cause_of, causes, paired_difference, success_of
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.regression.reports.document import Block, Document, Plot, Section, Table
from foretree.regression.reports.junit import Case
from foretree.regression.reports.plots import Axis, Curve, curves, dumbbells, intervals
from foretree.regression.reports.suite_report import case_of, figure_table, model_costs, total_spending

#: How many causes of failure are told.
_CAUSES = 12


class HomesReport(HomesResults):
    """The report on a suite of household tasks."""

    def document(self) -> Document:
        """The report for people."""
        sections = [
            Section("Variants", tuple(_variants(self))),
            Section("What guards are worth", tuple(guards(self))),
            Section("What should not happen", tuple(_mishaps(self))),
            Section("Success by kind of errand", tuple(_by_kind(self))),
            Section("Success by family", tuple(_families(self))),
            Section("Success by noise", tuple(_noise(self))),
            Section("Where it mattered most", tuple(where_most(self))),
            Section("Why episodes failed", tuple(_causes(self)), long=True),
            self.remarks(),
        ]
        return Document(
            self.name,
            f"{len(self.episodes)} episodes, seed {self.selection.seed}, {self.suite.noise:g} times the "
            "default noise. Intervals hold 95 %: Wilson's of shares, of means those of a bootstrap. Weighted "
            "is what is multiplied by the length of the best plan known, made with full knowledge, and "
            "divided by the controls that it took; other figures are per episode.",
            tuple(section for section in sections if section.blocks),
        )

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


def _variants(report: HomesResults) -> Iterator[Block]:
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


# -- mistakes and refusals -------------------------------------------------------------------------------


def _mishaps(report: HomesResults) -> Iterator[Block]:
    groups = report.by_variant()
    if not groups:
        return
    found = {name: summarise(FIGURES, group) for name, group in groups.items()}
    more = {variant.name: paired_difference(pairs).mistaken for variant, _, pairs in report.contrasts()}
    reference = report.suite.reference.name
    yield (
        "Mistakes are what was done that cannot be undone and was not asked for. The upper end of an "
        "interval is what may be true at most: none in a few episodes is not yet never. Illegal controls are "
        "those that the home refused. In view: all that mattered was in the frame before."
    )
    yield Table(
        (
            "variant",
            "mistakes",
            "of them in view",
            "episodes with a mistake",
            f"{reference} has more, points",
            "illegal controls, in a thousand",
            "of them in view",
            "episodes with one",
        ),
        [
            (
                name,
                f"{one['mistakes'].count} of {one['mistakes'].of}",
                str(one["visible"].count),
                str(one["mistaken"]),
                points(more[name]) if name in more else "",
                _in_a_thousand(one["illegal"]),
                str(one["in_view"].count),
                str(one["refused"]),
            )
            for name, one in found.items()
        ],
    )


def _in_a_thousand(rate: Rate) -> str:
    low, high = rate.interval
    return f"{1000 * rate.value:.2f} ({1000 * low:.2f} to {1000 * high:.2f})"


# -- by kind ---------------------------------------------------------------------------------------------


def _by_kind(report: HomesResults) -> Iterator[Block]:
    kinds = {kind: fits for kind, fits in _kinds(report).items() if any(map(fits, report.episodes))}
    variants = [variant.name for variant in report.variants]
    rows = [
        (kind, *(str(success_of([e for e in report.at_noise(name) if fits(e)])) for name in variants))
        for kind, fits in kinds.items()
    ]
    yield Table(("", *variants), rows)
    for variant, guard, found in report.contrasts():
        if guard == ALL:
            split = {kind: [pair for pair in found if fits(pair.one)] for kind, fits in kinds.items()}
            yield by_kind(report.suite.reference.name, variant.name, split)


def _kinds(report: HomesResults) -> Mapping[str, Callable[[HomeEpisode], bool]]:
    several = {name for name in report.suite.families if FAMILIES[name].several}
    return {
        "one or two things": lambda e: e.family not in several,
        "several things or steps": lambda e: e.family in several,
        **{mode: partial(_has, "mode", mode) for mode in report.suite.modes},
        **{split: partial(_has, "split", split) for split in report.suite.splits},
    }


def _has(attribute: str, value: str, episode: HomeEpisode) -> bool:
    return bool(getattr(episode, attribute) == value)


def _families(report: HomesResults) -> Iterator[Block]:
    variants = report.variants
    families = list(dict.fromkeys(episode.family for episode in report.episodes))
    if not families:
        return
    rows = []
    for family in families:
        found = [success_of(report.at_noise(variant.name, family=family)) for variant in variants]
        rows.append((family, *(f"{rate.count}/{rate.of}" for rate in found)))
    yield Table(("family", *(variant.name for variant in variants)), rows)
    bare = next((v.name for v in variants if report.suite.without(v) == ALL), "")
    if bare:
        reference = report.suite.reference.name

        def percent(name: str, family: str) -> float:
            return 100 * success_of(report.at_noise(name, family=family)).value

        rates = [(f, percent(reference, f), percent(bare, f)) for f in families]
        yield Plot("Success by family", dumbbells(rates, (reference, bare), "success, %"))


# -- noise -----------------------------------------------------------------------------------------------


def _noise(report: HomesResults) -> Iterator[Block]:
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


def _causes(report: HomesResults) -> Iterator[Block]:
    for variant in report.variants:
        found = causes(report.at_noise(variant.name))
        if found:
            rows = [(cause, str(len(given)), given[0].label) for cause, given in found[:_CAUSES]]
            yield Table(("cause", "episodes", "for example"), rows, variant.name)
