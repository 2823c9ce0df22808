"""Trials of a planning suite, added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foretree.regression.core.averages import mean, median
from foretree.regression.core.rate import Rate
from foretree.regression.planning.trial import PlanningEpisode


@dataclass(frozen=True, slots=True)
class PlanningSummary:
    """Trials, added up. Costs and actions are means over those that were solved, seconds those of all plans.

    Attributes:
        name: what they have in common.
        success: trials whose plan the world accepted, and the task was done.
        proved: plans that are known to be the cheapest with what was looked at, of all plans.
        refused: plans that the world did not accept.
        cost: of a plan.
        actions: of a plan.
        first_median: until the first plan.
        first_worst: until the first plan.
        proof_median: until the proof, of those that were proved.
        search_median: of the search alone.
        asked: how often a model would have been asked.
    """

    name: str
    success: Rate
    proved: Rate
    refused: int
    cost: float
    actions: float
    first_median: float
    first_worst: float
    proof_median: float
    search_median: float
    asked: float


def summarise_trials(name: str, episodes: Sequence[PlanningEpisode]) -> PlanningSummary:
    """Add *episodes* up."""
    planned = [e for e in episodes if e.planned]
    solved = [e for e in episodes if e.success]
    return PlanningSummary(
        name,
        Rate(len(solved), len(episodes)),
        Rate(sum(e.proved for e in planned), len(planned)),
        sum(e.planned and not e.success for e in episodes),
        mean(e.cost for e in solved),
        mean(e.actions for e in solved),
        median(e.timing.first for e in planned),
        max((e.timing.first for e in planned), default=0.0),
        median(e.timing.proof for e in planned if e.proved),
        median(e.timing.search for e in planned),
        mean(sum(e.asked.values()) for e in planned),
    )
