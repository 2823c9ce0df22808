"""Images of frames for people who watch a run: masks in the colours of their crops, shaded by depth."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import Frame, detection_id
from foretree.world_model.camera_image import EncodedImage, PixelBox

#: What belongs to no mask: floor, walls and ceiling.
_BACKGROUND = (176, 180, 186)
#: What is out of range.
_FAR = (24, 26, 30)
#: So many shades of each colour, from near to far, and how dark the last one is.
_SHADES, _DARKEST = 12, 0.35
#: The depth of the last shade, in metres.
_DEPTH = 8.0
#: An image has at most so many colours, one of which is that of what is out of range.
_COLOURS = 256
#: The middle of a crop, where the thing itself is.
_MIDDLE = slice(4, 12)


@dataclass(frozen=True, slots=True, eq=False)
class FrameImage:
    """A frame as an image; drawn only when it is encoded.

    Attributes:
        frame: the frame.
    """

    frame: Frame

    def encoded(self) -> EncodedImage:
        """Draw the frame, and encode it and its masks."""
        frame = self.frame
        most = max([int(frame.labels.max(initial=0)), *(mask.label for mask in frame.masks)])
        number = np.zeros(most + 1, dtype=np.uint8)
        masks = frame.masks[: _COLOURS - 2]
        for shade, mask in enumerate(masks, 1):
            number[mask.label] = shade
        number[0] = 0
        shades = number.take(frame.labels)
        indices, palette = _drawn(frame, shades)
        boxes = _boxes(shades, len(masks))
        names = {shade: detection_id(frame, mask) for shade, mask in enumerate(masks, 1) if shade in boxes}
        height, width = shades.shape
        return EncodedImage(
            width,
            height,
            _png(indices, palette),
            boxes={name: boxes[shade] for shade, name in names.items()},
            masks=_png(shades),
            shades={name: shade for shade, name in names.items()},
            pixels=indices.tobytes() + palette.tobytes(),
            mask_pixels=shades.tobytes(),
        )


def _drawn(frame: Frame, shades: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The frame as indices into a palette, and the palette."""
    count = int(shades.max(initial=0))
    steps = min(_SHADES, (_COLOURS - 1) // (count + 1))
    colours = [_BACKGROUND, *(mask.crop[_MIDDLE, _MIDDLE].mean(axis=(0, 1)) for mask in frame.masks[:count])]
    light = np.linspace(1.0, _DARKEST, steps)
    palette = (np.array(colours)[:, None, :] * light[None, :, None]).reshape(-1, 3)
    in_range = np.isfinite(frame.depth)
    # Equal steps of the root of depth: what is near has finer ones, and noise grows with depth.
    far = np.sqrt(np.where(in_range, frame.depth, 0) / _DEPTH)
    step = np.minimum((far * steps).astype(np.intp), steps - 1)
    indices = np.where(in_range, 1 + shades.astype(np.intp) * steps + step, 0)
    return indices.astype(np.uint8), np.vstack((_FAR, palette)).astype(np.uint8)


def _boxes(shades: NDArray[np.uint8], count: int) -> dict[int, PixelBox]:
    """The box around the pixels of each shade that has any."""
    found: dict[int, PixelBox] = {}
    rows, columns = shades.shape
    low = np.full((2, count + 1), max(rows, columns), dtype=np.intp)
    high = np.full((2, count + 1), -1, dtype=np.intp)
    for axis, place in enumerate(np.indices(shades.shape)):
        np.minimum.at(low[axis], shades.ravel(), place.ravel())
        np.maximum.at(high[axis], shades.ravel(), place.ravel())
    for shade in range(1, count + 1):
        if high[0, shade] >= 0:
            top, left = low[:, shade].tolist()
            bottom, right = high[:, shade].tolist()
            found[shade] = (left, top, right + 1, bottom + 1)
    return found


def _png(pixels: NDArray[np.uint8], palette: NDArray[np.uint8] | None = None) -> bytes:
    """An image of 8 bits per pixel as a PNG: grey, or with a palette."""
    from PIL import Image

    image = Image.fromarray(pixels, "L")
    if palette is not None:
        image.putpalette(palette.tobytes())
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
