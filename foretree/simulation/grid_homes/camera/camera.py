"""The camera of a body in a grid home: images of the true state, recognition errors included."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import Frame, Lens, Mask, Stance
from foretree.simulation.grid_homes._object_classes import ItemClass
from foretree.simulation.grid_homes.camera._appearance import MARKED, Colour, clean_crop, grainy
from foretree.simulation.grid_homes.camera._raycast import BACKGROUND, RenderedView, Solids, raycast
from foretree.simulation.grid_homes.camera.noise import Band, NoiseModel, RecognitionErrors
from foretree.simulation.grid_homes.home import Home, HomeObject
from foretree.simulation.grid_homes.layouts.geometry import CELL, Cell, Extent, centre_of

#: The height of the camera above the floor, in metres.
EYE = 1.4

#: Depth noise is drawn once, for a field that is larger than the image by this much on two sides.
_SHIFTS = 64

#: The number of looks at objects, and of views, that are remembered.
_REMEMBERED, _VIEWS = 2048, 64

_Field: TypeAlias = NDArray[np.float32]
#: Class scores and a crop.
_Look: TypeAlias = tuple[Mapping[str, float], NDArray[np.uint8]]


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


@dataclass(frozen=True, slots=True, eq=False)
class CameraImage:
    """A frame, with the truth about it, which is not for the agent.

    Attributes:
        frame: the frame.
        things: by label, the id of the object.
        in_view: the ids of all that was large enough to be segmented, overlooked or not.
    """

    frame: Frame
    things: Mapping[int, str]
    in_view: frozenset[str]


class Camera:
    """The camera of the robot in a home.

    Attributes:
        home: the true state.
        lens: of the camera.
        noise: its errors.
    """

    def __init__(self, home: Home, lens: Lens, noise: NoiseModel, seed: int) -> None:
        self.home = home
        self.lens = lens
        self.noise = noise
        self._eyesight = RecognitionErrors(noise, seed)
        # The hand feels what it holds, so that this is never overlooked.
        self._at_hand = RecognitionErrors(noise.model_copy(update={"missed": noise.missed.times(0, 0)}), seed)
        #: Looks at what has not changed, from the same viewpoint.
        self._looks: dict[Hashable, _Look | None] = {}
        #: Views of all solids, until one moves.
        self._views: dict[Stance, tuple[RenderedView, _Field]] = {}
        self._walls = wall_boxes(home.layout.walls, home.layout.width, home.layout.height)
        self._scene = VisibleScene.of(home, self._walls)
        shape = lens.height + _SHIFTS, lens.width + _SHIFTS
        field: _Field = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
        self._depth_errors = 1 + np.float32(noise.depth) * field

    def solids(self) -> Solids:
        """All solids that can be in sight."""
        if self._scene.revision != self.home.revision:
            before, self._scene = self._scene.solids, VisibleScene.of(self.home, self._walls)
            if not self._scene.solids.same_as(before):
                self._views.clear()
        return self._scene.solids

    def take(self) -> CameraImage:
        """Take an image."""
        posture = self.home.posture
        stance = Stance(*centre_of(posture.cell), posture.heading, posture.pitch, EYE)
        viewpoint = f"{posture.cell} {posture.heading}"
        view, depth = self._view(stance, viewpoint)
        looked_from = self._eyesight.viewpoint(viewpoint, (stance.x, stance.y))
        masks: list[Mask] = []
        things: dict[int, str] = {}
        label_of = np.zeros(len(view.pixels) + 1, dtype=np.int16)
        large_first = np.argsort(-view.pixels, kind="stable")
        large_first = large_first[view.pixels[large_first] >= self.noise.smallest]
        in_view = {self._scene.sights[number].thing.id for number in large_first.tolist()}
        distances = self._scene.distances(stance)
        for number in large_first.tolist():
            visible = float(view.visible[number])
            sight, label = self._scene.sights[number], len(masks) + 1
            band = self.noise.band(distances[number], visible)
            mask = self._seen(self._eyesight, sight, label, looked_from, band, visible)
            if mask is not None:
                masks.append(mask)
                label_of[number] = label
                things[label] = sight.thing.id
        held = None
        if self.home.held is not None:
            # The hand is always near; each lift and each side is a viewpoint of its own.
            sight = VisibleObject.of(self.home[self.home.held], place="hand")
            turned = f"{posture.lift} {posture.turn}"
            held = self._seen(self._at_hand, sight, len(masks) + 1, turned, Band.NEAR, visible=1.0)
            things[len(masks) + 1] = self.home.held
        labels = label_of[view.owner]  # the background is the last
        return CameraImage(Frame(labels, depth, tuple(masks), stance, held), things, frozenset(in_view))

    def _view(self, stance: Stance, viewpoint: str) -> tuple[RenderedView, _Field]:
        """The rendered view, and the depth as it is measured."""
        solids = self.solids()
        known = self._views.get(stance)
        if known is None:
            if len(self._views) >= _VIEWS:
                self._views.clear()
            view = raycast(solids, stance, self.lens, CEILING)
            known = self._views[stance] = view, self._depth(view, viewpoint, stance)
            known[1].setflags(write=False)
        return known

    def _seen(
        self,
        eyes: RecognitionErrors,
        sight: VisibleObject,
        label: int,
        viewpoint: str,
        band: Band,
        visible: float,
    ) -> Mask | None:
        """The mask of an object; None if it is overlooked."""
        key = (eyes, sight.looks, viewpoint, band)
        if key not in self._looks:
            if len(self._looks) >= _REMEMBERED:
                self._looks.clear()
            self._looks[key] = self._look(eyes, sight, viewpoint, band)
        look = self._looks[key]
        return None if look is None else Mask(label, *look, visible)

    def _look(
        self, eyes: RecognitionErrors, sight: VisibleObject, viewpoint: str, band: Band
    ) -> _Look | None:
        """The class scores and the crop of an object from a viewpoint; None if it is overlooked."""
        thing = sight.thing
        recognised = eyes.recognise(sight.key, thing.class_name, sight.states, viewpoint, band)
        if recognised is None:
            return None
        crop = clean_crop(
            recognised.looks_like, self._colour_as(thing, recognised.looks_like), recognised.states
        )
        return recognised.scores, grainy(crop, self.noise.grain.of(band), recognised.grain)

    def _colour_as(self, thing: HomeObject, looks_like: str) -> Colour:
        """The colour of an object if it were of another class: that class's, with the same offset."""
        classes = self.home.classes
        like = classes.items.get(looks_like) or classes.furniture[looks_like]
        r, g, b = (
            min(255, max(0, typical + own - usual))
            for typical, own, usual in zip(like.colour, thing.colour, thing.object_class.colour, strict=True)
        )
        return r, g, b

    def _depth(self, view: RenderedView, viewpoint: str, stance: Stance) -> NDArray[np.float32]:
        """The depth as it is measured; the same noise for the same stance."""
        depth = view.depth.astype(np.float32)
        if self.noise.depth > 0:
            digest = blake2b(f"{viewpoint} {stance.pitch}".encode(), digest_size=2).digest()
            down, across = (byte % _SHIFTS for byte in digest)
            depth *= self._depth_errors[down : down + self.lens.height, across : across + self.lens.width]
        return depth
