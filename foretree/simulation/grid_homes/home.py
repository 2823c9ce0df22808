"""The truth of a grid home: what there is, where it is, how it is, and where the robot stands in it.

Things carry ids that mean nothing (``t17``). Furniture stands on the floor or on other furniture. An item
rests on, in or under furniture, on or in another item, or in the robot's hand; whatever rests on it goes
where it goes.
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

#: Things whose heights differ by less than this stand on the same level (metres).
_LEVEL = 0.01
#: What is so many times as long as it is thick is long and thin.
_LONG = 4


class Placement(NamedTuple):
    """How a thing rests, and on which thing."""

    relation: Relation
    support: str


class Box(NamedTuple):
    """A solid part of a thing, as a camera needs to know it.

    Attributes:
        thing: the id of the thing that it is a part of.
        class_name: the class of that thing.
        part: which part: ``body``, ``side``, ``board``, ``rim``, ``top``, ``leg``, ``back``.
        extent: x0, y0, z0, x1, y1, z1 in metres.
        colour: red, green, blue.
        states: what is true of the thing.
        rests: how the thing rests; None on the floor.
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
    """Something in a home.

    Attributes:
        id: its name here.
        object_class: what its class is like.
        extent: where it is; of what is held, how large it is.
        colour: what it looks like when clean.
        piece: of furniture, how it stands.
        states: what is true of it.
        rests: how it rests; None on the floor, and of what is in the hand.
        load: the ids of what rests on it, in it and under it, the longest there first.
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
        """What it is."""
        return self.object_class.name

    @property
    def is_furniture(self) -> bool:
        """Whether it is furniture; else it is an item."""
        return self.piece is not None

    @property
    def is_open(self) -> bool:
        """Whether one can reach into it; what cannot be closed is open."""
        return "open" in self.states or "openable" not in self.object_class.traits

    def can(self, trait: str) -> bool:
        """Whether something can be done with it, by its class."""
        return trait in self.object_class.traits


@dataclass(slots=True)
class Posture:
    """How the robot stands.

    Attributes:
        cell: the cell on the middle of which it stands.
        heading: where it looks: 0, 90, 180 or 270 degrees.
        pitch: how far up it looks: -60 to 30 degrees.
        lift: how the hand holds what is in it: 1 before the eye, 0 as usual, -1 low.
        turn: which side of what is held is towards the eye: 0 to 3.
    """

    cell: Cell
    heading: int
    pitch: int = 0
    lift: int = 0
    turn: int = 0


class Home:
    """Everything in a home, and the robot.

    Attributes:
        layout: its walls and furniture.
        classes: the object classes in it.
        things: everything in it by id, furniture first.
        posture: how the robot stands.
        held: the id of what is in its hand.
        revision: grows whenever a thing changes or moves, so that whoever derives something knows when to do
            it again.
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
        """Every piece of furniture."""
        return (thing for thing in self.things.values() if thing.piece is not None)

    def items(self) -> Iterator[HomeObject]:
        """Everything else."""
        return (thing for thing in self.things.values() if thing.piece is None)

    def of_class(self, class_name: str) -> tuple[HomeObject, ...]:
        """Every thing of a class."""
        return tuple(thing for thing in self.things.values() if thing.object_class.name == class_name)

    def room_of(self, thing: HomeObject) -> Room | None:
        """The room that a piece of furniture stands in."""
        assert thing.piece is not None
        return self.layout.room_of((thing.piece.x, thing.piece.y))

    def support_of(self, thing: HomeObject) -> HomeObject | None:
        """What a thing rests on; None for what is held or stands on the floor."""
        return self.things.get(thing.rests.support) if thing.rests is not None else None

    def supports_of(self, thing: HomeObject) -> Iterator[HomeObject]:
        """What a thing rests on, what that rests on, and so on."""
        below = self.support_of(thing)
        while below is not None:
            yield below
            below = self.support_of(below)

    def loads_of(self, thing: HomeObject) -> Iterator[HomeObject]:
        """Everything that rests on a thing, and on that, and so on, from the bottom up."""
        for other_id in thing.load:
            other = self.things[other_id]
            yield other
            yield from self.loads_of(other)

    def is_held(self, thing: HomeObject) -> bool:
        """Whether a thing, or what it rests on, is in the hand."""
        return any(one.id == self.held for one in (thing, *self.supports_of(thing)))

    def lid_above(self, thing: HomeObject) -> HomeObject | None:
        """The closed thing that one has to open to get at a thing, if there is one."""
        for below in self.supports_of(thing):
            if thing.rests is not None and thing.rests.relation in ("in", "under") and not below.is_open:
                return below
            thing = below
        return None

    def distance(self, thing: HomeObject) -> float:
        """How far a thing is from where the robot stands, seen from above; nothing for what is held."""
        if self.is_held(thing):
            return 0.0
        return distance_to(centre_of(self.posture.cell), foot_of(thing.extent))

    def regions(self, support: HomeObject, relation: Relation) -> tuple[Region, ...]:
        """Where things can lie on, in or under a thing."""
        body = support.object_class
        if isinstance(body, FurnitureClass):
            assert support.piece is not None
            return furniture_regions(body, support.extent, support.piece.facing, relation)
        return (item_region(body, support.extent),) if relation == body.holds else ()

    def boxes(self) -> tuple[Box, ...]:
        """Every solid part of everything, except of what is in the hand."""
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
        """Put a new item somewhere, where :meth:`spot` says."""
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
        """Where something of a size can lie on, in or under a thing, nearest to a point; None if nowhere.

        Long thin things stand upright in a vessel in which they cannot lie.

        Args:
            size: along x, along y, and up.
            support: where.
            relation: how.
            wish: where its middle should be, and how high it should stand.
            turned: whether it may be turned, by a quarter or upright.
            also: where something else is going to lie.
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
            # Where there are places for only so many, they are taken in order, so that there is room for all.
            near = wish[:2] if limit is None else within[:2]
            for wide, deep, high in sizes:
                spot = free_spot(within, taken, (wide, deep), near) if high <= clearance else None
                if spot is not None:
                    return spot[0], spot[1], z, spot[2], spot[3], z + high
        return None

    def put(self, thing: HomeObject, rests: Placement, extent: Extent) -> None:
        """Bring an item to rest, with all that rests on it."""
        self._let_go(thing)
        by = tuple(b - a for a, b in zip(thing.extent[:3], extent[:3], strict=True))
        for other in self.loads_of(thing):
            other.extent = moved(other.extent, cast("tuple[float, float, float]", by))
        thing.extent = extent
        self._rest(thing, rests)
        self._touch(thing)

    def grasp(self, thing: HomeObject) -> None:
        """Take an item into the hand, with all that rests on it."""
        self._let_go(thing)
        self.held = thing.id
        self.posture.lift = self.posture.turn = 0
        self._touch(thing)

    def set_state(self, thing: HomeObject, state: str, value: bool = True) -> None:
        """Make a state so."""
        if (state in thing.states) is not value:
            (thing.states.add if value else thing.states.discard)(state)
            self._touch(thing)

    def resize(self, thing: HomeObject, extent: Extent) -> None:
        """Make an item smaller or larger."""
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
    """How large an item is as it is to be put down: with nothing on it, it may be laid flat again."""
    x0, y0, z0, x1, y1, z1 = thing.extent
    if is_bare and isinstance(thing.object_class, ItemClass) and "sliced" not in thing.states:
        return thing.object_class.size
    return x1 - x0, y1 - y0, z1 - z0
