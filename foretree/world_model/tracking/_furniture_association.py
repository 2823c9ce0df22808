"""Matching of boxes that were seen with furniture that was discovered, rather than told with the map.

A look shows a part of a piece of furniture: the rest is hidden, or out of the picture. So a box belongs to a
piece if most of the box lies within the piece's known extent, or most of that extent lies in the box. Boxes
beside each other touch, and noise lets them overlap a little; that does not make them one piece.

Two pieces cannot take the same room. So a box of another class in the place of a piece is that piece if their
class scores have a class in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from foretree.world_model.beliefs.facts import Entity, Extent, best_of
from foretree.world_model.observation import Detection

#: How far noise moves a side of a box (metres): by less than this nothing has grown.
SLACK = 0.12
#: A box is taken to be at least so thick: what shows only its front is not flat.
_THICK = 0.2
#: From this share of the smaller of two boxes in the larger one on, they are of one piece.
_MOSTLY = 0.5
#: The same for what looks like another class altogether: then of both boxes together.
_ALL_THE_SAME = 0.45
#: A piece of which so much lies in another one is a part of that; of what was seen side by side, what lies in
#: one box that was seen as a whole.
_WITHIN, _ALL_OF_IT = 0.6, 0.9
_LOOK_ALIKE_COST, _ODD_COST = 0.3, 0.6
#: Scores that have so much in common may be of one thing.
_IN_COMMON = 0.02

#: Tells whether one class is easily taken for another.
Alike = Callable[[str, str], bool]


def extent_of(detection: Detection) -> Extent:
    """The box of a detection; a small one around its pose if the look gave none."""
    if detection.extent is not None:
        return detection.extent
    x, y, z = detection.pose
    half = _THICK / 2
    return (x - half, y - half, z - half, x + half, y + half, z + half)


def grown(known: Extent, seen: Extent) -> Extent:
    """The extent of a piece after one more look; *known* itself if it is no larger.

    A look never makes it smaller, since it may have seen a part. Where it seems larger by less than what
    noise makes of it, it is as large as it was.
    """
    x, y, z = (s if s < k - SLACK else k for k, s in zip(known[:3], seen[:3], strict=True))
    end_x, end_y, end_z = (s if s > k + SLACK else k for k, s in zip(known[3:], seen[3:], strict=True))
    after = (x, y, z, end_x, end_y, end_z)
    return known if after == known else after


def match_furniture(
    detections: Sequence[Detection], known: Sequence[Entity], alike: Alike
) -> Iterator[tuple[float, Detection, Entity]]:
    """Every pair of a detection and a piece that it may be, with its cost."""
    boxes = ((piece, _thick(piece.extent)) for piece in known if piece.extent is not None)
    pieces = [(piece, extent, _wider(extent)) for piece, extent in boxes]
    for detection in detections:
        seen = _thick(extent_of(detection))
        x0, y0, _, x1, y1, _ = seen
        for piece, extent, wider in pieces:
            if x0 >= wider[3] or wider[0] >= x1 or y0 >= wider[4] or wider[1] >= y1:
                continue  # as most of it is
            cost = _cost(seen, detection.classes, extent, piece.classes, alike)
            if cost is not None:
                yield cost, detection, piece


def is_part(piece: Entity, of: Entity, alike: Alike) -> bool:
    """Return whether *piece* is a part of another piece, which it was not known to be.

    A piece thinner than furniture ever is was seen at its edge only. It then is within another piece of the
    same class, as far as noise lets one tell, even if most of it seems to lie beside that.
    """
    if piece.extent is None or of.extent is None or is_far(piece.extent, of.extent):
        return False
    part, whole = _thick(piece.extent), _thick(of.extent)
    shared = _shared(part, whole)
    if _likeness(piece.classes, of.classes, alike) is None and not _same_room(part, whole, shared):
        return False
    if _is_edge(piece.extent) and best_of(piece.classes) == best_of(of.classes):
        shared = _shared(part, _wider(whole))
    return shared >= _WITHIN * _volume(part)


def is_far(one: Extent, other: Extent) -> bool:
    """Return whether two boxes have nothing in common, however thick they are taken to be."""
    apart = 2 * SLACK
    return (
        other[0] - one[3] >= apart
        or one[0] - other[3] >= apart
        or other[1] - one[4] >= apart
        or one[1] - other[4] >= apart
        or other[2] - one[5] >= apart
        or one[2] - other[5] >= apart
    )


def shows_all_of(detection: Detection, piece: Entity) -> bool:
    """Return whether a detection has all of a piece in it."""
    if piece.extent is None:
        return False
    part = _thick(piece.extent)
    return _shared(part, _thick(extent_of(detection))) >= _ALL_OF_IT * _volume(part)


def _cost(
    one: Extent, seen_as: Mapping[str, float], other: Extent, known_as: Mapping[str, float], alike: Alike
) -> float | None:
    """The cost of matching two boxes, made thick; None if they cannot be one piece."""
    shared = _shared(one, _wider(other))
    if not shared:
        return None
    smaller = min(_volume(one), _volume(other))
    if shared < _MOSTLY * smaller:
        return None
    unlike = _likeness(seen_as, known_as, alike)
    # The end of what stands beside a piece lies within what noise may make of that, but not within the piece.
    shared = _shared(one, other)
    if unlike is None:
        unlike = _ODD_COST if _same_room(one, other, shared) else None
    return None if unlike is None else 1.0 - min(1.0, shared / smaller) + unlike


def _likeness(one: Mapping[str, float], other: Mapping[str, float], alike: Alike) -> float | None:
    """The cost of different classes: 0 if the best are the same, None if they cannot be confused."""
    first, second = best_of(one), best_of(other)
    if first == second:
        return 0.0
    in_common = sum(min(score, other.get(name, 0.0)) for name, score in one.items())
    return _LOOK_ALIKE_COST if in_common >= _IN_COMMON or alike(first, second) else None


def _same_room(one: Extent, other: Extent, shared: float) -> bool:
    """Return whether two boxes have most of their joint volume in common."""
    return shared >= _ALL_THE_SAME * (_volume(one) + _volume(other) - shared)


def _is_edge(extent: Extent) -> bool:
    """Return whether a box is thinner on the floor than any piece is."""
    return min(extent[3] - extent[0], extent[4] - extent[1]) < _THICK


@lru_cache(maxsize=1024)
def _thick(extent: Extent) -> Extent:
    """The box, made as thick as any piece is."""
    low, high = list(extent[:3]), list(extent[3:])
    for axis in range(3):
        lacking = _THICK - (high[axis] - low[axis])
        if lacking > 0:
            low[axis] -= lacking / 2
            high[axis] += lacking / 2
    return (low[0], low[1], low[2], high[0], high[1], high[2])


@lru_cache(maxsize=1024)
def _wider(extent: Extent) -> Extent:
    x0, y0, z0, x1, y1, z1 = extent
    return (x0 - SLACK, y0 - SLACK, z0 - SLACK, x1 + SLACK, y1 + SLACK, z1 + SLACK)


def _shared(one: Extent, other: Extent) -> float:
    if one[0] >= other[3] or other[0] >= one[3] or one[1] >= other[4] or other[1] >= one[4]:
        return 0.0  # as of most
    volume = 1.0
    for axis in range(3):
        overlap = min(one[axis + 3], other[axis + 3]) - max(one[axis], other[axis])
        if overlap <= 0:
            return 0.0
        volume *= overlap
    return volume


def _volume(extent: Extent) -> float:
    x0, y0, z0, x1, y1, z1 = extent
    return (x1 - x0) * (y1 - y0) * (z1 - z0)
