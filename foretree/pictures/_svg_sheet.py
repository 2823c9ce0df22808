"""A sheet of vector graphics that is drawn on as on a canvas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from foretree.pictures._canvas import Rectangle

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from foretree.world_model.maps.building_map import Point

_FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

#: Where a text begins, by the first letter of the anchor that Pillow knows it under.
_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


class SvgSheet:
    """Keeps what is drawn as elements of SVG, in pixels, y downwards."""

    def __init__(self, width: float, height: float, paper: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="{_FONT}">\n'
            f'<rect width="100%" height="100%" fill="{paper}"/>\n'
        )
        self._elements: list[str] = []

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A line through points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._elements.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
            'stroke-linejoin="round" stroke-linecap="round"/>\n'
        )

    def box(
        self, box: Rectangle, fill: str | None, line: str | None = None, width: float = 1, round_by: float = 0
    ) -> None:
        """A rectangle, perhaps with round corners."""
        self._elements.append(
            f'<rect x="{box.left:g}" y="{box.top:g}" width="{box.right - box.left:g}" '
            f'height="{box.bottom - box.top:g}" rx="{round_by:g}" fill="{fill or "none"}" '
            f'stroke="{line or "none"}" stroke-width="{width:g}"/>\n'
        )

    def text(self, at: Point, text: str, size: float, colour: str, anchor: str = "lm") -> None:
        """Text at a point, half of it above and half below, as wide as on a canvas whatever the font is."""
        self._elements.append(
            f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}" fill="{colour}" '
            f'text-anchor="{_ANCHORS[anchor[0]]}" dominant-baseline="central" '
            f'lengthAdjust="spacingAndGlyphs" textLength="{text_width(text, size):.1f}">'
            f"{escape(text)}</text>\n"
        )

    def finished(self) -> Iterator[str]:
        """The text of the file, piece by piece."""
        yield self._head
        yield from self._elements
        yield "</svg>\n"


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """The width of a text on a canvas, in pixels."""
    return float(_font(size).getlength(text))


@lru_cache(maxsize=8)
def _font(size: float) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)
