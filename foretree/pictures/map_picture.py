"""Pictures of building maps: the floor plan with nodes, edges, doors and assets. Needs Pillow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from foretree.pictures._canvas import Canvas, Label, Line, Rectangle, lay_out
from foretree.pictures._floor_plan import WALL_WIDTH, FloorPlan, Leaf, leaf_of, scale_bar
from foretree.pictures.palette import (
    CLOSED_DOOR,
    EDGE,
    GREY,
    HALL,
    HIGHLIGHT,
    INK,
    OPEN_DOOR,
    PAPER,
    PATH,
    POSE,
    ROOM,
    ROOM_NODE,
)
from foretree.world_model.maps.building_map import (
    BuildingMap,
    MapAsset,
    MapDoor,
    Point,
    openings,
)
from foretree.world_model.maps.places import MapError, Place

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pixels per metre, and the longest side of a floor in pixels: what is longer than that is drawn smaller.
SCALE, LONGEST = 66, 4000

#: Pixels around the floor; the title goes above, the legend below. The legend needs a certain width.
_SIDE, _ABOVE, _BELOW, _LEAST_WIDTH = 36, 76, 84, 1100

#: Pixels.
_POSE_RADIUS, _ROOM_RADIUS, _GLOW = 4.5, 8, 7
_TITLE_SIZE, _TEXT_SIZE, _ROOM_SIZE, _ASSET_SIZE, _DOOR_SIZE, _POSE_SIZE = 24, 14, 17, 12.5, 11, 9.5

#: Metres.
_THUMBNAIL = 0.68, 0.51


def draw(
    building: BuildingMap,
    *,
    path: Sequence[str] = (),
    highlight: Iterable[str] = (),
    closed: Collection[str] = (),
) -> Image:
    """Draw a map. ``draw(…).save(file)`` writes it as PNG.

    Args:
        building: the map.
        path: nodes of a path to show.
        highlight: nodes to highlight.
        closed: doors to be drawn closed; the others are open.

    Raises:
        MapError: a node or a door of that name is not in the map.
    """
    for node in (*path, *highlight):
        building.places.place(node)
    for door in closed:
        building.door(door)
    return _Picture(building, frozenset(highlight)).drawn(path, frozenset(closed))


class _Picture:
    def __init__(self, building: BuildingMap, highlight: frozenset[str]) -> None:
        self.building = building
        self.highlight = highlight
        rooms = building.rooms.values()
        low = min(room.low[0] for room in rooms), min(room.low[1] for room in rooms)
        high = max(room.high[0] for room in rooms), max(room.high[1] for room in rooms)
        wide, deep = (high[axis] - low[axis] for axis in (0, 1))
        self.scale = min(SCALE, LONGEST / max(wide, deep))
        self.width = max(wide * self.scale + 2 * _SIDE, _LEAST_WIDTH)
        self.height = deep * self.scale + _ABOVE + _BELOW
        self.pen = Canvas(self.width, self.height, PAPER)
        self.floor = FloorPlan(self.pen, low, high, self.scale, (_SIDE, _ABOVE))
        self.leaves = {door.name: self._leaf(door) for door in building.doors.values()}

    def drawn(self, path: Sequence[str], closed: frozenset[str]) -> Image:
        self._title(path, closed)
        building, floor = self.building, self.floor
        floor.rooms(
            [(room, ROOM if building.assets_in(room.name) else HALL) for room in building.rooms.values()]
        )
        for start, end in openings(building.rooms, building.places):
            floor.opening(start, end)
        for passage in building.places.passages():
            self.pen.line((self._node(passage.one), self._node(passage.other)), EDGE, 1.4)
        for name, leaf in self.leaves.items():
            floor.door(leaf, name in closed)
        if len(path) > 1:
            self.pen.line([self._node(node) for node in path], PATH, 5)
        for place in building.places.places():
            self._place(place, place.name in path)
        self._names()
        self._legend(bool(path))
        return self.pen.finished()

    def _leaf(self, door: MapDoor) -> Leaf:
        leaf = leaf_of(door.at, [self.building.rooms[name] for name in door.between])
        assert leaf is not None, "a map whose doors are not in a wall is refused"
        return leaf

    # -- nodes ---------------------------------------------------------------------------------------
    def _place(self, place: Place, on_path: bool) -> None:
        at, mark = self._node(place.name), self._mark(place)
        if place.name in self.highlight:
            self.pen.box(_around(mark), HIGHLIGHT, round_by=9)
        if place.kind == "asset":
            self._asset(self.building.assets[place.name], mark, on_path)
        elif place.kind == "room":
            self.pen.diamond(at, _ROOM_RADIUS, PATH if on_path else ROOM_NODE)
        else:
            self.pen.dot(at, _POSE_RADIUS, PAPER, PATH if on_path else POSE, 2)

    def _asset(self, asset: MapAsset, mark: Rectangle, on_path: bool) -> None:
        from PIL import Image

        try:
            with Image.open(asset.image) as image:
                self.pen.picture(image.convert("RGB"), mark)
        except OSError as error:
            raise MapError(f"The image of {asset.name}, {asset.image}, cannot be shown: {error}.") from error
        self.pen.box(mark, None, PATH if on_path else INK, 3 if on_path else 1.5)

    def _mark(self, place: Place) -> Rectangle:
        """The rectangle that a node takes up in the picture."""
        x, y = self._node(place.name)
        wide, high = {
            "asset": (_THUMBNAIL[0] * self.scale / 2, _THUMBNAIL[1] * self.scale / 2),
            "room": (_ROOM_RADIUS, _ROOM_RADIUS),
        }.get(place.kind, (_POSE_RADIUS, _POSE_RADIUS))
        return Rectangle(x - wide, y - high, x + wide, y + high)

    # -- names ---------------------------------------------------------------------------------------
    def _names(self) -> None:
        """Draw the names, those of assets first. A pose whose name fits nowhere goes without."""
        marks = {place.name: self._mark(place) for place in self.building.places.places()}
        marks |= {name: _around(marks[name]) for name in sorted(self.highlight)}
        kinds = {place.name: place.kind for place in self.building.places.places()}
        named = [(name, marks[name], _ASSET_SIZE, INK) for name in self.building.assets]
        named += [(name, marks[name], _ROOM_SIZE, ROOM_NODE) for name in self.building.rooms]
        doorways = {name: self.floor.doorway(leaf) for name, leaf in self.leaves.items()}
        named += [(name, doorway, _DOOR_SIZE, OPEN_DOOR) for name, doorway in doorways.items()]
        named += [(name, marks[name], _POSE_SIZE, GREY) for name, kind in kinds.items() if kind == "pose"]
        labels = [Label(self.pen.width_of(name, size) + 2, size, mark) for name, mark, size, _ in named]
        taken = [*marks.values(), *doorways.values(), *self.floor.walls(self.building.rooms.values())]
        page = Rectangle(0, _ABOVE - 6, self.width, self.height - _BELOW + 6)
        boxes = lay_out(labels, taken, self._lines(), page)
        for (name, _, size, colour), box in zip(named, boxes, strict=True):
            if box is not None:
                middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
                self.pen.text(middle, name, size, colour, "mm", halo=ROOM)

    def _lines(self) -> list[Line]:
        """The lines that names should not cover: edges and the leaves of doors."""
        passages = [
            (*self._node(passage.one), *self._node(passage.other))
            for passage in self.building.places.passages()
        ]
        return [*passages, *(side for leaf in self.leaves.values() for side in self.floor.sides(leaf))]

    # -- around the floor ----------------------------------------------------------------------------
    def _title(self, path: Sequence[str], closed: frozenset[str]) -> None:
        building = self.building
        self.pen.text((_SIDE, 28), building.name, _TITLE_SIZE, INK)
        said = [building.says] if building.says else []
        if closed:
            said.append(f"Closed: {', '.join(sorted(closed))}.")
        if len(path) > 1:
            cost = sum(_cost(building, *step) for step in pairwise(path))
            said.append(f"From {path[0]} to {path[-1]} it costs {cost}.")
        self.pen.text((_SIDE, 54), " ".join(said), _TEXT_SIZE, GREY)

    def _legend(self, has_path: bool) -> None:
        """Draw the legend and a scale bar."""
        pen, x, y = self.pen, float(_SIDE), self.height - _BELOW / 2 + 10
        pen.diamond((x + 9, y), _ROOM_RADIUS, ROOM_NODE)
        x = self._meaning(x + 24, y, "room")
        pen.box(Rectangle(x, y - 9, x + 24, y + 9), HALL, INK, 1.5)
        x = self._meaning(x + 31, y, "asset")
        pen.dot((x + 6, y), _POSE_RADIUS, PAPER, POSE, 2)
        x = self._meaning(x + 18, y, "pose")
        pen.line(((x, y), (x + 30, y)), EDGE, 2)
        x = self._meaning(x + 37, y, "edge")
        pen.line(((x, y + 10), (x, y - 12)), OPEN_DOOR, 3)
        pen.arc((x, y + 10), 22, 270, 360, OPEN_DOOR)
        x = self._meaning(x + 29, y, "open door")
        pen.line(((x, y), (x + 28, y)), CLOSED_DOOR, WALL_WIDTH + 1)
        x = self._meaning(x + 35, y, "closed door")
        if has_path:
            pen.line(((x, y), (x + 30, y)), PATH, 5)
            self._meaning(x + 37, y, "path")
        scale_bar(pen, (self.width - _SIDE, y), self.scale)

    def _meaning(self, x: float, y: float, text: str) -> float:
        """Write the meaning of a sign of the legend; return the x of the next one."""
        self.pen.text((x, y), text, _TEXT_SIZE, GREY)
        return x + self.pen.width_of(text, _TEXT_SIZE) + 28

    def _node(self, name: str) -> Point:
        return self.floor.point(self.building.places.place(name).pose)


def _around(mark: Rectangle) -> Rectangle:
    """The frame that highlights a node."""
    return Rectangle(mark.left - _GLOW, mark.top - _GLOW, mark.right + _GLOW, mark.bottom + _GLOW)


def _cost(building: BuildingMap, one: str, other: str) -> int:
    passage = building.places.passage(one, other)
    if passage is None:
        raise MapError(f"The path goes from {one} to {other}, but the map has no edge between them.")
    return passage.cost
