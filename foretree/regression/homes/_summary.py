"""Episodes of household tasks, added up and compared pair by pair."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from foretree.regression.core.agent_episode import TROUBLE
from foretree.regression.core.figures import (
    Figure,
    average,
    digits,
    estimated,
    just_count,
    percent,
    ratio,
    share,
)
from foretree.regression.core.statistics import Estimate, Pair, Rate, difference, sign_test
from foretree.regression.homes._episode import HomeEpisode
from foretree.regression.homes.suite import ALL
from foretree.regression.reports.document import Table
from foretree.regression.reports.suite_report import total_spending
from foretree.revision.expectation import GUARD_NAMES

#: The same errand, with the same noise, in two variants.
HomePair: TypeAlias = Pair[HomeEpisode]

#: Names that the agent gave to things: a class and a number.
_NAME = re.compile(r"\b([a-z]+(?:_[a-z]+)*?)_?\d+(?:_slice\d+)?\b")

success_of: Callable[[Sequence[HomeEpisode]], Rate] = share(lambda e: e.success)


def in_a_thousand(rate: Rate) -> str:
    """A rate with its interval, in a thousand."""
    low, high = rate.interval
    return f"{1000 * rate.value:.2f} ({1000 * low:.2f} to {1000 * high:.2f})"


#: What episodes are added up to. Illegal controls are those that the home refused, of all that the body was
#: told. Mistakes are what was done that cannot be undone and was not asked for, of all that cannot be undone.
#: In view is that of which all that mattered was in the last frame.
FIGURES: tuple[Figure[HomeEpisode], ...] = (
    Figure("success", success_of, "success"),
    Figure("met", estimated(lambda e: e.met), "goal conditions", percent),
    Figure("weighted_success", estimated(lambda e: e.weighted_success), "weighted success", percent),
    Figure("weighted_met", estimated(lambda e: e.weighted_met), "weighted goal conditions", percent),
    Figure("controls", estimated(lambda e: e.controls), "controls", digits(0)),
    Figure("actions", estimated(lambda e: e.actions), "actions", digits(1)),
    Figure("revised", estimated(lambda e: e.revised), "revisions", digits(2)),
    Figure("planned", estimated(lambda e: e.planned), "plans", digits(2)),
    Figure("wrong_picks", estimated(lambda e: e.wrong_picks), "wrong pick-ups", digits(2)),
    Figure("refused", share(lambda e: e.illegal)),
    Figure(
        "illegal",
        ratio(lambda e: len(e.illegal), lambda e: e.controls),
        "illegal, in a thousand controls",
        in_a_thousand,
    ),
    Figure("in_view", ratio(lambda e: len(e.in_view), lambda e: e.controls)),
    Figure("mistaken", share(lambda e: e.mistakes)),
    Figure(
        "mistakes",
        ratio(lambda e: len(e.mistakes), lambda e: e.irreversible),
        "mistakes that cannot be undone",
        lambda rate: f"{rate.count} of {rate.of}",
    ),
    Figure("visible", ratio(lambda e: len(e.visible), lambda e: e.irreversible)),
    Figure(
        "believed",
        share(lambda e: e.falsely_reached),
        "believed reached, but not",
    ),
    Figure(
        "unaware",
        share(lambda e: e.outcome != "reached" and e.success),
        "given up, but reached",
        just_count,
    ),
    Figure("seconds", average(lambda e: e.seconds), "seconds", digits(0)),
    Figure("processor", average(lambda e: e.effort.processor), "processor seconds", digits(1)),
    Figure("spent", lambda episodes: total_spending(e.spent for e in episodes)),
    *TROUBLE,
)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Advantage of one variant over another, over pairs.

    Attributes:
        success: how much more often it succeeds.
        weighted_success: how much more success it has, weighted by how direct it was.
        met: how much more of the goals it reaches.
        weighted_met: the same, weighted likewise.
        mistaken: how much more often it does what cannot be undone and was not asked for.
        mistakes: how many more such mistakes it makes.
        wrong_picks: how many more things it picks up that are of another class than it believes.
        illegal: how many more controls of it the home refuses.
        believed: how much more often it believes the goal reached when that is not so.
        controls: how many more controls it takes, where both succeed.
        won: pairs in which it alone succeeds.
        lost: pairs in which the other alone succeeds.
    """

    success: Estimate
    weighted_success: Estimate
    met: Estimate
    weighted_met: Estimate
    mistaken: Estimate
    mistakes: Estimate
    wrong_picks: Estimate
    illegal: Estimate
    believed: Estimate
    controls: Estimate
    won: int
    lost: int

    @property
    def chance(self) -> float:
        """Probability that alike variants win so unevenly many pairs alone."""
        return sign_test(self.won, self.lost)

    def as_data(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {**asdict(self), "chance": self.chance}


def paired_difference(given: Sequence[HomePair]) -> PairedDifference:
    """Estimate the advantage of the first of each pair over the second."""
    both = [pair for pair in given if pair.one.success and pair.other.success]
    return PairedDifference(
        difference(given, lambda e: e.success),
        difference(given, lambda e: e.weighted_success),
        difference(given, lambda e: e.met),
        difference(given, lambda e: e.weighted_met),
        difference(given, lambda e: bool(e.mistakes)),
        difference(given, lambda e: len(e.mistakes)),
        difference(given, lambda e: e.wrong_picks),
        difference(given, lambda e: len(e.illegal)),
        difference(given, lambda e: e.falsely_reached),
        difference(both, lambda e: e.controls),
        sum(pair.one.success and not pair.other.success for pair in given),
        sum(pair.other.success and not pair.one.success for pair in given),
    )


def largest_gains(given: Sequence[HomePair], guard: str, count: int = 3) -> tuple[HomePair, ...]:
    """The pairs in which a guard mattered most: the first of each has it, the second has not.

    Those come first in which it found something and that alone succeeded, then those in which it saved most
    controls. A pair in which it found nothing is none of them, nor is one in which it did not help.
    """

    def gain(pair: HomePair) -> tuple[int, float, int]:
        return (
            pair.one.success - pair.other.success,
            pair.one.met - pair.other.met,
            pair.other.controls - pair.one.controls,
        )

    helped = [pair for pair in given if found_by(pair.one, guard) and gain(pair) > (0, 0.0, 0)]
    return tuple(sorted(helped, key=lambda pair: (*(-g for g in gain(pair)), pair.one.number))[:count])


def found_by(episode: HomeEpisode, guard: str) -> bool:
    """Return whether a guard, or any of all guards, found anything in an episode."""
    return any(episode.discrepancies.get(name) for name in (GUARD_NAMES if guard == ALL else (guard,)))


# -- why not ---------------------------------------------------------------------------------------------


def cause_of(episode: HomeEpisode) -> str:
    """Reason why an episode failed, in words that others of its kind share; empty if it did."""
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


# -- in tables ---

#: What is said of pairs.
WORTH = (
    "pairs",
    "success",
    "weighted success",
    "goal conditions",
    "weighted goal conditions",
    "won",
    "lost",
    "p",
    "controls",
)


def worth_row(name: str, given: Sequence[HomePair]) -> tuple[str, ...]:
    """Row of what the first of each pair is worth, in the columns of :data:`WORTH`."""
    found = paired_difference(given)
    controls = found.controls
    return (
        name,
        str(len(given)),
        points(found.success),
        points(found.weighted_success),
        points(found.met),
        points(found.weighted_met),
        str(found.won),
        str(found.lost),
        f"{found.chance:.3f}" if found.chance >= 0.001 else "< 0.001",
        f"{controls.value:+.0f} ({controls.low:+.0f} to {controls.high:+.0f}){_star(controls)}",
    )


def comparison_by_kind(name: str, variant: str, split: Mapping[str, Sequence[HomePair]]) -> Table:
    """Table of the advantage of the first of each pair, by kind of errand.

    Args:
        name: the first.
        variant: the second.
        split: the pairs, by kind.
    """
    rows = [worth_row(kind, given) for kind, given in split.items()]
    return Table((f"than {variant}", *WORTH), rows, f"How much better {name} is than {variant}, pair by pair")


def points(found: Estimate) -> str:
    """A difference of shares in percentage points, with a star if its interval leaves out 0."""
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f}){_star(found)}"


def more(found: Estimate) -> str:
    """A difference per episode, with a star if its interval leaves out 0."""
    return f"{found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f}){_star(found)}"


def _star(found: Estimate) -> str:
    return " *" if found.significant else ""
