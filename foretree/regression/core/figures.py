"""Figures of episodes: each named, computed, headed and written in one place.

A kind of suite lists its figures once; the tables of reports and the summaries in JSON follow from the list:

    FIGURES = (
        Figure("success", share(lambda e: e.success), "success"),
        Figure("actions", average(lambda e: e.started), "actions", digits(1)),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from foretree.regression.core.statistics import Estimate, Rate, clusters_of, estimate, mean, rate

E = TypeVar("E", contravariant=True)
_Of: TypeAlias = Callable[[Sequence[E]], Any]

#: Values of figures by their keys.
Summary: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Figure(Generic[E]):
    """A figure of a group of episodes.

    Attributes:
        key: its name in JSON.
        of: its value.
        heading: its name in tables; empty to leave it out of them.
        show: its text in tables.
    """

    key: str
    of: _Of[E]
    heading: str = ""
    show: Callable[[Any], str] = str


@dataclass(frozen=True)
class Measure(Generic[E]):
    """A measure of a single episode, to compare two runs by.

    Attributes:
        name: its name for people.
        of: its value.
        better: whether more is better (1) or worse (-1); 0 for what depends on the machine.
        where: which pairs are compared: all, or those of which both succeeded.
    """

    name: str
    of: Callable[[E], float]
    better: Literal[1, 0, -1]
    where: Literal["all", "both succeed"] = "all"


def summarise(figures: Iterable[Figure[E]], episodes: Sequence[E]) -> dict[str, Any]:
    """Values of all *figures* of *episodes*, by key."""
    return {figure.key: figure.of(episodes) for figure in figures}


def summary_data(summary: Summary) -> dict[str, Any]:
    """*summary* as plain data; rates and means with their intervals."""
    return {key: _plain(value) for key, value in summary.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, (Rate, Estimate)):
        return value.as_data()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


# -- values ----------------------------------------------------------------------------------------------


def share(holds: Callable[[E], object]) -> Callable[[Sequence[E]], Rate]:
    """Rate of episodes of which something holds."""
    return lambda episodes: rate([int(bool(holds(e))) for e in episodes], None, clusters_of(episodes))


def ratio(count: Callable[[E], int], of: Callable[[E], int]) -> Callable[[Sequence[E]], Rate]:
    """Rate of what is counted in all episodes, of something else that is counted in them."""
    return lambda episodes: rate([*map(count, episodes)], [*map(of, episodes)], clusters_of(episodes))


def average(of: Callable[[E], float]) -> Callable[[Sequence[E]], float]:
    """Mean per episode."""
    return lambda episodes: mean(map(of, episodes))


def estimated(of: Callable[[E], float]) -> Callable[[Sequence[E]], Estimate]:
    """Mean per episode, with its interval."""
    return lambda episodes: estimate([of(e) for e in episodes], clusters_of(episodes))


def number(holds: Callable[[E], object]) -> Callable[[Sequence[E]], int]:
    """Number of episodes of which something holds."""
    return lambda episodes: sum(bool(holds(e)) for e in episodes)


# -- texts -----------------------------------------------------------------------------------------------


def digits(count: int) -> Callable[[Any], str]:
    """Numbers, or estimates with their intervals, with so many digits after the point."""

    def show(value: float | Estimate) -> str:
        if isinstance(value, Estimate):
            return f"{value.value:.{count}f} ({value.low:.{count}f} to {value.high:.{count}f})"
        return f"{value:.{count}f}"

    return show


def percent(value: Estimate) -> str:
    """A share with its interval, in percent."""
    return f"{100 * value.value:.1f} % ({100 * value.low:.1f} to {100 * value.high:.1f})"


def just_count(value: Rate) -> str:
    """The count of a rate alone."""
    return str(value.count)
