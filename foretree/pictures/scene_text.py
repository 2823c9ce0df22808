"""Scenes and grid homes as text for the terminal: rooms, doors, furniture with what is there, agents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from foretree.pictures._columns import columns
from foretree.pictures._site_floors import home_floor, scene_floor
from foretree.pictures.map_text import describe_map, describe_way, open_rooms
from foretree.printable import counted
from foretree.simulation.household.scene import Scene
from foretree.world_model.maps.building_map import BuildingMap

if TYPE_CHECKING:
    from foretree.pictures._furnished_floor import FurnishedFloor
    from foretree.pictures.scene_picture import Site
    from foretree.simulation.grid_homes.home import Home


def describe_site(
    site: Site, width: int = 100, closed: Collection[str] = (), path: tuple[str, str] | None = None
) -> str:
    """Describe a map, a scene or a grid home in words; homes have neither doors nor nodes.

    Raises:
        MapError: a door or a node of that name is not there.
    """
    if isinstance(site, BuildingMap):
        return describe_map(site, width, closed, path)
    if isinstance(site, Scene):
        return describe_scene(site, width, closed, path)
    return describe_home(site, width)


def describe_scene(
    scene: Scene,
    width: int = 100,
    closed: Collection[str] = (),
    path: tuple[str, str] | None = None,
) -> str:
    """Describe a scene in words, as it is at its start.

    Args:
        scene: the scene.
        width: the longest line.
        closed: doors that are closed besides those that the scene closes.
        path: two nodes; the cheapest path between them is described.

    Raises:
        MapError: a door or a node of that name is not in the scene.
    """
    floor = scene_floor(scene, closed)
    shut = {name for name, _, is_closed in floor.doors if is_closed}
    counts = (
        f"{counted(len(scene.rooms), 'room')}, {counted(len(scene.doors), 'door')}, "
        f"{counted(len(scene.furniture), 'piece')} of furniture, {counted(len(scene.items), 'item')}."
    )
    blocks = [[*wrap(f"{scene.name}: {scene.says}".removesuffix(": "), width), *wrap(counts, width)]]
    ways = {name: ", ".join(open_rooms(scene.places, name)) for name in scene.rooms}
    blocks.append(list(columns(_rooms(floor, ways), width)))
    if scene.doors:
        doors = [("door", "is", "between")]
        doors += [
            (door.name, "closed" if door.name in shut else "open", " and ".join(door.rooms))
            for door in scene.doors.values()
        ]
        blocks.append(list(columns(doors, width)))
    blocks.append(list(columns(_furniture(floor), width)))
    blocks.append(list(columns(list(_agents(scene)), width)))
    if path is not None:
        blocks.append(list(describe_way(scene.places, shut, path, width)))
    return "\n\n".join("\n".join(block) for block in blocks)


def describe_home(home: Home, width: int = 100) -> str:
    """Describe a grid home in words, as it is; the robot is told nothing of it."""
    floor = home_floor(home)
    blocks = [
        wrap(f"{floor.title}: {floor.says}", width),
        columns(_rooms(floor), width),
        columns(_furniture(floor), width),
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _rooms(floor: FurnishedFloor, ways: Mapping[str, str] | None = None) -> list[tuple[str, ...]]:
    """Each room with its size, and with the rooms that it is open to where that is known."""
    rows: list[tuple[str, ...]] = [("room", "size", "open to" if ways and any(ways.values()) else "")]
    for room in floor.rooms:
        wide, deep = (room.high[axis] - room.low[axis] for axis in (0, 1))
        rows.append((room.name, f"{wide:g} × {deep:g} m", (ways or {}).get(room.name, "")))
    return rows


def _furniture(floor: FurnishedFloor) -> list[tuple[str, ...]]:
    """Each piece with its room and with what is there; what stands on another piece is named with that."""
    rows: list[tuple[str, ...]] = [("furniture", "room", "what is there")]
    for piece in floor.pieces:
        middle = (piece.low[0] + piece.high[0]) / 2, (piece.low[1] + piece.high[1]) / 2
        room = next((room.name for room in floor.rooms if room.contains(*middle)), "")
        there = [f"{relation} it: {', '.join(names)}" for relation, names in piece.loads]
        if not piece.raised:
            rows.append((piece.name, room, "; ".join(there)))
    return rows


def _agents(scene: Scene) -> Iterator[tuple[str, ...]]:
    yield "who", "where", "what they can do"
    for robot in scene.robots:
        can = f"with {_listed(robot.hands)}"
        yield robot.name, robot.start, can if robot.skills is None else f"{can}: {', '.join(robot.skills)}"
    for person in scene.people.values():
        helper = scene.helpers.get(person.name)
        yield person.name, person.room, f"can be asked to {_listed(helper.helps)}" if helper else ""


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
