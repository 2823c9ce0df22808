"""Layouts by family: rooms of each kind with their furniture, and flats made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from random import Random
from typing import TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.simulation.grid_homes._object_classes import ObjectClasses, load_object_classes
from foretree.simulation.grid_homes.layouts._layout_builder import SIDES, LayoutBuilder, NoSpaceError
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, Room, RoomKind

#: The number of layouts of each family, and of attempts before a family is held to be impossible.
VARIANTS = 10
_ATTEMPTS = 200
#: The number of adjacent cells that stay free on each counter, so that there is room to put something down.
_SPARE = 2
#: The side of a showroom, in cells.
_SHOWROOM = 20


class LayoutError(ForetreeError):
    """A layout that does not exist."""


@dataclass(frozen=True, slots=True)
class LayoutFamily:
    """A family of layouts.

    Attributes:
        seen: whether it may be learned from; the others are for testing what was learned.
        build: draws one.
    """

    seen: bool
    build: Callable[[Random, ObjectClasses], LayoutBuilder]


def layout_names(seen: bool | None = None) -> tuple[str, ...]:
    """The names of all layouts, or of the seen or unseen families only."""
    return tuple(
        f"{name}/{number}"
        for name, family in FAMILIES.items()
        if seen is None or family.seen is seen
        for number in range(VARIANTS)
    )


@lru_cache(maxsize=256)
def generate_layout(name: str) -> Layout:
    """Generate the layout of a name; always the same.

    Raises:
        LayoutError: there is no such layout.
    """
    family, _, number = name.partition("/")
    if family not in FAMILIES:
        raise LayoutError(f"There is no family of layouts {family!r}. {suggest(family, FAMILIES)}")
    if not (number.isdecimal() and int(number) < VARIANTS):
        raise LayoutError(f"There is no layout {name!r}. Valid: {family}/0 to {family}/{VARIANTS - 1}.")
    rng = Random(name)
    classes = load_object_classes()
    for _ in range(_ATTEMPTS):
        try:
            return FAMILIES[family].build(rng, classes).finish(name, family, FAMILIES[family].seen)
        except NoSpaceError:
            continue
    raise LayoutError(f"The family {family!r} cannot be built with the furniture that there is.")


def showroom(class_names: Sequence[str]) -> Layout:
    """A room with a piece of each of some classes, and a counter to put things on.

    Raises:
        LayoutError: there is no room for them.
    """
    classes = load_object_classes()
    for attempt in range(_ATTEMPTS):
        builder = LayoutBuilder(_SHOWROOM, _SHOWROOM, classes, Random(f"showroom {attempt}"))
        try:
            room = builder.carve("living", 1, 1, _SHOWROOM - 2, _SHOWROOM - 2)
            builder.furnish(room, *class_names, "counter")
            return builder.finish("showroom/0", "showroom", True)
        except NoSpaceError:
            continue
    raise LayoutError(f"There is no room for {', '.join(class_names)} in a showroom.")


# -- furnishing ------------------------------------------------------------------------------------------
def _kitchen(builder: LayoutBuilder, room: Room, sides: Sequence[int], island: bool = False) -> None:
    """Units along some walls, what stands on them, and the rest of a kitchen."""
    units = ["sink", "stove", "counter", "counter", "counter", "cabinet", "drawer"]
    builder.rng.shuffle(units)
    units.insert(builder.rng.choice((0, len(units))), "fridge")
    counters: list[Piece] = []
    for index, side in enumerate(sides):
        begin, end = index * len(units) // len(sides), (index + 1) * len(units) // len(sides)
        put = builder.row(room, side, units[begin:end], after=builder.rng.randint(0, 2))
        counters += [piece for piece in put if piece.class_name == "counter"]
    if island:
        counters += [builder.in_the_open(room, "counter") for _ in range(2)]
    for appliance in ("microwave", "coffee_machine", "toaster"):
        builder.on_top(appliance, counters, spare=_SPARE)
    builder.furnish(room, "bin")
    builder.furnish_optionally(room, {"table": 0.9}, builder.in_the_open)
    builder.furnish_optionally(room, {"chair": 0.5, "shelf": 0.5, "plant": 0.4})


def _living(builder: LayoutBuilder, room: Room, sides: Sequence[int] = SIDES) -> None:
    """A sofa, somewhere to put things, a screen, and light to read by."""
    builder.against_wall(room, "sofa", sides)
    builder.on_top("tv", [builder.against_wall(room, "sideboard")])
    builder.furnish(room, "lamp", "shelf")
    builder.in_the_open(room, "coffee_table")
    builder.furnish_optionally(
        room, {"armchair": 0.8, "side_table": 0.7, "plant": 0.7, "desk": 0.4, "drawer": 0.4, "bin": 0.4}
    )


def _bedroom(builder: LayoutBuilder, room: Room, beds: int = 1) -> None:
    """Somewhere to sleep, and somewhere to keep clothes and books."""
    builder.furnish(room, *["bed"] * beds, "wardrobe", "dresser", "side_table", "lamp")
    builder.furnish_optionally(
        room, {"desk": 0.8, "shelf": 0.6, "chair": 0.6, "laundry_basket": 0.5, "armchair": 0.4, "bin": 0.4}
    )


def _bathroom(builder: LayoutBuilder, room: Room) -> None:
    """Water, towels, and somewhere to keep soap."""
    builder.furnish(room, "bathtub", "toilet", "sink", "towel_rail", "bin")
    builder.furnish_optionally(
        room, {"shelf": 0.7, "cabinet": 0.6, "laundry_basket": 0.5, "washing_machine": 0.5}
    )


# -- single rooms ----------------------------------------------------------------------------------------
_Furnish: TypeAlias = Callable[[LayoutBuilder, Room], None]
_Range: TypeAlias = tuple[int, int]


def _single(
    kind: RoomKind, wide: _Range, deep: _Range, furnish: _Furnish
) -> Callable[[Random, ObjectClasses], LayoutBuilder]:
    """A home of one room, of a size in some range of cells."""

    def build(rng: Random, classes: ObjectClasses) -> LayoutBuilder:
        x, y = rng.randint(*wide), rng.randint(*deep)
        if rng.random() < 0.5:
            x, y = y, x
        builder = LayoutBuilder(x + 2, y + 2, classes, rng)
        furnish(builder, builder.carve(kind, 1, 1, x, y))
        return builder

    return build


def _long_walls(room: Room) -> tuple[int, int]:
    """The headings of fronts along the two longer walls."""
    return (90, 270) if room.x1 - room.x0 >= room.y1 - room.y0 else (0, 180)


def _galley(builder: LayoutBuilder, room: Room) -> None:
    sides = list(_long_walls(room))
    builder.rng.shuffle(sides)
    _kitchen(builder, room, sides)


def _l_kitchen(builder: LayoutBuilder, room: Room) -> None:
    _kitchen(builder, room, (builder.rng.choice((90, 270)), builder.rng.choice((0, 180))))


def _u_kitchen(builder: LayoutBuilder, room: Room) -> None:
    one, other = _long_walls(room)
    between = builder.rng.choice((0, 180) if one == 90 else (90, 270))
    _kitchen(builder, room, (one, between, other))


def _island_kitchen(builder: LayoutBuilder, room: Room) -> None:
    _kitchen(builder, room, (builder.rng.choice(_long_walls(room)),), island=True)


def _studio(builder: LayoutBuilder, room: Room) -> None:
    """One room for everything but the bath."""
    _kitchen(builder, room, (builder.rng.choice(_long_walls(room)),))
    _living(builder, room)
    builder.furnish(room, "bed")


def _loft(builder: LayoutBuilder, room: Room) -> None:
    """A large room with the kitchen in two of its corners and the furniture in the middle."""
    _l_kitchen(builder, room)
    for class_name in ("sofa", "coffee_table", "table", "bed"):
        builder.in_the_open(room, class_name)
    builder.on_top("tv", [builder.against_wall(room, "sideboard")])
    builder.furnish(room, "lamp", "dresser", "plant")


def _angled_living(builder: LayoutBuilder, room: Room) -> None:
    """A living room with one corner cut off."""
    wide, deep = (room.x1 - room.x0) // 3, (room.y1 - room.y0) // 3
    x, y = builder.rng.choice((room.x0, room.x1 - wide)), builder.rng.choice((room.y0, room.y1 - deep))
    builder.wall_up(x, y, wide, deep)
    _living(builder, room)
    builder.in_the_open(room, "table")


# -- flats -----------------------------------------------------------------------------------------------
def _furnish(builder: LayoutBuilder, room: Room) -> None:
    """Furnish a room of a flat by its kind."""
    furnish: Mapping[RoomKind, _Furnish] = {
        "living": _living,
        "bedroom": _bedroom,
        "bathroom": _bathroom,
    }
    if room.kind == "kitchen":
        builder.rng.choice((_galley, _l_kitchen))(builder, room)
    elif room.kind in furnish:
        furnish[room.kind](builder, room)
    else:
        builder.furnish_optionally(room, {"side_table": 0.7, "plant": 0.5})


#: How large the rooms of flats are along either axis, in cells.
_SIZES: Mapping[RoomKind, _Range] = {
    "kitchen": (17, 20),
    "living": (18, 22),
    "bedroom": (16, 19),
    "bathroom": (14, 16),
}


def _finish(
    builder: LayoutBuilder, neighbours: Iterable[tuple[Room, Room]], rooms: Iterable[Room]
) -> LayoutBuilder:
    """Make the doorways of a flat, then furnish its rooms."""
    for one, other in neighbours:
        builder.join(one, other)
    for room in rooms:
        _furnish(builder, room)
    return builder


def _shuffled_kinds(rng: Random) -> list[RoomKind]:
    kinds = list(_SIZES)
    rng.shuffle(kinds)
    return kinds


def _row_flat(rng: Random, classes: ObjectClasses) -> LayoutBuilder:
    """Rooms in a row, each with a doorway to the next."""
    kinds = _shuffled_kinds(rng)
    del kinds[rng.choice((3, 4)) :]
    if "kitchen" not in kinds:
        kinds[0] = "kitchen"
    deep = rng.randint(17, 19)
    widths = [rng.randint(*_SIZES[kind]) for kind in kinds]
    builder = LayoutBuilder(sum(widths) + len(kinds) + 1, deep + 2, classes, rng)
    x, rooms = 1, []
    for kind, wide in zip(kinds, widths, strict=True):
        rooms.append(builder.carve(kind, x, 1, wide, deep))
        x += wide + 1
    return _finish(builder, pairwise(rooms), rooms)


def _corridor_flat(rng: Random, classes: ObjectClasses) -> LayoutBuilder:
    """Two rooms on either side of a corridor."""
    kinds = _shuffled_kinds(rng)
    south, north = kinds[:2], kinds[2:]
    deep = {kind: rng.randint(*_SIZES[kind]) for kind in kinds}
    wide = {kind: rng.randint(*_SIZES[kind]) for kind in kinds}
    length = max(sum(wide[kind] for kind in side) + 1 for side in (south, north))
    below, above = max(deep[kind] for kind in south), max(deep[kind] for kind in north)
    corridor = rng.randint(5, 7)
    builder = LayoutBuilder(length + 2, below + corridor + above + 4, classes, rng)
    hall = builder.carve("hall", 1, below + 2, length, corridor)
    rooms = []
    for side, low in ((south, True), (north, False)):
        x = 1
        for kind in side:
            y = 1 + below - deep[kind] if low else below + corridor + 3
            rooms.append(builder.carve(kind, x, y, wide[kind], deep[kind]))
            x += wide[kind] + 1
    return _finish(builder, ((room, hall) for room in rooms), rooms)


def _quad_flat(rng: Random, classes: ObjectClasses) -> LayoutBuilder:
    """Four rooms around a point, with doorways all around."""
    kinds = _shuffled_kinds(rng)
    left, right, low, high = (rng.randint(17, 19) for _ in range(4))
    builder = LayoutBuilder(left + right + 3, low + high + 3, classes, rng)
    corners = ((1, 1, left, low), (left + 2, 1, right, low), (left + 2, low + 2, right, high))
    rooms = [
        builder.carve(kind, *at) for kind, at in zip(kinds, (*corners, (1, low + 2, left, high)), strict=True)
    ]
    return _finish(builder, pairwise([*rooms, rooms[0]]), rooms)


def _hall_flat(rng: Random, classes: ObjectClasses) -> LayoutBuilder:
    """A living room in the middle with a room on each of three sides."""
    wide, deep = rng.randint(*_SIZES["living"]), rng.randint(*_SIZES["living"])
    kinds: list[RoomKind] = ["kitchen", "bedroom", "bathroom"]
    rng.shuffle(kinds)
    west, east, north = (rng.randint(*_SIZES[kind]) for kind in kinds)
    builder = LayoutBuilder(west + wide + east + 4, deep + north + 3, classes, rng)
    middle = builder.carve("living", west + 2, 1, wide, deep)
    rooms = [
        builder.carve(kinds[0], 1, 1, west, deep),
        builder.carve(kinds[1], west + wide + 3, 1, east, deep),
        builder.carve(kinds[2], west + 2, deep + 2, wide, north),
    ]
    return _finish(builder, ((middle, room) for room in rooms), (*rooms, middle))


#: Every family of layouts.
FAMILIES: Mapping[str, LayoutFamily] = {
    "galley_kitchen": LayoutFamily(True, _single("kitchen", (20, 25), (11, 13), _galley)),
    "l_kitchen": LayoutFamily(True, _single("kitchen", (17, 20), (17, 20), _l_kitchen)),
    "living": LayoutFamily(True, _single("living", (16, 22), (15, 20), _living)),
    "bedroom": LayoutFamily(True, _single("bedroom", (15, 20), (14, 18), _bedroom)),
    "bathroom": LayoutFamily(True, _single("bathroom", (13, 17), (12, 15), _bathroom)),
    "studio": LayoutFamily(True, _single("studio", (34, 38), (20, 24), _studio)),
    "row_flat": LayoutFamily(True, _row_flat),
    "corridor_flat": LayoutFamily(True, _corridor_flat),
    "u_kitchen": LayoutFamily(False, _single("kitchen", (18, 22), (16, 19), _u_kitchen)),
    "island_kitchen": LayoutFamily(False, _single("kitchen", (30, 34), (16, 19), _island_kitchen)),
    "angled_living": LayoutFamily(False, _single("living", (22, 26), (20, 24), _angled_living)),
    "twin_bedroom": LayoutFamily(False, _single("bedroom", (18, 23), (16, 20), partial(_bedroom, beds=2))),
    "long_bathroom": LayoutFamily(False, _single("bathroom", (20, 24), (8, 10), _bathroom)),
    "loft": LayoutFamily(False, _single("studio", (27, 32), (26, 30), _loft)),
    "quad_flat": LayoutFamily(False, _quad_flat),
    "hall_flat": LayoutFamily(False, _hall_flat),
}
