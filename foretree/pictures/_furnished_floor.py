"""A floor with what stands on it: furniture with what is there, robots and people, each with its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import TYPE_CHECKING

from foretree.pictures._canvas import Canvas, Label, Line, Rectangle, lay_out
from foretree.pictures._floor_plan import WALL_WIDTH, FloorPlan, Leaf, scale_bar
from foretree.pictures.palette import (
    CLOSED_DOOR,
    FURNITURE,
    FURNITURE_EDGE,
    GREY,
    INK,
    OPEN_DOOR,
    PAPER,
    PATH,
    PERSON,
    RAISED,
    ROBOT,
    ROOM,
    ROOM_NODE,
    THING,
    WALL,
)
from foretree.world_model.maps.building_map import MapRoom, Point

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pixels per metre that are tried, until there is room for every name.
SCALES = (72, 84, 96, 112, 128, 148, 170, 200, 240)

#: A name is at most this far from what it names, in pixels.
_NEAR = 12

#: What is smaller than this is no mark, but a point that a name is to be around, in pixels.
_MARK = 2

#: Pixels around the floor; the title goes above, the scale bar below.
_SIDE, _ABOVE, _BELOW, _LEAST_WIDTH = 36, 76, 60, 520

#: Pixels.
_TITLE_SIZE, _TEXT_SIZE, _ROOM_SIZE, _NAME_SIZE, _LOAD_SIZE, _DOOR_SIZE = 24, 14, 17, 13, 11.5, 11
_LINE, _SPACE, _DOT, _BODY = 1.25, 2, 3.2, 11

#: The width that lists of what is somewhere are broken at: the first that fits all, in pixels.
_WIDTHS = (150, 110, 220, 80)


@dataclass(frozen=True, slots=True)
class FloorPiece:
    """A piece of furniture, seen from above, in metres.

    Attributes:
        name: its name, and what else there is to say about it.
        low, high: its corners.
        loads: by relation, what is there: ``("on", ("mug1", "plate1"))``.
        raised: whether it stands on another piece, with which it is named.
    """

    name: str
    low: Point
    high: Point
    loads: tuple[tuple[str, tuple[str, ...]], ...] = ()
    raised: bool = False


@dataclass(frozen=True, slots=True)
class FloorBody:
    """A robot or a person, where it stands, and in which direction it looks, in degrees."""

    name: str
    at: Point
    is_robot: bool = True
    heading: int | None = None


@dataclass(frozen=True)
class FurnishedFloor:
    """A floor and all that is on it, in metres.

    Attributes:
        title, says: what is written above it.
        rooms: the rooms, with walls around them unless there are *blocks*.
        doors: each door, and whether it is closed.
        openings: the gaps in walls.
        blocks: walls that are as thick as they are: their corners.
        ground: the floor between blocks: its corners.
        pieces: the furniture, what stands on other pieces after those.
        bodies: robots and people.
        path: points of a way to show.
    """

    title: str
    says: str
    rooms: Sequence[MapRoom]
    pieces: Sequence[FloorPiece]
    bodies: Sequence[FloorBody] = ()
    doors: Sequence[tuple[str, Leaf, bool]] = ()
    openings: Sequence[tuple[Point, Point]] = ()
    blocks: Sequence[tuple[Point, Point]] = ()
    ground: Sequence[tuple[Point, Point]] = ()
    path: Sequence[Point] = ()

    def picture(self) -> Image:
        """Draw it, as small as leaves room for every name."""
        return self.drawing().drawn()

    def drawing(self) -> Drawing:
        """Lay it out at the smallest scale with room for every name, else with the fewest missing."""
        best: Drawing | None = None
        for scale in SCALES:
            for width in _WIDTHS:
                drawing = Drawing(self, scale, width)
                if best is None or drawing.misfits < best.misfits:
                    best = drawing
                if not best.misfits:
                    return best
        assert best is not None, "there are scales"
        return best


@dataclass(frozen=True, slots=True)
class _Text:
    """Text at a mark: lines with their sizes and colours."""

    lines: tuple[tuple[str, float, str], ...]
    mark: Rectangle
    within: Rectangle | None = None

    @property
    def height(self) -> float:
        return sum(size * _LINE for _, size, _ in self.lines) + 2 * _SPACE


class Drawing:
    """A floor at a scale, with its names laid out.

    Attributes:
        texts: what is written, and at which mark.
        boxes: where it is written; None where there is no room.
        misfits: the number of names that have no place near what they name.
    """

    def __init__(self, floor: FurnishedFloor, scale: float, load_width: float) -> None:
        self.floor = floor
        self._load_width = load_width
        corners = [corner for room in floor.rooms for corner in (room.low, room.high)]
        corners += [corner for block in floor.blocks for corner in block]
        corners += [corner for piece in floor.pieces for corner in (piece.low, piece.high)]
        low = min(x for x, _ in corners), min(y for _, y in corners)
        high = max(x for x, _ in corners), max(y for _, y in corners)
        self._measure = Canvas(1, 1, PAPER)
        titles = max(self._width(floor.title, _TITLE_SIZE), self._width(floor.says, _TEXT_SIZE))
        self.width = max((high[0] - low[0]) * scale, titles, _LEAST_WIDTH) + 2 * _SIDE
        self.height = (high[1] - low[1]) * scale + _ABOVE + _BELOW
        self.plan = FloorPlan(self._measure, low, high, scale, (_SIDE, _ABOVE))
        self.texts = list(self._named())
        labels = [
            Label(
                max(self._width(line, size) for line, size, _ in text.lines) + 2 * _SPACE,
                text.height,
                text.mark,
                text.within,
                text.lines[0][1],
            )
            for text in self.texts
        ]
        inside = {index: label for index, label in enumerate(labels) if self._goes_inside(label)}
        outside = [label for index, label in enumerate(labels) if index not in inside]
        page = Rectangle(0, _ABOVE - 6, self.width, self.height - _BELOW + 6)
        placed = iter(lay_out(outside, list(self._taken()), list(self._lines()), page))
        self.boxes = [
            _centred(label) if index in inside else next(placed) for index, label in enumerate(labels)
        ]
        self._written_on = {self.texts[index].mark for index in inside}

        self.misfits = sum(
            box is None or not _beside(box, text.mark)
            for text, box in zip(self.texts, self.boxes, strict=True)
        )

    def _goes_inside(self, label: Label) -> bool:
        """Return whether the text about a piece of furniture of a home has room on it."""
        box = _centred(label)
        return (
            bool(self.floor.blocks)
            and box.within(label.names)
            and not any(box.overlaps(raised) for raised in self._raised() if raised != label.names)
        )

    def _raised(self) -> Iterator[Rectangle]:
        return (self.plan.box(piece.low, piece.high) for piece in self.floor.pieces if piece.raised)

    def drawn(self) -> Image:
        """Draw it."""
        pen = self.plan.pen = Canvas(self.width, self.height, PAPER)
        pen.text((_SIDE, 28), self.floor.title, _TITLE_SIZE, INK)
        pen.text((_SIDE, 54), self.floor.says, _TEXT_SIZE, GREY)
        self._floor()
        for piece in self.floor.pieces:
            self._piece(pen, piece)
        if len(self.floor.path) > 1:
            pen.line([self.plan.point(at) for at in self.floor.path], PATH, 5)
        for body in self.floor.bodies:
            draw_body(pen, self.plan.point(body.at), _BODY, body.is_robot, body.heading)
        for text, box in zip(self.texts, self.boxes, strict=True):
            if box is not None:
                y = box.top + _SPACE
                for line, size, colour in text.lines:
                    middle = (box.left + box.right) / 2, y + size * _LINE / 2
                    pen.text(
                        middle, line, size, colour, "mm", None if text.mark in self._written_on else ROOM
                    )
                    y += size * _LINE
        self._legend(pen, self.height - 24)
        return pen.finished()

    def _floor(self) -> None:
        floor, plan = self.floor, self.plan
        if floor.blocks:
            for low, high in floor.ground:
                plan.pen.box(plan.box(low, high), ROOM)
            for low, high in floor.blocks:
                plan.pen.box(plan.box(low, high), WALL)
            return
        plan.rooms([(room, ROOM) for room in floor.rooms])
        for start, end in floor.openings:
            plan.opening(start, end)
        for _, leaf, closed in floor.doors:
            plan.door(leaf, closed)

    def _legend(self, pen: Canvas, y: float) -> None:
        x = float(_SIDE)
        if any(piece.loads for piece in self.floor.pieces):
            pen.dot((x + _DOT, y), _DOT, THING, PAPER, 0.8)
            pen.text((x + 14, y), "thing", _LOAD_SIZE, GREY)
            x += self._width("thing", _LOAD_SIZE) + 36
        if any(closed for _, _, closed in self.floor.doors):
            pen.line(((x, y), (x + 24, y)), CLOSED_DOOR, WALL_WIDTH + 1)
            pen.text((x + 31, y), "closed door", _LOAD_SIZE, GREY)
        scale_bar(pen, (self.width - _SIDE, y), self.plan.scale)

    def _piece(self, pen: Canvas, piece: FloorPiece) -> None:
        box = self.plan.box(piece.low, piece.high)
        pen.box(box, RAISED if piece.raised else FURNITURE, FURNITURE_EDGE, 1.5, 3)
        if box not in self._written_on and not any(box.overlaps(raised) for raised in self._raised()):
            for at in spread(box, sum(len(names) for _, names in piece.loads)):
                pen.dot(at, _DOT, THING, PAPER, 0.8)

    # -- names ---------------------------------------------------------------------------------------
    def _named(self) -> Iterator[_Text]:
        """Texts, the largest lists first: they choose their places first."""
        pieces = [self._piece_text(piece) for piece in self.floor.pieces if not piece.raised]
        yield from sorted(pieces, key=lambda text: -text.height)
        for body in self.floor.bodies:
            colour = ROBOT if body.is_robot else PERSON
            yield _Text(((body.name, _NAME_SIZE, colour),), self._body_box(body), self._room_at(body.at))
        for name, leaf, closed in self.floor.doors:
            colour = CLOSED_DOOR if closed else OPEN_DOOR
            yield _Text(((name, _DOOR_SIZE, colour),), self.plan.doorway(leaf))
        for room in self.floor.rooms:
            box = self.plan.box(room.low, room.high)
            yield _Text(((room.name, _ROOM_SIZE, ROOM_NODE),), self.plan.around(room.middle, 1), box)

    def _piece_text(self, piece: FloorPiece) -> _Text:
        lines: list[tuple[str, float, str]] = [(piece.name, _NAME_SIZE, INK)]
        for relation, names in piece.loads:
            lines += [(line, _LOAD_SIZE, GREY) for line in self._wrapped(f"{relation}:", names)]
        middle = (piece.low[0] + piece.high[0]) / 2, (piece.low[1] + piece.high[1]) / 2
        return _Text(tuple(lines), self.plan.box(piece.low, piece.high), self._room_at(middle))

    def _wrapped(self, line: str, names: Sequence[str]) -> Iterator[str]:
        """A list of names, broken between them where it is too wide."""
        for index, name in enumerate(names):
            word = name + ("," if index < len(names) - 1 else "")
            if self._width(f"{line} {word}", _LOAD_SIZE) > self._load_width and not line.endswith(":"):
                yield line
                line = word
            else:
                line = f"{line} {word}"
        yield line

    def _room_at(self, at: Point) -> Rectangle | None:
        room = next((room for room in self.floor.rooms if room.contains(*at)), None)
        return None if room is None else self.plan.box(room.low, room.high)

    def _taken(self) -> Iterator[Rectangle]:
        yield from (self.plan.box(piece.low, piece.high) for piece in self.floor.pieces)
        yield from (self._body_box(body) for body in self.floor.bodies)
        yield from (self.plan.box(low, high) for low, high in self.floor.blocks)
        if not self.floor.blocks:
            yield from self.plan.walls(self.floor.rooms)

    def _lines(self) -> Iterator[Line]:
        for _, leaf, closed in self.floor.doors:
            if not closed:
                yield from self.plan.sides(leaf)

    def _body_box(self, body: FloorBody) -> Rectangle:
        return self.plan.around(body.at, 2.6 * _BODY + 2, 2 * _BODY + 2)

    def _width(self, text: str, size: float) -> float:
        return self._measure.width_of(text, size)


def _centred(label: Label) -> Rectangle:
    """The box of a label in the middle of what it names."""
    x, y = (label.names.left + label.names.right) / 2, (label.names.top + label.names.bottom) / 2
    wide, high = label.width / 2, label.height / 2
    return Rectangle(x - wide, y - high, x + wide, y + high)


def _beside(box: Rectangle, mark: Rectangle) -> bool:
    """Return whether a name is near enough to what it names, and not off its corner. A room has no mark."""
    across = max(box.left - mark.right, mark.left - box.right)
    down = max(box.top - mark.bottom, mark.top - box.bottom)
    return mark.right - mark.left < _MARK or (min(across, down) < 0 and max(across, down) <= _NEAR)


def spread(box: Rectangle, count: int, pitch: float = 9) -> Iterator[Point]:
    """The middles of as many dots as fit into a box, row by row."""
    columns = max(1, int((box.right - box.left) / pitch) - 1)
    rows = max(1, int((box.bottom - box.top) / pitch) - 1)
    shown = min(count, columns * rows)
    used = -(-shown // columns)
    for index in range(shown):
        row, column = divmod(index, columns)
        in_row = min(columns, shown - row * columns)
        yield (
            (box.left + box.right) / 2 + (column - (in_row - 1) / 2) * pitch,
            (box.top + box.bottom) / 2 + (row - (used - 1) / 2) * pitch,
        )


def draw_body(pen: Canvas, at: Point, radius: float, is_robot: bool, heading: int | None = None) -> None:
    """Draw a robot as a disc that looks somewhere, or a person as head and shoulders, seen from above."""
    x, y = at
    if not is_robot:
        wide, high = radius * 1.3, radius * 0.55
        pen.box(Rectangle(x - wide, y - high, x + wide, y + high), PERSON, round_by=high)
        pen.dot(at, radius * 0.6, PERSON, PAPER)
        return
    pen.dot(at, radius, ROBOT, PAPER)
    turned = radians(90 if heading is None else heading)
    pen.line((at, (x + cos(turned) * radius * 0.8, y - sin(turned) * radius * 0.8)), PAPER, 2.5)


def in_order(loads: Iterable[tuple[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Names by their relation, in the order in which relations come up."""
    found: dict[str, list[str]] = {}
    for relation, name in loads:
        found.setdefault(relation.replace("_", " "), []).append(name)
    return tuple((relation, tuple(names)) for relation, names in found.items())
