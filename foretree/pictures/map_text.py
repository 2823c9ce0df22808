"""Maps as text for the terminal: rooms, doors, assets, the parts that closed doors cut off, a path."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from textwrap import wrap

from foretree.pictures._columns import columns
from foretree.printable import counted
from foretree.world_model.maps.building_map import BuildingMap, MapRoom
from foretree.world_model.maps.places import Path, PlaceGraph

#: Names shown of a part of the map that closed doors cut off.
_SHOWN = 12


def describe_map(
    building: BuildingMap,
    width: int = 100,
    closed: Collection[str] = (),
    path: tuple[str, str] | None = None,
) -> str:
    """Describe a map in words.

    Args:
        building: the map.
        width: the longest line.
        closed: doors that are closed; the others are open.
        path: two nodes; the cheapest path between them is described.

    Raises:
        MapError: a door or a node of that name is not in the map.
    """
    for door in closed:
        building.door(door)
    blocks = [_overview(building, width), _rooms(building, width)]
    if building.assets:
        blocks.append(_assets(building, width))
    if closed:
        blocks.append(_parts(building, closed, width))
    if path is not None:
        blocks.append(describe_way(building.places, closed, path, width))
    return "\n\n".join("\n".join(block) for block in blocks)


def _overview(building: BuildingMap, width: int) -> Iterator[str]:
    places = building.places
    kinds = [place.kind for place in places.places()]
    yield from wrap(f"{building.name}: {building.says}".removesuffix(": "), width)
    counts = (
        f"{counted(len(kinds), 'node')} ({counted(kinds.count('pose'), 'pose')}, "
        f"{counted(kinds.count('room'), 'room')}, {counted(kinds.count('asset'), 'asset')}), "
        f"{counted(sum(1 for _ in places.passages()), 'edge')}, {counted(len(building.doors), 'door')}."
    )
    parts = len(places.components(lambda door: False))
    apart = f" With every door closed it falls into {parts} parts." if parts > 1 else ""
    yield from wrap(counts + apart, width)


def _rooms(building: BuildingMap, width: int) -> Iterator[str]:
    rows = [("room", "size", "what it is, and what is next to it")]
    for room in building.rooms.values():
        size = f"{room.high[0] - room.low[0]:g} × {room.high[1] - room.low[1]:g} m"
        exits = ", ".join(_exits(building, room))
        rows.append((room.name, size, f"{room.says} To {exits}.".strip() if exits else room.says))
    return columns(rows, width)


def _exits(building: BuildingMap, room: MapRoom) -> Iterator[str]:
    """The rooms next to a room: those behind a door, with the door, and those it is open to."""
    for door in building.doors_of(room.name):
        one, other = door.between
        yield f"{other if one == room.name else one} ({door.name})"
    yield from open_rooms(building.places, room.name)


def open_rooms(places: PlaceGraph, room: str) -> list[str]:
    """The rooms that a room is open to, without a door."""
    found = {
        places.room_of(passage.beyond(node)): None
        for node in places.nodes_in(room)
        for passage in places.passages_at(node)
        if passage.door is None
    }
    return [other for other in found if other != room]


def _assets(building: BuildingMap, width: int) -> Iterator[str]:
    rows = [("asset", "room", "caption")]
    rows += [(asset.name, asset.room, asset.caption) for asset in building.assets.values()]
    return columns(rows, width)


def _parts(building: BuildingMap, closed: Collection[str], width: int) -> Iterator[str]:
    doors = ", ".join(sorted(closed))
    parts = sorted(building.places.components(lambda door: door not in closed), key=len, reverse=True)
    if len(parts) == 1:
        yield from wrap(f"With {doors} closed every node can still be reached.", width)
        return
    yield from wrap(f"With {doors} closed the map falls into {len(parts)} parts:", width)
    for part in parts:
        rooms = [room for room in building.rooms if room in part]
        nodes = rooms or sorted(part)
        more = f" and {len(nodes) - _SHOWN} more" if len(nodes) > _SHOWN else ""
        text = f"{counted(len(part), 'node')}: {', '.join(nodes[:_SHOWN])}{more}"
        yield from wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def describe_way(
    places: PlaceGraph, closed: Collection[str], ends: tuple[str, str], width: int
) -> Iterator[str]:
    """The lines about the cheapest path between two nodes, through the doors that are not closed."""
    path = places.path(*ends, lambda door: door not in closed)
    if path is None:
        yield from wrap(
            f"There is no way from {ends[0]} to {ends[1]} through the doors that are open.", width
        )
        return
    yield from wrap(
        f"From {ends[0]} to {ends[1]} it costs {path.cost}, as much as {path.cost / 10:g} m do:", width
    )
    text = " – ".join(_stages(places, path))
    # A name is never broken; the dash stays behind the name before it.
    yield from wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _stages(places: PlaceGraph, path: Path) -> Iterator[str]:
    """The nodes of a path, and the doors between them."""
    before = ""
    for node in path.nodes:
        passage = places.passage(before, node) if before else None
        if passage is not None and passage.door is not None:
            yield f"[{passage.door}]"
        yield node
        before = node
