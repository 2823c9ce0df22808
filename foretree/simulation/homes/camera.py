"""The camera of a body in a grid home: from the truth to what is seen of it, errors included."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import Mask
from foretree.simulation.homes.appearance import MARKED, Colour, clean_crop, grainy
from foretree.simulation.homes.bodies import ItemClass
from foretree.simulation.homes.eyesight import Eyesight
from foretree.simulation.homes.geometry import CELL, Cell, Extent, centre_of
from foretree.simulation.homes.home import Home, Thing
from foretree.simulation.homes.noise import Band, Noise
from foretree.simulation.homes.raycast import NOBODY, Solids, View, cast
from foretree.world_model.camera_model import Lens, Stance

#: How high the camera is above the floor, and the ceiling; in metres.
EYE, CEILING = 1.4, 2.5

#: The states that show on things with a trait.
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
#: Noise of the depth is drawn once, for a field that is larger than the picture by this much on two sides.
_SHIFTS = 64

_Field: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What a camera sees at a time.

    Attributes:
        labels: for each pixel the label of the mask it belongs to, or 0.
        depth: metres along the camera's axis, infinite where nothing is within range.
        masks: what was segmented.
        held: what is in the hand; its label has no pixels.
        stance: where the camera was.
        things: by label, the id of the thing that it is; not for the agent.
        in_view: the ids of all that was large enough to be segmented, overlooked or not; not for the agent.
    """

    labels: NDArray[np.int16]
    depth: NDArray[np.float32]
    masks: tuple[Mask, ...]
    held: Mask | None
    stance: Stance
    things: Mapping[int, str]
    in_view: frozenset[str]


class Camera:
    """What is seen of a home from where its robot stands.

    Attributes:
        home: the truth.
        lens: how the camera is built.
        noise: how badly it sees.
    """

    def __init__(self, home: Home, lens: Lens, noise: Noise, seed: int) -> None:
        self.home = home
        self.lens = lens
        self.noise = noise
        self._eyesight = Eyesight(noise, seed)
        self._walls = wall_boxes(home.layout.walls, home.layout.width, home.layout.height)
        self._in_sight = _InSight.of(home, self._walls)
        shape = lens.height + _SHIFTS, lens.width + _SHIFTS
        field: _Field = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
        self._depth_errors = 1 + np.float32(noise.depth) * field

    def _stance(self) -> Stance:
        """Where the camera is, and where it points."""
        posture = self.home.posture
        x, y = centre_of(posture.cell)
        return Stance(x, y, posture.heading, posture.pitch, EYE)

    def _view(self) -> View:
        """What is really seen."""
        if self._in_sight.revision != self.home.revision:
            self._in_sight = _InSight.of(self.home, self._walls)
        return cast(self._in_sight.solids, self._stance(), self.lens, CEILING)

    def take(self) -> Picture:
        """What is seen now."""
        view, stance = self._view(), self._stance()
        viewpoint = f"{self.home.posture.cell} {stance.heading}"
        masks: list[Mask] = []
        things: dict[int, str] = {}
        label_of = np.zeros(len(view.pixels) + 1, dtype=np.int16)
        large_first = np.argsort(-view.pixels, kind="stable")
        large_first = large_first[view.pixels[large_first] >= self.noise.smallest]
        in_view = {self._in_sight.sights[number].thing.id for number in large_first.tolist()}
        distances = self._in_sight.distances(stance)
        for number in large_first.tolist():
            visible = float(view.visible[number])
            sight, label = self._in_sight.sights[number], len(masks) + 1
            band = self.noise.band(distances[number], visible)
            mask = self._seen(sight, label, viewpoint, band, visible)
            if mask is not None:
                masks.append(mask)
                label_of[number] = label
                things[label] = sight.thing.id
        held = self._held(len(masks) + 1)
        if held is not None and self.home.held is not None:
            things[held.label] = self.home.held
        labels = label_of[view.owner]  # NOBODY is the last
        depth = self._depth(view, viewpoint, stance)
        return Picture(labels, depth, tuple(masks), held, stance, things, frozenset(in_view))

    def _held(self, label: int) -> Mask | None:
        """What is in the hand as it is seen: each way of holding it up and each side is a view of its own."""
        if self.home.held is None:
            return None
        posture = self.home.posture
        sight = _Sight.of(self.home[self.home.held], place="hand")
        return self._seen(sight, label, f"{posture.lift} {posture.turn}", Band.NEAR, visible=1.0)

    def _seen(self, sight: _Sight, label: int, viewpoint: str, band: Band, visible: float) -> Mask | None:
        """What a thing is taken for; None if it is overlooked."""
        thing = sight.thing
        impression = self._eyesight.impression(sight.key, thing.class_name, sight.states, viewpoint, band)
        if impression is None:
            return None
        looks_like, grain = impression.looks_like, self.noise.grain.of(band)
        colour = thing.colour if looks_like == thing.class_name else self._colour_of(looks_like)
        crop = clean_crop(looks_like, colour, impression.states)
        return Mask(label, impression.scores, grainy(crop, grain, impression.grain), visible)

    def _colour_of(self, class_name: str) -> Colour:
        bodies = self.home.bodies
        body = bodies.items.get(class_name) or bodies.furniture[class_name]
        return body.colour

    def _depth(self, view: View, viewpoint: str, stance: Stance) -> NDArray[np.float32]:
        """The depth as it is measured: the same from the same place, and looking the same way."""
        depth = view.depth.astype(np.float32)
        if self.noise.depth > 0:
            digest = blake2b(f"{viewpoint} {stance.pitch}".encode(), digest_size=2).digest()
            down, across = (byte % _SHIFTS for byte in digest)
            depth *= self._depth_errors[down : down + self.lens.height, across : across + self.lens.width]
        return depth


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """A thing that can be in sight.

    Attributes:
        thing: which.
        key: which it is and where, in a word.
        states: those that one can see, and whether it has them.
    """

    thing: Thing
    key: str
    states: Mapping[str, bool]

    @classmethod
    def of(cls, thing: Thing, place: str) -> _Sight:
        states = {name: name in thing.states for name in states_that_show(thing)}
        return cls(thing, f"{thing.id} {place}", states)


@dataclass(frozen=True, slots=True, eq=False)
class _InSight:
    """What a camera needs to know of a home, as arrays; until something changes.

    Attributes:
        revision: that of the home.
        solids: everything that can be in sight; its owners are numbered as the things.
        sights: the things that have a solid.
        bounds: for each thing the box around its solids.
    """

    revision: int
    solids: Solids
    sights: tuple[_Sight, ...]
    bounds: NDArray[np.float64]

    @classmethod
    def of(cls, home: Home, walls: Collection[Extent]) -> _InSight:
        extents: list[Extent] = []
        owners: list[int] = []
        sights: list[_Sight] = []
        in_sight = (box for box in home.boxes() if not box.hidden)
        for thing_id, boxes in groupby(in_sight, key=lambda box: box.thing):
            parts = [box.extent for box in boxes]
            extents += parts
            owners += [len(sights)] * len(parts)
            thing = home[thing_id]
            sights.append(_Sight.of(thing, " ".join(f"{edge:.2f}" for edge in thing.extent)))
        starts = np.flatnonzero(np.diff(owners, prepend=NOBODY))
        boxes_of_things = np.asarray(extents, dtype=np.float64).reshape(-1, 6)
        bounds = np.zeros((len(sights), 6))
        if sights:
            bounds[:, :3] = np.minimum.reduceat(boxes_of_things[:, :3], starts)
            bounds[:, 3:] = np.maximum.reduceat(boxes_of_things[:, 3:], starts)
        solids = Solids.of([*walls, *extents], [*([NOBODY] * len(walls)), *owners])
        return cls(home.revision, solids, tuple(sights), bounds)

    def distances(self, stance: Stance) -> list[float]:
        """How far the camera is from the nearest point of each thing."""
        eye = np.array([stance.x, stance.y, stance.eye])
        away = np.maximum(self.bounds[:, :3] - eye, eye - self.bounds[:, 3:])
        distances: list[float] = np.linalg.norm(np.maximum(away, 0), axis=1).tolist()
        return distances


def states_that_show(thing: Thing) -> tuple[str, ...]:
    """The states that one can see on a thing: those that its like can have or lack, and those that it has."""
    body = thing.body
    names = {state for trait in body.traits for state in _STATES_OF_TRAIT.get(trait, ())}
    if isinstance(body, ItemClass):
        names.update(("hot", "cold"))
        if body.slices is not None:
            names.add("sliced")
        if body.toasts:
            names.add("cooked")
    return tuple(sorted(names | (thing.states & MARKED)))


def wall_boxes(walls: Collection[Cell], width: int, height: int) -> tuple[Extent, ...]:
    """Walls as few boxes: those of their cells that can be seen, joined first along x and then along y."""
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
