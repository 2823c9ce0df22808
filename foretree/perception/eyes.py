"""Eyes: make observations of frames, without any beliefs; opened from the settings in a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, floor, hypot, radians, sin, sqrt
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from foretree.config import find_config, read_yaml
from foretree.file_errors import error_at
from foretree.perception._coverage import covered_by
from foretree.perception._frame_geometry import FrameGeometry, frame_geometry
from foretree.perception.descriptors import CLIP_MODELS, Crops, mean_colours, open_describer
from foretree.perception.frame import CROP, Frame, Lens, Mask, Stance, detection_id
from foretree.perception.frame_image import FrameImage
from foretree.perception.gallery import Gallery, Judging, load_pictures
from foretree.perception.relations import Bearing, SupportRelation, find_support_relations
from foretree.schema import Strict, validate
from foretree.world_model.beliefs.facts import Hand, Pose, best_of, centre, hand_free
from foretree.world_model.observation import Covered, Detection, Observation, Size

_Likely = Annotated[float, Field(ge=0.5, le=1)]


class Grades(Strict):
    """Probabilities for what is well, fairly and badly in view."""

    well: _Likely
    fairly: _Likely
    badly: _Likely

    def of(self, grade: int) -> float:
        """The probability for a grade, as :meth:`Reliability.grade` tells it."""
        return (self.well, self.fairly, self.badly)[grade]


class Reliability(Strict):
    """Reliability of eyes.

    Attributes:
        near: what is nearer than this (metres) is well in view.
        far: what is farther than this is badly in view.
        hidden: of what less than this share is visible is badly in view, at any distance.
        found: how often objects are detected.
        read: how often a picture shows a state as it is.
        rests: how often an object rests where it seems to.
    """

    near: Annotated[float, Field(ge=0)]
    far: Annotated[float, Field(ge=0)]
    hidden: Annotated[float, Field(ge=0, le=1)]
    found: Grades
    read: Grades
    rests: Grades

    def grade(self, distance: float, visible: float) -> int:
        """0 for what is well in view, 1 for what is fairly, 2 for what is badly in view."""
        if distance > self.far or visible < self.hidden:
            return 2
        return 0 if distance < self.near else 1


#: A spot counts as in the image if it is this far from its edge (pixels).
_MARGIN = 2
#: What is nearer than a spot by this, and this much per metre away, stands before it.
_BEFORE, _BEFORE_PER_METRE = 0.06, 0.02
#: What would show in fewer pixels than this is often not told from what it lies on.
_PLAIN = 3.0


def would_show(
    frame: Frame, lens: Lens, spot: Pose, reliability: Reliability, size: Size | None = None
) -> float:
    """The probability that an object at *spot* would have been detected in *frame*.

    A frame covers few surfaces as a whole, but shows many spots: an object that was seen at one of them
    before is missing now. Not to be asked of what is in something closed: a lid is hardly farther from what
    is behind it than the face of an object from its middle.

    Args:
        frame: the frame.
        lens: the camera's.
        spot: the centre of the object, in the map's frame.
        reliability: that of detection.
        size: width and height of the object; if unknown, it is taken to be large enough.
    """
    stance = frame.stance
    turn, nod = radians(stance.heading), radians(stance.pitch)
    x, y, up = spot[0] - stance.x, spot[1] - stance.y, spot[2] - stance.eye
    level, left = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    depth, rise = level * cos(nod) + up * sin(nod), up * cos(nod) - level * sin(nod)
    if not lens.near < depth < lens.far:
        return 0.0
    column = lens.width / 2 - 0.5 - left / depth * lens.focal
    row = lens.height / 2 - 0.5 - rise / depth * lens.focal
    in_picture = _MARGIN <= row <= lens.height - 1 - _MARGIN and _MARGIN <= column <= lens.width - 1 - _MARGIN
    if not in_picture:
        return 0.0
    around = frame.depth[round(row) - 1 : round(row) + 2, round(column) - 1 : round(column) + 2]
    # Of a small object some part shows as long as it is not hidden altogether.
    free = float(np.mean(around > depth - _BEFORE - _BEFORE_PER_METRE * depth))
    away = hypot(level, left, up)
    return free * _large_enough(size, away, up, lens) * reliability.found.of(reliability.grade(away, 1.0))


def _large_enough(size: Size | None, away: float, up: float, lens: Lens) -> float:
    """The share of the pixels needed for detection that an object covers at a distance and a height."""
    if size is None:
        return 1.0
    wide, high = size
    above = abs(up) / away
    face = wide * (high * sqrt(1 - above**2) + wide * above)
    return min(1.0, face * (lens.focal / away) ** 2 / _PLAIN)


#: Stances in the same square of this side (metres), with the same heading, are one viewpoint.
VIEWPOINT = 0.25
#: A mask of so many pixels is as good as any; of smaller ones, the classes are doubted more.
_FULL = 4
#: What is held is this far before the eye and this far below it (metres).
_HELD_AHEAD, _HELD_BELOW = 0.4, 0.4
#: The state of what has a lid.
_OPEN = "open"


@dataclass(frozen=True, slots=True)
class Eyes:
    """Makes observations of frames.

    Attributes:
        lens: the camera's.
        bearing: what can rest on what.
        gallery: what tells states.
        reliability: how far pictures and detections can be relied on.
        hand: the hand that holds what a frame calls held.
    """

    lens: Lens
    bearing: Bearing
    gallery: Gallery
    reliability: Reliability
    hand: Hand = ("robot", "hand")

    def see(self, frame: Frame, time: float, source: str = "view", grip: str = "") -> Observation:
        """Make an observation of *frame*.

        Args:
            frame: what the camera delivers.
            time: when, on the session's clock.
            source: ``look`` when it was asked for, ``view`` when it came by the way.
            grip: how what is held is held up, in any words: each way shows another side of it.
        """
        surfaces = frame_geometry(frame, self.lens)
        masks = frame.masks if frame.held is None else (*frame.masks, frame.held)
        names = [best_of(mask.scores) for mask in masks]
        looks, states = self._looks(masks, names, surfaces)
        shown = names[: len(frame.masks)]
        opened = {number: states[number][_OPEN] for number in range(len(shown)) if _OPEN in states[number]}
        rests = find_support_relations(surfaces, shown, self.bearing, opened)
        ids = [detection_id(frame, mask) for mask in masks]
        boxes = np.round(surfaces.boxes, 3).tolist()
        detections = []
        for number, mask in enumerate(frame.masks):
            pixels = int(surfaces.pixels[number])
            if not pixels:
                continue
            rest = rests[number]
            x0, y0, z0, x1, y1, z1 = boxes[number]
            grade = self.reliability.grade(float(surfaces.distance[number]), mask.visible)
            detections.append(
                Detection(
                    ids[number],
                    _doubted(mask.scores, pixels),
                    centre((x0, y0, z0, x1, y1, z1)),
                    states[number],
                    None if rest is None else (rest.relation, ids[rest.support]),
                    looks[number],
                    extent=(x0, y0, z0, x1, y1, z1),
                    rests_certainty=self.reliability.rests.of(grade),
                )
            )
        held: dict[str, tuple[Hand, ...]] = {}
        if frame.held is not None:
            scores, before = frame.held.scores, _before(frame.stance)
            viewpoint = f"hand {grip}"
            detections.append(
                Detection(ids[-1], scores, before, states[-1], features=looks[-1], viewpoint=viewpoint)
            )
            held[ids[-1]] = (self.hand,)
        return Observation(
            time,
            source,
            tuple(detections),
            tuple(self._covered(frame, surfaces, shown, rests, opened, ids)),
            body={hand_free(self.hand): frame.held is None},
            held=held,
            viewpoint=viewpoint_of(frame.stance),
            shows=lambda spot, size: would_show(frame, self.lens, spot, self.reliability, size),
            image=FrameImage(frame),
        )

    def _looks(
        self, masks: tuple[Mask, ...], names: list[str], surfaces: FrameGeometry
    ) -> tuple[list[tuple[float, ...]], list[dict[str, float]]]:
        """For each mask its colours, and the probabilities of its states."""
        crops: Crops = np.zeros((len(masks), CROP, CROP, 3), dtype=np.uint8)
        for number, mask in enumerate(masks):
            crops[number] = mask.crop
        # For telling things of a class apart: four colours, from -1 to 1.
        colours = np.round(mean_colours(crops, 2) / 128 - 1, 2)
        states = []
        for number, (mask, read) in enumerate(zip(masks, self.gallery.read(crops, names), strict=True)):
            in_frame = number < len(surfaces.pixels)
            distance = float(surfaces.distance[number]) if in_frame else 0.0
            grade = self.reliability.grade(distance, mask.visible)
            right = self.reliability.read.of(grade)
            states.append(
                {state: round(share * right + (1 - share) * (1 - right), 4) for state, share in read.items()}
            )
        return [tuple(row) for row in colours.tolist()], states

    def _covered(
        self,
        frame: Frame,
        surfaces: FrameGeometry,
        names: list[str],
        rests: tuple[SupportRelation | None, ...],
        opened: Mapping[int, float],
        ids: list[str],
    ) -> list[Covered]:
        covered = []
        for relation, number, share in covered_by(frame, surfaces, names, rests, opened, self.bearing):
            grade = self.reliability.grade(float(surfaces.distance[number]), share)
            certainty = round(share * self.reliability.found.of(grade), 4)
            if certainty > 0.5:
                covered.append(Covered(relation, ids[number], certainty))
        return covered


def viewpoint_of(stance: Stance) -> str:
    """The viewpoint of a stance; pitch does not change it."""
    return f"{floor(stance.x / VIEWPOINT)} {floor(stance.y / VIEWPOINT)} {stance.heading % 360}"


def _doubted(scores: Mapping[str, float], pixels: int) -> Mapping[str, float]:
    """Class scores of a mask, lowered where it has only a pixel or two."""
    if pixels >= _FULL:
        return scores
    share = (pixels + _FULL) / (2 * _FULL)
    return {name: round(score * share, 4) for name, score in scores.items()}


def _before(stance: Stance) -> Pose:
    turn = radians(stance.heading)
    x, y = stance.x + _HELD_AHEAD * cos(turn), stance.y + _HELD_AHEAD * sin(turn)
    return round(x, 3), round(y, 3), round(stance.eye - _HELD_BELOW, 3)


class EyeSettings(Strict):
    """Settings of eyes.

    Attributes:
        describer: what compares pictures: ``patches`` or ``clip``.
        weights: for CLIP, a file of weights.
        model: for CLIP, open_clip's name of the network.
        learned: the number of pictures of its own that an agent keeps.
        judging: how pictures vote.
        reliability: how far the eyes can be relied on.
    """

    describer: str
    weights: str | None = None
    model: str = CLIP_MODELS[0]
    learned: Annotated[int, Field(ge=1)] = 512
    judging: Judging
    reliability: Reliability


def load_eye_settings(name: str = "eyes") -> EyeSettings:
    """The settings in ``configs/homes/NAME.yaml``, or in the file at that path.

    Raises:
        ConfigError: there is no such file, or it makes no sense; with file, line and key.
    """
    path = find_config("homes", name)
    settings = validate(EyeSettings, read_yaml(path), path)
    relied = settings.reliability
    if relied.near > relied.far:
        raise error_at(path, ("reliability", "near"), f"it is farther than far, which is {relied.far:g} m.")
    return settings


def open_eyes(
    lens: Lens,
    bearing: Bearing,
    settings: EyeSettings | None = None,
    *,
    hand: Hand = ("robot", "hand"),
    own: Path | None = None,
    frozen: bool = False,
) -> Eyes:
    """Eyes that know the pictures that come with Foretree.

    Args:
        lens: the camera's.
        bearing: what can rest on what.
        settings: how they judge; those of ``configs/homes/eyes.yaml`` unless given.
        hand: the hand that holds what a frame calls held.
        own: where they keep what they learn, see :func:`~foretree.perception.gallery.own_gallery_path`; None:
            they keep nothing, and know nothing from before.
        frozen: whether they learn nothing.

    Raises:
        ForetreeError: the settings make no sense, the gallery cannot be read, or CLIP is not there.
    """
    settings = settings or load_eye_settings()
    weights = None if settings.weights is None else Path(os.path.expanduser(settings.weights))
    gallery = Gallery(
        load_pictures(find_config("homes", "gallery", ".npz")),
        open_describer(settings.describer, weights, settings.model),
        settings.judging,
        own=own,
        limit=settings.learned,
        frozen=frozen,
    )
    return Eyes(lens, bearing, gallery, settings.reliability, hand)
