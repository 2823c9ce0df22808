"""Episodes of household tasks, added up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

from foretree.reasoning.models.model import Spending
from foretree.regression.core.averages import mean
from foretree.regression.core.bootstrap import Estimate, difference, estimate
from foretree.regression.core.rate import Rate
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes._suite import ALL
from foretree.regression.reports.model_costs import together
from foretree.revision.expectation import GUARD_NAMES

#: Names that the agent gave to things: a class and a number.
_NAME = re.compile(r"\b([a-z]+(?:_[a-z]+)*?)_?\d+(?:_slice\d+)?\b")


@dataclass(frozen=True, slots=True)
class HomesSummary:
    """Episodes, added up.

    Attributes:
        name: what they have in common.
        success: episodes in whose end all that was asked for was true.
        met: the share of the goal's parts that were true in the end, on average.
        weighted_success: success, weighted by how direct it was, on average.
        weighted_met: the share of the goal's parts, likewise.
        controls: that the body was told, per episode.
        actions: that the robot was told, per episode.
        revised: changes of the plan, per episode.
        planned: plans that a planner was asked for, per episode.
        wrong_picks: things picked up that were not what the agent took them for, per episode.
        refused: episodes in which any control was refused.
        illegal: controls that were refused, of all.
        in_view: those of which all that mattered was in the last frame, of all.
        mistaken: episodes in which anything was done that cannot be undone and that nobody had asked for.
        mistakes: what was done that cannot be undone and that nobody had asked for, of all that cannot be.
        visible: those of which all that mattered was in the last frame, likewise.
        believed: episodes in which the agent took for reached what was not.
        unaware: episodes in which the agent gave up although all that was asked for was true.
        seconds: on the session's clock, per episode.
        processor: seconds of processors, planners included, per episode.
        spent: on language models, in all episodes.
        crashed: episodes.
        hung: episodes.
        left: episodes that left a node running or an execution alive.
    """

    name: str
    success: Rate
    met: Estimate
    weighted_success: Estimate
    weighted_met: Estimate
    controls: Estimate
    actions: Estimate
    revised: Estimate
    planned: Estimate
    wrong_picks: Estimate
    refused: Rate
    illegal: Rate
    in_view: Rate
    mistaken: Rate
    mistakes: Rate
    visible: Rate
    believed: Rate
    unaware: Rate
    seconds: float
    processor: float
    spent: Spending
    crashed: int
    hung: int
    left: int


def summarise_homes(name: str, episodes: Sequence[HomeEpisode]) -> HomesSummary:
    """Add *episodes* up."""
    controls = sum(e.controls for e in episodes)
    irreversible = sum(e.irreversible for e in episodes)
    return HomesSummary(
        name=name,
        success=success_of(episodes),
        met=estimate([e.met for e in episodes]),
        weighted_success=estimate([e.weighted_success for e in episodes]),
        weighted_met=estimate([e.weighted_met for e in episodes]),
        controls=estimate([e.controls for e in episodes]),
        actions=estimate([e.actions for e in episodes]),
        revised=estimate([e.revised for e in episodes]),
        planned=estimate([e.planned for e in episodes]),
        wrong_picks=estimate([e.wrong_picks for e in episodes]),
        refused=Rate(sum(bool(e.illegal) for e in episodes), len(episodes)),
        illegal=Rate(sum(len(e.illegal) for e in episodes), controls),
        in_view=Rate(sum(len(e.in_view) for e in episodes), controls),
        mistaken=Rate(sum(bool(e.mistakes) for e in episodes), len(episodes)),
        mistakes=Rate(sum(len(e.mistakes) for e in episodes), irreversible),
        visible=Rate(sum(len(e.visible) for e in episodes), irreversible),
        believed=Rate(sum(e.outcome == "reached" and not e.success for e in episodes), len(episodes)),
        unaware=Rate(sum(e.outcome != "reached" and e.success for e in episodes), len(episodes)),
        seconds=mean(e.seconds for e in episodes),
        processor=mean(e.effort.processor for e in episodes),
        spent=together(e.spent for e in episodes),
        crashed=sum(e.trouble == "crashed" for e in episodes),
        hung=sum(e.trouble == "hung" for e in episodes),
        left=sum(bool(e.running or e.alive) for e in episodes),
    )


def success_of(episodes: Sequence[HomeEpisode]) -> Rate:
    """How many of *episodes* succeeded."""
    return Rate(sum(e.success for e in episodes), len(episodes))


# -- pairs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """The same errand, with the same noise, in two variants."""

    one: HomeEpisode
    other: HomeEpisode


def pairs(one: Sequence[HomeEpisode], other: Sequence[HomeEpisode]) -> tuple[Pair, ...]:
    """Whatever is in both, pair by pair, in the order of *one*."""
    others = {(e.label, e.noise): e for e in other}
    return tuple(Pair(e, others[e.label, e.noise]) for e in one if (e.label, e.noise) in others)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much better one variant is than another, over pairs.

    Attributes:
        success: how much more often it succeeds.
        weighted_success: how much more success it has, weighted by how direct it was.
        met: how much more of the goals it reaches.
        weighted_met: the same, weighted likewise.
        mistaken: how much more often it does what cannot be undone and nobody had asked for.
        controls: how many more controls it takes, where both succeed.
        won: pairs in which it alone succeeds.
        lost: pairs in which the other alone succeeds.
    """

    success: Estimate
    weighted_success: Estimate
    met: Estimate
    weighted_met: Estimate
    mistaken: Estimate
    controls: Estimate
    won: int
    lost: int

    @property
    def chance(self) -> float:
        """How likely it is that alike variants win so unevenly many pairs alone: McNemar's exact test."""
        of = self.won + self.lost
        ways = sum(comb(of, count) for count in range(min(self.won, self.lost) + 1))
        return min(1.0, float(ways / 2 ** (of - 1)))

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "chance": self.chance}


def paired_difference(given: Sequence[Pair]) -> PairedDifference:
    """How much better the first of each pair is than the second."""

    def more(of: Callable[[HomeEpisode], float], among: Sequence[Pair] = given) -> Estimate:
        return difference([of(pair.one) for pair in among], [of(pair.other) for pair in among])

    both = [pair for pair in given if pair.one.success and pair.other.success]
    return PairedDifference(
        more(lambda e: e.success),
        more(lambda e: e.weighted_success),
        more(lambda e: e.met),
        more(lambda e: e.weighted_met),
        more(lambda e: bool(e.mistakes)),
        more(lambda e: e.controls, both),
        sum(pair.one.success and not pair.other.success for pair in given),
        sum(pair.other.success and not pair.one.success for pair in given),
    )


def largest_gains(given: Sequence[Pair], guard: str, count: int = 3) -> tuple[Pair, ...]:
    """The pairs in which a guard mattered most: the first of each has it, the second has not.

    Those come first in which it found something and that alone succeeded, then those in which it saved most
    controls. A pair in which it found nothing is none of them, nor is one in which it did not help.
    """

    def gain(pair: Pair) -> tuple[int, float, int]:
        return (
            pair.one.success - pair.other.success,
            pair.one.met - pair.other.met,
            pair.other.controls - pair.one.controls,
        )

    helped = [pair for pair in given if found_by(pair.one, guard) and gain(pair) > (0, 0.0, 0)]
    return tuple(sorted(helped, key=lambda pair: (*(-g for g in gain(pair)), pair.one.number))[:count])


def found_by(episode: HomeEpisode, guard: str) -> bool:
    """Whether a guard found anything in an episode; of all guards, whether any did."""
    return any(episode.discrepancies.get(name) for name in (GUARD_NAMES if guard == ALL else (guard,)))


# -- why not ---------------------------------------------------------------------------------------------


def cause_of(episode: HomeEpisode) -> str:
    """Why an episode did not succeed, in words that others of its kind share; empty if it did."""
    if episode.success:
        return ""
    if episode.trouble:
        return episode.trouble
    if episode.outcome == "reached":
        return "believed reached, but was not"
    return f"{episode.outcome}: {_NAME.sub(lambda found: f'a {found[1]}', episode.reason)}"


def causes(episodes: Sequence[HomeEpisode]) -> list[tuple[str, tuple[HomeEpisode, ...]]]:
    """Each cause of failure with the episodes that have it, the most frequent first."""
    failed = [e for e in episodes if not e.success]
    counted = Counter(cause_of(e) for e in failed)
    ordered = sorted(counted, key=lambda cause: (-counted[cause], cause))
    return [(cause, tuple(e for e in failed if cause_of(e) == cause)) for cause in ordered]
