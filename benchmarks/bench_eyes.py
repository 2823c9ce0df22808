"""What eyes cost: from a frame of a grid home to an observation, and the parts of that.

    python -m pytest benchmarks/bench_eyes.py

Frames are those of a body that stands before the furniture of homes with 60 items. The test at the end
compares with a peer that runs in between, by processor time.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import lru_cache
from itertools import cycle

import numpy as np
import pytest
from peers import beside_sorting

from foretree.config import find_config
from foretree.perception._frame_geometry import frame_geometry
from foretree.perception.eyes import Eyes, open_eyes
from foretree.perception.frame import Frame, Lens
from foretree.perception.relations import AffordedBearing, find_support_relations
from foretree.simulation.grid_homes.episode import open_episode
from foretree.simulation.grid_homes.home import Posture
from foretree.world_model.ontology_file import load_ontology

LAYOUTS = ("galley_kitchen/0", "studio/0", "studio/1", "hall_flat/0", "hall_flat/1")
LENS = Lens()


@lru_cache(maxsize=1)
def frames() -> tuple[Frame, ...]:
    """Frames with 12 to 18 masks."""
    found = []
    for layout in LAYOUTS:
        body = open_episode(layout, seed=1, things=90)
        home = body.rules.home
        for piece in home.layout.pieces:
            for spot in home.layout.spots_before(piece):
                for pitch in (0, -30):
                    home.posture = Posture(spot, (piece.facing + 180) % 360, pitch)
                    picture = body.camera.take()
                    if 12 <= len(picture.frame.masks) <= 18:
                        found.append(picture.frame)
    return tuple(found)


@lru_cache(maxsize=1)
def eyes() -> Eyes:
    """Eyes for the homes."""
    return open_eyes(LENS, AffordedBearing(load_ontology(find_config("domains", "household"))))


def all_of(act: Callable[[Frame], object]) -> Callable[[], None]:
    """One call after the other for each frame."""

    def run() -> None:
        for frame in frames():
            act(frame)

    return run


@pytest.mark.benchmark(group="all frames")
def test_see(benchmark):
    benchmark(all_of(lambda frame: eyes().see(frame, 0.0)))


@pytest.mark.benchmark(group="all frames")
def test_surfaces(benchmark):
    benchmark(all_of(lambda frame: frame_geometry(frame, LENS)))


@pytest.mark.benchmark(group="all frames")
def test_relations(benchmark):
    seen = [
        (frame_geometry(frame, LENS), [max(mask.scores, key=mask.scores.__getitem__) for mask in frame.masks])
        for frame in frames()
    ]
    benchmark(lambda: [find_support_relations(surfaces, names, eyes().bearing) for surfaces, names in seen])


@pytest.mark.benchmark(group="all frames")
def test_states(benchmark):
    def judge(frame: Frame) -> None:
        crops = np.stack([mask.crop for mask in frame.masks])
        names = [max(mask.scores, key=mask.scores.__getitem__) for mask in frame.masks]
        eyes().gallery.judge(eyes().gallery.describer.describe(crops), names)

    benchmark(all_of(judge))


def test_a_frame_with_15_masks_takes_no_longer_than_so_many_sorts_of_its_pixels(capsys):
    for frame in frames():
        eyes().see(frame, 0.0)
    turn = cycle(frames())
    ratio = beside_sorting(lambda: eyes().see(next(turn), 0.0), 5 * len(frames()), statistics.median)
    masks = statistics.mean(len(frame.masks) for frame in frames())
    with capsys.disabled():
        print(f"\na frame with {masks:.1f} masks takes as long as {ratio:.1f} sorts of its pixels")
    assert 13 <= masks <= 17
    assert ratio <= 65
