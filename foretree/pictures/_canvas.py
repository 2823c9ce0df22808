"""Drawing smoothly, on a sheet larger than the finished picture. Needs Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foretree.pictures._label_layout import Rectangle
from foretree.world_model.maps.floor_plan import Point

if TYPE_CHECKING:
    from PIL.Image import Image

#: How many times as large as the finished picture the sheet is.
SMOOTHING = 2


class Canvas:
    """Draws in pixels of the finished picture, y downwards."""

    def __init__(self, width: float, height: float, paper: str) -> None:
        from PIL import Image, ImageDraw, ImageFont

        self._sheet = Image.new("RGB", (round(width) * SMOOTHING, round(height) * SMOOTHING), paper)
        self._draw = ImageDraw.Draw(self._sheet)
        self._font = ImageFont.load_default

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A line through points."""
        scaled = [(x * SMOOTHING, y * SMOOTHING) for x, y in points]
        self._draw.line(scaled, colour, round(width * SMOOTHING), joint="curve")

    def dot(self, at: Point, radius: float, fill: str, line: str, width: float = 1.5) -> None:
        """A circle."""
        x, y = at[0] * SMOOTHING, at[1] * SMOOTHING
        r = radius * SMOOTHING
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill, line, round(width * SMOOTHING))

    def diamond(self, at: Point, radius: float, fill: str) -> None:
        """A square that stands on a corner."""
        x, y, r = at[0] * SMOOTHING, at[1] * SMOOTHING, radius * SMOOTHING
        self._draw.polygon([(x - r, y), (x, y - r), (x + r, y), (x, y + r)], fill)

    def box(
        self, box: Rectangle, fill: str | None, line: str | None = None, width: float = 1, round_by: float = 0
    ) -> None:
        """A rectangle, perhaps with round corners."""
        sides = [side * SMOOTHING for side in (box.left, box.top, box.right, box.bottom)]
        self._draw.rounded_rectangle(
            sides, round_by * SMOOTHING, fill, line, round(width * SMOOTHING) if line else 0
        )

    def arc(self, middle: Point, radius: float, start: float, end: float, colour: str) -> None:
        """A thin part of a circle, between two angles in degrees, clockwise."""
        x, y, r = middle[0] * SMOOTHING, middle[1] * SMOOTHING, radius * SMOOTHING
        self._draw.arc((x - r, y - r, x + r, y + r), start, end, colour, SMOOTHING)

    def text(
        self, at: Point, text: str, size: float, colour: str, anchor: str = "lm", halo: str | None = None
    ) -> None:
        """Text at a point; *anchor* says which part of it is there, as Pillow has it."""
        self._draw.text(
            (at[0] * SMOOTHING, at[1] * SMOOTHING),
            text,
            colour,
            self._font(size * SMOOTHING),
            anchor,
            stroke_width=2 * SMOOTHING if halo else 0,
            stroke_fill=halo,
        )

    def width_of(self, text: str, size: float) -> float:
        """The width of a text."""
        return float(self._font(size * SMOOTHING).getlength(text)) / SMOOTHING

    def picture(self, image: Image, box: Rectangle) -> None:
        """Another picture, reduced to a box."""
        size = round((box.right - box.left) * SMOOTHING), round((box.bottom - box.top) * SMOOTHING)
        self._sheet.paste(image.resize(size), (round(box.left * SMOOTHING), round(box.top * SMOOTHING)))

    def finished(self) -> Image:
        """The picture at its size."""
        from PIL import Image

        size = self._sheet.width // SMOOTHING, self._sheet.height // SMOOTHING
        return self._sheet.resize(size, Image.Resampling.LANCZOS)
