"""Images of ``sensor_msgs/msg/Image`` as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.errors import ForetreeError, suggest
from foretree.world_model.look_image import EncodedImage, PixelBox

ColourImage: TypeAlias = NDArray[np.uint8]
DepthImage: TypeAlias = NDArray[np.float32]

#: The channels of an encoding that make red, green and blue.
_COLOURS = {"rgb8": (3, (0, 1, 2)), "bgr8": (3, (2, 1, 0)), "rgba8": (4, (0, 1, 2)), "mono8": (1, (0, 0, 0))}
#: The type of an encoding's pixels, and how many metres one unit of it is.
_DEPTHS = {"16UC1": ("u2", 0.001), "mono16": ("u2", 0.001), "32FC1": ("f4", 1.0)}
#: Depths beyond this are no measurements (metres).
_FARTHEST = 1000.0


class ImageError(ForetreeError):
    """An image that cannot be read: its encoding is not known, or it has fewer bytes than it says."""


def colour_image(message: Any) -> ColourImage:
    """Return an image as rows of pixels of red, green and blue.

    Raises:
        ImageError: its encoding is none of rgb8, bgr8, rgba8 and mono8, or bytes are missing.
    """
    encoding = str(message.encoding)
    if encoding not in _COLOURS:
        raise ImageError(f"a colour image in the encoding {encoding!r}. {suggest(encoding, _COLOURS)}")
    channels, order = _COLOURS[encoding]
    rows = _rows(message, np.dtype("u1"), channels)
    colours: ColourImage = np.ascontiguousarray(rows[:, :, order])
    return colours


def depth_image(message: Any) -> DepthImage:
    """Return a depth image as rows of metres; infinite where nothing was measured.

    Raises:
        ImageError: its encoding is neither 16UC1 (millimetres) nor 32FC1 (metres), or bytes are missing.
    """
    encoding = str(message.encoding)
    if encoding not in _DEPTHS:
        raise ImageError(f"a depth image in the encoding {encoding!r}. {suggest(encoding, _DEPTHS)}")
    kind, unit = _DEPTHS[encoding]
    order = ">" if message.is_bigendian else "<"
    depth: DepthImage = _rows(message, np.dtype(order + kind), 1)[:, :, 0].astype(np.float32) * np.float32(
        unit
    )
    with np.errstate(invalid="ignore"):
        measured = (depth > 0) & (depth < _FARTHEST)
    depth[~measured] = np.inf
    return depth


def _rows(message: Any, kind: np.dtype[Any], channels: int) -> NDArray[Any]:
    """The pixels: height x width x channels. Bytes beyond the width of a row are padding."""
    height, width, step = int(message.height), int(message.width), int(message.step)
    least = width * channels * kind.itemsize
    data = np.frombuffer(message.data, dtype=np.uint8)
    if not height or not width:
        raise ImageError(f"an image of {width} x {height} pixels")
    if step < least or len(data) < step * (height - 1) + least:
        raise ImageError(
            f"an image in {message.encoding} of {width} x {height} pixels takes rows of {least} bytes, and "
            f"{least * height} in all; it says rows of {step} and has {len(data)}"
        )
    if len(data) < step * height:  # the last row need not be padded
        data = np.concatenate((data, np.zeros(step * height - len(data), dtype=np.uint8)))
    rows = data[: step * height].reshape(height, step)[:, :least]
    return np.ascontiguousarray(rows).view(kind).reshape(height, width, channels)


@dataclass(frozen=True, slots=True, eq=False)
class ViewImage:
    """A camera image for viewers of a run.

    Attributes:
        colours: the pixels.
        boxes: by the id of a detection, where it is.
        camera: a name of the camera.
    """

    colours: ColourImage
    boxes: dict[str, PixelBox] = field(default_factory=dict)
    camera: str = "camera"

    def encoded(self) -> EncodedImage:
        """Return the image as a JPEG."""
        from PIL import Image

        height, width, _ = self.colours.shape
        file = BytesIO()
        Image.fromarray(self.colours).save(file, "JPEG", quality=85)
        return EncodedImage(
            width,
            height,
            file.getvalue(),
            "image/jpeg",
            self.boxes,
            camera=self.camera,
            pixels=self.colours.tobytes(),
        )
