"""What a suite of household tasks came to, for people: tables, plots, and where each guard mattered most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from foretree.regression.bootstrap import Estimate
from foretree.regression.document import Block, Bullets, Document, Plot, Section, Table
from foretree.regression.homes_cases import fault
from foretree.regression.homes_episode import HomeEpisode
from foretree.regression.homes_suite import ALL
from foretree.regression.homes_summary import (
    HomesSummary,
    Pair,
    causes,
    found_by,
    most_worth,
    success_of,
    worth,
)
from foretree.regression.household_tasks import FAMILIES
from foretree.regression.plots import Axis, Curve, bars, curves, dumbbells
from foretree.regression.rate import Rate
from foretree.regression.remarks import unsound

if TYPE_CHECKING:
    from foretree.regression.homes_report import HomesReport

#: How many causes of failure are told.
_CAUSES = 12


def document(report: HomesReport) -> Document:
    """All of a report for people."""
    sections = [
        Section("Variants", tuple(_variants(report))),
        Section("What guards are worth", tuple(_worth(report))),
        Section("Success by kind of errand", (_kinds(report),)),
        Section("Success by family", tuple(_families(report))),
        Section("Success by noise", tuple(_noise(report))),
        Section("Where it mattered most", tuple(_most(report))),
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
    "illegal controls",
    "of them in view",
    "mistakes that cannot be undone",
    "of them in view",
    "believed reached, but not",
    "given up, but reached",
    "seconds",
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
        f"{summary.controls:.0f}",
        f"{summary.actions:.1f}",
        f"{summary.revised:.2f}",
        f"{summary.planned:.2f}",
        f"{summary.wrong_picks:.2f}",
        str(summary.illegal),
        str(summary.in_view.count),
        f"{summary.mistakes.count} of {summary.mistakes.of}",
        str(summary.visible),
        str(summary.believed.count),
        str(summary.unaware.count),
        f"{summary.seconds:.0f}",
        str(summary.crashed),
        str(summary.hung),
        str(summary.left),
    )


def _variants(report: HomesReport) -> Iterator[Block]:
    summaries = list(report.summaries())
    if not summaries:
        return
    # A column per variant: there are more figures than variants, and a page is only so wide.
    headings, *figures = zip(_HEADINGS, *map(_row, summaries), strict=True)
    yield Table(headings, figures)
    yield Plot("Success, in percent", _success_plot([(s.name, s.success) for s in summaries]))


def _success_plot(rates: Sequence[tuple[str, Rate]]) -> Element:
    values = [100 * rate.value for _, rate in rates]
    spans = [(100 * rate.interval[0], 100 * rate.interval[1]) for _, rate in rates]
    return bars([name for name, _ in rates], [("success", values)], "success, %", top=100.0, spans=spans)


# -- what guards are worth -------------------------------------------------------------------------------


def _worth(report: HomesReport) -> Iterator[Block]:
    rows = []
    for variant, guard, found in report.contrasts():
        rows.append(_worth_row(variant.name, found))
        if guard:
            where = [pair for pair in found if found_by(pair.one, guard)]
            finder = "any guard" if guard == ALL else guard
            rows.append(_worth_row(f"… where {finder} found something", where))
    if rows:
        yield (
            f"How much better {report.suite.reference.name} is, pair by pair; in percentage points. A star: "
            "the interval of the difference leaves out 0."
        )
        headings = (
            "than",
            "pairs",
            "success",
            "weighted success",
            "goal conditions",
            "won",
            "lost",
            "controls",
        )
        yield Table(headings, rows)


def _worth_row(name: str, given: Sequence[Pair]) -> tuple[str, ...]:
    found = worth(given)
    controls = found.controls
    return (
        name,
        str(len(given)),
        _points(found.success),
        _points(found.weighted_success),
        _points(found.met),
        str(found.won),
        str(found.lost),
        f"{controls.value:+.0f} ({controls.low:+.0f} to {controls.high:+.0f})",
    )


def _most(report: HomesReport) -> Iterator[Block]:
    for variant, guard, found in report.contrasts():
        if not guard:
            continue
        lines = [
            line for pair in most_worth(found, guard) for line in _pair_lines(report, pair, variant.name)
        ]
        if lines:
            yield f"{report.suite.reference.name} over {variant.name}:"
            yield Bullets(tuple(lines))


def _pair_lines(report: HomesReport, pair: Pair, variant: str) -> Iterator[str]:
    one, other = pair.one, pair.other
    yield (
        f"{one.label}, {one.instruction!r}: {_end(one)}; {variant}: {_end(other)}. Carry both out again, and "
        f"look at each with foretree replay last: {report.command(one)}; {report.command(other)}"
    )


def _end(episode: HomeEpisode) -> str:
    count, of = episode.conditions
    said = (
        "success" if episode.success else f"{count} of {of} conditions ({episode.reason or episode.outcome})"
    )
    return f"{said} after {episode.controls} controls"


# -- by kind ---------------------------------------------------------------------------------------------


def _kinds(report: HomesReport) -> Table:
    several = {name for name in report.suite.families if FAMILIES[name].several}
    kinds: dict[str, Callable[[HomeEpisode], bool]] = {
        "one or two things": lambda e: e.family not in several,
        "several things or steps": lambda e: e.family in several,
        **{mode: partial(_has, "mode", mode) for mode in report.suite.modes},
        **{split: partial(_has, "split", split) for split in report.suite.splits},
    }
    variants = [variant.name for variant in report.variants]
    rows = [
        (kind, *(str(success_of([e for e in report.of(name) if fits(e)])) for name in variants))
        for kind, fits in kinds.items()
        if any(map(fits, report.episodes))
    ]
    return Table(("", *variants), rows)


def _has(attribute: str, value: str, episode: HomeEpisode) -> bool:
    return bool(getattr(episode, attribute) == value)


def _families(report: HomesReport) -> Iterator[Block]:
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


def _noise(report: HomesReport) -> Iterator[Block]:
    """Only errands that were carried out with every amount of noise: at each point the same ones."""
    if len(report.noises) < 2:
        return
    elsewhere = [e for e in report.episodes if e.noise != report.suite.noise]
    names = list(dict.fromkeys(e.variant for e in elsewhere))
    labels = {e.label for e in elsewhere}

    def rate(name: str, noise: float) -> Rate:
        return success_of([e for e in report.of(name, noise) if e.label in labels])

    rows = [(f"{noise:g}", *(str(rate(name, noise)) for name in names)) for noise in report.noises]
    yield Table(("times the default noise", *names), rows)
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
        found = causes(report.of(variant.name))
        if found:
            rows = [(cause, str(len(given)), given[0].label) for cause, given in found[:_CAUSES]]
            yield Table(("cause", "episodes", "for example"), rows, variant.name)


def _remarks(report: HomesReport) -> Iterator[str]:
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


# -- figures ---------------------------------------------------------------------------------------------


def _share(found: Estimate) -> str:
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _points(found: Estimate) -> str:
    star = " *" if found.significant else ""
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f}){star}"
