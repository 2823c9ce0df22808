"""Lines of the tables that benchmarks print."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

#: Above lines of :func:`summary`.
HEADER = f"{'':>24} {'median':>8} {'90 %':>8} {'worst':>8}"


def summary(name: str, values: Sequence[float]) -> str:
    """Median, 90 % and worst of *values*."""
    ordered = sorted(values)
    late = ordered[max(0, math.ceil(0.9 * len(ordered)) - 1)]
    return f"{name:>24} {statistics.median(ordered):8.3f} {late:8.3f} {ordered[-1]:8.3f}"
