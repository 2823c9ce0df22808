"""Planning times in larger buildings, measured elsewhere, for the report on a planning suite."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from foretree.regression.core.selection import SuiteError


@dataclass(frozen=True, slots=True)
class Growth:
    """Planning times in larger buildings.

    Attributes:
        name: on which map, and which plans.
        points: how many times the size, and seconds.
    """

    name: str
    points: tuple[tuple[float, float], ...]


def read_growth(path: Path) -> tuple[Growth, ...]:
    """Read planning times from the JSON that ``benchmarks/bench_compression.py`` writes.

    Raises:
        SuiteError: the file cannot be read, or holds something else.
    """
    points: dict[str, list[tuple[float, float]]] = {}
    try:
        for row in json.loads(path.read_text(encoding="utf-8"))["rows"]:
            # Of the two kinds of tasks, those all over the building: the harder ones.
            if row["tasks"] == "building" and row["solved"] == row["of"]:
                name = f"{row['map']} map, {row['mode']} plans"
                points.setdefault(name, []).append((float(row["wings"]), float(row["total"])))
    except OSError as error:
        raise SuiteError(f"Cannot read {path}: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SuiteError(
            f"{path}: that is not what benchmarks/bench_compression.py --json writes: rows of tasks, map, "
            "mode, wings, solved, of and total."
        ) from error
    return tuple(Growth(name, tuple(sorted(given))) for name, given in points.items())
