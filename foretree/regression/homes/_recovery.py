"""Failures that noise has caused, and how many of them another variant recovers.

A failure is caused by noise if the same variant succeeds on the same errand, with the same seed, without any.
Luck alone recovers some: so it is counted the other way round, too, from the failures of the other variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from foretree.regression.core.statistics import Rate
from foretree.regression.homes._episode import HomeEpisode, HomesTrial
from foretree.regression.homes._summary import success_of
from foretree.regression.homes.suite import ALL, HomesSuite
from foretree.regression.reports.document import Block, Table


@dataclass(frozen=True, slots=True)
class NoiseRecovery:
    """Failures of one variant, and what became of the same errands in another.

    Attributes:
        noise: how many times the default noise.
        failing: the one that failed.
        rescuer: the other.
        failures: the number of its failures on errands that both carried out.
        judged: the number of those that it carried out without noise, too.
        recovered: how many of those caused by noise the other succeeds with.
    """

    noise: float
    failing: str
    rescuer: str
    failures: int
    judged: int
    recovered: Rate

    def as_data(self) -> dict[str, Any]:
        """The recovery as plain data."""
        return {
            **{name: getattr(self, name) for name in ("noise", "failing", "rescuer", "failures", "judged")},
            "recovered": self.recovered.as_data(),
        }


def recovery_pairs(suite: HomesSuite) -> Iterator[tuple[str, str]]:
    """The variants that fail, each with the one that may recover that: the peer and the reference, both ways.

    Without a peer, what has no guards at all stands for it.
    """
    reference = suite.reference.name
    peers = [suite.peer] if suite.peer in suite.variants else []
    peers = peers or [name for name, one in suite.variants.items() if suite.stands_for(one) == ALL]
    for peer in peers:
        if peer != reference:
            yield from ((peer, reference), (reference, peer))


def recovery_from(episodes: Iterable[HomeEpisode], failing: str, rescuer: str, noise: float) -> NoiseRecovery:
    """Count the failures at some noise, and which of them are recovered."""
    found = {(e.variant, e.noise, e.label): e for e in episodes}
    failed = [
        e.label
        for e in found.values()
        if (e.variant, e.noise) == (failing, noise) and not e.success and (rescuer, noise, e.label) in found
    ]
    quiet = [found[failing, 0.0, label] for label in failed if (failing, 0.0, label) in found]
    caused = [found[rescuer, noise, e.label] for e in quiet if e.success]
    return NoiseRecovery(noise, failing, rescuer, len(failed), len(quiet), success_of(caused))


def trials_without_noise(
    suite: HomesSuite, trials: Sequence[HomesTrial], episodes: Sequence[HomeEpisode], shards: int = 1
) -> tuple[HomesTrial, ...]:
    """The trials that tell which failures were caused by noise, as far as they were not carried out.

    Args:
        suite: what they are from.
        trials: all that were to be carried out.
        episodes: their results; those of the own share.
        shards: the number of shares; each carries these trials out for its own failures.
    """
    there = {(trial.drawn.label, trial.variant) for trial in trials if not trial.noise}
    failing = {name for name, _ in recovery_pairs(suite)}
    first = -(-(max((trial.number for trial in trials), default=-1) + 1) // shards) * shards
    by_number = {trial.number: trial for trial in trials}
    found: dict[tuple[str, str], HomesTrial] = {}
    for e in episodes:
        if e.noise and not e.success and e.variant in failing and (e.label, e.variant) not in there:
            trial = by_number[e.number]
            new = HomesTrial(first + trial.number, trial.drawn, trial.variant, 0.0)
            found.setdefault((e.label, e.variant), new)
    return tuple(found.values())


def recovery_blocks(recoveries: Sequence[NoiseRecovery]) -> Iterator[Block]:
    """The table of failures and recoveries; nothing if nothing was measured."""
    if not recoveries:
        return
    yield (
        "A failure is caused by noise if the variant succeeds on the same errand, with the same seed, "
        "without any noise. Recovered are those with which the other variant succeeds at the same noise. "
        "Where both only differed by luck, as large a share would be recovered the other way round."
    )
    rows = [
        (
            f"{one.noise:g}",
            one.failing,
            str(one.failures),
            f"{one.recovered.of} of {one.judged}",
            one.rescuer,
            f"{one.recovered.count} of {one.recovered.of}: {one.recovered}",
        )
        for one in recoveries
    ]
    headings = ("times the default noise", "failed", "failures", "caused by noise", "recovers", "recovered")
    yield Table(headings, rows)
