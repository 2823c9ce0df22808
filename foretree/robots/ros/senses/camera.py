"""Cameras of ``sensor_msgs/msg/CameraInfo``: from pixels with depth to points, and from points to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError
from foretree.robots.ros.senses.images import DepthImage
from foretree.robots.ros.senses.transforms import Points

#: Distortion models that are known: polynomials of the distance from the axis, with 5 and 8 coefficients.
_MODELS = {"plumb_bob": (0, 4, 5), "rational_polynomial": (8,), "": (0,)}
#: Steps in which a distorted pixel is straightened; each comes nearer by some tenths.
_STEPS = 20


class CameraError(ForetreeError):
    """A camera info that describes no usable camera."""


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A pinhole camera that looks along z, with x to the right and y down.

    Attributes:
        width: columns of the image.
        height: rows of the image.
        focal: focal lengths in pixels, along x and along y.
        centre: the pixel on the axis.
        distortion: coefficients k1, k2, p1, p2, k3, k4, k5, k6; none for a rectified image.
    """

    width: int
    height: int
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, ...] = ()

    @classmethod
    def of(cls, info: Any) -> Pinhole:
        """Return the camera that a ``CameraInfo`` describes.

        Raises:
            CameraError: it is not calibrated, sends a part of its image only, or has an unknown distortion.
        """
        k, d = [float(value) for value in info.k], [float(value) for value in info.d]
        if not all(map(isfinite, (*k, *d))) or k[0] <= 0 or k[4] <= 0:
            raise CameraError("a camera info without focal lengths: the camera is not calibrated")
        if k[1]:
            raise CameraError(f"a camera info whose K has a skew of {k[1]:g}, which is not supported")
        roi = info.roi
        if int(info.binning_x) > 1 or int(info.binning_y) > 1 or roi.width or roi.height:
            raise CameraError("a camera that sends a part of its image only, or several pixels as one")
        model = str(info.distortion_model)
        if any(d) and len(d) not in _MODELS.get(model, ()):
            known = ", ".join(name for name in _MODELS if name)
            raise CameraError(
                f"a camera with the distortion model {model!r} and {len(d)} coefficients. Known are: "
                f"{known}. Else use the rectified image and its camera info (image_proc)"
            )
        return cls(int(info.width), int(info.height), (k[0], k[4]), (k[2], k[5]), tuple(d) if any(d) else ())

    def fits(self, image: NDArray[Any]) -> bool:
        """Return whether an image has the size that the camera says."""
        return image.shape[:2] == (self.height, self.width)

    def pixels(self, points: Points) -> tuple[Points, Points]:
        """Return column and row (two columns) of points of the camera's frame, and their depths.

        Of points behind the camera both are NaN.
        """
        depth = points[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            flat = points[:, :2] / depth[:, None]
        flat[depth <= 0] = np.nan
        if self.distortion:
            # Beyond the field of view the polynomial may turn back, and show there what is not in the image.
            beyond = np.hypot(flat[:, 0], flat[:, 1]) > self._widest()
            flat = _distorted(flat, self.distortion)
            flat[beyond] = np.nan
        return flat * np.array(self.focal) + np.array(self.centre), depth

    def points(self, depth: DepthImage, columns: slice = slice(None), rows: slice = slice(None)) -> Points:
        """Return the points (a row each) of those pixels of a part of the image that have a depth."""
        part = depth[rows, columns]
        measured = np.isfinite(part)
        rays = _rays(self)[rows, columns][measured]
        along = part[measured].astype(np.float64)
        return np.column_stack((rays * along[:, None], along))

    def inside(self, pixels: Points, margin: float = 0.0) -> NDArray[np.bool_]:
        """Return which pixels are in the image, so far from its edge."""
        with np.errstate(invalid="ignore"):
            column, row = pixels[:, 0], pixels[:, 1]
            inside: NDArray[np.bool_] = (
                (column >= margin)
                & (column <= self.width - 1 - margin)
                & (row >= margin)
                & (row <= self.height - 1 - margin)
            )
        return inside

    def _widest(self) -> float:
        """The distance from the axis of the image's farthest corner, one metre away, and a little more."""
        rays = _rays(self)
        return float(np.hypot(rays[..., 0], rays[..., 1]).max()) * 1.05


def _distorted(flat: Points, coefficients: tuple[float, ...]) -> Points:
    k1, k2, p1, p2, k3, k4, k5, k6 = (*coefficients, *[0.0] * (8 - len(coefficients)))
    x, y = flat[:, 0], flat[:, 1]
    r = x * x + y * y
    radial = (1 + r * (k1 + r * (k2 + r * k3))) / (1 + r * (k4 + r * (k5 + r * k6)))
    return np.column_stack(
        (
            x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x),
            y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y,
        )
    )


@lru_cache(maxsize=8)
def _rays(camera: Pinhole) -> NDArray[np.float64]:
    """For each pixel x and y of its ray one metre away.

    Raises:
        CameraError: the distortion is so large that it cannot be taken back.
    """
    rows, columns = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float64)
    seen = np.column_stack((columns.ravel(), rows.ravel()))
    seen = (seen - np.array(camera.centre)) / np.array(camera.focal)
    flat: Points = seen.copy()
    if camera.distortion:
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(_STEPS):
                flat += seen - _distorted(flat, camera.distortion)
            error = np.abs(_distorted(flat, camera.distortion) - seen) * np.array(camera.focal)
        if not (error < 0.1).all():
            raise CameraError(
                "a camera whose distortion cannot be taken back at the edge of its image. Use the rectified "
                "image and its camera info (image_proc)"
            )
    rays: NDArray[np.float64] = flat.reshape(camera.height, camera.width, 2)
    return rays
