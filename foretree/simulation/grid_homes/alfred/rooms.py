"""ALFRED's rooms as they are recorded: where one can stand, what stands where, what there is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from foretree.errors import ForetreeError
from foretree.simulation.grid_homes.layouts.geometry import CELL, Cell

#: The folders in which layouts lie, from the folder of the trials: here, and where ALFRED itself keeps them.
LAYOUTS = ("layouts", "gen/layouts", "../gen/layouts", "../layouts", ".")
#: Cells around the places to stand: room for the deepest furniture.
PADDING = 8
#: The most cells that a room is long: what is larger is no room of ALFRED's.
_LONGEST = 400


class AlfredError(ForetreeError):
    """Files that are not ALFRED's, or from which no home can be made."""


class Receptacle(NamedTuple):
    """Furniture, as a room records it.

    Attributes:
        class_name: ALFRED's.
        at: its centre, in metres of the home.
        height: of its centre above the floor.
        heading: the heading in which one looks to operate it.
    """

    class_name: str
    at: tuple[float, float]
    height: float
    heading: int


@dataclass(frozen=True)
class AlfredRoom:
    """A room of ALFRED's, in the cells and metres of the home that it becomes.

    Attributes:
        number: its own.
        width, height: the number of cells along x and y.
        stands: the cells on which one can stand.
        receptacles: furniture with a place.
        classes: all classes of things in it.
        corner: where the origin of the home is in the room's own metres.
    """

    number: int
    width: int
    height: int
    stands: frozenset[Cell]
    receptacles: tuple[Receptacle, ...]
    classes: tuple[str, ...]
    corner: tuple[float, float]

    @property
    def name(self) -> str:
        """Its name: ``FloorPlan7``."""
        return f"FloorPlan{self.number}"

    def place(self, x: float, z: float) -> tuple[float, float]:
        """Metres of the home for metres of the room."""
        return x - self.corner[0], z - self.corner[1]


def heading_of(rotation: float) -> int:
    """The heading for a rotation, which ALFRED counts clockwise from the z axis."""
    return (90 - round(rotation / 90) * 90) % 360


@lru_cache(maxsize=256)
def read_room(folder: Path, number: int) -> AlfredRoom:
    """Read the room of a number.

    Raises:
        AlfredError: a file is missing, or says something else.
    """
    name = f"FloorPlan{number}"
    where = next((folder / one for one in LAYOUTS if (folder / one / f"{name}-layout.npy").is_file()), None)
    if where is None:
        raise AlfredError(
            f"There is no {name}-layout.npy in {folder / LAYOUTS[0]}: ALFRED's layouts (gen/layouts in its "
            "repository) belong there."
        )
    points = _read_points(where / f"{name}-layout.npy")
    low = points.min(axis=0) - PADDING
    width, height = (points.max(axis=0) + 1 + PADDING - low).tolist()
    corner = (float(low[0] - 0.5) * CELL, float(low[1] - 0.5) * CELL)
    path = where / f"{name}-openable.json"
    found = _read_json(path, dict)
    receptacles = []
    for key, pose in found.items():
        class_name, x, y, z = _read_key(path, key)
        at = x - corner[0], z - corner[1]
        receptacles.append(Receptacle(class_name, at, y, _heading(path, key, pose)))
    classes = _read_json(where / f"{name}-objects.json", list)
    stands = frozenset((i, j) for i, j in (points - low).tolist())
    return AlfredRoom(number, width, height, stands, tuple(receptacles), tuple(map(str, classes)), corner)


def _read_points(path: Path) -> Any:
    try:
        points = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise AlfredError(f"{path} cannot be read: {error}") from error
    good = points.ndim == 2 and points.shape[1] >= 2 and len(points) and points.dtype.kind in "fiu"
    if not good or not np.isfinite(points).all():
        raise AlfredError(f"{path} must be a list of places to stand, each with x and z in metres.")
    cells = np.round(points[:, :2] / CELL).astype(int)
    if (np.ptp(cells, axis=0) > _LONGEST).any():
        raise AlfredError(f"{path} spans more than {_LONGEST * CELL:g} m: the places to stand are in metres.")
    return cells


def _read_json(path: Path, kind: type[Any]) -> Any:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise AlfredError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, kind):
        raise AlfredError(f"{path} must be a JSON {'object' if kind is dict else 'list'}.")
    return found


def _read_key(path: Path, key: str) -> tuple[str, float, float, float]:
    """The class and the place in ``CoffeeTable|-01.55|+00.02|+02.53``."""
    parts = key.split("|")
    try:
        class_name, (x, y, z) = parts[0], map(float, parts[1:4])
    except (IndexError, ValueError):
        raise AlfredError(f"{path}: {key!r} is no receptacle: they are named CLASS|X|Y|Z.") from None
    if not all(map(isfinite, (x, y, z))):
        raise AlfredError(f"{path}: {key!r} is nowhere: X, Y and Z are metres.")
    return class_name, x, y, z


def _heading(path: Path, key: str, pose: object) -> int:
    if isinstance(pose, list) and len(pose) >= 3 and all(_is_number(one) for one in pose[:3]):
        return heading_of(pose[2])
    raise AlfredError(f"{path}: {key!r} must have a pose: x, z, rotation, horizon.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)


def as_numbers(values: object, names: tuple[str, ...]) -> Mapping[str, float] | None:
    """The numbers of those names in a mapping; None if one is missing."""
    if not isinstance(values, Mapping) or not all(_is_number(values.get(name)) for name in names):
        return None
    return {name: float(values[name]) for name in names}
