"""Frames and calibrations of cameras, checked before a robot moves: a wrong one makes it miss, or collide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import acos, degrees, dist, fsum, inf, isfinite, sqrt
from typing import Annotated, TypeAlias

from pydantic import Field, model_validator

from foretree.config import find_config, read_yaml
from foretree.errors import ForetreeError
from foretree.schema import Strict, validate

#: By how much the length of a rotation's quaternion may differ from 1.
_UNIT_TOLERANCE = 1e-3

Metres: TypeAlias = Annotated[float, Field(ge=0, le=1000)]
Translation: TypeAlias = tuple[float, float, float]
Rotation: TypeAlias = tuple[float, float, float, float]


class FramesError(ForetreeError):
    """Frames that are missing, too old, or make no sense."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class FrameTransform:
    """A transform between two frames.

    Attributes:
        translation: metres: x, y, z.
        rotation: a quaternion: x, y, z, w.
        age: seconds since it was measured; None if it is static.
    """

    translation: Translation
    rotation: Rotation = (0.0, 0.0, 0.0, 1.0)
    age: float | None = None


#: Returns the transform from a frame to another one; the reason why there is none, in a text, otherwise.
Lookup: TypeAlias = Callable[[str, str], FrameTransform | str]


class RequiredTransform(Strict):
    """A transform that has to be there.

    Attributes:
        parent: a frame.
        child: the frame whose place in *parent* it says.
        max_age: seconds that it may be old; a static one is of any age.
        nearest: metres that the frames are apart at least: a camera is not inside of the base.
        farthest: metres that they are apart at most.
    """

    parent: str = Field(min_length=1)
    child: str = Field(min_length=1)
    max_age: Annotated[float, Field(gt=0)] = 1.0
    nearest: Metres = 0.0
    farthest: Metres = 1000.0

    @model_validator(mode="after")
    def _in_order(self) -> RequiredTransform:
        if self.nearest > self.farthest:
            raise ValueError("nearest up to farthest")
        return self


class HandEyeCalibration(Strict):
    """Pose of a camera on the robot, as found by a calibration.

    Attributes:
        parent: the frame that the camera is mounted on.
        child: the camera's frame.
        translation: metres: x, y, z.
        rotation: a quaternion: x, y, z, w.
        samples: how many views it was computed from.
        residual: metres that it is off by, the root of the mean square over all views.
        max_residual: metres that it may be off by.
        max_shift: metres that the published transform may differ from it by.
        max_turn: degrees that the published transform may differ from it by.
    """

    parent: str = Field(min_length=1)
    child: str = Field(min_length=1)
    translation: Translation
    rotation: Rotation
    samples: Annotated[int, Field(ge=0)]
    residual: Metres
    max_residual: Metres = 0.005
    max_shift: Metres = 0.005
    max_turn: Annotated[float, Field(ge=0, le=180)] = 1.0


#: Views that a calibration takes at least; fewer do not determine it, whatever residual they leave.
_FEWEST_SAMPLES = 3


class FramesFile(Strict):
    """Checks made at the start.

    Attributes:
        says: what it is for.
        transforms: have to be there.
        hand_eye: the calibrations of cameras.
    """

    says: str = ""
    transforms: tuple[RequiredTransform, ...] = ()
    hand_eye: tuple[HandEyeCalibration, ...] = ()


def read_frames(name: str) -> FramesFile:
    """Return what a file of ``configs/frames/`` says, or the file at a path.

    Raises:
        ConfigError: there is no such file, or it makes no sense.
    """
    path = find_config("frames", name)
    return validate(FramesFile, read_yaml(path), path)


def check_frames(wanted: FramesFile, lookup: Lookup) -> list[str]:
    """Return what is wrong with the frames, a sentence each."""
    problems = [problem for one in wanted.transforms for problem in _transform_problems(one, lookup)]
    for calibration in wanted.hand_eye:
        problems += _calibration_problems(calibration, lookup)
    return problems


def _transform_problems(wanted: RequiredTransform, lookup: Lookup) -> list[str]:
    named = f"{wanted.parent} to {wanted.child}"
    found = lookup(wanted.parent, wanted.child)
    if isinstance(found, str):
        return [f"There is no transform from {named}: {found}"]
    if problem := _nonsense(found):
        return [f"The transform from {named} {problem}."]
    problems = []
    if found.age is not None and found.age > wanted.max_age:
        problems.append(f"The transform from {named} is {found.age:.3g} s old; at most {wanted.max_age:g} s.")
    apart = dist(found.translation, (0, 0, 0))
    if not wanted.nearest <= apart <= wanted.farthest:
        problems.append(
            f"{wanted.child} is {apart:.3g} m from {wanted.parent}; from {wanted.nearest:g} to "
            f"{wanted.farthest:g} m make sense."
        )
    return problems


def _calibration_problems(calibration: HandEyeCalibration, lookup: Lookup) -> list[str]:
    named = f"{calibration.parent} to {calibration.child}"
    wanted = FrameTransform(calibration.translation, calibration.rotation)
    if problem := _nonsense(wanted):
        return [f"The calibration from {named} {problem}."]
    problems = []
    if calibration.samples < _FEWEST_SAMPLES:
        problems.append(
            f"The calibration from {named} was computed from {calibration.samples} views; it takes "
            f"{_FEWEST_SAMPLES} at least."
        )
    if calibration.residual > calibration.max_residual:
        problems.append(
            f"The calibration from {named} is off by {calibration.residual:.3g} m; at most "
            f"{calibration.max_residual:g} m."
        )
    found = lookup(calibration.parent, calibration.child)
    if isinstance(found, str):
        return [*problems, f"There is no transform from {named}: {found}"]
    if problem := _nonsense(found):
        return [*problems, f"The transform from {named} {problem}."]
    shift = dist(found.translation, wanted.translation)
    turn = angle_between(found.rotation, wanted.rotation)
    if shift > calibration.max_shift or turn > calibration.max_turn:
        problems.append(
            f"The transform from {named} differs from its calibration by {shift:.3g} m and {turn:.3g} "
            f"degrees; at most {calibration.max_shift:g} m and {calibration.max_turn:g} degrees."
        )
    return problems


def _nonsense(transform: FrameTransform) -> str:
    """Return what keeps a transform from being one; empty if nothing does."""
    if not all(map(isfinite, (*transform.translation, *transform.rotation))):
        return "has numbers that are not finite"
    length = sqrt(fsum(part * part for part in transform.rotation))
    if abs(length - 1.0) > _UNIT_TOLERANCE:
        return f"has a rotation of length {length:.4g}, not 1"
    if transform.age is not None and transform.age < -1.0:
        return f"is from the future, by {-transform.age:.3g} s: clocks differ"
    return ""


def angle_between(one: Rotation, other: Rotation) -> float:
    """Return the degrees by which two rotations differ; q and -q are the same."""
    lengths = sqrt(fsum(part * part for part in one)) * sqrt(fsum(part * part for part in other))
    if lengths == 0.0:
        return inf
    cosine = abs(fsum(a * b for a, b in zip(one, other, strict=True))) / lengths
    return degrees(2.0 * acos(min(1.0, cosine)))


def require_frames(wanted: FramesFile, lookup: Lookup) -> None:
    """Check the frames.

    Raises:
        FramesError: something is wrong with them; the message says all of it.
    """
    problems = check_frames(wanted, lookup)
    if problems:
        raise FramesError(" ".join(problems))
