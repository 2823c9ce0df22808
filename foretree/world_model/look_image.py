"""Camera images of looks, for people who watch the run: the agent itself does not use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

#: Left, top, right and bottom of a box in an image, in pixels from its upper left corner.
PixelBox: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedImage:
    """An image as a file, with what was detected in it.

    Attributes:
        width: pixels.
        height: pixels.
        content: the file.
        media_type: ``image/png``, ``image/jpeg`` or ``image/webp``.
        boxes: where detections are: by the id of a detection in the observation, its box.
        masks: a grey PNG of the same size with 8 bits per pixel, in which each mask has a shade; empty if
            there are no masks.
        shades: by the id of a detection, the shade of its mask, 1 to 255.
        camera: a name of the camera.
        pixels: what the image shows, if its digest shall not depend on how it is compressed.
        mask_pixels: the same of the masks.
    """

    width: int
    height: int
    content: bytes
    media_type: str = "image/png"
    boxes: Mapping[str, PixelBox] = field(default_factory=dict)
    masks: bytes = b""
    shades: Mapping[str, int] = field(default_factory=dict)
    camera: str = "camera"
    pixels: bytes = b""
    mask_pixels: bytes = b""

    def encoded(self) -> EncodedImage:
        """Return the image itself: it is a file already."""
        return self


class LookImage(Protocol):
    """Image of a camera for a look; see :attr:`foretree.world_model.observation.Observation.image`."""

    def encoded(self) -> EncodedImage:
        """Encode the image. Called at most once, by the thread that writes the run, never by a tick."""
        ...
