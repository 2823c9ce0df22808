"""Furniture that nobody told of: which box that was seen belongs to which piece that is known.

Of a piece of furniture a look shows a part: the rest is hidden, or out of the picture. So a box is a piece's
    if most
of the box lies where the piece is known to be, or most of what is known of the piece lies in the box. Boxes
beside each other touch, and noise lets them overlap a little; that makes no one piece of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from foretree.world_model.entities import Entity, Extent, Pose
from foretree.world_model.observation import Detection

#: How far noise moves a side of a box (metres): by less than this nothing has grown.
SLACK = 0.12
#: A box is taken to be at least so thick: what shows only its front is not flat.
_THICK = 0.2
#: From this share of the smaller of two boxes in the larger one on, they are of one piece.
_MOSTLY = 0.5
#: The same for what looks like another class altogether: then of both boxes together.
_ALL_THE_SAME = 0.45
#: A piece of which so much lies in another one is a part of that.
_WITHIN = 0.6
_LOOK_ALIKE_COST, _ODD_COST = 0.3, 0.6

#: Whether one class is easily taken for another.
Alike = Callable[[str, str], bool]


def centre(extent: Extent) -> Pose:
    """The middle of a box."""
    x0, y0, z0, x1, y1, z1 = extent
    return (round((x0 + x1) / 2, 3), round((y0 + y1) / 2, 3), round((z0 + z1) / 2, 3))


def extent_of(detection: Detection) -> Extent:
    """The box of what was seen; around a point if the look could not tell."""
    if detection.extent is not None:
        return detection.extent
    x, y, z = detection.pose
    half = _THICK / 2
    return (x - half, y - half, z - half, x + half, y + half, z + half)


def grown(known: Extent, seen: Extent) -> Extent:
    """A piece's box after one more look, *known* itself if it is no larger.

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
    """Every pair of a detection and a piece that it may be, with what speaks against it (0 being nothing)."""
    pieces = [(piece, _thick(piece.extent)) for piece in known if piece.extent is not None]
    for detection in detections:
        seen = _thick(extent_of(detection))
        seen_as = min(detection.classes, key=lambda name: (-detection.classes[name], name))
        for piece, extent in pieces:
            cost = _cost(seen, seen_as, extent, piece.best_class, alike)
            if cost is not None:
                yield cost, detection, piece


def is_part(piece: Entity, of: Entity, alike: Alike) -> bool:
    """Whether two pieces that were taken for two are one, of which the first is a part."""
    if piece.extent is None or of.extent is None:
        return False
    one, other = piece.best_class, of.best_class
    if one != other and not alike(one, other):
        return False
    if not _shared(_wider(piece.extent), _wider(of.extent)):
        return False  # far apart, as most are: at its thickest, a box is no wider than that
    part = _thick(piece.extent)
    return _shared(part, _thick(of.extent)) >= _WITHIN * _volume(part)


def _cost(one: Extent, seen_as: str, other: Extent, known_as: str, alike: Alike) -> float | None:
    """What speaks against a box, made thick, being of a piece with another one; None if that rules it out."""
    shared = _shared(one, _wider(other))
    if not shared:
        return None
    smaller = min(_volume(one), _volume(other))
    share = min(1.0, shared / smaller)
    if share < _MOSTLY:
        return None
    if seen_as == known_as:
        return 1.0 - share
    if alike(seen_as, known_as):
        return 1.0 - share + _LOOK_ALIKE_COST
    both = _shared(one, other)
    if both < _ALL_THE_SAME * (_volume(one) + _volume(other) - both):
        return None
    return 1.0 - share + _ODD_COST


def _thick(extent: Extent) -> Extent:
    """The box, made as thick as any piece is."""
    low, high = list(extent[:3]), list(extent[3:])
    for axis in range(3):
        lacking = _THICK - (high[axis] - low[axis])
        if lacking > 0:
            low[axis] -= lacking / 2
            high[axis] += lacking / 2
    return (low[0], low[1], low[2], high[0], high[1], high[2])


def _wider(extent: Extent) -> Extent:
    x0, y0, z0, x1, y1, z1 = extent
    return (x0 - SLACK, y0 - SLACK, z0 - SLACK, x1 + SLACK, y1 + SLACK, z1 + SLACK)


def _shared(one: Extent, other: Extent) -> float:
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
