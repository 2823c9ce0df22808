"""Encoding of event data: one way only, so that equal data are equal bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from foretree.runs.events import Event

# ASCII, so that a line can be printed wherever it is exported to, and text that is not valid Unicode (from a
# command line, say) can be stored at all.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical(data: Any) -> str:
    """*data* as JSON with sorted keys and no spaces.

    Raises:
        TypeError, ValueError: it holds something that JSON has no word for.
    """
    return _encode(data)


def without_wall(data: Any) -> Any:
    """*data* less everything that depends on the wall clock, which is kept under keys named ``wall``."""
    if data is None or isinstance(data, str | int | float):
        return data  # as most of it is
    if isinstance(data, Mapping):
        return {key: without_wall(value) for key, value in data.items() if key != "wall"}
    if isinstance(data, list | tuple):
        return [without_wall(value) for value in data]
    return data


def event_json(event: Event) -> str:
    """*event* as one line of JSON."""
    return canonical(event._asdict())
