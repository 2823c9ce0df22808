"""Frames of grid homes with the truth beside them, and simple scenes of boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from foretree.perception.frame import CROP, Frame, Lens, Mask, Stance
from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.camera._raycast import BACKGROUND, Solids, raycast
from foretree.simulation.grid_homes.camera.camera import CameraImage
from foretree.simulation.grid_homes.episode import open_episode
from foretree.simulation.grid_homes.home import Home, Posture
from foretree.simulation.grid_homes.layouts.layout_generator import layout_names

LENS = Lens()
AHEAD = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


class BodiesBearing:
    """What can rest on what, as the makers of homes have it."""

    def __init__(self) -> None:
        self.bodies = load_object_classes()

    def relations(self, class_name: str) -> tuple[str, ...]:
        furniture = self.bodies.furniture.get(class_name)
        if furniture is not None:
            return tuple(way for way in furniture.relations if way != "under" or furniture.form != "table")
        return self.bodies.items[class_name].relations if class_name in self.bodies.items else ()

    def is_furniture(self, class_name: str) -> bool:
        return class_name in self.bodies.furniture


@dataclass(frozen=True)
class Seen:
    """A frame, and what is so."""

    frame: Frame
    picture: CameraImage
    home: Home

    def thing(self, label: int):
        return self.home[self.picture.things[label]]


def seen_in_homes(homes: int, looks: int, noise: float = 1.0, things: int = 70) -> Iterator[Seen]:
    """Looks at furniture in unseen homes, from near and from far."""
    names = layout_names(seen=False)
    for number in range(homes):
        body = open_episode(names[number * 7 % len(names)], number, things=things, noise=noise)
        home, rng = body.rules.home, Random(number)
        for step in range(looks):
            piece = rng.choice(home.layout.pieces)
            cell, heading = home.layout.spots_before(piece)[0], (piece.facing + 180) % 360
            back = rng.randint(0, 12)
            for _ in range(back):
                behind = cell[0] - AHEAD[heading][0], cell[1] - AHEAD[heading][1]
                cell = behind if behind in home.layout.reachable else cell
            home.posture = Posture(cell, heading, rng.choice((0, -30) if back > 4 else (0, -30, -30, -60)))
            picture = body.camera.take()
            frame = replace(picture.frame, step=step)
            if frame.masks:
                yield Seen(frame, picture, home)


def scene(stance: Stance, *things: tuple[str, list[tuple[float, ...]]], noise: float = 0.0) -> Frame:
    """A frame of things, each a class and its boxes (x0, y0, z0, x1, y1, z1)."""
    boxes = [box for _, parts in things for box in parts]
    owners = [number for number, (_, parts) in enumerate(things) for _ in parts]
    view = raycast(Solids.of(boxes, owners), stance, LENS, 2.5)
    depth = view.depth.astype(np.float32)
    if noise:
        depth *= 1 + noise * np.random.default_rng(0).standard_normal(depth.shape).astype(np.float32)
    masks = tuple(
        Mask(
            number + 1,
            {name: 0.97},
            np.full((CROP, CROP, 3), 40 * number, np.uint8),
            float(view.visible[number]),
        )
        for number, (name, _) in enumerate(things)
    )
    labels = np.where(view.owner == BACKGROUND, 0, view.owner + 1).astype(np.int16)
    return Frame(labels, depth, masks, stance)


def class_names(frame: Frame) -> list[str]:
    return [max(mask.scores, key=mask.scores.__getitem__) for mask in frame.masks]


def block(x: float, y: float, z: float, wide: float, deep: float, high: float) -> tuple[float, ...]:
    """A box by the middle of its foot and its size."""
    return x - wide / 2, y - deep / 2, z, x + wide / 2, y + deep / 2, z + high


def table(x: float, y: float, high: float = 0.75) -> tuple[str, list[tuple[float, ...]]]:
    return "table", [
        block(x, y, high - 0.05, 0.8, 1.4, 0.05),
        block(x, y - 0.65, 0, 0.8, 0.05, high - 0.05),
        block(x, y + 0.65, 0, 0.8, 0.05, high - 0.05),
    ]


def cabinet(x: float, y: float, is_open: bool) -> tuple[str, list[tuple[float, ...]]]:
    """A cabinet half a metre deep whose front looks along -x, that is at a camera that looks along x."""
    if not is_open:
        return "cabinet", [block(x, y, 0, 0.5, 1.0, 1.2)]
    return "cabinet", [
        block(x + 0.235, y, 0, 0.03, 1.0, 1.2),
        block(x, y - 0.485, 0, 0.5, 0.03, 1.2),
        block(x, y + 0.485, 0, 0.5, 0.03, 1.2),
        *(block(x, y, z, 0.44, 0.94, 0.02) for z in (0.1, 0.6, 1.18)),
    ]
