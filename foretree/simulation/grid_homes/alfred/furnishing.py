"""Layouts from ALFRED's rooms: boxes of our own furniture about where theirs stands.

Of ALFRED's furniture it is known where its centre is, and from where it is operated, but neither how large it
is nor, of stoves, lamps and the like, where it stands. Where one can stand is known exactly. So each piece
goes to the place nearest to its centre that leaves free where one can stand, with such room before its front;
what has no place of its own goes where there is room. The same room always makes the same layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import hypot
from pathlib import Path

from foretree.simulation.grid_homes._object_classes import ObjectClasses, load_object_classes
from foretree.simulation.grid_homes.alfred.classes import load_alfred_classes
from foretree.simulation.grid_homes.alfred.rooms import AlfredError, AlfredRoom, Receptacle, read_room
from foretree.simulation.grid_homes.layouts.geometry import AHEAD, CELL, Cell
from foretree.simulation.grid_homes.layouts.layout import (
    Layout,
    Piece,
    Room,
    largest_area,
    standable_cells,
    ways_on_top,
)

#: The order in which classes get their first piece: first what a room has one of, and what is large.
_ORDER = (
    "fridge",
    "sink",
    "bathtub",
    "toilet",
    "bed",
    "sofa",
    "counter",
    "table",
    "desk",
    "coffee_table",
    "dresser",
    "sideboard",
    "armchair",
    "stove",
    "side_table",
    "safe",
    "ottoman",
    "cart",
    "bin",
    "cabinet",
    "drawer",
    "shelf",
    "lamp",
    "toilet_paper_holder",
    "towel_rail",
    "laundry_basket",
)
#: What stands on other furniture, and on which: the best first.
_ON_TOP: Mapping[str, tuple[str, ...]] = {
    "microwave": ("counter", "drawer", "table", "side_table"),
    "coffee_machine": ("counter", "drawer", "table", "side_table"),
    "toaster": ("counter", "drawer", "table", "side_table"),
    "tv": ("sideboard", "dresser", "drawer", "desk", "table", "coffee_table"),
}
#: Beside which furniture that stands whose place is not known.
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "stove": ("counter", "sink"),
    "lamp": ("desk", "side_table", "sofa", "bed"),
    "toilet_paper_holder": ("toilet",),
    "towel_rail": ("sink", "bathtub"),
    "plant": ("table", "coffee_table"),
}
#: What a room can do without if there is no room.
_DISPENSABLE = ("plant", "tv")
#: Pieces of one class nearer together than this (metres) are one, such as drawers above each other.
_SAME = 0.35
#: How far from its centre a piece may stand (cells), and how much of it may stand where one could stand: of
#: the first of its class, and of others, which a room can do without.
_FAR, _NEAR = (16, 1.0), (6, 0.25)
#: What is as bad as standing a cell farther away: for each cell where one could stand; a front that looks
#: aside, or away from where it is operated; a front before which one cannot stand, by the share of it; each
#: corner of the front that is in a recess, so that it is seen from before it only.
_ON_FLOOR, _ASIDE, _AWAY, _BLOCKED, _RECESSED = 3.0, 1.5, 3.0, 16.0, 3.0
#: How much better a piece is for each cell that it is wider: it holds more.
_LARGER = 0.5
#: The share of the places to stand that must be left when a piece takes some.
_LEFT = 0.85
#: The cells that are to stay free beside what stands on a piece, if there is a piece with so many.
_SPARE = (2, 1, 0)


@dataclass(frozen=True)
class AlfredLayout:
    """The layout that a room becomes.

    Attributes:
        room: the room.
        layout: its layout.
        pieces: for each receptacle of the room, the index of the piece that stands for it; -1 if none does.
        lacking: our classes of furniture for which there was no room.
    """

    room: AlfredRoom
    layout: Layout
    pieces: tuple[int, ...]
    lacking: tuple[str, ...]


@lru_cache(maxsize=256)
def furnished_room(folder: Path, number: int) -> AlfredLayout:
    """The layout of the room of a number, in a folder of ALFRED's.

    Raises:
        AlfredError: it cannot be read, or is no room of ALFRED's.
    """
    room = read_room(folder, number)
    kind = load_alfred_classes().room_kind(number)
    if kind is None:
        raise AlfredError(f"{room.name} is of no kind: see rooms in configs/homes/alfred.yaml.")
    furnisher = _Furnisher(room, load_object_classes())
    furnisher.furnish()
    inside = Room(kind, 0, 0, room.width, room.height)
    walls = furnisher.walls()
    layout = Layout(
        room.name, kind, False, room.width, room.height, walls, (inside,), tuple(furnisher.pieces)
    )
    return AlfredLayout(room, layout, tuple(furnisher.found), tuple(furnisher.lacking))


@dataclass(frozen=True, slots=True)
class _Wish:
    """A piece that is wanted: its class, where, and the heading in which one looks at its front, if known."""

    class_name: str
    at: tuple[float, float]
    heading: int | None = None


class _Furnisher:
    """Puts pieces into a room, one after the other."""

    def __init__(self, room: AlfredRoom, classes: ObjectClasses) -> None:
        self._room, self._classes = room, classes
        beside = {(i + di, j + dj) for i, j in room.stands for di, dj in AHEAD.values()}
        self._floor = set(room.stands | beside)
        self._solid: set[Cell] = set()
        self._area = largest_area(self._standable(self._floor))
        self._fewest = _LEFT * len(self._area)
        ours = load_alfred_classes().furniture
        self._ours = [ours.get(one.class_name, "") for one in room.receptacles]
        self._unplaced = [
            name
            for name in dict.fromkeys(ours.get(one, "") for one in room.classes)
            if name and name not in self._ours
        ]
        self.pieces: list[Piece] = []
        self.found = [-1] * len(room.receptacles)
        self.lacking: list[str] = []

    def furnish(self) -> None:
        """Put the first of each class, then what stands on others, then the rest where there is room."""
        last = len(_ORDER)
        classes = sorted(
            {*self._ours, *self._unplaced} - {"", *_ON_TOP},
            key=lambda name: (_ORDER.index(name) if name in _ORDER else last, name),
        )
        for name in classes:
            if self._first(name) is None and name not in _DISPENSABLE:
                self.lacking.append(name)
        for name in _ON_TOP:
            wanted = name in self._ours or name in self._unplaced
            if wanted and not self._on_top(name) and name not in _DISPENSABLE:
                self.lacking.append(name)
        for index, receptacle in enumerate(self._room.receptacles):
            name = self._ours[index]
            if self.found[index] < 0 and name and name not in _ON_TOP:
                self.found[index] = self._another(name, receptacle)

    def walls(self) -> frozenset[Cell]:
        """All that is neither floor nor furniture, but for what lies amid the floor: that is floor, too."""
        width, height = self._room.width, self._room.height
        outside, border = {(0, 0)}, [(0, 0)]
        while border:
            i, j = border.pop()
            for di, dj in AHEAD.values():
                cell = i + di, j + dj
                if 0 <= cell[0] < width and 0 <= cell[1] < height and cell not in outside | self._floor:
                    outside.add(cell)
                    border.append(cell)
        return frozenset(outside - self._solid)

    # -- pieces on the floor -----------------------------------------------------------------------
    def _first(self, name: str) -> int | None:
        """Put the first piece of a class: for the receptacle for which there is the best place."""
        wishes: list[tuple[int | None, _Wish]] = [
            (index, _wish(name, receptacle))
            for index, receptacle in enumerate(self._room.receptacles)
            if self._ours[index] == name
        ] or [(None, _Wish(name, self._beside(name)))]
        for index, wish in wishes:
            put = self._put(wish, _FAR)
            if put is not None:
                if index is not None:
                    self.found[index] = put
                return put
        return None

    def _another(self, name: str, receptacle: Receptacle) -> int:
        """Put a piece for a receptacle; the nearest is it where one stands already, or there is no room."""
        others = [
            (_distance(self._room.receptacles[index].at, receptacle.at), piece)
            for index, piece in enumerate(self.found)
            if piece >= 0 and self._ours[index] == name
        ]
        nearest = min(others, default=(0.0, -1))
        if others and nearest[0] < _SAME:
            return nearest[1]
        put = self._put(_wish(name, receptacle), _NEAR)
        return nearest[1] if put is None else put

    def _beside(self, name: str) -> tuple[float, float]:
        """Find a place for what has none of its own: by the furniture that it belongs to, else anywhere."""
        of = _BESIDE.get(name, ())
        for other in of:
            centres = [_centre(piece) for piece in self.pieces if piece.class_name == other]
            if centres:
                return centres[-1]
        return self._room.width * CELL / 2, self._room.height * CELL / 2

    def _put(self, wish: _Wish, limits: tuple[int, float]) -> int | None:
        """Put a piece as near to where it is wanted as it can be, within limits such as :data:`_FAR`."""
        ways = sorted(self._ways(wish, *limits), key=lambda way: (way[0], way[1].x, way[1].y, way[1].facing))
        for _, piece in ways:
            cells = set(piece.cells)
            if not cells & self._floor:
                break
            floor = self._floor - cells
            area = largest_area(self._standable(floor))
            if len(area) >= self._fewest and all(self._keeps(one, area) for one in (*self.pieces, piece)):
                self._floor, self._area = floor, area
                break
        else:
            return None
        self.pieces.append(piece)
        self._solid |= cells
        return len(self.pieces) - 1

    def _ways(self, wish: _Wish, far: int, share: float) -> Iterator[tuple[float, Piece]]:
        """Every way to put a piece, and how bad it is."""
        body = self._classes.furniture[wish.class_name]
        x, y = wish.at[0] / CELL, wish.at[1] / CELL
        for wide, deep, facing in product(body.widths, body.depths, AHEAD):
            across, back = round(wide / CELL), round(deep / CELL)
            nx, ny = (back, across) if facing in (0, 180) else (across, back)
            left, low = round(x - nx / 2), round(y - ny / 2)
            turned = _turned(wish.heading, facing)
            for i, j in product(range(left - far, left + far + 1), range(low - far, low + far + 1)):
                if not (i > 0 and j > 0 and i + nx < self._room.width and j + ny < self._room.height):
                    continue
                away = hypot(i + nx / 2 - x, j + ny / 2 - y)
                if away > far:
                    continue
                piece = Piece(wish.class_name, i, j, nx, ny, facing)
                spots = len(self._spots(piece, self._area))
                if not spots or not self._solid.isdisjoint(piece.cells):
                    continue
                stood_on = sum(cell in self._floor for cell in piece.cells)
                if stood_on > share * len(piece.cells) or (share < 1 and 2 * spots < across):
                    continue
                ends = (piece.before(piece.across[0] - 1, 0), piece.before(piece.across[-1] + 1, 0))
                recessed = sum(cell not in self._floor for cell in ends)
                bad = (
                    away
                    + turned
                    + _BLOCKED * (1 - spots / across)
                    + _ON_FLOOR * stood_on
                    + _RECESSED * recessed
                )
                yield bad - _LARGER * across, piece

    def _keeps(self, piece: Piece, area: frozenset[Cell]) -> bool:
        """Tell whether a piece can be used from half of its front still, or from as much as before."""
        enough = min(len(self._spots(piece, self._area)), (len(piece.across) + 1) // 2)
        return len(self._spots(piece, area)) >= max(1, enough)

    def _spots(self, piece: Piece, area: frozenset[Cell]) -> list[Cell]:
        """Cells from which a piece is used."""
        front = piece if piece.base is None else self.pieces[piece.base]
        return [spot for spot in (front.before(across, 1) for across in piece.across) if spot in area]

    def _standable(self, floor: Iterable[Cell]) -> frozenset[Cell]:
        width, height = self._room.width, self._room.height
        taken = set(product(range(width), range(height))).difference(floor)
        return standable_cells(width, height, taken)

    # -- pieces on others --------------------------------------------------------------------------
    def _on_top(self, name: str) -> bool:
        """Put what stands on other furniture there, as near to its own place as it can be.

        Where nothing has room for it, it gets a counter of its own.
        """
        at = [one.at for one, ours in zip(self._room.receptacles, self._ours, strict=True) if ours == name]
        piece = self._way_on_top(name, at)
        if piece is None and "counter" in _ON_TOP[name]:
            self._put(_Wish("counter", at[0] if at else self._beside("stove")), _FAR)
            piece = self._way_on_top(name, at)
        if piece is None:
            return False
        self.pieces.append(piece)
        for index, ours in enumerate(self._ours):
            if ours == name:
                self.found[index] = len(self.pieces) - 1
        return True

    def _way_on_top(self, name: str, at: Sequence[tuple[float, float]]) -> Piece | None:
        body = self._classes.furniture[name]
        width, depth = round(body.widths[0] / CELL), round(body.depths[0] / CELL)
        for spare, base in product(_SPARE, _ON_TOP[name]):
            bases = [index for index, piece in enumerate(self.pieces) if piece.class_name == base]
            z = self._classes.furniture[base].height
            ways = [
                piece
                for index in bases
                for piece in ways_on_top(name, width, depth, z, index, self.pieces, spare)
                if self._spots(piece, self._area)
            ]
            if ways:
                return min(ways, key=lambda way: _distance(at[0], _centre(way)) if at else 0.0)
        return None


def _wish(name: str, receptacle: Receptacle) -> _Wish:
    return _Wish(name, receptacle.at, receptacle.heading)


def _turned(heading: int | None, facing: int) -> float:
    """Return how bad it is that a front looks in a direction, when it is operated in a heading."""
    if heading is None:
        return 0.0
    apart = (facing - heading - 180) % 360
    return {0: 0.0, 180: _AWAY}.get(apart, _ASIDE)


def _centre(piece: Piece) -> tuple[float, float]:
    x0, y0, x1, y1 = piece.foot
    return (x0 + x1) / 2, (y0 + y1) / 2


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
