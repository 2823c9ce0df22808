"""The events of a run as text: one JSON document, an event per line, or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from foretree.runs.encoding import canonical
from foretree.runs.events import EventRow
from foretree.runs.export.run_source import RunSource


def json_lines(source: RunSource) -> Iterator[str]:
    """An event per line."""
    for row in source.rows():
        yield _row_json(row) + "\n"


def json_document(source: RunSource) -> Iterator[str]:
    """One document, with the properties of the run as a whole."""
    yield f'{{"meta":{canonical(source.properties())},\n"events":['
    separator = "\n"
    for row in source.rows():
        yield separator + _row_json(row)
        separator = ",\n"
    yield "\n]}\n"


def csv_lines(source: RunSource) -> Iterator[str]:
    """A table with an event per row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(EventRow._fields)
    for row in source.rows():
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _row_json(row: EventRow) -> str:
    head = canonical({"seq": row.seq, "tick": row.tick, "time": row.time, "wall": row.wall, "kind": row.kind})
    return f'{head[:-1]},"data":{row.data}}}'
