"""Work to compare with, so that benchmarks come out the same on a slow machine and on a busy one."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import process_time

import numpy as np

from foretree.world_model.camera_model import Lens

#: As many numbers as a picture has pixels.
_NUMBERS = np.random.default_rng(0).random(Lens().width * Lens().height, dtype=np.float32)


def processor_time(act: Callable[[], object], count: int) -> list[float]:
    """Seconds of the processor that each of so many calls takes."""
    spent = []
    for _ in range(count):
        begin = process_time()
        act()
        spent.append(process_time() - begin)
    return spent


def sorting() -> None:
    """The peer of what is done with a picture: sort as many numbers as that has pixels."""
    np.sort(_NUMBERS)


def beside_sorting(
    act: Callable[[], object],
    count: int,
    middle: Callable[[list[float]], float] = statistics.mean,
) -> float:
    """How many times as long as its peer something takes, in the middle; the peer runs after each call."""
    mine, peers = [], []
    for _ in range(count):
        mine += processor_time(act, 1)
        peers += processor_time(sorting, 1)
    return middle(mine) / middle(peers)
