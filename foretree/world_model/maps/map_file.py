"""Maps as YAML files: their model, reading and writing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from foretree.config import ConfigError, read_yaml
from foretree.file_errors import error_at
from foretree.schema import Position, Strict, validate
from foretree.world_model.maps.building_map import BuildingMap, relative_path, way_cost
from foretree.world_model.maps.map_builder import FaultyMapError, MapBuilder, check_classes
from foretree.world_model.maps.places import Passage, PlaceGraph
from foretree.world_model.ontology import Ontology


class _Room(Strict):
    from_: Position = Field(alias="from")
    to: Position
    at: Position | None = None
    says: str = ""


class _Pose(Strict):
    room: str
    at: Position


class _Asset(Strict):
    class_: str = Field(alias="class")
    room: str
    at: Position
    # Not required here, so that the error for a missing one can say what it is for.
    image: str = ""
    caption: str = ""


class _Door(Strict):
    at: Position


class _Edge(Strict):
    between: tuple[str, str]
    cost: int | None = None
    door: str | None = None


class _File(Strict):
    map: str
    says: str = ""
    rooms: Mapping[str, _Room] = Field(min_length=1)
    poses: Mapping[str, _Pose] = Field(default_factory=dict)
    assets: Mapping[str, _Asset] = Field(default_factory=dict)
    doors: Mapping[str, _Door] = Field(default_factory=dict)
    ways: tuple[tuple[str, ...], ...] = ()
    edges: tuple[_Edge, ...] = ()


def load_map(path: Path, ontology: Ontology | None = None) -> BuildingMap:
    """Read a map.

    Args:
        path: the YAML file. Images are looked for relative to it.
        ontology: the classes that assets can be of; without one, any will do.

    Raises:
        ConfigError: with the file, the line, the key and what would have been valid there.
    """
    read = validate(_File, read_yaml(path), path)
    try:
        if ontology is not None:
            check_classes({name: asset.class_ for name, asset in read.assets.items()}, ontology)
        return _built(read, path)
    except FaultyMapError as mistake:
        raise error_at(path, mistake.location, mistake.problem) from None


def _built(read: _File, path: Path) -> BuildingMap:
    builder = MapBuilder(read.map, read.says)
    for name, room in read.rooms.items():
        builder.room(name, room.from_, room.to, at=room.at, says=room.says)
    for name, pose in read.poses.items():
        builder.pose(name, pose.room, pose.at)
    for name, asset in read.assets.items():
        if not asset.image:
            raise FaultyMapError(
                ("assets", name),
                f"it has no image; say which file shows it, as in image: {read.map}/{name}.png.",
            )
        image = path.parent / asset.image
        builder.asset(name, asset.class_, asset.room, asset.at, image=image, caption=asset.caption)
    for name, door in read.doors.items():
        builder.door(name, door.at)
    for way in read.ways:
        builder.way(*way)
    for edge in read.edges:
        builder.edge(*edge.between, cost=edge.cost, door=edge.door)
    return builder.build(path)


def write_map(building: BuildingMap, path: Path) -> None:
    """Write a map as YAML; :func:`load_map` reads it back without loss.

    Raises:
        ConfigError: the file cannot be written.
    """
    lines = [_line(key, value) for key, value in (("map", building.name), ("says", building.says)) if value]
    for section, entries in _entries(building, path.parent.resolve()).items():
        if entries:
            lines += ["", f"{section}:", *(f"  {_line(name, entry)}" for name, entry in entries.items())]
    places = building.places
    plain = {p: None for p in places.passages() if p.door is None and p.cost == _length(places, p)}
    others = [_edge(places, p) for p in places.passages() if p not in plain]
    for section, items in (("ways", _ways(plain)), ("edges", others)):
        if items:
            lines += ["", f"{section}:", *(f"  - {_inline(item)}" for item in items)]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"Cannot write {path}: {error.strerror}.") from error


def _entries(building: BuildingMap, folder: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """The named entries of a map file, by section; what is empty, or as it is by default, is left out."""
    places = list(building.places.places())
    at = {place.name: list(place.pose[:2]) for place in places}
    rooms: dict[str, dict[str, Any]] = {}
    for room in building.rooms.values():
        rooms[room.name] = {"from": list(room.low), "to": list(room.high)}
        if at[room.name] != list(room.middle):
            rooms[room.name]["at"] = at[room.name]
        if room.says:
            rooms[room.name]["says"] = room.says
    return {
        "rooms": rooms,
        "poses": {p.name: {"room": p.room, "at": at[p.name]} for p in places if p.kind == "pose"},
        "assets": {
            asset.name: {
                "class": asset.class_name,
                "room": asset.room,
                "at": list(asset.at),
                "image": relative_path(asset.image, folder),
                "caption": asset.caption,
            }
            for asset in building.assets.values()
        },
        "doors": {door.name: {"at": list(door.at)} for door in building.doors.values()},
    }


def _edge(places: PlaceGraph, passage: Passage) -> dict[str, Any]:
    edge: dict[str, Any] = {"between": [passage.one, passage.other]}
    if passage.cost != _length(places, passage):
        edge["cost"] = passage.cost
    if passage.door is not None:
        edge["door"] = passage.door
    return edge


def _length(places: PlaceGraph, passage: Passage) -> int:
    one, other = (places.place(node).pose[:2] for node in (passage.one, passage.other))
    return way_cost(one, other)


def _ways(passages: Iterable[Passage]) -> list[list[str]]:
    """The passages, each once, as few ways through several nodes: a file that a person can read."""
    left = dict.fromkeys(passages)
    ways = []
    while left:
        passage = next(iter(left))
        way = [passage.one]
        step: Passage | None = passage
        while step is not None:
            del left[step]
            way.append(step.beyond(way[-1]))
            step = next((p for p in left if way[-1] in (p.one, p.other)), None)
        ways.append(way)
    return ways


def _line(key: str, value: Any) -> str:
    return f"{_inline(key)}: {_inline(value)}"


def _inline(value: Any) -> str:
    """*value* as YAML in one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=sys.maxsize
    )
    return text.removesuffix("...\n").strip("\n")
