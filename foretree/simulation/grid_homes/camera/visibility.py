"""Visible objects of a home: their solids, bounds and visible states."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from foretree.simulation.grid_homes._object_classes import ItemClass
from foretree.simulation.grid_homes.camera._appearance import MARKED
from foretree.simulation.grid_homes.camera._raycast import BACKGROUND, Solids
from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import CELL, Cell, Extent
from foretree.world_model.camera_model import Stance

#: The height of walls, in metres.
CEILING = 2.5

#: The states that are visible on objects with a trait.
_STATES_OF_TRAIT: Mapping[str, tuple[str, ...]] = {
    "openable": ("open",),
    "switchable": ("turned_on",),
    "dish": ("clean",),
    "vessel": ("has_coffee", "has_water"),
    "cookable": ("cooked",),
    "fragile": ("broken",),
    "electronic": ("broken",),
    "soil": ("watered",),
}


@dataclass(frozen=True, slots=True, eq=False)
class VisibleObject:
    """An object that can be in sight.

    Attributes:
        thing: the object.
        key: identifies the object at its place.
        states: its visible states, and whether it is in them.
        looks: identifies all that is visible of it.
    """

    thing: HomeObject
    key: str
    states: Mapping[str, bool]
    looks: str

    @classmethod
    def of(cls, thing: HomeObject, place: str) -> VisibleObject:
        """The visible side of an object at a place."""
        states = {name: name in thing.states for name in visible_states(thing)}
        key = f"{thing.id} {place}"
        return cls(thing, key, states, f"{key} {thing.class_name} {thing.colour} {states}")


@dataclass(frozen=True, slots=True, eq=False)
class VisibleScene:
    """A home as a camera needs it, as arrays; valid for one revision of the home.

    Attributes:
        revision: that of the home.
        solids: all solids; owners are numbers of objects.
        sights: the objects that have a solid.
        bounds: for each object the box around its solids.
    """

    revision: int
    solids: Solids
    sights: tuple[VisibleObject, ...]
    bounds: NDArray[np.float64]

    @classmethod
    def of(cls, home: Home, walls: Collection[Extent]) -> VisibleScene:
        """The scene of a home with some walls, as it is now."""
        extents: list[Extent] = []
        owners: list[int] = []
        sights: list[VisibleObject] = []
        in_sight = (box for box in home.boxes() if not box.hidden)
        for thing_id, boxes in groupby(in_sight, key=lambda box: box.thing):
            parts = [box.extent for box in boxes]
            extents += parts
            owners += [len(sights)] * len(parts)
            thing = home[thing_id]
            sights.append(VisibleObject.of(thing, " ".join(f"{edge:.2f}" for edge in thing.extent)))
        starts = np.flatnonzero(np.diff(owners, prepend=BACKGROUND))
        boxes_of_things = np.asarray(extents, dtype=np.float64).reshape(-1, 6)
        bounds = np.zeros((len(sights), 6))
        if sights:
            bounds[:, :3] = np.minimum.reduceat(boxes_of_things[:, :3], starts)
            bounds[:, 3:] = np.maximum.reduceat(boxes_of_things[:, 3:], starts)
        solids = Solids.of([*walls, *extents], [*([BACKGROUND] * len(walls)), *owners])
        return cls(home.revision, solids, tuple(sights), bounds)

    def distances(self, stance: Stance) -> list[float]:
        """The distance of the camera from the nearest point of each object."""
        eye = np.array([stance.x, stance.y, stance.eye])
        away = np.maximum(self.bounds[:, :3] - eye, eye - self.bounds[:, 3:])
        distances: list[float] = np.linalg.norm(np.maximum(away, 0), axis=1).tolist()
        return distances


def visible_states(thing: HomeObject) -> tuple[str, ...]:
    """The visible states of an object: those that its class can be in, and those that it is in."""
    body = thing.object_class
    names = {state for trait in body.traits for state in _STATES_OF_TRAIT.get(trait, ())}
    if isinstance(body, ItemClass):
        names.update(("hot", "cold"))
        if body.slices is not None:
            names.add("sliced")
        if body.toasts:
            names.add("cooked")
    return tuple(sorted(names | (thing.states & MARKED)))


def wall_boxes(walls: Collection[Cell], width: int, height: int) -> tuple[Extent, ...]:
    """Walls as few boxes: their visible cells, joined first along x and then along y."""
    free = np.pad(np.ones((height, width), dtype=bool), 1)
    for i, j in walls:
        if 0 <= i < width and 0 <= j < height:
            free[j + 1, i + 1] = False
    beside_free = np.zeros_like(free)
    for di, dj in product((-1, 0, 1), repeat=2):
        beside_free |= np.roll(free, (dj, di), axis=(0, 1))
    runs: dict[tuple[int, int], tuple[int, int]] = {}  # first and last column -> first and next row
    boxes: list[Extent] = []

    def end(columns: tuple[int, int]) -> None:
        first, after = runs.pop(columns)
        x0, x1 = columns
        boxes.append((x0 * CELL, first * CELL, 0.0, x1 * CELL, after * CELL, CEILING))

    for row in range(height + 2):
        edges = np.flatnonzero(np.diff(beside_free[row] & ~free[row], prepend=False, append=False))
        here = [(int(x0) - 1, int(x1) - 1) for x0, x1 in edges.reshape(-1, 2)]
        for columns in sorted(set(runs) - set(here)):
            end(columns)
        for columns in here:
            runs[columns] = (runs.get(columns, (row - 1, 0))[0], row)
    for columns in sorted(runs):
        end(columns)
    return tuple(boxes)
