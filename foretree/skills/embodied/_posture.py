"""Turning and nodding: how a body brings something into its view."""

from __future__ import annotations

from math import atan2, degrees, dist

from foretree.skills.embodied._routine import Routine
from foretree.skills.embodied.body import NOD, TURN, Control
from foretree.skills.embodied.senses import Senses
from foretree.world_model.beliefs.facts import Pose
from foretree.world_model.camera_model import Stance

#: How far down and up the camera nods.
LOWEST, HIGHEST = -60, 30
#: How it nods while the body walks: from the floor before its feet to what is level with the eye.
WALKING = -30
#: What is farther from the middle of the view than this, in degrees, is brought nearer to it.
_ASIDE, _ABOVE = 36.0, 22.0


def heading_towards(stance: Stance, pose: Pose) -> int:
    """Return the heading at which something is seen best; the present one if it will do."""
    if dist((stance.x, stance.y), pose[:2]) < 1e-6:
        return stance.heading
    bearing = degrees(atan2(pose[1] - stance.y, pose[0] - stance.x))
    if abs(_between(bearing, stance.heading)) <= _ASIDE:
        return stance.heading
    return min(range(0, 360, TURN), key=lambda heading: (abs(_between(bearing, heading)), heading))


def pitch_towards(stance: Stance, pose: Pose) -> int:
    """Return the pitch at which something is seen best; the present one if it will do."""
    rise = degrees(atan2(pose[2] - stance.eye, max(dist((stance.x, stance.y), pose[:2]), 1e-6)))
    if abs(rise - stance.pitch) <= _ABOVE:
        return stance.pitch
    return min(range(LOWEST, HIGHEST + 1, NOD), key=lambda pitch: (abs(rise - pitch), pitch))


def turn_to(senses: Senses, heading: int) -> Routine:
    """Turn the shortest way; half turns go to the left."""
    while (left := (heading - senses.stance.heading) % 360) != 0:
        yield Control("rotate_right" if left == 270 else "rotate_left")


def nod_to(senses: Senses, pitch: int) -> Routine:
    """Look up or down."""
    while (up := pitch - senses.stance.pitch) != 0:
        yield Control("look_up" if up > 0 else "look_down")


def face(senses: Senses, pose: Pose) -> Routine:
    """Look at something."""
    yield from turn_to(senses, heading_towards(senses.stance, pose))
    yield from nod_to(senses, pitch_towards(senses.stance, pose))


def _between(one: float, other: float) -> float:
    """From one direction to another, -180 to 180 degrees."""
    return (one - other + 180) % 360 - 180
