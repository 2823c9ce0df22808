"""What a suite of household tasks came to, for people: tables, plots, and where each guard mattered most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from foretree.regression.core.bootstrap import Estimate
from foretree.regression.core.rate import Rate
from foretree.regression.homes._cases import fault
from foretree.regression.homes._comparison import by_kind, guards, points, where_most
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._suite import ALL
from foretree.regression.homes._summary import HomesSummary, causes, paired_difference, success_of
from foretree.regression.homes.household_tasks import FAMILIES
from foretree.regression.reports.document import Block, Bullets, Document, Plot, Section, Table
from foretree.regression.reports.model_costs import told
from foretree.regression.reports.plots import Axis, Curve, curves, dumbbells, intervals
from foretree.regression.reports.remarks import unsound

if TYPE_CHECKING:
    from foretree.regression.homes._results import HomesResults

#: How many causes of failure are told.
_CAUSES = 12


def document(report: HomesResults) -> Document:
    """All of a report for people."""
    sections = [
        Section("Variants", tuple(_variants(report))),
        Section("What guards are worth", tuple(guards(report))),
        Section("What should not happen", tuple(_mishaps(report))),
        Section("Success by kind of errand", tuple(_by_kind(report))),
        Section("Success by family", tuple(_families(report))),
        Section("Success by noise", tuple(_noise(report))),
        Section("Where it mattered most", tuple(where_most(report))),
        Section("Why episodes failed", tuple(_causes(report)), long=True),
        Section("Remarks", (Bullets(tuple(_remarks(report))),)),
    ]
    return Document(
        report.name,
        f"{len(report.episodes)} episodes, seed {report.seed}, {report.suite.noise:g} times the default "
        "noise. Intervals hold 95 %: Wilson's of shares, of means those of a bootstrap. Weighted is what is "
        "multiplied by the length of the best plan known, made by somebody who knows everything, and divided "
        "by the controls that it took; other figures are per episode.",
        tuple(section for section in sections if section.blocks),
    )


# -- variants --------------------------------------------------------------------------------------------

_HEADINGS = (
    "variant",
    "success",
    "goal conditions",
    "weighted success",
    "weighted goal conditions",
    "controls",
    "actions",
    "revisions",
    "plans",
    "wrong pick-ups",
    "believed reached, but not",
    "given up, but reached",
    "seconds",
    "processor seconds",
    "crashed",
    "hung",
    "left over",
)


def _row(summary: HomesSummary) -> tuple[str, ...]:
    return (
        summary.name,
        str(summary.success),
        _share(summary.met),
        _share(summary.weighted_success),
        _share(summary.weighted_met),
        _mean(summary.controls, 0),
        _mean(summary.actions, 1),
        _mean(summary.revised, 2),
        _mean(summary.planned, 2),
        _mean(summary.wrong_picks, 2),
        str(summary.believed.count),
        str(summary.unaware.count),
        f"{summary.seconds:.0f}",
        f"{summary.processor:.1f}",
        str(summary.crashed),
        str(summary.hung),
        str(summary.left),
    )


def _variants(report: HomesResults) -> Iterator[Block]:
    summaries = list(report.summaries())
    if not summaries:
        return
    # A column per variant: there are more figures than variants, and a page is only so wide.
    headings, *figures = zip(_HEADINGS, *map(_row, summaries), strict=True)
    yield Table(headings, figures)
    rates = [(s.name, 100 * s.success.value, _percent(s.success)) for s in summaries]
    yield Plot("Success, with intervals", intervals(rates, "success, %"))
    yield from told([(s.name, s.spent, s.success.of) for s in summaries])


def _share(found: Estimate) -> str:
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _mean(found: Estimate, digits: int) -> str:
    return f"{found.value:.{digits}f} ({found.low:.{digits}f} to {found.high:.{digits}f})"


def _percent(rate: Rate) -> tuple[float, float]:
    low, high = rate.interval
    return 100 * low, 100 * high


# -- mistakes and refusals -------------------------------------------------------------------------------


def _mishaps(report: HomesResults) -> Iterator[Block]:
    summaries = list(report.summaries())
    if not summaries:
        return
    more = {variant.name: paired_difference(found).mistaken for variant, _, found in report.contrasts()}
    reference = report.suite.reference.name
    yield (
        "Mistakes are what was done that cannot be undone and nobody had asked for. The upper end of an "
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
                s.name,
                f"{s.mistakes.count} of {s.mistakes.of}",
                str(s.visible.count),
                str(s.mistaken),
                points(more[s.name]) if s.name in more else "",
                _in_a_thousand(s.illegal),
                str(s.in_view.count),
                str(s.refused),
            )
            for s in summaries
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
        (kind, *(str(success_of([e for e in report.of(name) if fits(e)])) for name in variants))
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
        found = [success_of(report.of(variant.name, family=family)) for variant in variants]
        rows.append((family, *(f"{rate.count}/{rate.of}" for rate in found)))
    yield Table(("family", *(variant.name for variant in variants)), rows)
    bare = next((v.name for v in variants if report.suite.without(v) == ALL), "")
    if bare:
        reference = report.suite.reference.name

        def percent(name: str, family: str) -> float:
            return 100 * success_of(report.of(name, family=family)).value

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
        return success_of([e for e in report.of(name, noise) if e.label in labels])

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
        found = causes(report.of(variant.name))
        if found:
            rows = [(cause, str(len(given)), given[0].label) for cause, given in found[:_CAUSES]]
            yield Table(("cause", "episodes", "for example"), rows, variant.name)


def _remarks(report: HomesResults) -> Iterator[str]:
    if report.interruption:
        yield report.interruption
    if report.kept:
        yield f"{report.kept} episodes were taken from the results that were there already."
    if report.processor > 0 and len(report.episodes) > report.kept:
        pace = (len(report.episodes) - report.kept) / report.processor
        yield (
            f"{report.wall:.1f} s on the wall, {report.processor:.1f} s of processors: "
            f"{pace:.2f} episodes per second and core."
        )
    passed_over = sum(drawn.passed_over for drawn in report.drawn)
    if passed_over:
        yield (
            f"{passed_over} homes were drawn for {len(report.drawn)} errands and passed over, since nobody "
            "could have done the task there."
        )
    for episode in report.episodes:
        if episode.run:
            yield f"{episode.label}, {episode.variant}: look at it with foretree replay {episode.run}"
    faults = [f"{d.errand.label}: could not be drawn: {_last(d.details)}" for d in report.drawn if d.trouble]
    faults += [f"{e.label}, {e.variant}, noise {e.noise:g}: {fault(e)}" for e in report.unsound()]
    yield from unsound(faults, "episodes")


def _last(details: str) -> str:
    return (details.strip().splitlines() or ["nobody knows why"])[-1]
