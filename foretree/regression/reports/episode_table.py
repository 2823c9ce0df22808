"""Episodes as a table with one row each: CSV, or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from foretree.errors import takes_extra
from foretree.regression.core.trial import TrialResult
from foretree.regression.reports.output import OutputError, write_text


def episode_rows(episodes: Sequence[TrialResult]) -> list[dict[str, Any]]:
    """A row for each episode, all with the same columns: its fields, ``sound`` and ``fault``.

    What is nested has a column of its own, named by its path: ``effort.wall``, ``asked.goal``. The
    fields that tell episodes apart come first.
    """
    rows = [
        {
            "number": e.number,
            **{name: getattr(e, name) for name in e.identity},
            "sound": e.sound,
            "fault": e.fault,
            **_flat(asdict(e)),
        }
        for e in episodes
    ]
    columns = dict.fromkeys(column for row in rows for column in row)
    return [{column: row.get(column) for column in columns} for row in rows]


def write_csv(episodes: Sequence[TrialResult], path: Path) -> None:
    """Write *episodes* as CSV; lists are joined by semicolons, what an episode lacks is empty.

    Raises:
        OutputError: that is not possible.
    """
    rows = episode_rows(episodes)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["number"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: _cell(value) for column, value in row.items()} for row in rows)
    write_text(path, text.getvalue())


def write_parquet(episodes: Sequence[TrialResult], path: Path) -> None:
    """Write *episodes* as a Parquet file; lists stay lists.

    Raises:
        MissingPackageError: pyarrow is not installed.
        OutputError: that is not possible.
    """
    need_parquet()
    import pyarrow
    from pyarrow import parquet

    rows = [
        {column: list(value) if isinstance(value, tuple) else value for column, value in row.items()}
        for row in episode_rows(episodes)
    ]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error


def need_parquet() -> None:
    """Make sure that Parquet files can be written.

    Raises:
        MissingPackageError: pyarrow is not installed.
    """
    with takes_extra("parquet", "Parquet files"):
        import_module("pyarrow")


def _flat(said: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    parts = (
        _flat(value, f"{above}{name}.") if isinstance(value, Mapping) else {f"{above}{name}": value}
        for name, value in said.items()
    )
    return {name: value for part in parts for name, value in part.items()}


def _cell(value: Any) -> Any:
    return ";".join(map(str, value)) if isinstance(value, (tuple, list)) else value
