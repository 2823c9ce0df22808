"""Averages of what may be nothing at all, which is on average nothing."""

from __future__ import annotations

import statistics
from collections.abc import Iterable


def mean(values: Iterable[float]) -> float:
    """Their mean; 0 of nothing."""
    given = list(values)
    return statistics.fmean(given) if given else 0.0


def median(values: Iterable[float]) -> float:
    """Their median; 0 of nothing."""
    given = list(values)
    return statistics.median(given) if given else 0.0
