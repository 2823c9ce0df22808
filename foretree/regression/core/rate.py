"""How often something happened, and how sure one can be of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, is_dataclass
from math import sqrt
from typing import Any

from foretree.regression.core.bootstrap import Estimate

#: The standard normal quantile of a two-sided interval of 95 %.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, with the 95 % Wilson interval of the probability behind it."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the probability lies, with 95 % confidence; anywhere if nothing was tried."""
        if not self.of:
            return 0.0, 1.0
        n, p, z2 = self.of, self.value, Z * Z
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"count": self.count, "of": self.of, "rate": self.value, "interval": list(self.interval)}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def summary_data(summary: Any) -> dict[str, Any]:
    """The fields of a summary, which is a dataclass, as plain data; rates and means with their intervals."""
    return {field.name: _plain(getattr(summary, field.name)) for field in fields(summary)}


def _plain(value: Any) -> Any:
    if isinstance(value, (Rate, Estimate)):
        return value.as_data()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
