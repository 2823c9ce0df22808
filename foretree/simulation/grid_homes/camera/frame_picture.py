"""Frames as pictures for people: coloured and labelled masks, the depth, and the crops."""

from __future__ import annotations

from colorsys import hsv_to_rgb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from foretree.perception.frame import Frame

#: The side of a pixel of the frame in the drawing.
_SCALE = 8
#: The height of the caption below a crop.
_CAPTION = 12
#: Depth is drawn from light to dark up to this far, in metres; what is farther is black.
_DARK = 8.0
#: The step around the circle of hues that keeps neighbours in a list far apart.
_GOLDEN = 0.618034


def draw_frame(frame: Frame, path: Path) -> None:
    """Write a frame to *path* as PNG: the masks, the depth beside them, and the crops below."""
    rows, columns = (length * _SCALE for length in frame.labels.shape)
    masks = frame.masks if frame.held is None else (*frame.masks, frame.held)
    crop_side = 6 * _SCALE
    per_row = 2 * columns // crop_side
    sheet = Image.new("RGB", (2 * columns, rows + -(-len(masks) // per_row) * (crop_side + _CAPTION)))
    sheet.paste(_enlarged(_coloured(frame)), (0, 0))
    near = np.clip(1 - np.nan_to_num(frame.depth, posinf=_DARK) / _DARK, 0, 1)
    sheet.paste(_enlarged(np.repeat((255 * near[:, :, None]).astype(np.uint8), 3, axis=2)), (columns, 0))
    pen = ImageDraw.Draw(sheet)
    for number, mask in enumerate(masks):
        name, score = max(mask.scores.items(), key=lambda one: one[1])
        place = np.argwhere(frame.labels == mask.label)
        if len(place):
            row, column = place.mean(axis=0) * _SCALE
            words = f"{name} {score:.2f}"
            pen.text((column, row), words, fill="white", anchor="mm", stroke_width=1, stroke_fill="black")
        left, top = number % per_row * crop_side, rows + number // per_row * (crop_side + _CAPTION)
        crop = Image.fromarray(mask.crop).resize((crop_side - 2, crop_side - 2), Image.Resampling.NEAREST)
        sheet.paste(crop, (left, top))
        pen.text((left, top + crop_side - 2), f"{mask.label} {name}"[:9], fill="white")
    sheet.save(path)


def _coloured(frame: Frame) -> NDArray[np.uint8]:
    labels = int(frame.labels.max(initial=0)) + 1
    colours = np.array([hsv_to_rgb(label * _GOLDEN % 1, 0.75, 0.85) for label in range(labels)])
    colours[0] = 0.25
    return np.asarray(255 * colours[frame.labels], dtype=np.uint8)


def _enlarged(pixels: NDArray[np.uint8]) -> Image.Image:
    image = Image.fromarray(pixels)
    return image.resize((image.width * _SCALE, image.height * _SCALE), Image.Resampling.NEAREST)
