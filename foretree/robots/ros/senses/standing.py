"""Place of the robot on the agent's map, by its pose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from foretree.robots.ros.senses.transforms import PoseError, RigidPose
from foretree.world_model.maps.places import PlaceGraph

#: A place is left when the robot is so many times farther than it takes to be there: poses waver.
_LEAVING = 1.5


@dataclass(frozen=True, slots=True)
class PlaceArea:
    """Area in which a robot stands that is at a place of the map.

    Attributes:
        place: the place.
        x, y: the middle of the area, in metres.
        reach: metres from the middle within which the robot is there.
    """

    place: str
    x: float
    y: float
    reach: float


def place_areas(
    places: PlaceGraph,
    tolerance: float,
    stand_off: float,
    measured: Iterable[tuple[tuple[float, float], tuple[float, float]]] = (),
) -> tuple[PlaceArea, ...]:
    """Return the areas of a map's places.

    Args:
        places: the map.
        tolerance: metres by which the robot may be off an area.
        stand_off: metres from a piece of furniture or a person to where the robot stands before it, on any
            side.
        measured: measured standing poses, each as where the place is and where the robot stands.
    """
    known = list(measured)
    found = []
    for place in places.places():
        x, y, _ = place.pose
        stands = [stand for at, stand in known if hypot(at[0] - x, at[1] - y) <= tolerance]
        if stands:
            found += [PlaceArea(place.name, *stand, tolerance) for stand in stands]
        else:
            beside = stand_off if place.kind in ("asset", "person") else 0.0
            found.append(PlaceArea(place.name, x, y, beside + tolerance))
    return tuple(found)


class Standing:
    """The place at which the robot stands, as its pose changes.

    Of several places within reach it is at the nearest. It stays there until it is plainly away, or at
    another.

    Args:
        areas: where the robot stands at each place.

    Attributes:
        places: all places.
        place: where it stands, None between places.
    """

    def __init__(self, areas: Sequence[PlaceArea]) -> None:
        self._areas = areas
        self.places = tuple(dict.fromkeys(area.place for area in areas))
        self.place: str | None = None

    def update(self, x: float, y: float) -> str | None:
        """Take in where the robot is; return the place, or None."""
        away = {area: hypot(area.x - x, area.y - y) for area in self._areas}
        within = [area for area in away if away[area] <= area.reach]
        if within:
            best = min(within, key=lambda area: (away[area], area.place))
            kept = [area for area in within if area.place == self.place]
            # Between two places that are equally near it does not go to and fro.
            if not kept or min(away[area] for area in kept) > away[best] + 0.1 * best.reach:
                self.place = best.place
        elif self.place is not None:
            left = all(away[area] > _LEAVING * area.reach for area in self._areas if area.place == self.place)
            self.place = None if left else self.place
        return self.place


def body_pose(message: Any, uncertain: float) -> tuple[str, RigidPose]:
    """Return the frame and the pose of an ``Odometry``, ``PoseStamped`` or ``PoseWithCovarianceStamped``.

    Args:
        message: the message.
        uncertain: metres of standard deviation from which on a pose is not used.

    Raises:
        PoseError: it is no pose, or too uncertain.
    """
    pose = message.pose
    if hasattr(pose, "covariance"):
        variance = max(float(pose.covariance[0]), float(pose.covariance[7]))
        if not variance <= uncertain**2:
            raise PoseError(
                f"a pose that is uncertain by {max(variance, 0.0) ** 0.5:.2f} m, more than {uncertain:g} m"
            )
        pose = pose.pose
    return str(message.header.frame_id), RigidPose.of(pose.position, pose.orientation)
