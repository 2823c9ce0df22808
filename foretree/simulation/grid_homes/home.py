"""The true state of a grid home: its objects, where and in which states they are, and the robot's posture.

Objects have ids without meaning (``t17``). Furniture stands on the floor or on other furniture. An item rests
on, in or under furniture, on or in another item, or in the robot's hand; what rests on it moves with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from foretree.simulation.grid_homes._object_classes import (
    Colour,
    FurnitureClass,
    ItemClass,
    ObjectClasses,
    Relation,
)
from foretree.simulation.grid_homes._parts import (
    Region,
    SolidPart,
    furniture_parts,
    furniture_regions,
    item_parts,
    item_region,
)
from foretree.simulation.grid_homes.layouts.geometry import (
    Cell,
    Extent,
    centre_of,
    distance_to,
    foot_of,
    free_spot,
    moved,
)
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, Room

#: Objects whose heights differ by less than this stand on the same level (metres).
_LEVEL = 0.01
#: An object this many times as long as it is thick is long and thin.
_LONG = 4


class Placement(NamedTuple):
    """A relation to a support, by its id."""

    relation: Relation
    support: str


class Box(NamedTuple):
    """A solid part of an object, as a camera needs it.

    Attributes:
        thing: the id of the object.
        class_name: the class of the object.
        part: the kind of part: ``body``, ``side``, ``board``, ``rim``, ``top``, ``leg``, ``back``.
        extent: x0, y0, z0, x1, y1, z1 in metres.
        colour: red, green, blue.
        states: the states of the object.
        rests: the placement of the object; None on the floor.
        hidden: whether it is in something closed.
    """

    thing: str
    class_name: str
    part: str
    extent: Extent
    colour: Colour
    states: frozenset[str]
    rests: Placement | None
    hidden: bool


@dataclass(slots=True, eq=False)
class HomeObject:
    """An object in a home.

    Attributes:
        id: unique in the home.
        object_class: its class.
        extent: its box; of what is held, only the size counts.
        colour: red, green, blue, when clean.
        piece: of furniture, its place in the layout; None for items.
        states: the states that it is in.
        rests: its placement; None on the floor and in the hand.
        load: the ids of what rests on, in and under it, the longest there first.
    """

    id: str
    object_class: FurnitureClass | ItemClass
    extent: Extent
    colour: Colour
    piece: Piece | None = None
    states: set[str] = field(default_factory=set)
    rests: Placement | None = None
    load: list[str] = field(default_factory=list)

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return self.object_class.name

    @property
    def is_furniture(self) -> bool:
        """Tell furniture from items."""
        return self.piece is not None

    @property
    def is_open(self) -> bool:
        """Tell whether its inside can be reached; what cannot be closed is open."""
        return "open" in self.states or "openable" not in self.object_class.traits

    def can(self, trait: str) -> bool:
        """Tell whether its class has a trait."""
        return trait in self.object_class.traits


@dataclass(slots=True)
class Posture:
    """The posture of the robot.

    Attributes:
        cell: the cell on the middle of which it stands.
        heading: 0, 90, 180 or 270 degrees.
        pitch: of the camera, -60 to 30 degrees upwards.
        lift: the height at which the hand holds an object: 1 before the camera, 0 as usual, -1 low.
        turn: the side of the held object that is towards the camera, 0 to 3.
    """

    cell: Cell
    heading: int
    pitch: int = 0
    lift: int = 0
    turn: int = 0


class Home:
    """All objects in a home, and the robot.

    Attributes:
        layout: its walls and furniture.
        classes: the object classes.
        things: all objects by id, furniture first.
        posture: that of the robot.
        held: the id of what is in its hand.
        revision: grows with every change of an object, so that what was derived can be kept until then.
    """

    def __init__(self, layout: Layout, classes: ObjectClasses, posture: Posture) -> None:
        self.layout = layout
        self.classes = classes
        self.posture = posture
        self.things: dict[str, HomeObject] = {}
        self.held: str | None = None
        self.revision = 0
        self._boxes: dict[str, tuple[Box, ...]] = {}
        self._all: tuple[int, tuple[Box, ...]] = (-1, ())
        for index, piece in enumerate(layout.pieces):
            body = classes.furniture[piece.class_name]
            x0, y0, x1, y1 = piece.foot
            thing = HomeObject(
                f"t{index + 1}", body, (x0, y0, piece.z, x1, y1, piece.z + body.height), body.colour, piece
            )
            self.things[thing.id] = thing
            if piece.base is not None:
                self._rest(thing, Placement("on", f"t{piece.base + 1}"))

    # -- asking ------------------------------------------------------------------------------------
    def __getitem__(self, thing_id: str) -> HomeObject:
        return self.things[thing_id]

    def furniture(self) -> Iterator[HomeObject]:
        """All furniture."""
        return (thing for thing in self.things.values() if thing.piece is not None)

    def items(self) -> Iterator[HomeObject]:
        """All items."""
        return (thing for thing in self.things.values() if thing.piece is None)

    def of_class(self, class_name: str) -> tuple[HomeObject, ...]:
        """All objects of a class."""
        return tuple(thing for thing in self.things.values() if thing.object_class.name == class_name)

    def room_of(self, thing: HomeObject) -> Room | None:
        """The room that a piece of furniture stands in."""
        assert thing.piece is not None
        return self.layout.room_of((thing.piece.x, thing.piece.y))

    def support_of(self, thing: HomeObject) -> HomeObject | None:
        """The support of an object; None for what is held or stands on the floor."""
        return self.things.get(thing.rests.support) if thing.rests is not None else None

    def supports_of(self, thing: HomeObject) -> Iterator[HomeObject]:
        """The support of an object, the support of that, and so on."""
        below = self.support_of(thing)
        while below is not None:
            yield below
            below = self.support_of(below)

    def loads_of(self, thing: HomeObject) -> Iterator[HomeObject]:
        """All that rests on an object, directly or not, from the bottom up."""
        for other_id in thing.load:
            other = self.things[other_id]
            yield other
            yield from self.loads_of(other)

    def is_held(self, thing: HomeObject) -> bool:
        """Tell whether an object, or what it rests on, is in the hand."""
        return any(one.id == self.held for one in (thing, *self.supports_of(thing)))

    def lid_above(self, thing: HomeObject) -> HomeObject | None:
        """The closed container that has to be opened to reach an object, if any."""
        for below in self.supports_of(thing):
            if thing.rests is not None and thing.rests.relation in ("in", "under") and not below.is_open:
                return below
            thing = below
        return None

    def distance(self, thing: HomeObject) -> float:
        """The horizontal distance of an object from the robot; 0 for what is held."""
        if self.is_held(thing):
            return 0.0
        return distance_to(centre_of(self.posture.cell), foot_of(thing.extent))

    def regions(self, support: HomeObject, relation: Relation) -> tuple[Region, ...]:
        """The regions on, in or under an object where others can lie."""
        body = support.object_class
        if isinstance(body, FurnitureClass):
            assert support.piece is not None
            return furniture_regions(body, support.extent, support.piece.facing, relation)
        return (item_region(body, support.extent),) if relation == body.holds else ()

    def boxes(self) -> tuple[Box, ...]:
        """The solid parts of all objects, except of what is in the hand."""
        if self._all[0] != self.revision:
            found: list[Box] = []
            for thing_id, thing in self.things.items():
                boxes = self._boxes.get(thing_id)
                if boxes is None:
                    boxes = self._boxes[thing_id] = self._boxes_of(thing)
                found += boxes
            self._all = self.revision, tuple(found)
        return self._all[1]

    def _boxes_of(self, thing: HomeObject) -> tuple[Box, ...]:
        if self.is_held(thing):
            return ()
        hidden = self.lid_above(thing) is not None
        states = frozenset(thing.states)
        return tuple(
            Box(thing.id, thing.class_name, part.name, part.extent, thing.colour, states, thing.rests, hidden)
            for part in self._parts(thing)
        )

    def _parts(self, thing: HomeObject) -> tuple[SolidPart, ...]:
        body = thing.object_class
        if isinstance(body, FurnitureClass):
            assert thing.piece is not None
            return furniture_parts(body, thing.extent, thing.piece.facing, thing.is_open)
        return item_parts(body, thing.extent, is_laden=bool(thing.load) and thing.is_open)

    # -- changing ----------------------------------------------------------------------------------
    def add(
        self, class_name: str, states: set[str], colour: Colour, rests: Placement, extent: Extent
    ) -> HomeObject:
        """Add an item at an extent that :meth:`spot` found."""
        thing = HomeObject(
            f"t{len(self.things) + 1}", self.classes.items[class_name], extent, colour, None, states
        )
        self.things[thing.id] = thing
        self._rest(thing, rests)
        self._touch(thing)
        return thing

    def spot(
        self,
        size: tuple[float, float, float],
        support: HomeObject,
        relation: Relation,
        wish: tuple[float, float, float],
        turned: bool = True,
        also: Extent | None = None,
    ) -> Extent | None:
        """Find the extent nearest to a point where something of a size can rest; None if there is no room.

        Long thin objects stand upright in a vessel in which they cannot lie.

        Args:
            size: along x, along y, and up.
            support: the support.
            relation: ``on``, ``in`` or ``under`` it.
            wish: the preferred centre, and the preferred height.
            turned: whether it may be turned, by a quarter or upright.
            also: another extent to keep free.
        """
        wide, deep, high = size
        sizes = [(wide, deep, high)]
        if turned:
            sizes.append((deep, wide, high))
            if support.piece is None and relation == "in" and wide >= _LONG * max(deep, high):
                sizes.append((deep, high, wide))
        rests = Placement(relation, support.id)
        beside = [one.extent for one in (self.things[i] for i in support.load) if one.rests == rests]
        if also is not None:
            beside.append(also)
        limit = support.object_class.room if isinstance(support.object_class, FurnitureClass) else None
        if limit is not None and len(beside) >= limit:
            return None
        for z, within, clearance in sorted(
            self.regions(support, relation), key=lambda region: abs(region.z - wish[2])
        ):
            taken = [foot_of(extent) for extent in beside if abs(extent[2] - z) < _LEVEL]
            # Where room is limited to a number of objects, places are taken in order, so that all fit.
            near = wish[:2] if limit is None else within[:2]
            for wide, deep, high in sizes:
                spot = free_spot(within, taken, (wide, deep), near) if high <= clearance else None
                if spot is not None:
                    return spot[0], spot[1], z, spot[2], spot[3], z + high
        return None

    def put(self, thing: HomeObject, rests: Placement, extent: Extent) -> None:
        """Place an item, with all that rests on it."""
        self._let_go(thing)
        by = tuple(b - a for a, b in zip(thing.extent[:3], extent[:3], strict=True))
        for other in self.loads_of(thing):
            other.extent = moved(other.extent, cast("tuple[float, float, float]", by))
        thing.extent = extent
        self._rest(thing, rests)
        self._touch(thing)

    def remove(self, thing: HomeObject) -> None:
        """Take an item out of the home, with all that rests on it."""
        gone = [thing, *self.loads_of(thing)]
        self._let_go(thing)
        for one in gone:
            del self.things[one.id]
            self._boxes.pop(one.id, None)
        self.revision += 1

    def grasp(self, thing: HomeObject) -> None:
        """Take an item into the hand, with all that rests on it."""
        self._let_go(thing)
        self.held = thing.id
        self.posture.lift = self.posture.turn = 0
        self._touch(thing)

    def set_state(self, thing: HomeObject, state: str, value: bool = True) -> None:
        """Set or unset a state."""
        if (state in thing.states) is not value:
            (thing.states.add if value else thing.states.discard)(state)
            self._touch(thing)

    def resize(self, thing: HomeObject, extent: Extent) -> None:
        """Change the extent of an item."""
        thing.extent = extent
        self._touch(thing)

    def _rest(self, thing: HomeObject, rests: Placement) -> None:
        thing.rests = rests
        support = self.things[rests.support]
        support.load.append(thing.id)
        self._boxes.pop(support.id, None)

    def _let_go(self, thing: HomeObject) -> None:
        if self.held == thing.id:
            self.held = None
        support = self.support_of(thing)
        if support is not None:
            support.load.remove(thing.id)
            self._boxes.pop(support.id, None)
        thing.rests = None

    def _touch(self, thing: HomeObject) -> None:
        self.revision += 1
        self._boxes.pop(thing.id, None)
        for other in self.loads_of(thing):
            self._boxes.pop(other.id, None)


def whole_size(thing: HomeObject, is_bare: bool) -> tuple[float, float, float]:
    """The size in which an item is put down: with nothing on it, it may be laid flat again."""
    x0, y0, z0, x1, y1, z1 = thing.extent
    if is_bare and isinstance(thing.object_class, ItemClass) and "sliced" not in thing.states:
        return thing.object_class.size
    return x1 - x0, y1 - y0, z1 - z0
