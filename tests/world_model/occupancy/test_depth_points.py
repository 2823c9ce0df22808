"""From depth to surfaces: less noise, no blurred edges, and which way surfaces face."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from small_home import LENS, box, picture, standing

from foretree.world_model.occupancy.depth_points import (
    floor_samples,
    places,
    rays_of,
    surfaces,
    to_map,
    widest,
)
from foretree.world_model.occupancy.occupancy_grid import cells_under_disc

POSES = [(heading, pitch) for heading in (0, 90, 180, 270) for pitch in (30, 0, -30, -60)]


@pytest.mark.parametrize(("heading", "pitch"), POSES)
def test_noise_gets_less_and_edges_stay(heading, pitch):
    stance = standing((5, 4), heading, pitch)
    things = (box((8, 4), (9, 6), 0.9), box((5, 7), (6, 8), 0.6), box((1, 2), (2, 5), 1.2))
    truth, _ = picture(things, stance)
    noisy, labels = picture(things, stance, 0.02, seed=7)
    seen = surfaces(noisy, labels, stance, LENS)
    before, after = (np.std((depth / truth - 1)[np.isfinite(truth)]) for depth in (noisy, seen.depth))
    assert after < 0.4 * before
    exact = surfaces(truth, labels, stance, LENS)
    near = np.isfinite(truth)
    assert np.abs(exact.depth / truth - 1)[near].max() < 0.04, "edges stay, corners are hardly rounded"
    assert np.abs(exact.depth / truth - 1)[near].mean() < 0.001


@pytest.mark.parametrize(("heading", "pitch"), POSES)
def test_a_pixel_is_where_it_is_and_surfaces_are_gone_into(heading, pitch):
    stance = standing((5, 4), heading, pitch)
    truth, labels = picture((), stance)
    seen = surfaces(truth, labels, stance, LENS)
    pixels = np.flatnonzero((seen.height > 0.2) & (seen.height < 2.3) & (seen.company == 9))
    if not len(pixels):
        return  # it looks at the floor
    x, y = places(seen, pixels, 0.0, 1.0, stance, LENS)
    away = np.min(np.abs([x - 0, x - 4, y - 0, y - 3]), axis=0)
    assert np.quantile(away, 0.9) < 1e-3, "all on the walls"
    assert away.max() < 0.05, "corners are hardly rounded"
    x, y = places(seen, pixels, 1.0, 0.1, stance, LENS)
    inside = np.max([0 - x, x - 4, 0 - y, y - 3], axis=0)
    assert np.median(inside) == pytest.approx(0.1, abs=1e-3), "all of the way into the wall"
    assert np.quantile(inside, 0.1) > 0.08


def test_nothing_is_gone_into_from_above():
    stance = standing((5, 4), 0, -30)
    truth, labels = picture((box((8, 3), (10, 6), 0.7),), stance)
    seen = surfaces(truth, labels, stance, LENS)
    top = (np.abs(seen.height - 0.7) < 1e-3) & (seen.company == 9)
    assert top.sum() > 50
    # But for the pixels at its very edge, which are on its sides as well.
    assert np.quantile(np.abs(seen.lean[top]), 0.9) < 0.05
    assert np.quantile(np.abs(seen.slant[top]), 0.9) < 0.05


def test_what_is_not_seen_is_nowhere():
    stance = standing((5, 4))
    depth = np.full((LENS.height, LENS.width), np.inf, dtype=np.float32)
    seen = surfaces(depth, None, stance, LENS)
    assert np.isinf(seen.depth).all()
    assert np.isnan(seen.height).all()
    depth[10, 10] = 2.0
    seen = surfaces(depth, None, stance, LENS)
    assert seen.depth[10, 10] == 2.0
    assert seen.company[10, 10] == 1
    assert np.isinf(seen.depth).sum() == depth.size - 1


@pytest.mark.parametrize("pitch", [30, 0, -30, -60])
def test_samples_of_the_floor_lie_between_the_rays_that_show_it(pitch):
    samples = floor_samples(LENS, pitch, 1.4, 0.125, 5.0)
    rays = rays_of(LENS, pitch)
    if pitch == 30:
        assert not len(samples.ahead) or samples.ahead.min() > 1
    depth = rays.floor_depth(1.4)
    for pixels, sign in ((samples.upper, 1), (samples.lower, -1)):
        rows, columns = np.divmod(pixels, LENS.width)
        ahead, left = depth[rows] * rays.ahead[rows], depth[rows] * rays.left[columns]
        assert (sign * (ahead - samples.ahead) >= -1e-4).all()
        assert (np.abs(left - samples.left) <= 0.1 * np.abs(left) + 0.3).all()
    column = samples.ahead[samples.upper % LENS.width == 40]
    assert len(column) == 0 or np.abs(np.diff(np.sort(column))).max() <= 0.125 + 1e-4


def test_points_are_turned_with_the_body():
    ahead, left = np.float32([2.0]), np.float32([1.0])
    for heading, expected in ((0, (2, 1)), (90, (-1, 2)), (180, (-2, -1)), (270, (1, -2)), (360, (2, 1))):
        stance = standing((-1, -1), heading)
        x, y = to_map(ahead, left, stance)
        assert (x[0] - stance.x, y[0] - stance.y) == pytest.approx(expected)


@pytest.mark.parametrize("pitch", [30, 0, -30, -60])
def test_nothing_is_farther_away_than_is_made_room_for(pitch):
    rays = rays_of(LENS, pitch)
    assert np.abs(rays.ahead).max() <= widest(LENS, pitch)
    assert np.abs(rays.left).max() <= widest(LENS, pitch)


@pytest.mark.parametrize(
    ("radius", "count"), [(0.0, 1), (0.1, 1), (0.175, 5), (0.18, 9), (0.25, 9), (0.39, 13), (0.4, 21)]
)
def test_what_a_disc_covers(radius, count):
    cells = cells_under_disc(radius, 0.25)
    assert cells[0] == (0, 0)
    assert len(cells) == len(set(cells)) == count
    # By trying points: none of the disc is outside of the cells.
    for number in range(360):
        angle = number * np.pi / 180
        point = 0.999 * radius * np.cos(angle), 0.999 * radius * np.sin(angle)
        assert (int(np.floor(point[0] / 0.25 + 0.5)), int(np.floor(point[1] / 0.25 + 0.5))) in cells
    assert all(hypot(i, j) * 0.25 < radius + 0.25 for i, j in cells)
