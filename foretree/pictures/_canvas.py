"""Drawing smoothly, on a sheet larger than the finished picture, and the layout of labels. Needs Pillow.

Labels overlap neither each other nor what is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING

from foretree.printable import printable

if TYPE_CHECKING:
    from PIL.Image import Image

    from foretree.world_model.maps.building_map import Point

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeAlias, TypeVar

#: A straight line in the picture, from one point to another.
Line: TypeAlias = tuple[float, float, float, float]

T = TypeVar("T", bound=Hashable)

#: How large the squares are in which neighbours are looked for, in pixels.
_CELL = 64

#: How far from what it names a name may be, in its own heights; nearer is better.
_GAPS = (0.25, 0.8, 1.6, 2.6, 3.8)

#: The cost of a label that a line crosses, and of one that is further away by its own height.
_CROSSED, _FURTHER = 1.0, 1.5


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle in a picture, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rectangle) -> bool:
        """Return whether two rectangles have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: Rectangle) -> bool:
        """Return whether this rectangle lies wholly in the other."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def crossed_by(self, line: Line) -> bool:
        """Return whether a line passes through the rectangle (Liang and Barsky's clipping)."""
        x, y, end_x, end_y = line
        enters, leaves = 0.0, 1.0
        for start, way, low, high in (
            (x, end_x - x, self.left, self.right),
            (y, end_y - y, self.top, self.bottom),
        ):
            if way == 0:
                if not low < start < high:
                    return False
                continue
            near, far = sorted(((low - start) / way, (high - start) / way))
            enters, leaves = max(enters, near), min(leaves, far)
        return enters < leaves


@dataclass(frozen=True, slots=True)
class Label:
    """A name to be put near a box of the picture.

    Attributes:
        width, height: how large it is, in pixels.
        names: the box that it names.
        within: a part of the page that it has to stay in, as a room.
        line: the height of one line of it, where it has several.
    """

    width: float
    height: float
    names: Rectangle
    within: Rectangle | None = None
    line: float | None = None


def lay_out(
    labels: Sequence[Label], taken: Sequence[Rectangle], lines: Sequence[Line], page: Rectangle
) -> list[Rectangle | None]:
    """Find a place for each label; None for one that fits nowhere near what it names.

    Earlier labels choose first. No label overlaps another one or a box of *taken*; lines are avoided where
    that does not take a label too far away.
    """
    occupied, drawn = _Grid[Rectangle](), _Grid[Line]()
    for box in taken:
        occupied.put(box, box)
    for line in lines:
        x, y, end_x, end_y = line
        drawn.put(Rectangle(min(x, end_x), min(y, end_y), max(x, end_x), max(y, end_y)), line)
    places: list[Rectangle | None] = []
    for label in labels:
        best: tuple[float, Rectangle] | None = None
        for cost, box in _candidates(label):
            if best is not None and cost >= best[0]:
                continue
            if not box.within(label.within or page) or any(
                box.overlaps(other) for other in occupied.near(box)
            ):
                continue
            cost += _CROSSED * sum(box.crossed_by(line) for line in drawn.near(box))
            if best is None or cost < best[0]:
                best = cost, box
        places.append(None if best is None else best[1])
        if best is not None:
            occupied.put(best[1], best[1])
    return places


class _Grid(Generic[T]):
    """Spatial index: things by the squares of the page that they cover."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], dict[T, None]] = {}

    def put(self, box: Rectangle, thing: T) -> None:
        for cell in self._covered(box):
            self._cells.setdefault(cell, {})[thing] = None

    def near(self, box: Rectangle) -> Mapping[T, None]:
        found: dict[T, None] = {}
        for cell in self._covered(box):
            found.update(self._cells.get(cell, {}))
        return found

    @staticmethod
    def _covered(box: Rectangle) -> Iterator[tuple[int, int]]:
        rows = range(int(box.top // _CELL), int(box.bottom // _CELL) + 1)
        columns = range(int(box.left // _CELL), int(box.right // _CELL) + 1)
        return product(columns, rows)


def _candidates(label: Label) -> Iterator[tuple[float, Rectangle]]:
    """Places around what a label names, each with its cost, the nearest first."""
    width, height, names = label.width, label.height, label.names
    middle_x, middle_y = (names.left + names.right) / 2, (names.top + names.bottom) / 2
    for gap in _GAPS:
        space = gap * (height if label.line is None else label.line)
        left, right = names.left - space - width, names.right + space
        above, below = names.top - space - height, names.bottom + space
        centred, level = middle_x - width / 2, middle_y - height / 2
        spots = (
            (centred, below),
            (centred, above),
            (right, level),
            (left, level),
            (names.right - width, below),
            (names.left, below),
            (names.right - width, above),
            (names.left, above),
            (right - space, below),
            (left + space, below),
            (right - space, above),
            (left + space, above),
        )
        for rank, (x, y) in enumerate(spots):
            yield _FURTHER * gap + 0.05 * rank, Rectangle(x, y, x + width, y + height)


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

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """A filled shape."""
        self._draw.polygon([(x * SMOOTHING, y * SMOOTHING) for x, y in points], fill)

    def ring(self, at: Point, radius: float, line: str, width: float) -> None:
        """A circle that is not filled."""
        x, y, r = at[0] * SMOOTHING, at[1] * SMOOTHING, radius * SMOOTHING
        self._draw.ellipse((x - r, y - r, x + r, y + r), None, line, round(width * SMOOTHING))

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
            printable(text),
            colour,
            self._font(size * SMOOTHING),
            anchor,
            stroke_width=2 * SMOOTHING if halo else 0,
            stroke_fill=halo,
        )

    def width_of(self, text: str, size: float) -> float:
        """The width of a text."""
        return float(self._font(size * SMOOTHING).getlength(printable(text))) / SMOOTHING

    def picture(self, image: Image, box: Rectangle) -> None:
        """Another picture, reduced to a box."""
        size = round((box.right - box.left) * SMOOTHING), round((box.bottom - box.top) * SMOOTHING)
        self._sheet.paste(image.resize(size), (round(box.left * SMOOTHING), round(box.top * SMOOTHING)))

    def cropped_to(self, text: str, size: float, width: float) -> str:
        """A text, cut with an ellipsis where it is wider than *width*."""
        if self.width_of(text, size) <= width:
            return text
        while text and self.width_of(f"{text}…", size) > width:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def wrapped(self, text: str, size: float, width: float, most: int) -> list[str]:
        """A text in at most so many lines, broken between words, the last one cut if there is more."""
        lines: list[str] = []
        words = text.split()
        while words and len(lines) < most - 1:
            count = 1
            while count < len(words) and self.width_of(" ".join(words[: count + 1]), size) <= width:
                count += 1
            lines.append(self.cropped_to(" ".join(words[:count]), size, width))
            words = words[count:]
        return [*lines, self.cropped_to(" ".join(words), size, width)] if words else lines

    def copy(self) -> Canvas:
        """The same drawing on another sheet, to be drawn on."""
        from PIL import ImageDraw

        other = copy(self)
        other._sheet = self._sheet.copy()
        other._draw = ImageDraw.Draw(other._sheet)
        return other

    def finished(self) -> Image:
        """The picture at its size."""
        from PIL import Image

        size = self._sheet.width // SMOOTHING, self._sheet.height // SMOOTHING
        return self._sheet.resize(size, Image.Resampling.LANCZOS)
