"""How a camera is built and how it stands: what it takes to say where a pixel is."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera.

    Attributes:
        width: columns of the image.
        height: rows of the image.
        fov: how wide it sees, in degrees, from the leftmost to the rightmost column.
        near: nothing nearer is seen (metres).
        far: nothing farther is seen (metres).
    """

    width: int = 96
    height: int = 72
    fov: float = 90.0
    near: float = 0.05
    far: float = 8.0

    @property
    def focal(self) -> float:
        """The focal length in pixels; they are square."""
        return self.width / 2 / tan(radians(self.fov / 2))


@dataclass(frozen=True, slots=True)
class Stance:
    """How a body stands and where its camera points.

    Attributes:
        x: metres in the map's frame.
        y: metres in the map's frame.
        heading: degrees counter-clockwise; 0 looks along x, 90 along y.
        pitch: degrees; up is positive.
        eye: how high the camera is (metres).
    """

    x: float
    y: float
    heading: int
    pitch: int = 0
    eye: float = 1.4
