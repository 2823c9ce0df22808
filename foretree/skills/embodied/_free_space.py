"""Free space on top of a thing, beside what lies there already.

A plate breaks where it just does not fit. So large things are placed with care: what is hidden is remembered
from earlier looks, and what lies there is taken to be as large as it looks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from statistics import median

from foretree.world_model.beliefs.facts import Extent
from foretree.world_model.observation import Observation

#: What is put down stays this far from the edge, and so far from what lies there (metres).
_EDGE, _GAP = 0.02, 0.01
#: Things look larger than they are by up to twice this much on every side (metres). Reckoning with all of
#: that would leave what is fragile to break where it just does not fit.
_BLUR = 0.01
#: What is at least so wide and so deep is large: a plate or a bowl, not a bottle (metres).
_LARGE = 0.15
#: Things whose lower sides are at most so far apart lie on the same board (metres): of a bottle behind others
#: one may see no more than the upper half.
_BOARD = 0.25
#: A thing would have been seen where it is remembered, if that is so likely.
_WOULD_BE_SEEN = 0.7
#: From so many of the last looks at a thing its box is reckoned: each errs by some centimetres.
_LOOKS = 5


def is_large(size: tuple[float, float]) -> bool:
    """Return whether a thing of this width and depth may well find no room."""
    return min(size) >= _LARGE


def is_covered(sight: Observation, support: str) -> bool:
    """Return whether one sees all of the top of a thing."""
    return any(one.relation == "on" and one.support == support for one in sight.covered)


def has_no_room(sight: Observation, support: str, size: tuple[float, float]) -> bool:
    """Return whether one sees that something does not fit on top of a thing.

    Args:
        sight: what is seen.
        support: the detection of the thing.
        size: how wide and how deep is what is to be put there, in metres.
    """
    whole = _extent_of(sight, support)
    if whole is None or not is_covered(sight, support):
        return False
    taken = [_grown(extent, -_BLUR) for extent in _seen_on(sight, support)]
    wide, deep = (side - 2 * _BLUR for side in size)
    return not (_fits(whole, taken, wide, deep) or _fits(whole, taken, deep, wide))


def may_not_fit(sights: Sequence[Observation], support: str, size: tuple[float, float]) -> bool:
    """Return whether something may find no room on top of a thing, as far as one has seen of late.

    Args:
        sights: what was seen, the last at the end.
        support: the detection of the thing in the last.
        size: how wide and how deep is what is to be put there, in metres.
    """
    whole = _extent_of(sights[-1], support)
    if whole is None:
        return False
    wide, deep = size
    taken = _remembered_on(sights, support, whole)
    return not any(
        _fits(whole, [_grown(extent, _GAP) for extent in board], *sides)
        for board in _boards(taken, whole[5])
        for sides in ((wide, deep), (deep, wide))
    )


def _remembered_on(sights: Sequence[Observation], support: str, whole: Extent) -> list[Extent]:
    """The boxes of what lies on a thing, also of what the last look does not show."""
    known: list[list[Extent]] = []
    for sight in sights:
        last = sight is sights[-1]
        seen = [
            extent
            for extent in (_seen_on(sight, support) if last else _seen_over(sight, whole))
            if _overlap(extent, _grown(whole, -_EDGE))
        ]
        still: list[list[Extent]] = []
        for boxes in known:
            same = next((one for one in seen if _is_level(one, boxes[-1]) and _is_same(one, boxes[-1])), None)
            if same is not None:
                seen.remove(same)
                still.append([*boxes, same])
            elif not _would_be_seen(sight, boxes[-1]):
                still.append(boxes)
        known = [*still, *([extent] for extent in seen)]
    return [_middling(boxes[-_LOOKS:]) for boxes in known]


def _extent_of(sight: Observation, detection: str) -> Extent | None:
    return next((one.extent for one in sight.detections if one.id == detection), None)


def _seen_on(sight: Observation, support: str) -> Iterator[Extent]:
    for one in sight.detections:
        if one.rests == ("on", support) and one.extent is not None:
            yield one.extent


def _seen_over(sight: Observation, whole: Extent) -> Iterator[Extent]:
    """Boxes of what was seen to lie on something where a thing is."""
    supports = {one.id for one in sight.detections if one.extent is not None and _is_same(one.extent, whole)}
    for one in sight.detections:
        if one.extent is not None and one.rests is not None and one.rests[1] in supports:
            yield one.extent


def _would_be_seen(sight: Observation, extent: Extent) -> bool:
    """Return whether a look would have shown what is remembered."""
    if sight.shows is None:
        return False
    x0, y0, z0, x1, y1, z1 = extent
    middle = (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2
    return sight.shows(middle, ((x1 - x0 + y1 - y0) / 2, z1 - z0)) >= _WOULD_BE_SEEN


def _overlap(one: Extent, other: Extent) -> bool:
    """Return whether two boxes have something in common, seen from above."""
    return one[0] < other[3] and other[0] < one[3] and one[1] < other[4] and other[1] < one[4]


def _is_level(one: Extent, other: Extent) -> bool:
    """Return whether two boxes may lie on the same board."""
    return abs(one[2] - other[2]) <= _BOARD


def _is_same(one: Extent, other: Extent) -> bool:
    """Return whether the middle of either box lies, seen from above, within the other."""
    return _has_middle_of(one, other) or _has_middle_of(other, one)


def _has_middle_of(box: Extent, other: Extent) -> bool:
    x, y = (other[0] + other[3]) / 2, (other[1] + other[4]) / 2
    return box[0] <= x <= box[3] and box[1] <= y <= box[4]


def _middling(boxes: Sequence[Extent]) -> Extent:
    x0, y0, z0, x1, y1, z1 = (median(sides) for sides in zip(*boxes, strict=True))
    return x0, y0, z0, x1, y1, z1


def _boards(taken: Collection[Extent], top: float) -> list[list[Extent]]:
    """Group boxes by the board of a shelf that they lie on; of anything else, take those on top."""
    on_top = [extent for extent in taken if extent[2] >= top - _BOARD]
    if on_top or not taken:
        return [on_top]
    boards: list[list[Extent]] = []
    for extent in sorted(taken, key=lambda extent: extent[2]):
        if not boards or extent[2] - boards[-1][-1][2] > _BOARD:
            boards.append([])
        boards[-1].append(extent)
    return boards


def _fits(whole: Extent, taken: Sequence[Extent], wide: float, deep: float) -> bool:
    """Return whether a rectangle fits; if so, then where it touches something to its left and below."""
    x0, y0, x1, y1 = whole[0] + _EDGE, whole[1] + _EDGE, whole[3] - _EDGE, whole[4] - _EDGE
    lefts = [x0, *(one[3] for one in taken if one[3] > x0)]
    lows = [y0, *(one[4] for one in taken if one[4] > y0)]
    return any(
        x + wide <= x1
        and y + deep <= y1
        and not any(x < o[3] and o[0] < x + wide and y < o[4] and o[1] < y + deep for o in taken)
        for x, y in product(lefts, lows)
    )


def _grown(extent: Extent, by: float) -> Extent:
    x0, y0, z0, x1, y1, z1 = extent
    return x0 - by, y0 - by, z0, x1 + by, y1 + by, z1
