"""How much shorter plans are in one way than in another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foretree.regression.core.averages import mean
from foretree.regression.planning.trial import PlanningEpisode


@dataclass(frozen=True, slots=True)
class Gain:
    """How much shorter plans are in one way than in another, over the trials that both solved.

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


def compare(
    name: str, better: Iterable[PlanningEpisode], worse: Iterable[PlanningEpisode], across: bool = False
) -> Gain:
    """How much shorter the plans of *better* are, over the trials that both solved.

    A pair has the same task and seed, and the same setting unless settings are what is compared (*across*).
    """

    def key(episode: PlanningEpisode) -> tuple[str, int, str]:
        return episode.task, episode.seed, "" if across else episode.setting

    long = {key(e): e for e in worse if e.success}
    pairs = [(e, long[key(e)]) for e in better if e.success and key(e) in long]
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
