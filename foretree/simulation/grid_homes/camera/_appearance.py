"""Appearance of objects close up: small pictures, drawn from the class and the states.

A class has a colour and a texture of its own; every state leaves a visible mark, so that states can be told
apart by comparing with a few labelled pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretree.perception.frame import CROP

Picture: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[int, int, int]
_Canvas: TypeAlias = NDArray[np.float32]
#: Draws the mark of a state.
_Mark: TypeAlias = Callable[[_Canvas], None]

#: The colour behind an object.
_BACKDROP = (96.0, 96.0, 96.0)
#: How strongly a texture varies the colour, in shades.
_TEXTURE = 26.0
#: The number of grain values that are drawn once, and used from different offsets.
_GRAIN = 1 << 16


@lru_cache(maxsize=4096)
def clean_crop(class_name: str, colour: Colour, states: tuple[str, ...]) -> Picture:
    """The picture of an object without grain, read-only.

    Args:
        class_name: its class.
        colour: red, green and blue, 0 to 255.
        states: those that it has.
    """
    canvas = np.empty((CROP, CROP, 3), dtype=np.float32)
    canvas[:] = _BACKDROP
    rows, columns, texture = _texture(class_name)
    canvas[rows, columns] = np.asarray(colour, dtype=np.float32) + texture
    for state in sorted(states, key=lambda name: (_LAYER.get(name, len(_LAYER)), name)):
        mark = _MARKS.get(state) or _other_mark(state)
        mark(canvas)
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    picture.setflags(write=False)
    return picture


@lru_cache(maxsize=1024)
def _texture(class_name: str) -> tuple[slice, slice, _Canvas]:
    """The rows and columns that objects of a class cover, and how much lighter each pixel is."""
    draw = _generator(class_name)
    margins = draw.integers(0, 3, 2)  # classes differ in outline, too
    texture = draw.uniform(-_TEXTURE, _TEXTURE, (CROP // 4, CROP // 4)).repeat(4, axis=0).repeat(4, axis=1)
    rows = slice(margins[0], CROP - margins[0])
    columns = slice(margins[1], CROP - margins[1])
    return rows, columns, texture[rows, columns, None].astype(np.float32)


def grainy(picture: Picture, amount: float, number: int) -> Picture:
    """*picture* with grain.

    Args:
        picture: without grain.
        amount: the standard deviation, in shades.
        number: decides the grain.
    """
    if amount <= 0:
        return picture
    start = number % (_GRAIN - picture.size)
    shades: _Canvas = _grain()[start : start + picture.size].reshape(picture.shape) * np.float32(amount)
    shades += picture
    np.minimum(np.maximum(shades, 0, out=shades), 255, out=shades)
    return shades.astype(np.uint8)


@lru_cache(maxsize=1)
def _grain() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(_GRAIN, dtype=np.float32)


def _generator(name: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little"))


def _fill(*areas: tuple[tuple[slice | int, slice | int], Colour]) -> _Mark:
    """A mark of areas (rows and columns) in plain colours, one over the other."""

    def draw(canvas: _Canvas) -> None:
        for area, colour in areas:
            canvas[area] = colour

    return draw


def _gleam(canvas: _Canvas) -> None:
    for step in range(5):
        for row, column in ((1 + step, 6 - step), (10 + step, 14 - step)):
            canvas[row, column] = (120, 255, 255)
            canvas[row, column + 1] = (16, 72, 96)  # an edge, so that it shows on white


def _rim(colour: Colour) -> _Mark:
    whole = slice(None)
    return _fill(
        *(((edge, whole), colour) for edge in (0, -1)), *(((whole, edge), colour) for edge in (0, -1))
    )


def _stripes(canvas: _Canvas) -> None:
    canvas[1:15, 2::4] = (250, 244, 226)
    canvas[1:15, 3::4] *= 0.6


def _crust(canvas: _Canvas) -> None:
    canvas[0:16:2] = 0.25 * canvas[0:16:2] + np.array((96, 50, 12), dtype=np.float32)


def _cracks(canvas: _Canvas) -> None:
    for row in range(CROP):
        column = 4 + (row * 5) % 9
        canvas[row, column] = (0, 0, 0)
        canvas[row, (column + 1) % CROP] = (255, 255, 255)
        canvas[row, (column + 7) % CROP] = (0, 0, 0)


def _other_mark(state: str) -> _Mark:
    """A mark for a state that has none of its own."""

    def draw(canvas: _Canvas) -> None:
        generator = _generator(f"mark of {state}")
        for row, column in generator.integers(0, CROP - 3, (3, 2)):
            canvas[row : row + 3, column : column + 3] = generator.integers(0, 256, 3)

    return draw


#: The mark of each state, in the order in which marks are laid over each other. Dark and light areas have
#: edges of the opposite, so that they show on everything.
_MARKS: Mapping[str, _Mark] = {
    "open": _fill(
        ((slice(3, 13), slice(3, 13)), (214, 214, 206)), ((slice(4, 12), slice(4, 12)), (22, 20, 24))
    ),
    "cooked": _crust,
    "sliced": _stripes,
    "has_water": _fill(((slice(6, 10), slice(2, 14)), (40, 96, 232))),
    "has_coffee": _fill(((slice(6, 10), slice(2, 14)), (58, 28, 10)), ((6, slice(2, 14)), (196, 150, 96))),
    "watered": _fill(((slice(12, 15), slice(1, 15)), (40, 60, 110))),
    "clean": _gleam,
    "turned_on": _fill(
        ((slice(1, 6), slice(10, 15)), (255, 246, 120)), ((slice(2, 5), slice(11, 14)), (120, 255, 120))
    ),
    "broken": _cracks,
    "hot": _rim((255, 84, 20)),
    "cold": _rim((110, 190, 255)),
}
_LAYER = {name: layer for layer, name in enumerate(_MARKS)}
#: The states that leave a mark of their own.
MARKED = frozenset(_MARKS)
