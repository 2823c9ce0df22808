"""The camera of a body: a pinhole model, and the pose from which it looks."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera.

    Attributes:
        width: columns of the image.
        height: rows of the image.
        fov: the horizontal field of view in degrees.
        near: nothing nearer than this is seen (metres).
        far: nothing farther than this is seen (metres).
    """

    width: int = 96
    height: int = 72
    fov: float = 90.0
    near: float = 0.05
    far: float = 8.0

    @property
    def focal(self) -> float:
        """The focal length in pixels, which are square."""
        return self.width / 2 / tan(radians(self.fov / 2))


@dataclass(frozen=True, slots=True)
class Stance:
    """The pose of a body and its camera, which never rolls.

    Attributes:
        x: metres in the map's frame.
        y: metres in the map's frame.
        heading: degrees counter-clockwise; 0 looks along x, 90 along y.
        pitch: degrees; up is positive.
        eye: the height of the camera in metres.
    """

    x: float
    y: float
    heading: int
    pitch: int = 0
    eye: float = 1.4
