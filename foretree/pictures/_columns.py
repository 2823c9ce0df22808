"""Tables of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap


def columns(rows: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    """Columns, of which the last is wrapped."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    indent = sum(size + 2 for size in widths)
    for row in rows:
        first = "".join(f"{cell:<{size}}  " for cell, size in zip(row[:-1], widths, strict=True))
        last = wrap(row[-1], max(width - indent, 24)) or [""]
        yield f"{first}{last[0]}".rstrip()
        yield from (f"{'':<{indent}}{line}" for line in last[1:])
