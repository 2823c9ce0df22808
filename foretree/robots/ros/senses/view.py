"""View of a camera with depth from where it was: which spots it shows, and which surfaces the whole of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, floor, sin

import numpy as np
from numpy.typing import NDArray

from foretree.robots.ros.senses.camera import Pinhole
from foretree.robots.ros.senses.images import DepthImage
from foretree.robots.ros.senses.settings import SurfaceSettings
from foretree.robots.ros.senses.transforms import Points, RigidPose, box_around
from foretree.world_model.beliefs.facts import Extent, Pose
from foretree.world_model.observation import Covered, Detection, Size

#: A surface is covered if so much of it is seen; samples lie so far apart (metres).
_NEARLY, _SAMPLES = 0.9, 0.04
#: Depth is wrong by up to this, and by this much per metre squared, as of structured light and stereo.
_ERROR, _ERROR_GROWS = 0.03, 0.004
#: Depth is right so far (metres) near by, where things on a surface are told from it.
_FLAT = 0.015
#: What stands on a surface is at most so high (metres).
_HIGH = 0.5
#: A thing takes up the surface that it hides so far behind what is seen of it (metres).
_SHADOW = 0.12
#: A surface is looked at from at least this far above (metres).
_ABOVE = 0.1
#: A spot counts as in the image if it is so far from its edge (pixels).
_MARGIN = 2
#: What would show in fewer pixels than this is often not detected.
_LARGE_ENOUGH = 150.0
#: Views from the same cube (metres) and heading (degrees) are one viewpoint: they share their mistakes.
_CUBE, _TURN = 0.25, 30
#: What rests on a surface ends so far above or below it (metres), and is so far off its edge at most.
_CONTACT, _EDGE = 0.06, 0.03


@dataclass(frozen=True, slots=True, eq=False)
class CameraView:
    """A depth image, and where it was taken from.

    Attributes:
        camera: the camera.
        pose: its pose on the map.
        depth: its depth image.
        near, far: nearer and farther than this nothing is detected (metres).
        found: how often what is in plain view is detected.
    """

    camera: Pinhole
    pose: RigidPose
    depth: DepthImage
    near: float
    far: float
    found: float

    @property
    def viewpoint(self) -> str:
        """The name of the place that it was taken from."""
        x, y, z = self.pose.position
        ahead = self.pose.matrix[:, 2]
        heading = floor(degrees(atan2(ahead[1], ahead[0])) / _TURN) * _TURN
        return f"{floor(x / _CUBE)} {floor(y / _CUBE)} {floor(z / _CUBE)} {heading}"

    def shows(self, spot: Pose, size: Size | None = None) -> float:
        """Return the probability that an object of a width and height at *spot* would have been detected."""
        pixels, depths = self.camera.pixels(self.pose.invert(np.array((spot,))))
        away = float(depths[0])
        if not self.near < away < self.far or not self.camera.inside(pixels, _MARGIN)[0]:
            return 0.0
        column, row = np.rint(pixels[0]).astype(int)
        around = self.depth[row - _MARGIN : row + _MARGIN + 1, column - _MARGIN : column + _MARGIN + 1]
        measured = np.isfinite(around)
        # Where nothing was measured, it is not known what stands before the spot.
        free = float(np.mean(measured & (around > away - 2 * _error(away))))
        enough = 1.0
        if size is not None:
            face = size[0] * size[1] * self.camera.focal[0] * self.camera.focal[1] / away**2
            enough = min(1.0, face / _LARGE_ENOUGH)
        return free * enough * self.found

    def share_seen(self, surface: SurfaceSettings) -> float:
        """Return the share of a surface's top that is seen: it, or what stands on it."""
        top = surface.size[2]
        if self.pose.position[2] < top + _ABOVE:
            return 0.0
        samples = _top(surface)
        pixels, depths = self.camera.pixels(self.pose.invert(samples))
        usable = self.camera.inside(pixels) & (depths > self.near) & (depths < self.far)
        if not usable.any():
            return 0.0
        at = np.rint(pixels[usable]).astype(int)
        measured = self.depth[at[:, 1], at[:, 0]].astype(np.float64)
        expected = depths[usable]
        known = np.isfinite(measured)
        plain = known & (np.abs(measured - expected) <= _error(expected))
        nearer = known & (measured < expected - _error(expected))
        # What is nearer hides that part of the surface, unless it stands on that very part.
        rays = self.pose.invert(samples)[usable] / expected[:, None]
        points = self.pose.apply(rays * np.where(known, measured, 0.0)[:, None])
        beside = np.hypot(*(points - samples[usable])[:, :2].T)
        on_it = nearer & (beside <= _SHADOW) & _over(points, surface)
        return float(np.count_nonzero(plain | on_it)) / len(samples)


def covered_surfaces(
    view: CameraView, surfaces: Sequence[SurfaceSettings]
) -> tuple[list[Detection], list[Covered]]:
    """Return the known surfaces in view as detections, and which of them are covered."""
    detections, covered = [], []
    for surface in surfaces:
        share = view.share_seen(surface)
        if share > 0.0:
            detections.append(surface_detection(surface))
        if share >= _NEARLY:
            covered.append(Covered("on", detections[-1].id, round(share * view.found, 4)))
    return detections, covered


def surface_detection(surface: SurfaceSettings) -> Detection:
    """Return a known surface as a detection, where the map has it, so that it is taken for what it is."""
    x, y = surface.at
    name = f"{surface.class_}@{x:g},{y:g}"
    return Detection(name, {surface.class_: 1.0}, (x, y, 0.0), extent=surface_extent(surface))


def resting_on(extent: Extent, surfaces: Sequence[SurfaceSettings]) -> tuple[str, str] | None:
    """Return on which of some surfaces a box rests, by its detection; None if on none of them."""
    x0, y0, bottom, x1, y1, _ = extent
    middle = np.array((((x0 + x1) / 2, (y0 + y1) / 2, 0.0),))
    for surface in surfaces:
        if abs(bottom - surface.size[2]) <= _CONTACT and _over(middle, surface, any_height=True)[0]:
            return ("on", surface_detection(surface).id)
    return None


def on_top(points: Points, surface: SurfaceSettings) -> NDArray[np.bool_]:
    """Return which points of the map are on the top of a surface itself."""
    flat: NDArray[np.bool_] = np.abs(points[:, 2] - surface.size[2]) <= _FLAT
    return flat & _over(points, surface, any_height=True)


def surface_extent(surface: SurfaceSettings) -> Extent:
    """Return the box around a piece of furniture, which stands on the floor."""
    top = _placed(surface, np.array([(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]))
    x0, y0, _, x1, y1, z1 = box_around(top)
    return (x0, y0, 0.0, x1, y1, z1)


def _error(depth: NDArray[np.float64] | float) -> NDArray[np.float64] | float:
    return _ERROR + _ERROR_GROWS * depth * depth


def _top(surface: SurfaceSettings) -> Points:
    """Samples of a top, one in the middle of each of its parts."""
    wide, deep, _ = surface.size
    along, aside = (max(2, round(side / _SAMPLES)) for side in (wide, deep))
    grid = np.array(
        [((i + 0.5) / along - 0.5, (j + 0.5) / aside - 0.5) for i in range(along) for j in range(aside)]
    )
    return _placed(surface, grid)


def _placed(surface: SurfaceSettings, shares: Points) -> Points:
    """Points of a top, given as shares of its width and depth from its middle, on the map."""
    x, y = shares[:, 0] * surface.size[0], shares[:, 1] * surface.size[1]
    turn = surface.heading
    return np.column_stack(
        (
            surface.at[0] + x * cos(turn) - y * sin(turn),
            surface.at[1] + x * sin(turn) + y * cos(turn),
            np.full(len(shares), surface.size[2]),
        )
    )


def _over(points: Points, surface: SurfaceSettings, any_height: bool = False) -> NDArray[np.bool_]:
    """Which points are above a top (or, regardless of height, within its outline)."""
    turn = surface.heading
    x, y = points[:, 0] - surface.at[0], points[:, 1] - surface.at[1]
    along, aside = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    wide, deep, top = surface.size
    within: NDArray[np.bool_] = (np.abs(along) <= wide / 2 + _EDGE) & (np.abs(aside) <= deep / 2 + _EDGE)
    if any_height:
        return within
    above: NDArray[np.bool_] = within & (points[:, 2] > top - _ERROR) & (points[:, 2] < top + _HIGH)
    return above
