"""What things look like close up: small pictures, drawn from the class and the states.

A class has a colour and a texture of its own; every state leaves a mark. What the marks are is of no
importance; that they are visible is: whoever has seen a few labelled pictures can tell the states apart by
comparing.
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

#: Behind a thing.
_BACKDROP = (96.0, 96.0, 96.0)
#: How strongly a texture varies the colour, in shades.
_TEXTURE = 26.0
#: So many numbers of grain are drawn once, and used from different places on.
_GRAIN = 1 << 16


@lru_cache(maxsize=4096)
def clean_crop(class_name: str, colour: Colour, states: tuple[str, ...]) -> Picture:
    """The picture of a thing without any grain, read-only.

    Args:
        class_name: its class.
        colour: red, green and blue, 0 to 255.
        states: those that it has. One that has no mark of its own gets some mark or other.
    """
    canvas = np.empty((CROP, CROP, 3), dtype=np.float32)
    canvas[:] = _BACKDROP
    rows, columns, texture = _texture(class_name)
    canvas[rows, columns] = np.asarray(colour, dtype=np.float32) + texture
    for state in sorted(states, key=lambda name: (_LAYER.get(name, len(_LAYER)), name)):
        _MARKS.get(state, _any_mark)(canvas, state)
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    picture.setflags(write=False)
    return picture


@lru_cache(maxsize=1024)
def _texture(class_name: str) -> tuple[slice, slice, _Canvas]:
    """Which rows and columns of a picture things of a class cover, and how much lighter each pixel is."""
    draw = _generator(class_name)
    margins = draw.integers(0, 3, 2)  # classes differ in outline, too
    texture = draw.uniform(-_TEXTURE, _TEXTURE, (CROP // 4, CROP // 4)).repeat(4, axis=0).repeat(4, axis=1)
    rows = slice(margins[0], CROP - margins[0])
    columns = slice(margins[1], CROP - margins[1])
    return rows, columns, texture[rows, columns, None].astype(np.float32)


def grainy(picture: Picture, amount: float, number: int) -> Picture:
    """*picture* as a camera with grain takes it.

    Args:
        picture: without grain.
        amount: the standard deviation, in shades.
        number: which grain; the same number gives the same.
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


def _gleam(canvas: _Canvas, state: str) -> None:
    for step in range(5):
        for row, column in ((1 + step, 6 - step), (10 + step, 14 - step)):
            canvas[row, column] = (120, 255, 255)
            canvas[row, column + 1] = (16, 72, 96)  # an edge, so that it shows on what is white, too


def _hot_rim(canvas: _Canvas, state: str) -> None:
    _rim(canvas, (255, 84, 20))


def _cold_rim(canvas: _Canvas, state: str) -> None:
    _rim(canvas, (110, 190, 255))


def _rim(canvas: _Canvas, colour: Colour) -> None:
    canvas[0] = canvas[-1] = canvas[:, 0] = canvas[:, -1] = colour


def _dark_inside(canvas: _Canvas, state: str) -> None:
    canvas[3:13, 3:13] = (214, 214, 206)  # an edge, so that it shows on what is dark
    canvas[4:12, 4:12] = (22, 20, 24)


def _light(canvas: _Canvas, state: str) -> None:
    canvas[1:6, 10:15] = (255, 246, 120)
    canvas[2:5, 11:14] = (120, 255, 120)


def _stripes(canvas: _Canvas, state: str) -> None:
    canvas[1:15, 2::4] = (250, 244, 226)
    canvas[1:15, 3::4] *= 0.6


def _water(canvas: _Canvas, state: str) -> None:
    canvas[6:10, 2:14] = (40, 96, 232)


def _coffee(canvas: _Canvas, state: str) -> None:
    canvas[6:10, 2:14] = (58, 28, 10)
    canvas[6, 2:14] = (196, 150, 96)


def _crust(canvas: _Canvas, state: str) -> None:
    canvas[0:16:2] = 0.25 * canvas[0:16:2] + np.array((96, 50, 12), dtype=np.float32)


def _cracks(canvas: _Canvas, state: str) -> None:
    for row in range(CROP):
        column = 4 + (row * 5) % 9
        canvas[row, column] = (0, 0, 0)
        canvas[row, (column + 1) % CROP] = (255, 255, 255)
        canvas[row, (column + 7) % CROP] = (0, 0, 0)


def _wet_foot(canvas: _Canvas, state: str) -> None:
    canvas[12:15, 1:15] = (40, 60, 110)


def _any_mark(canvas: _Canvas, state: str) -> None:
    draw = _generator(f"mark of {state}")
    for row, column in draw.integers(0, CROP - 3, (3, 2)):
        canvas[row : row + 3, column : column + 3] = draw.integers(0, 256, 3)


#: What each state looks like, in the order in which marks are laid over each other.
_MARKS: Mapping[str, Callable[[_Canvas, str], None]] = {
    "open": _dark_inside,
    "cooked": _crust,
    "sliced": _stripes,
    "has_water": _water,
    "has_coffee": _coffee,
    "watered": _wet_foot,
    "clean": _gleam,
    "turned_on": _light,
    "broken": _cracks,
    "hot": _hot_rim,
    "cold": _cold_rim,
}
_LAYER = {name: layer for layer, name in enumerate(_MARKS)}
#: The states that leave a mark of their own.
MARKED = frozenset(_MARKS)
