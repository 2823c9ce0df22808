"""Maps as text for the terminal: rooms, doors, assets, the parts that closed doors cut off, a path."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap

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
        blocks.append(_way(building, closed, path, width))
    return "\n\n".join("\n".join(block) for block in blocks)


def _overview(building: BuildingMap, width: int) -> Iterator[str]:
    places = building.places
    kinds = [place.kind for place in places.places()]
    yield from wrap(f"{building.name}: {building.says}".removesuffix(": "), width)
    counts = (
        f"{_count(len(kinds), 'node')} ({_count(kinds.count('pose'), 'pose')}, "
        f"{_count(kinds.count('room'), 'room')}, {_count(kinds.count('asset'), 'asset')}), "
        f"{_count(sum(1 for _ in places.passages()), 'edge')}, {_count(len(building.doors), 'door')}."
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
    return _table(rows, width)


def _exits(building: BuildingMap, room: MapRoom) -> Iterator[str]:
    """The rooms next to a room: those behind a door, with the door, and those it is open to."""
    for door in building.doors_of(room.name):
        one, other = door.between
        yield f"{other if one == room.name else one} ({door.name})"
    places = building.places
    open_to = {
        places.room_of(passage.beyond(node)): None
        for node in places.nodes_in(room.name)
        for passage in places.passages_at(node)
        if passage.door is None
    }
    yield from (other for other in open_to if other != room.name)


def _assets(building: BuildingMap, width: int) -> Iterator[str]:
    rows = [("asset", "room", "caption")]
    rows += [(asset.name, asset.room, asset.caption) for asset in building.assets.values()]
    return _table(rows, width)


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
        text = f"{_count(len(part), 'node')}: {', '.join(nodes[:_SHOWN])}{more}"
        yield from wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def _way(building: BuildingMap, closed: Collection[str], ends: tuple[str, str], width: int) -> Iterator[str]:
    path = building.places.path(*ends, lambda door: door not in closed)
    if path is None:
        yield from wrap(
            f"There is no way from {ends[0]} to {ends[1]} through the doors that are open.", width
        )
        return
    yield from wrap(
        f"From {ends[0]} to {ends[1]} it costs {path.cost}, as much as {path.cost / 10:g} m do:", width
    )
    text = " – ".join(_stages(building.places, path))
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


def _table(rows: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    """Columns, of which the last is wrapped."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    indent = sum(size + 2 for size in widths)
    for row in rows:
        first = "".join(f"{cell:<{size}}  " for cell, size in zip(row[:-1], widths, strict=True))
        last = wrap(row[-1], max(width - indent, 24)) or [""]
        yield f"{first}{last[0]}".rstrip()
        yield from (f"{'':<{indent}}{line}" for line in last[1:])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
