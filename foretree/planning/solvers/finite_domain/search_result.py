"""The result of a search for a plan over variables."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.planning.solvers.base import Status


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The end of a search.

    Attributes:
        operators: the numbers of those in the plan.
        expanded: how many states were.
        why: which limit was reached.
        evaluated: how many states were looked at by a heuristic.
        branching: how many states followed from each, on average, rounded up.
        cost: of the plan, as the search adds it up.
        lower_bound: no plan is cheaper; only a search that proves its plans optimal knows one.
        proved: whether that is what the plan costs.
    """

    status: Status
    operators: tuple[int, ...]
    expanded: int
    why: str = ""
    lower_bound: int = 0
    proved: bool = False
    evaluated: int = 0
    branching: int = 1
    cost: int = 0
