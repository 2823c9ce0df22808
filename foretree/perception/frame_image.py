"""Images of frames for people who watch a run: masks in the colours of their crops, shaded by depth."""

from __future__ import annotations

from dataclasses import dataclass
from struct import pack
from zlib import compress, crc32

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import Frame, detection_id
from foretree.world_model.look_image import EncodedImage, PixelBox

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
#: How hard images are compressed, 1 to 9: the most would halve them, for ten times the effort.
_LEVEL = 1
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
    colours = np.empty((count + 1, 1, 3))
    colours[0] = _BACKGROUND
    if count:
        crops = np.stack([mask.crop[_MIDDLE, _MIDDLE] for mask in frame.masks[:count]])
        colours[1:, 0] = crops.mean(axis=(1, 2))
    palette = (colours * np.linspace(1.0, _DARKEST, steps)[None, :, None]).reshape(-1, 3)
    # Equal steps of the root of depth: what is near has finer ones, and noise grows with depth.
    depth = np.minimum(frame.depth, np.float32(_DEPTH * 0.999))
    step = np.sqrt(depth * np.float32(steps * steps / _DEPTH)).astype(np.uint8)
    indices = (1 + steps * np.arange(count + 1)).astype(np.uint8).take(shades) + step
    indices[np.isinf(frame.depth)] = 0
    return indices, np.vstack((_FAR, palette)).astype(np.uint8)


def _boxes(shades: NDArray[np.uint8], count: int) -> dict[int, PixelBox]:
    """The box around the pixels of each shade that has any."""
    rows, width = shades.shape
    # Runs of one shade within a row: few, compared with pixels.
    begins = np.ones((rows, width), dtype=bool)
    np.not_equal(shades[:, 1:], shades[:, :-1], out=begins[:, 1:])
    start = np.flatnonzero(begins)
    shade = shades.ravel().take(start)
    row, left = np.divmod(start, width)
    right = left + np.diff(start, append=shades.size)
    low = np.full((2, count + 1), max(rows, width), dtype=np.intp)
    high = np.zeros((2, count + 1), dtype=np.intp)
    for axis, (first, last) in enumerate(((left, right), (row, row + 1))):
        np.minimum.at(low[axis], shade, first)
        np.maximum.at(high[axis], shade, last)
    boxes = np.vstack((low, high)).T.tolist()
    return {number: tuple(boxes[number]) for number in range(1, count + 1) if boxes[number][2]}


def _png(pixels: NDArray[np.uint8], palette: NDArray[np.uint8] | None = None) -> bytes:
    """An image of 8 bits per pixel as a PNG: grey, or with a palette.

    Pillow takes ten times as long for images as small as these, most of it to get started.
    """
    height, width = pixels.shape
    lines = np.zeros((height, width + 1), dtype=np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels
    parts = [(b"IHDR", pack(">2I5B", width, height, 8, 0 if palette is None else 3, 0, 0, 0))]
    if palette is not None:
        parts.append((b"PLTE", palette.tobytes()))
    parts += [(b"IDAT", compress(lines.tobytes(), _LEVEL)), (b"IEND", b"")]
    chunks = (pack(">I", len(data)) + name + data + pack(">I", crc32(name + data)) for name, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
