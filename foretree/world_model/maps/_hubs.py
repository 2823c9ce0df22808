"""Hubs: way-points at which many ways are split, so that fewer ways connect the same nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

#: The nodes of a way, both ends included, by number.
Way: TypeAlias = "tuple[int, ...]"

#: How many ways a hub must save: it is one more place for a robot to be.
_LEAST_GAIN = 2


def split_at_hubs(ways: Sequence[Way]) -> tuple[frozenset[int], list[Way]]:
    """The hubs, and the ways with those through a hub split there.

    All *ways* are cheapest, and so are their parts: what can be reached on them still can, at the same cost.
    """
    hubs: set[int] = set()
    left = {_ends(way): way for way in ways}
    while True:
        through: Counter[int] = Counter()
        ends: dict[int, set[int]] = {}
        for way in left.values():
            for node in way[1:-1]:
                through[node] += 1
                ends.setdefault(node, set()).update((way[0], way[-1]))
        gain, hub = max(((times - len(ends[n]), -n) for n, times in through.items()), default=(0, 0))
        if gain < _LEAST_GAIN:
            return frozenset(hubs), list(left.values())
        hub = -hub
        hubs.add(hub)
        left = {_ends(way): way for way in _split(left.values(), hub)}


def _split(ways: Iterable[Way], hub: int) -> Iterable[Way]:
    for way in ways:
        if hub in way[1:-1]:
            at = way.index(hub)
            yield way[: at + 1]
            yield way[at:]
        else:
            yield way


def _ends(way: Way) -> tuple[int, int]:
    return (way[0], way[-1]) if way[0] < way[-1] else (way[-1], way[0])
