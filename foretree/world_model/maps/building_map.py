"""The visual-topological map of a building: places, rooms and doors, and assets with images.

Three layers over the same nodes: the :class:`~foretree.world_model.maps.places.PlaceGraph` has the places and
the costs between them; rooms and doors divide the floor; and assets (furniture and appliances) have an image
and a caption each.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from foretree.errors import suggest
from foretree.world_model.maps.floor_plan import MapRoom, Point
from foretree.world_model.maps.places import MapError, PlaceGraph

__all__ = ["BuildingMap", "MapAsset", "MapDoor", "MapRoom"]


@dataclass(frozen=True, slots=True)
class MapAsset:
    """A piece of furniture or an appliance that a robot works at.

    Attributes:
        name: its name, which is also that of the node at which the robot stands to work at it.
        class_name: its class (``fridge``).
        room: the room it is in.
        at: its position.
        image: a file that shows it.
        caption: a description: what it is, where it is and what it is for.
    """

    name: str
    class_name: str
    room: str
    at: Point
    image: Path
    caption: str


@dataclass(frozen=True, slots=True)
class MapDoor:
    """A door.

    Attributes:
        name: its name.
        at: its position in the wall.
        between: the rooms on its two sides.
    """

    name: str
    at: Point
    between: tuple[str, str]


@dataclass(frozen=True)
class BuildingMap:
    """A building's map. :class:`~foretree.world_model.maps.map_builder.MapBuilder` makes one.

    Attributes:
        name: its name.
        places: its nodes and passages. Costs are decimetres.
        rooms: by name; each has a node of the same name.
        assets: by name; each has a node of the same name.
        doors: by name; each is in at least one passage.
        says: a description for people, in one sentence.
        source: the file it was read from.
    """

    name: str
    places: PlaceGraph
    rooms: Mapping[str, MapRoom]
    assets: Mapping[str, MapAsset]
    doors: Mapping[str, MapDoor]
    says: str = ""
    source: Path | None = None

    def asset(self, name: str) -> MapAsset:
        """The asset of that name.

        Raises:
            MapError: there is none; the message lists those there are.
        """
        try:
            return self.assets[name]
        except KeyError:
            raise MapError(
                f"The map {self.name} has no asset {name!r}. {suggest(name, self.assets)}"
            ) from None

    def door(self, name: str) -> MapDoor:
        """The door of that name.

        Raises:
            MapError: there is none; the message lists those there are.
        """
        try:
            return self.doors[name]
        except KeyError:
            raise MapError(f"The map {self.name} has no door {name!r}. {suggest(name, self.doors)}") from None

    def assets_in(self, room: str) -> tuple[MapAsset, ...]:
        """The assets of a room, in the order of the map."""
        return tuple(asset for asset in self.assets.values() if asset.room == room)

    def doors_of(self, room: str) -> tuple[MapDoor, ...]:
        """The doors of a room, in the order of the map."""
        return tuple(door for door in self.doors.values() if room in door.between)


def relative_path(image: Path, folder: Path) -> str:
    """The path of an image as map files name it: relative to the folder that the file is in."""
    return Path(os.path.relpath(image.resolve(), folder)).as_posix()
