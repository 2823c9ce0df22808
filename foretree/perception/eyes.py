"""Eyes: make observations of frames, without any beliefs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, floor, radians, sin

import numpy as np

from foretree.perception._coverage import covered_by
from foretree.perception._frame_geometry import FrameGeometry, frame_geometry
from foretree.perception._point_visibility import would_show
from foretree.perception._reliability import Reliability
from foretree.perception.descriptors import Crops, mean_colours
from foretree.perception.frame import CROP, Frame, Mask
from foretree.perception.gallery import Gallery
from foretree.perception.relations import Bearing, SupportRelation, find_support_relations
from foretree.world_model.beliefs.facts import Hand, Pose, best_of, hand_free
from foretree.world_model.camera_model import Lens, Stance
from foretree.world_model.observation import Covered, Detection, Observation

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
            grade = self.reliability.grade(float(surfaces.distance[number]), mask.visible)
            detections.append(
                Detection(
                    ids[number],
                    _doubted(mask.scores, pixels),
                    _middle(boxes[number]),
                    states[number],
                    None if rest is None else (rest.relation, ids[rest.support]),
                    looks[number],
                    extent=tuple(boxes[number]),
                    rests_certainty=self.reliability.rests.of(grade),
                )
            )
        held: dict[str, tuple[Hand, ...]] = {}
        if frame.held is not None:
            detections.append(
                Detection(
                    ids[-1],
                    frame.held.scores,
                    _before(frame.stance),
                    states[-1],
                    features=looks[-1],
                    viewpoint=f"hand {grip}",
                )
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


def detection_id(frame: Frame, mask: Mask) -> str:
    """The id of the detection of a mask, unique among all masks of a body."""
    return f"f{frame.step}m{mask.label}"


def viewpoint_of(stance: Stance) -> str:
    """The viewpoint of a stance; pitch does not change it."""
    return f"{floor(stance.x / VIEWPOINT)} {floor(stance.y / VIEWPOINT)} {stance.heading % 360}"


def _doubted(scores: Mapping[str, float], pixels: int) -> Mapping[str, float]:
    """Class scores of a mask, lowered where it has only a pixel or two."""
    if pixels >= _FULL:
        return scores
    share = (pixels + _FULL) / (2 * _FULL)
    return {name: round(score * share, 4) for name, score in scores.items()}


def _middle(box: list[float]) -> Pose:
    return (
        round((box[0] + box[3]) / 2, 3),
        round((box[1] + box[4]) / 2, 3),
        round((box[2] + box[5]) / 2, 3),
    )


def _before(stance: Stance) -> Pose:
    turn = radians(stance.heading)
    x, y = stance.x + _HELD_AHEAD * cos(turn), stance.y + _HELD_AHEAD * sin(turn)
    return round(x, 3), round(y, 3), round(stance.eye - _HELD_BELOW, 3)
