"""Scenes and grid homes as furnished floors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from foretree.errors import suggest
from foretree.pictures._floor_plan import leaf_of
from foretree.pictures._furnished_floor import FloorBody, FloorPiece, FurnishedFloor, in_order
from foretree.simulation.household.scene import Item, Scene
from foretree.world_model.maps.building_map import MapRoom, Point, openings
from foretree.world_model.maps.places import MapError

if TYPE_CHECKING:
    from foretree.simulation.grid_homes.home import Home, HomeObject

#: The side of a piece of furniture of a scene, which has no size of its own, and how far from its middle a
#: robot stands that works at it, in metres.
SIDE, REACH = 0.5, 0.5


def scene_floor(scene: Scene, closed: Collection[str] = (), path: Sequence[str] = ()) -> FurnishedFloor:
    """Return the floor of a scene, with *closed* doors closed, and those that are closed at its start.

    Raises:
        MapError: a door or a node of that name is not in the scene.
    """
    for name in closed:
        if name not in scene.doors:
            raise MapError(f"The scene {scene.name} has no door {name!r}. {suggest(name, scene.doors)}")
    rooms = list(scene.rooms.values())
    leaves = [(door, leaf_of(door.at, rooms)) for door in scene.doors.values()]
    return FurnishedFloor(
        scene.name,
        scene.says,
        rooms,
        [
            FloorPiece(_noted(piece.name, piece.states), *_square(piece.at), _loads(scene, piece.name))
            for piece in scene.furniture.values()
        ],
        [
            *(FloorBody(person.name, person.at, is_robot=False) for person in scene.people.values()),
            *(FloorBody(robot.name, spot(scene, robot.start)) for robot in scene.robots),
        ],
        [
            (door.name, leaf, door.name in closed or not door.open)
            for door, leaf in leaves
            if leaf is not None
        ],
        openings(scene.rooms, scene.places),
        path=[spot(scene, node) for node in path],
    )


def spot(scene: Scene, node: str) -> Point:
    """The point where a robot stands at a node of a scene."""
    place = scene.places.place(node)
    at = place.pose[0], place.pose[1]
    if node not in scene.furniture and node not in scene.people:
        return at
    return beside(at, scene.rooms.get(place.room))


def beside(at: Point, room: MapRoom | None) -> Point:
    """The point beside a piece of furniture, towards the middle of its room."""
    if room is None:
        return at[0], at[1] - REACH
    x, y = room.middle[0] - at[0], room.middle[1] - at[1]
    # Along one axis only: what stands in a row has its neighbours along the other.
    wide, deep = room.high[0] - room.low[0], room.high[1] - room.low[1]
    if abs(x) / wide > abs(y) / deep:
        return at[0] + (REACH if x > 0 else -REACH), at[1]
    return at[0], at[1] + (REACH if y > 0 else -REACH)


def _square(at: Point) -> tuple[Point, Point]:
    return (at[0] - SIDE / 2, at[1] - SIDE / 2), (at[0] + SIDE / 2, at[1] + SIDE / 2)


def _noted(name: str, states: Collection[str]) -> str:
    """A name with the states that a thing is in."""
    return f"{name} ({', '.join(sorted(states))})" if states else name


def _loads(scene: Scene, place: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Things on, in and under a piece of furniture; what rests on that is named with it."""
    return in_order(
        (item.relation, _with_loads(scene, item)) for item in scene.items.values() if item.place == place
    )


def _with_loads(scene: Scene, item: Item) -> str:
    others = [_with_loads(scene, other) for other in scene.items.values() if other.place == item.name]
    return f"{item.name} ({', '.join(others)})" if others else item.name


def home_floor(home: Home) -> FurnishedFloor:
    """Return the floor of a grid home."""
    from foretree.simulation.grid_homes.layouts.geometry import CELL, centre_of

    layout = home.layout
    furniture = sorted(home.furniture(), key=lambda thing: thing.extent[2])
    return FurnishedFloor(
        layout.name,
        home_says(home),
        [
            MapRoom(room.kind, (room.x0 * CELL, room.y0 * CELL), (room.x1 * CELL, room.y1 * CELL))
            for room in layout.rooms
        ],
        [
            FloorPiece(
                _noted(thing.class_name, thing.states),
                thing.extent[:2],
                thing.extent[3:5],
                home_loads(home, thing),
                thing.rests is not None,
            )
            for thing in furniture
        ],
        [FloorBody("robot", centre_of(home.posture.cell), heading=home.posture.heading)],
        blocks=list(layout.wall_strips()),
        ground=list(layout.floor_strips()),
    )


def home_says(home: Home) -> str:
    """Say in a sentence what is in a home."""
    pieces, items = sum(1 for _ in home.furniture()), sum(1 for _ in home.items())
    return f"A home with {pieces} pieces of furniture and {items} other things."


def home_loads(home: Home, thing: HomeObject) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Things on, in and under a piece of furniture, by class."""
    loads = [home[other] for other in thing.load]
    counts = Counter(
        (load.rests.relation, _class_with_loads(home, load)) for load in loads if load.rests is not None
    )
    return in_order(
        (relation, name if count == 1 else f"{count}x {name}") for (relation, name), count in counts.items()
    )


def _class_with_loads(home: Home, thing: HomeObject) -> str:
    """The class of a thing, with the states of furniture and with what is on or in it."""
    states = sorted(thing.states) if thing.is_furniture else []
    notes = [*states, *(_class_with_loads(home, home[other]) for other in thing.load)]
    return f"{thing.class_name} ({', '.join(notes)})" if notes else thing.class_name
