"""Frames: percepts of a body with one camera after each control. Nothing in a frame names an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foretree.world_model.camera_model import Lens as Lens
from foretree.world_model.camera_model import Stance as Stance

#: The side of the square that every crop is scaled to, in pixels.
CROP = 16


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """A mask of an object in a frame.

    Attributes:
        label: the value that its pixels have in :attr:`Frame.labels`; means nothing in the next frame.
        scores: class scores; they sum to at most 1.
        crop: what it looks like: CROP x CROP x 3, red, green and blue from 0 to 255.
        visible: the estimated share of it that is in the image; the rest is hidden or cut off.
    """

    label: int
    scores: Mapping[str, float]
    crop: NDArray[np.uint8]
    visible: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The percept of a body after one control.

    Attributes:
        labels: for each pixel the label of the mask it belongs to; 0 is floor, wall, ceiling, or nothing.
        depth: for each pixel the distance along the camera's axis, in metres; infinite where nothing is in
            range.
        masks: what was segmented.
        stance: where the body feels itself to be.
        held: what is in the hand, as the camera sees it, without pixels; None when the hand is empty.
        ok: whether the control was carried out.
        message: if not, why.
        step: the number of controls before this frame, refused ones included.
    """

    labels: NDArray[np.int16]
    depth: NDArray[np.float32]
    masks: tuple[Mask, ...]
    stance: Stance
    held: Mask | None = None
    ok: bool = True
    message: str = ""
    step: int = 0


def detection_id(frame: Frame, mask: Mask) -> str:
    """The id of the detection of a mask, unique among all masks of a body."""
    return f"f{frame.step}m{mask.label}"
