"""How sure one can be of a mean, or of the mean difference between pairs: by drawing the sample anew.

The interval holds 95 % of the means of samples that are drawn from the sample itself, with replacement. All
draws are seeded, so the same sample always has the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: How many samples are drawn, and how many at a time.
DRAWS = 5000
_AT_ONCE = 500
_SEED = 20_000_003
#: Of fewer, all may go the same way by chance more often than once in twenty.
_FEWEST = 6


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        value: the mean of the sample; 0 of nothing.
        low: the lower end of the interval.
        high: the upper end.
        of: how large the sample is.
    """

    value: float
    low: float
    high: float
    of: int

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out 0, of a sample that is large enough to tell."""
        return self.of >= _FEWEST and (self.low > 0 or self.high < 0)

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"value": self.value, "interval": [self.low, self.high], "of": self.of}


def estimate(sample: Sequence[float]) -> Estimate:
    """The mean of what a sample was drawn from."""
    # Reports of suites without homes are made where there may be no numpy.
    import numpy as np

    if not sample:
        return Estimate(0.0, 0.0, 0.0, 0)
    values = np.asarray(sample, dtype=np.float64)
    means = _counts(len(values)) @ values / len(values)
    low, high = np.quantile(means, (0.025, 0.975))
    return Estimate(float(values.mean()), float(low), float(high), len(values))


@lru_cache(maxsize=4)
def _counts(size: int) -> NDArray[np.float64]:
    """How often each value (column) of a sample of a size is in each sample (row) that is drawn from it."""
    import numpy as np

    rng = np.random.default_rng(_SEED)
    counts = np.empty((DRAWS, size))
    for row in range(0, DRAWS, _AT_ONCE):
        drawn = rng.integers(0, size, (min(_AT_ONCE, DRAWS - row), size))
        places = drawn + size * np.arange(len(drawn))[:, np.newaxis]
        counts[row : row + len(drawn)] = np.bincount(places.ravel(), minlength=drawn.size).reshape(-1, size)
    return counts


def difference(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """How much more the first of each pair is on average.

    Args:
        one: the first of each pair.
        other: the second of each pair, in the same order.
    """
    return estimate([first - second for first, second in zip(one, other, strict=True)])
