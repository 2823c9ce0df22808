"""Results of a planning suite, added up and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from foretree.regression.core.figures import Figure, share
from foretree.regression.core.statistics import Rate, mean, median, pair_up
from foretree.regression.planning.trial import PlanningEpisode

V = TypeVar("V")
_Episodes = Sequence[PlanningEpisode]


def _of_plans(
    combine: Callable[[Iterable[float]], V], of: Callable[[PlanningEpisode], float]
) -> Callable[[_Episodes], V]:
    return lambda episodes: combine(of(e) for e in episodes if e.planned)


def _of_solved(of: Callable[[PlanningEpisode], float]) -> Callable[[_Episodes], float]:
    return lambda episodes: mean(of(e) for e in episodes if e.success)


def _worst(values: Iterable[float]) -> float:
    return max(values, default=0.0)


def _proved(episodes: _Episodes) -> Rate:
    return Rate(sum(e.planned and e.proved for e in episodes), sum(e.planned for e in episodes))


def seconds(value: float) -> str:
    """A time for people; a dash for what was never done, which is what exactly none means."""
    if value == 0:
        return "–"
    return f"{value:.3f} s" if value >= 0.01 else f"{1000 * value:.2f} ms"


#: What trials are added up to. Costs and actions are means over those that were solved, seconds those of all
#: plans.
FIGURES: tuple[Figure[PlanningEpisode], ...] = (
    Figure("success", share(lambda e: e.success), "success"),
    Figure("refused", lambda es: sum(e.planned and not e.success for e in es), "plans that failed"),
    Figure("proved", _proved, "proved cheapest", lambda rate: f"{100 * rate.value:.1f} %"),
    Figure("cost", _of_solved(lambda e: e.cost), "plan cost", lambda cost: f"{cost:.1f}"),
    Figure("actions", _of_solved(lambda e: e.actions), "actions", lambda actions: f"{actions:.2f}"),
    Figure("first_median", _of_plans(median, lambda e: e.timing.first), "first plan, median", seconds),
    Figure("first_worst", _of_plans(_worst, lambda e: e.timing.first), "first plan, worst", seconds),
    Figure(
        "proof_median",
        lambda es: median(e.timing.proof for e in es if e.planned and e.proved),
        "proof, median",
        seconds,
    ),
    Figure("search_median", _of_plans(median, lambda e: e.timing.search), "search alone, median", seconds),
    Figure(
        "asked",
        _of_plans(mean, lambda e: sum(e.asked.values())),
        "model calls",
        lambda calls: f"{calls:.1f}",
    ),
)


@dataclass(frozen=True, slots=True)
class Gain:
    """Reduction of plans in one way against another, over the trials that both solved.

    Attributes:
        name: what is compared.
        pairs: how many trials both solved.
        actions: mean relative reduction of the number of actions.
        cost: the same of the costs.
        shorter: pairs with fewer actions.
        dearer: pairs in which the first of the two plans costs more.
        other: pairs whose plans differ in cost or number of actions.
    """

    name: str
    pairs: int
    actions: float
    cost: float
    shorter: int
    dearer: int
    other: int


def compare(name: str, better: _Episodes, worse: _Episodes, across: bool = False) -> Gain:
    """Compare the plans of *better* with those of *worse*, over the trials that both solved.

    A pair has the same task and seed, and the same setting unless settings are what is compared (*across*).
    """

    def key(episode: PlanningEpisode) -> tuple[str, int, str]:
        return episode.task, episode.seed, "" if across else episode.setting

    found = pair_up((e for e in better if e.success), (e for e in worse if e.success), key)
    pairs = [(pair.one, pair.other) for pair in found]
    return Gain(
        name,
        len(pairs),
        mean(_reduction(one.actions, other.actions) for one, other in pairs),
        mean(_reduction(one.cost, other.cost) for one, other in pairs),
        sum(one.actions < other.actions for one, other in pairs),
        sum(one.cost > other.cost for one, other in pairs),
        sum((one.actions, one.cost) != (other.actions, other.cost) for one, other in pairs),
    )


def _reduction(short: float, long: float) -> float:
    return (long - short) / long if long else 0.0
