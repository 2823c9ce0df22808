"""Transforms between frames, as far as a supervisor needs them: where the origin of a frame is in another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

#: More frames are not between any two.
_LONGEST_CHAIN = 64


class _Link(NamedTuple):
    """The transform of a frame to its parent, when it came, and its time stamp."""

    parent: str
    at: float
    stamp: float
    x: float
    y: float
    z: float
    qx: float
    qy: float
    qz: float
    qw: float


class FramePosition(NamedTuple):
    """The origin of a frame in another.

    Attributes:
        x, y, z: where.
        at: when the oldest transform on the way came.
        stamp: the newest time stamp on the way.
    """

    x: float
    y: float
    z: float
    at: float
    stamp: float


class FrameTree:
    """The newest transform of each frame to its parent.

    A transform that comes again with the time stamp that it had before is no news: its age goes on.
    """

    def __init__(self) -> None:
        self._links: dict[str, _Link] = {}

    def hear(self, transforms: Iterable[Any], now: float, static: bool = False) -> None:
        """Take in transforms (``geometry_msgs/msg/TransformStamped``)."""
        for transform in transforms:
            header = transform.header
            stamp = header.stamp.sec + header.stamp.nanosec * 1e-9
            child = transform.child_frame_id.lstrip("/")
            known = self._links.get(child)
            if known is not None and stamp and stamp == known.stamp and not static:
                continue
            move, turn = transform.transform.translation, transform.transform.rotation
            at = float("inf") if static else now
            self._links[child] = _Link(
                header.frame_id.lstrip("/"), at, stamp, move.x, move.y, move.z, turn.x, turn.y, turn.z, turn.w
            )

    def position(self, frame: str, base: str) -> FramePosition | None:
        """Return where the origin of *frame* is in *base*, which is above it; None if no way up is known."""
        x = y = z = stamp = 0.0
        at = float("inf")
        for _ in range(_LONGEST_CHAIN):
            if frame == base:
                return FramePosition(x, y, z, at, stamp)
            link = self._links.get(frame)
            if link is None:
                return None
            x, y, z = _moved(link, x, y, z)
            at, stamp, frame = min(at, link.at), max(stamp, link.stamp), link.parent
        return None


def _moved(link: _Link, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The point turned and moved into the parent frame."""
    qx, qy, qz, qw = link.qx, link.qy, link.qz, link.qw
    tx, ty, tz = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
    return (
        link.x + x + qw * tx + qy * tz - qz * ty,
        link.y + y + qw * ty + qz * tx - qx * tz,
        link.z + z + qw * tz + qx * ty - qy * tx,
    )
