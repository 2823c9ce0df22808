"""The families of layouts: how rooms of each kind are furnished, and how they make up a home."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.simulation.grid_homes._object_classes import ObjectClasses, load_object_classes
from foretree.simulation.grid_homes.layouts._layout_builder import SIDES, LayoutBuilder, NoSpaceError
from foretree.simulation.grid_homes.layouts.layout import Layout, Piece, Room, RoomKind

#: How many layouts each family has, and how often one is begun anew before its family is held to be
#: impossible.
VARIANTS = 10
_ATTEMPTS = 200
#: How many cells side by side stay free on each counter, so that there is always room to put something down.
_SPARE = 2


class LayoutError(ForetreeError):
    """There is no layout of some name."""


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
    """The names of all layouts, or of those of the seen or the unseen families."""
    return tuple(
        f"{name}/{number}"
        for name, family in FAMILIES.items()
        if seen is None or family.seen is seen
        for number in range(VARIANTS)
    )


@lru_cache(maxsize=256)
def generate_layout(name: str) -> Layout:
    """The layout of a name; always the same.

    Raises:
        LayoutError: there is no such layout.
    """
    family, _, number = name.partition("/")
    if family not in FAMILIES:
        raise LayoutError(f"There is no family of layouts {family!r}. {suggest(family, FAMILIES)}")
    if not (number.isdecimal() and int(number) < VARIANTS):
        raise LayoutError(f"There is no layout {name!r}. Valid: {family}/0 to {family}/{VARIANTS - 1}.")
    rng = Random(name)
    bodies = load_object_classes()
    for _ in range(_ATTEMPTS):
        try:
            return FAMILIES[family].build(rng, bodies).finish(name, family, FAMILIES[family].seen)
        except NoSpaceError:
            continue
    raise LayoutError(f"The family {family!r} cannot be built with the furniture that there is.")


# -- furnishing ------------------------------------------------------------------------------------------
def _maybe(site: LayoutBuilder, chance: float, put: Callable[[], object]) -> None:
    """Try to put something that a room can do without."""
    if site.rng.random() < chance:
        try:
            put()
        except NoSpaceError:
            return


def _kitchen(site: LayoutBuilder, room: Room, sides: Sequence[int], island: bool = False) -> None:
    """Units along some walls, what stands on them, and the rest of a kitchen."""
    units = ["sink", "stove", "counter", "counter", "counter", "cabinet", "drawer"]
    site.rng.shuffle(units)
    units.insert(site.rng.choice((0, len(units))), "fridge")
    counters: list[Piece] = []
    for index, side in enumerate(sides):
        begin, end = index * len(units) // len(sides), (index + 1) * len(units) // len(sides)
        put = site.row(room, side, units[begin:end], after=site.rng.randint(0, 2))
        counters += [piece for piece in put if piece.class_name == "counter"]
    if island:
        counters += [site.in_the_open(room, "counter") for _ in range(2)]
    for appliance in ("microwave", "coffee_machine", "toaster"):
        site.on_top(appliance, counters, spare=_SPARE)
    site.against_wall(room, "bin")
    _maybe(site, 0.9, lambda: site.in_the_open(room, "table"))
    _maybe(site, 0.5, lambda: site.against_wall(room, "chair"))
    _maybe(site, 0.5, lambda: site.against_wall(room, "shelf"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "plant"))


def _living(site: LayoutBuilder, room: Room, sides: Sequence[int] = SIDES) -> None:
    """A sofa, somewhere to put things, a screen, and light to read by."""
    site.against_wall(room, "sofa", sides)
    sideboard = site.against_wall(room, "sideboard")
    site.on_top("tv", [sideboard])
    site.against_wall(room, "lamp")
    site.against_wall(room, "shelf")
    site.in_the_open(room, "coffee_table")
    _maybe(site, 0.8, lambda: site.against_wall(room, "armchair"))
    _maybe(site, 0.7, lambda: site.against_wall(room, "side_table"))
    _maybe(site, 0.7, lambda: site.against_wall(room, "plant"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "desk"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "drawer"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "bin"))


def _bedroom(site: LayoutBuilder, room: Room, beds: int = 1) -> None:
    """Somewhere to sleep, and somewhere to keep clothes and books."""
    for _ in range(beds):
        site.against_wall(room, "bed")
    site.against_wall(room, "wardrobe")
    site.against_wall(room, "dresser")
    site.against_wall(room, "side_table")
    site.against_wall(room, "lamp")
    _maybe(site, 0.8, lambda: site.against_wall(room, "desk"))
    _maybe(site, 0.6, lambda: site.against_wall(room, "shelf"))
    _maybe(site, 0.6, lambda: site.against_wall(room, "chair"))
    _maybe(site, 0.5, lambda: site.against_wall(room, "laundry_basket"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "armchair"))
    _maybe(site, 0.4, lambda: site.against_wall(room, "bin"))


def _bathroom(site: LayoutBuilder, room: Room) -> None:
    """Water, towels, and somewhere to keep soap."""
    site.against_wall(room, "bathtub")
    site.against_wall(room, "toilet")
    site.against_wall(room, "sink")
    site.against_wall(room, "towel_rail")
    site.against_wall(room, "bin")
    _maybe(site, 0.7, lambda: site.against_wall(room, "shelf"))
    _maybe(site, 0.6, lambda: site.against_wall(room, "cabinet"))
    _maybe(site, 0.5, lambda: site.against_wall(room, "laundry_basket"))
    _maybe(site, 0.5, lambda: site.against_wall(room, "washing_machine"))


# -- single rooms ----------------------------------------------------------------------------------------
_Furnish: TypeAlias = Callable[[LayoutBuilder, Room], None]
_Range: TypeAlias = tuple[int, int]


def _single(
    kind: RoomKind, wide: _Range, deep: _Range, furnish: _Furnish
) -> Callable[[Random, ObjectClasses], LayoutBuilder]:
    """A home of one room, of a size in some range of cells."""

    def build(rng: Random, bodies: ObjectClasses) -> LayoutBuilder:
        x, y = rng.randint(*wide), rng.randint(*deep)
        if rng.random() < 0.5:
            x, y = y, x
        site = LayoutBuilder(x + 2, y + 2, bodies, rng)
        furnish(site, site.carve(kind, 1, 1, x, y))
        return site

    return build


def _long_walls(room: Room) -> tuple[int, int]:
    """The headings of fronts along the two longer walls."""
    return (90, 270) if room.x1 - room.x0 >= room.y1 - room.y0 else (0, 180)


def _galley(site: LayoutBuilder, room: Room) -> None:
    sides = list(_long_walls(room))
    site.rng.shuffle(sides)
    _kitchen(site, room, sides)


def _l_kitchen(site: LayoutBuilder, room: Room) -> None:
    _kitchen(site, room, (site.rng.choice((90, 270)), site.rng.choice((0, 180))))


def _u_kitchen(site: LayoutBuilder, room: Room) -> None:
    one, other = _long_walls(room)
    between = site.rng.choice((0, 180) if one == 90 else (90, 270))
    _kitchen(site, room, (one, between, other))


def _island_kitchen(site: LayoutBuilder, room: Room) -> None:
    _kitchen(site, room, (site.rng.choice(_long_walls(room)),), island=True)


def _studio(site: LayoutBuilder, room: Room) -> None:
    """One room for everything but the bath."""
    _kitchen(site, room, (site.rng.choice(_long_walls(room)),))
    _living(site, room)
    site.against_wall(room, "bed")


def _loft(site: LayoutBuilder, room: Room) -> None:
    """A large room with the kitchen in two of its corners and the furniture in the middle."""
    _l_kitchen(site, room)
    for class_name in ("sofa", "coffee_table", "table", "bed"):
        site.in_the_open(room, class_name)
    sideboard = site.against_wall(room, "sideboard")
    site.on_top("tv", [sideboard])
    for class_name in ("lamp", "dresser", "plant"):
        site.against_wall(room, class_name)


def _angled_living(site: LayoutBuilder, room: Room) -> None:
    """A living room with one corner cut off."""
    wide, deep = (room.x1 - room.x0) // 3, (room.y1 - room.y0) // 3
    x, y = site.rng.choice((room.x0, room.x1 - wide)), site.rng.choice((room.y0, room.y1 - deep))
    site.wall_up(x, y, wide, deep)
    _living(site, room)
    site.in_the_open(room, "table")


def _twin_bedroom(site: LayoutBuilder, room: Room) -> None:
    _bedroom(site, room, beds=2)


# -- flats -----------------------------------------------------------------------------------------------
def _furnish(site: LayoutBuilder, room: Room) -> None:
    """Furnish a room of a flat by its kind."""
    if room.kind == "kitchen":
        site.rng.choice((_galley, _l_kitchen))(site, room)
    elif room.kind == "living":
        _living(site, room)
    elif room.kind == "bedroom":
        _bedroom(site, room)
    elif room.kind == "bathroom":
        _bathroom(site, room)
    else:
        _maybe(site, 0.7, lambda: site.against_wall(room, "side_table"))
        _maybe(site, 0.5, lambda: site.against_wall(room, "plant"))


#: How large the rooms of flats are along either axis, in cells.
_SIZES: Mapping[RoomKind, _Range] = {
    "kitchen": (17, 20),
    "living": (18, 22),
    "bedroom": (16, 19),
    "bathroom": (14, 16),
}


def _size(kind: RoomKind, rng: Random) -> int:
    return rng.randint(*_SIZES[kind])


def _row_flat(rng: Random, bodies: ObjectClasses) -> LayoutBuilder:
    """Rooms in a row, each with a doorway to the next."""
    kinds: list[RoomKind] = ["kitchen", "living", "bedroom", "bathroom"]
    rng.shuffle(kinds)
    del kinds[rng.choice((3, 4)) :]
    if "kitchen" not in kinds:
        kinds[0] = "kitchen"
    deep = rng.randint(17, 19)
    widths = [_size(kind, rng) for kind in kinds]
    site = LayoutBuilder(sum(widths) + len(kinds) + 1, deep + 2, bodies, rng)
    x, rooms = 1, []
    for kind, wide in zip(kinds, widths, strict=True):
        rooms.append(site.carve(kind, x, 1, wide, deep))
        x += wide + 1
    for one, other in pairwise(rooms):
        site.join(one, other)
    for room in rooms:
        _furnish(site, room)
    return site


def _corridor_flat(rng: Random, bodies: ObjectClasses) -> LayoutBuilder:
    """Two rooms on either side of a corridor."""
    kinds: list[RoomKind] = ["kitchen", "living", "bedroom", "bathroom"]
    rng.shuffle(kinds)
    south, north = kinds[:2], kinds[2:]
    deep = {kind: _size(kind, rng) for kind in kinds}
    wide = {kind: _size(kind, rng) for kind in kinds}
    length = max(sum(wide[kind] for kind in side) + 1 for side in (south, north))
    below, above = max(deep[kind] for kind in south), max(deep[kind] for kind in north)
    corridor = rng.randint(5, 7)
    site = LayoutBuilder(length + 2, below + corridor + above + 4, bodies, rng)
    hall = site.carve("hall", 1, below + 2, length, corridor)
    rooms = []
    for side, low in ((south, True), (north, False)):
        x = 1
        for kind in side:
            y = 1 + below - deep[kind] if low else below + corridor + 3
            rooms.append(site.carve(kind, x, y, wide[kind], deep[kind]))
            x += wide[kind] + 1
    for room in rooms:
        site.join(room, hall)
    for room in rooms:
        _furnish(site, room)
    return site


def _quad_flat(rng: Random, bodies: ObjectClasses) -> LayoutBuilder:
    """Four rooms around a point, with doorways all around."""
    kinds: list[RoomKind] = ["kitchen", "living", "bedroom", "bathroom"]
    rng.shuffle(kinds)
    left, right, low, high = (rng.randint(17, 19) for _ in range(4))
    site = LayoutBuilder(left + right + 3, low + high + 3, bodies, rng)
    corners = ((1, 1, left, low), (left + 2, 1, right, low), (left + 2, low + 2, right, high))
    rooms = [
        site.carve(kind, *at) for kind, at in zip(kinds, (*corners, (1, low + 2, left, high)), strict=True)
    ]
    for one, other in zip(rooms, [*rooms[1:], rooms[0]], strict=True):
        site.join(one, other)
    for room in rooms:
        _furnish(site, room)
    return site


def _hall_flat(rng: Random, bodies: ObjectClasses) -> LayoutBuilder:
    """A living room in the middle with a room on each of three sides."""
    wide, deep = _size("living", rng), _size("living", rng)
    kinds: list[RoomKind] = ["kitchen", "bedroom", "bathroom"]
    rng.shuffle(kinds)
    west, east, north = (_size(kind, rng) for kind in kinds)
    site = LayoutBuilder(west + wide + east + 4, deep + north + 3, bodies, rng)
    middle = site.carve("living", west + 2, 1, wide, deep)
    rooms = [
        site.carve(kinds[0], 1, 1, west, deep),
        site.carve(kinds[1], west + wide + 3, 1, east, deep),
        site.carve(kinds[2], west + 2, deep + 2, wide, north),
    ]
    for room in rooms:
        site.join(middle, room)
    for room in (*rooms, middle):
        _furnish(site, room)
    return site


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
    "twin_bedroom": LayoutFamily(False, _single("bedroom", (18, 23), (16, 20), _twin_bedroom)),
    "long_bathroom": LayoutFamily(False, _single("bathroom", (20, 24), (8, 10), _bathroom)),
    "loft": LayoutFamily(False, _single("studio", (27, 32), (26, 30), _loft)),
    "quad_flat": LayoutFamily(False, _quad_flat),
    "hall_flat": LayoutFamily(False, _hall_flat),
}
