"""Means, rates and paired differences, with 95 % intervals.

Intervals of rates are Wilson's. Those of means are bootstrapped: the interval holds 95 % of the means of
samples drawn from the sample with replacement. All draws are seeded, so the same sample always has the same
interval.

Where what was measured comes in clusters, such as several tasks in each of some rooms, whole clusters are
drawn, for rates too: tasks in the same room tell less of other rooms than as many rooms would.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, comb, sqrt
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

E = TypeVar("E")

#: The number of samples drawn, and of those drawn at a time.
DRAWS = 5000
_AT_ONCE = 500
_SEED = 20_000_003
#: Of fewer, all may go the same way by chance more often than once in twenty.
_FEWEST = 6
#: The standard normal quantile of a two-sided interval of 95 %.
Z = 1.959963984540054


def mean(values: Iterable[float]) -> float:
    """Mean of *values*; 0 of none."""
    given = list(values)
    return statistics.fmean(given) if given else 0.0


def median(values: Iterable[float]) -> float:
    """Median of *values*; 0 of none."""
    given = list(values)
    return statistics.median(given) if given else 0.0


def quantile(values: Iterable[float], share: float) -> float:
    """The least of *values* that so large a *share* of them do not exceed; 0 of none."""
    given = sorted(values)
    return given[max(0, ceil(share * len(given)) - 1)] if given else 0.0


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, with the 95 % interval of the probability behind it.

    Attributes:
        count: so many.
        of: of so many.
        span: the interval, if it is not Wilson's.
    """

    count: int
    of: int
    span: tuple[float, float] | None = None

    @property
    def value(self) -> float:
        """The share; 0 of nothing."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the probability, with 95 % confidence; 0 to 1 if nothing was tried."""
        if not self.of:
            return 0.0, 1.0
        if self.span is not None:
            return self.span
        n, p, z2 = self.of, self.value, Z * Z
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def as_data(self) -> dict[str, Any]:
        """The rate as plain data."""
        return {"count": self.count, "of": self.of, "rate": self.value, "interval": list(self.interval)}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        value: the mean of the sample; 0 of nothing.
        low: the lower end of the interval.
        high: the upper end.
        of: the size of the sample.
    """

    value: float
    low: float
    high: float
    of: int

    @property
    def significant(self) -> bool:
        """True if the interval leaves out 0, of a sample that is large enough to tell."""
        return self.of >= _FEWEST and (self.low > 0 or self.high < 0)

    def as_data(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {"value": self.value, "interval": [self.low, self.high], "of": self.of}


def clusters_of(results: Iterable[object]) -> tuple[str, ...] | None:
    """The clusters of some results; None if they are none, or of a single one that says nothing of others."""
    found = tuple(getattr(result, "cluster", "") for result in results)
    return found if all(found) and len(set(found)) > 1 else None


def rate(
    counts: Sequence[int], of: Sequence[int] | None = None, clusters: Sequence[str] | None = None
) -> Rate:
    """The rate of what is counted.

    Args:
        counts: of each result.
        of: of how many of each; one by default.
        clusters: that of each result, if they come in clusters.
    """
    sizes = [1] * len(counts) if of is None else of
    whole = Rate(sum(counts), sum(sizes))
    if clusters is None or not whole.of:
        return whole
    return Rate(whole.count, whole.of, _cluster_interval(counts, sizes, clusters))


def _cluster_interval(
    values: Sequence[float], sizes: Sequence[float], clusters: Sequence[str]
) -> tuple[float, float]:
    """The interval of a ratio, of whole clusters drawn with replacement."""
    import numpy as np

    sums: dict[str, list[float]] = {}
    for value, size, name in zip(values, sizes, clusters, strict=True):
        one = sums.setdefault(name, [0.0, 0.0])
        one[0] += float(value)
        one[1] += float(size)
    drawn = _counts(len(sums)) @ np.asarray([*sums.values()], dtype=np.float64)
    ratios = drawn[:, 0][drawn[:, 1] > 0] / drawn[:, 1][drawn[:, 1] > 0]
    low, high = np.quantile(ratios, (0.025, 0.975))
    return float(low), float(high)


def estimate(sample: Sequence[float], clusters: Sequence[str] | None = None) -> Estimate:
    """Estimate the mean of the distribution that *sample* was drawn from.

    Args:
        sample: what was drawn.
        clusters: that of each, if they come in clusters.
    """
    # Reports on suites outside of homes are made where there may be no numpy.
    import numpy as np

    if not sample:
        return Estimate(0.0, 0.0, 0.0, 0)
    values = np.asarray(sample, dtype=np.float64)
    if clusters is not None:
        low, high = _cluster_interval(sample, [1.0] * len(sample), clusters)
        return Estimate(float(values.mean()), low, high, len(values))
    means = _counts(len(values)) @ values / len(values)
    low, high = np.quantile(means, (0.025, 0.975))
    return Estimate(float(values.mean()), float(low), float(high), len(values))


@lru_cache(maxsize=4)
def _counts(size: int) -> NDArray[np.float64]:
    """Number of each value (column) of a sample of a size in each sample (row) drawn from it."""
    import numpy as np

    rng = np.random.default_rng(_SEED)
    counts = np.empty((DRAWS, size))
    for row in range(0, DRAWS, _AT_ONCE):
        drawn = rng.integers(0, size, (min(_AT_ONCE, DRAWS - row), size))
        places = drawn + size * np.arange(len(drawn))[:, np.newaxis]
        counts[row : row + len(drawn)] = np.bincount(places.ravel(), minlength=drawn.size).reshape(-1, size)
    return counts


# -- pairs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair(Generic[E]):
    """Two results of what is the same but for what is compared."""

    one: E
    other: E


def pair_up(one: Iterable[E], other: Iterable[E], key: Callable[[E], object]) -> tuple[Pair[E], ...]:
    """Pair what has the same *key* in both, in the order of *one*."""
    others = {key(e): e for e in other}
    return tuple(Pair(e, others[key(e)]) for e in one if key(e) in others)


def difference(pairs: Iterable[Pair[E]], of: Callable[[E], float]) -> Estimate:
    """Estimate how much more the first of each pair is on average."""
    given = tuple(pairs)
    sample = [float(of(pair.one)) - float(of(pair.other)) for pair in given]
    return estimate(sample, clusters_of(pair.one for pair in given))


def sign_test(won: int, lost: int) -> float:
    """Probability that equals win so unevenly many pairs alone: McNemar's exact test."""
    of = won + lost
    ways = sum(comb(of, count) for count in range(min(won, lost) + 1))
    return min(1.0, float(ways / 2 ** (of - 1)))
