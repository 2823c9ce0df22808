"""Building a layout: rooms are carved on a grid, and furniture is placed so that all of it can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from random import Random

import numpy as np

from foretree.simulation.grid_homes._object_classes import ObjectClasses
from foretree.simulation.grid_homes.layouts.geometry import CELL, Cell
from foretree.simulation.grid_homes.layouts.layout import (
    Layout,
    Piece,
    Room,
    RoomKind,
    ways_on_top,
)

#: The width of doorways, and the depth of the free space before furniture and doorways (cells).
DOORWAY = 4
STANDING = 3
_FLOOR, _WALL, _TAKEN = 0, 1, 2
SIDES = (0, 90, 180, 270)


class NoSpaceError(Exception):
    """No space for a piece or a doorway; the generator begins anew."""


class LayoutBuilder:
    """A layout under construction. All furniture has room to stand before it, which stays free."""

    def __init__(self, width: int, height: int, classes: ObjectClasses, rng: Random) -> None:
        self.width, self.height, self.rng = width, height, rng
        self._classes = classes
        self._ground = np.full((width, height), _WALL, dtype=np.int8)
        #: What stays free, doorways and the space before furniture.
        self._kept = np.zeros((width, height), dtype=bool)
        self.rooms: list[Room] = []
        self.pieces: list[Piece] = []

    # -- walls -------------------------------------------------------------------------------------
    def carve(self, kind: RoomKind, x: int, y: int, wide: int, deep: int) -> Room:
        """Make a room."""
        room = Room(kind, x, y, x + wide, y + deep)
        self._ground[x : x + wide, y : y + deep] = _FLOOR
        self.rooms.append(room)
        return room

    def wall_up(self, x: int, y: int, wide: int, deep: int) -> None:
        """Make a part of a room solid."""
        self._ground[x : x + wide, y : y + deep] = _WALL

    def join(self, one: Room, other: Room) -> None:
        """Make a doorway in the wall, one cell thick, between two rooms.

        Raises:
            NoSpaceError: they do not have enough wall in common.
        """
        for axis in (0, 1):
            (low, high), (other_low, other_high) = one.spans[axis], other.spans[axis]
            if high + 1 == other_low or other_high + 1 == low:
                wall = high if high + 1 == other_low else other_high
                (low, high), (other_low, other_high) = one.spans[1 - axis], other.spans[1 - axis]
                start, stop = max(low, other_low), min(high, other_high)
                if stop - start < DOORWAY:
                    raise NoSpaceError("There is no room for a doorway.")
                start = self.rng.randint(start, stop - DOORWAY)
                kept, ground = (self._kept, self._ground) if axis == 0 else (self._kept.T, self._ground.T)
                kept[max(0, wall - STANDING) : wall + STANDING + 1, start : start + DOORWAY] = True
                ground[wall, start : start + DOORWAY] = _FLOOR
                return
        raise NoSpaceError(f"The {one.kind} and the {other.kind} have no wall in common.")

    # -- furniture ---------------------------------------------------------------------------------
    def against_wall(self, room: Room, class_name: str, sides: Sequence[int] = SIDES) -> Piece:
        """Put a piece with its back to a wall, anywhere.

        Args:
            room: which.
            class_name: of the piece.
            sides: the headings in which its front may look.

        Raises:
            CrampedError: there is no room for it.
        """
        size = self._size(class_name)
        ways = [piece for facing in sides for piece in _along_wall(room, class_name, *size, facing)]
        return self._put_any(class_name, ways, backed=True)

    def furnish(self, room: Room, *class_names: str) -> None:
        """Put one piece after the other with its back to a wall, anywhere.

        Raises:
            NoSpaceError: there is no room for one.
        """
        for class_name in class_names:
            self.against_wall(room, class_name)

    def furnish_optionally(
        self, room: Room, chances: Mapping[str, float], put: Callable[[Room, str], object] | None = None
    ) -> None:
        """Put pieces that a room can do without, each with a probability, where there is room for them.

        Args:
            room: which.
            chances: the probability of each class.
            put: places a piece; :meth:`against_wall` unless given.
        """
        for class_name, chance in chances.items():
            if self.rng.random() < chance:
                with suppress(NoSpaceError):
                    (put or self.against_wall)(room, class_name)

    def row(self, room: Room, facing: int, class_names: Sequence[str], after: int = 0) -> list[Piece]:
        """Put pieces side by side along one wall.

        Args:
            room: which.
            facing: the heading in which their fronts look.
            class_names: of the pieces, in order.
            after: the number of cells that stay free before the first.

        Raises:
            CrampedError: there is no room for them.
        """
        put: list[Piece] = []
        begin = (room.y0 if facing in (0, 180) else room.x0) + after
        for class_name in class_names:
            ways = _along_wall(room, class_name, *self._size(class_name), facing)
            later = (piece for piece in ways if piece.across[0] >= begin)
            put.append(self._put_first(class_name, later, backed=True))
            begin = put[-1].across[-1] + 1
        return put

    def in_the_open(self, room: Room, class_name: str, margin: int = STANDING) -> Piece:
        """Put a piece with space to walk around it.

        Raises:
            CrampedError: there is no room for it.
        """
        width, depth = self._size(class_name)
        ways = []
        for facing in SIDES:
            nx, ny = (depth, width) if facing in (0, 180) else (width, depth)
            ways += [
                Piece(class_name, x, y, nx, ny, facing)
                for x in range(room.x0 + margin, room.x1 - margin - nx + 1)
                for y in range(room.y0 + margin, room.y1 - margin - ny + 1)
            ]
        return self._put_any(class_name, ways, backed=False)

    def _put_any(self, class_name: str, ways: list[Piece], backed: bool) -> Piece:
        self.rng.shuffle(ways)
        return self._put_first(class_name, ways, backed)

    def _put_first(self, class_name: str, ways: Iterable[Piece], backed: bool) -> Piece:
        piece = next((piece for piece in ways if self._fits(piece, backed)), None)
        if piece is None:
            raise NoSpaceError(f"There is no room for a {class_name}.")
        self._ground[piece.area] = _TAKEN
        for cell in _standing_room(piece):
            self._kept[cell] = True
        self.pieces.append(piece)
        return piece

    def on_top(self, class_name: str, bases: Sequence[Piece], spare: int = 0) -> Piece:
        """Put an appliance on one of some pieces, at their back.

        Args:
            class_name: of the appliance.
            bases: the pieces.
            spare: the number of adjacent cells that must stay free on the piece.

        Raises:
            CrampedError: there is no room for it.
        """
        width, depth = self._size(class_name)
        found = [
            piece
            for base in bases
            for piece in ways_on_top(
                class_name,
                width,
                depth,
                self._classes.furniture[base.class_name].height,
                self.pieces.index(base),
                self.pieces,
                spare,
            )
        ]
        if not found:
            raise NoSpaceError(f"There is no room for a {class_name}.")
        piece = self.rng.choice(found)
        self.pieces.append(piece)
        return piece

    def _size(self, class_name: str) -> tuple[int, int]:
        body = self._classes.furniture[class_name]
        return (
            round(self.rng.choice(body.widths) / CELL),
            round(self.rng.choice(body.depths) / CELL),
        )

    def _fits(self, piece: Piece, backed: bool) -> bool:
        if (self._ground[piece.area] != _FLOOR).any() or self._kept[piece.area].any():
            return False
        behind = (piece.before(across, -1 - _depth(piece)) for across in piece.across)
        if backed and not all(self._ground[cell] == _WALL for cell in behind):
            return False
        return all(
            0 <= i < self.width and 0 <= j < self.height and self._ground[i, j] == _FLOOR
            for i, j in _standing_room(piece)
        )

    # -- the end -----------------------------------------------------------------------------------
    def finish(self, name: str, family: str, seen: bool) -> Layout:
        """The finished layout.

        Raises:
            CrampedError: one does not get to every piece, or not into every room.
        """
        walls = frozenset((i, j) for i, j in np.argwhere(self._ground == _WALL).tolist())
        layout = Layout(
            name, family, seen, self.width, self.height, walls, tuple(self.rooms), tuple(self.pieces)
        )
        for piece in layout.pieces:
            if not layout.spots_before(piece):
                raise NoSpaceError(f"One does not get to the {piece.class_name}.")
        if not all(any(cell in room for cell in layout.reachable) for room in layout.rooms):
            raise NoSpaceError("One does not get into every room.")
        return layout


def _depth(piece: Piece) -> int:
    return piece.nx if piece.facing in (0, 180) else piece.ny


def _along_wall(room: Room, class_name: str, width: int, depth: int, facing: int) -> list[Piece]:
    """All placements of a piece with its back to one of the room's outer walls, in order along it."""
    if facing in (0, 180):
        x = room.x0 if facing == 0 else room.x1 - depth
        return [Piece(class_name, x, y, depth, width, facing) for y in range(room.y0, room.y1 - width + 1)]
    y = room.y0 if facing == 90 else room.y1 - depth
    return [Piece(class_name, x, y, width, depth, facing) for x in range(room.x0, room.x1 - width + 1)]


def _standing_room(piece: Piece) -> list[Cell]:
    """The cells before a piece that stay free for the robot."""
    first, last = piece.across[0], piece.across[-1]
    if last - first < 2:
        # The robot needs three adjacent cells; the piece is about in the middle of them.
        first, last = last - 1, last - 1 + 2
    return [piece.before(across, away) for across in range(first, last + 1) for away in range(STANDING)]
