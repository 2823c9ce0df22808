"""Reading maps from YAML: what a map file may say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from pydantic import Field

from foretree.config import read_yaml
from foretree.schema import Strict, mistake_at, validate
from foretree.world_model.building_map import BuildingMap
from foretree.world_model.map_builder import FaultyMapError, MapBuilder, check_classes
from foretree.world_model.ontology import Ontology

_Point: TypeAlias = tuple[float, float]


class _Room(Strict):
    from_: _Point = Field(alias="from")
    to: _Point
    at: _Point | None = None
    says: str = ""


class _Pose(Strict):
    room: str
    at: _Point


class _Asset(Strict):
    class_: str = Field(alias="class")
    room: str
    at: _Point
    # Not required here, so that whoever forgets them is told what they are for.
    image: str = ""
    caption: str = ""


class _Door(Strict):
    at: _Point


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
        raise mistake_at(path, mistake.location, mistake.problem) from None


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
