"""Classes of ALFRED's rooms and trials, and the classes that they are read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foretree.config import find_config, read_yaml
from foretree.errors import suggest
from foretree.file_errors import error_at
from foretree.schema import Strict, validate
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.layouts.layout import RoomKind


@dataclass(frozen=True, slots=True)
class AlfredClasses:
    """ALFRED's classes, by their names, and ours.

    Attributes:
        rooms: the first and the last number of the rooms of each kind.
        items: what can be carried.
        furniture: what stands.
        places: where a task takes things, where that is not furniture by the same name, or not the usual
            relation to it: ``on dresser``.
    """

    rooms: Mapping[RoomKind, tuple[int, int]]
    items: Mapping[str, str]
    furniture: Mapping[str, str]
    places: Mapping[str, str]

    def room_kind(self, number: int) -> RoomKind | None:
        """The kind of the room of a number; None if there is none."""
        return next((kind for kind, (low, high) in self.rooms.items() if low <= number <= high), None)

    def place(self, name: str) -> str | None:
        """The place that a task means; None if there is none like it in grid homes."""
        return self.places.get(name) or self.furniture.get(name)


class _File(Strict):
    rooms: dict[RoomKind, tuple[int, int]]
    items: dict[str, str]
    furniture: dict[str, str]
    places: dict[str, str]


def load_alfred_classes(name: str = "alfred") -> AlfredClasses:
    """Load the classes in a file of ``configs/homes``.

    Raises:
        ConfigError: there is no such file, or it names a class that homes do not have.
    """
    return _read(find_config("homes", name))


@cache
def _read(path: Path) -> AlfredClasses:
    said = validate(_File, read_yaml(path), path)
    classes = load_object_classes()
    known = {"items": classes.items, "furniture": classes.furniture, "places": classes.furniture}
    for key, valid in known.items():
        for name, ours in getattr(said, key).items():
            *relation, class_name = ours.split() or [""]
            if class_name not in valid:
                raise error_at(
                    path, (key, name), f"there is no class {class_name!r}. {suggest(class_name, valid)}"
                )
            if relation and (
                key != "places" or relation not in [[how] for how in classes.furniture[class_name].relations]
            ):
                raise error_at(
                    path, (key, name), f"nothing lies {' '.join(relation)} furniture of that class."
                )
    return AlfredClasses(said.rooms, said.items, said.furniture, said.places)
