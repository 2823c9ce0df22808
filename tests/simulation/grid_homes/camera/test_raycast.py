"""The picture of boxes, against one that asks every pixel's ray about every face of every box."""

from __future__ import annotations

from itertools import product
from math import cos, inf, radians, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.simulation.grid_homes.camera._raycast import BACKGROUND, Solids, raycast
from foretree.world_model.camera_model import Lens, Stance

CEILING = 2.5


def slow_cast(bounds, owners, stance: Stance, lens: Lens):
    """Whose surface each pixel shows and how deep it is, face by face, straight from the definition."""
    heading, pitch = radians(stance.heading), radians(stance.pitch)
    forward = np.array([cos(pitch) * cos(heading), cos(pitch) * sin(heading), sin(pitch)])
    right = np.array([sin(heading), -cos(heading), 0.0])
    up = np.cross(right, forward)
    eye = np.array([stance.x, stance.y, stance.eye])
    owner = np.full((lens.height, lens.width), BACKGROUND)
    depth = np.full((lens.height, lens.width), inf)
    for row in range(lens.height):
        for column in range(lens.width):
            u = (column + 0.5 - lens.width / 2) / lens.focal
            v = (lens.height / 2 - row - 0.5) / lens.focal
            ray = forward + u * right + v * up
            best, whose = inf, BACKGROUND
            for z in (0.0, CEILING):
                if abs(ray[2]) > 1e-12 and 0 < (z - eye[2]) / ray[2] <= lens.far:
                    best = min(best, (z - eye[2]) / ray[2])
            for box, number in zip(bounds, owners, strict=True):
                for axis in range(3):
                    if abs(ray[axis]) < 1e-12:
                        continue
                    face = box[axis] if ray[axis] > 0 else box[axis + 3]  # the one that is met from outside
                    t = (face - eye[axis]) / ray[axis]
                    point = eye + t * ray
                    others = [k for k in range(3) if k != axis]
                    if not all(box[k] <= point[k] <= box[k + 3] for k in others):
                        continue
                    if lens.near <= t <= lens.far and t < best:
                        best, whose = t, number
            owner[row, column], depth[row, column] = whose, best
    return owner, depth


def random_scene(seed: int, boxes: int):
    draw = np.random.default_rng(seed)
    low = draw.uniform([-5, -5, 0], [5, 5, 1.8], (boxes, 3))
    size = draw.uniform(0.05, [2.0, 2.0, 1.5], (boxes, 3)) * draw.choice([0.3, 1.0], (boxes, 1))
    bounds = np.concatenate((low, low + size), axis=1)
    owners = np.sort(draw.integers(BACKGROUND, boxes // 2 + 1, boxes))
    stance = Stance(
        x=float(draw.uniform(-1, 1)),
        y=float(draw.uniform(-1, 1)),
        heading=int(draw.choice([0, 90, 180, 270])),
        pitch=int(draw.choice([-60, -30, 0, 30])),
        eye=float(draw.uniform(0.8, 1.6)),
    )
    return bounds, owners, stance


@given(st.integers(0, 10**9), st.integers(0, 14), st.sampled_from([(90, 8.0), (90, 2.0), (50, 4.0)]))
@settings(max_examples=60, deadline=None)
def test_a_picture_is_what_every_ray_says(seed: int, boxes: int, optics: tuple[int, float]):
    bounds, owners, stance = random_scene(seed, boxes)
    lens = Lens(width=24, height=18, fov=optics[0], far=optics[1])
    view = raycast(Solids.of(bounds, owners), stance, lens, CEILING)
    owner, depth = slow_cast(bounds, owners, stance, lens)
    np.testing.assert_array_equal(view.owner, owner)
    np.testing.assert_allclose(view.depth, depth, rtol=1e-9)
    things = view.pixels.shape[0]
    assert view.pixels.tolist() == [int((owner == thing).sum()) for thing in range(things)]
    assert ((view.visible > 0) == (view.pixels > 0)).all()
    assert (view.visible <= 1).all()


@pytest.mark.parametrize("pitch", [-60, -30, 0, 30])
def test_nothing_at_the_edge_of_the_view_is_left_out(pitch: int):
    around = [
        [far * cos(radians(angle)), far * sin(radians(angle)), height]
        for far, height, angle in product((0.7, 2.5), (0.1, 1.2, 2.2), range(-75, 76, 10))
    ]
    bounds = [[x - 0.1, y - 0.1, z - 0.1, x + 0.1, y + 0.1, z + 0.1] for x, y, z in around]
    stance, lens = Stance(0, 0, 0, pitch), Lens(width=16, height=12)
    view = raycast(Solids.of(bounds, range(len(bounds))), stance, lens, CEILING)
    owner, _ = slow_cast(bounds, range(len(bounds)), stance, lens)
    np.testing.assert_array_equal(view.owner, owner)


def test_the_picture_is_as_large_as_the_lens_says():
    view = raycast(Solids.of([], []), Stance(0, 0, 0), Lens(), CEILING)
    assert view.owner.shape == view.depth.shape == (72, 96)
    assert (view.owner == BACKGROUND).all()
    assert np.isinf(view.depth[36, 48]), "the floor ahead is farther away than the lens can see"
    assert view.depth[71, 0] == pytest.approx(1.4 / (35.5 / 48))


def test_a_box_across_the_whole_view_hides_what_is_behind_it():
    screen, mug = [1, -3, 0, 1.1, 3, 2.5], [2, -0.1, 1, 2.2, 0.1, 1.2]
    view = raycast(Solids.of([mug, screen], [0, 1]), Stance(0, 0, 0), Lens(), CEILING)
    assert view.pixels[0] == 0
    assert view.visible[0] == 0
    assert view.pixels[1] == 72 * 96


@pytest.mark.parametrize("heading", [0, 90, 180, 270])
def test_what_is_ahead_fills_the_middle_whichever_way_one_looks(heading: int):
    ahead = {0: (2, 0), 90: (0, 2), 180: (-2, 0), 270: (0, -2)}[heading]
    x, y = ahead
    view = raycast(
        Solids.of([x - 0.2, y - 0.2, 1.2, x + 0.2, y + 0.2, 1.6], [0]), Stance(0, 0, heading), Lens(), CEILING
    )
    rows, columns = np.nonzero(view.owner == 0)
    assert rows.mean() == pytest.approx(35.5)
    assert columns.mean() == pytest.approx(47.5)
    assert view.depth[35, 47] == pytest.approx(1.8)
    assert view.visible[0] == pytest.approx(1)


def test_half_hidden_is_half_visible():
    thing, screen = [3, -0.3, 1.1, 3.1, 0.3, 1.7], [1, -2, 0, 1.1, 0, 2.5]
    view = raycast(Solids.of([thing, screen], [0, 1]), Stance(0, 0, 0), Lens(), CEILING)
    assert view.visible[0] == pytest.approx(0.5, abs=0.06)


def test_cut_off_by_the_edge_is_less_visible():
    def thing(y: float):
        return raycast(
            Solids.of([2, y - 0.3, 1.2, 2.05, y + 0.3, 1.6], [0]), Stance(0, 0, 0), Lens(), CEILING
        )

    assert thing(0).visible[0] == pytest.approx(1)
    assert thing(2).visible[0] == pytest.approx(0.5, abs=0.1)
    assert thing(2.1).visible[0] < thing(2).visible[0]


def test_a_thing_of_several_boxes_counts_what_it_hides_of_itself_once():
    back, front = [3, -0.5, 0.5, 3.1, 0.5, 1.5], [2.5, -0.4, 0.6, 2.6, 0.4, 1.2]
    view = raycast(Solids.of([back, front], [0, 0]), Stance(0, 0, 0), Lens(), CEILING)
    assert view.visible[0] == pytest.approx(1)


def test_silhouettes_of_several_things_are_counted_apart():
    one = [[3, -1, 0.5, 3.1, -0.5, 1.5], [3, -0.5, 0.5, 3.1, -0.4, 1.5]]
    other = [[3, 0.4, 0.5, 3.1, 0.5, 1.5], [3, 0.5, 0.5, 3.1, 1, 1.5]]
    view = raycast(Solids.of(one + other, [0, 0, 1, 1]), Stance(0, 0, 0), Lens(), CEILING)
    assert view.visible.tolist() == pytest.approx([1, 1])


def test_a_thing_of_which_one_part_is_hidden_is_partly_visible():
    left, right, screen = [3, 0, 1.2, 3.1, 0.5, 1.6], [3, -0.5, 1.2, 3.1, 0, 1.6], [1, -2, 0, 1.1, 0, 2.5]
    view = raycast(Solids.of([screen, left, right], [0, 1, 1]), Stance(0, 0, 0), Lens(), CEILING)
    assert view.visible[1] == pytest.approx(0.5, abs=0.06)


def test_one_looks_out_of_a_box_one_is_in():
    view = raycast(
        Solids.of([[-1, -1, 0, 1, 1, 2], [2, -1, 0, 3, 1, 2]], [0, 1]), Stance(0, 0, 0), Lens(), CEILING
    )
    assert view.pixels[0] == 0
    assert view.pixels[1] > 0


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("heading", [0, 90, 180, 270])
def test_of_two_that_are_equally_near_the_first_is_seen(first: int, heading: int):
    small, large = [2.0, -0.2, 1.2, 2.3, 0.2, 1.6], [2.0, -0.6, 1.0, 2.1, 0.6, 1.8]
    turned = [_turned(box, heading) for box in (small, large)]
    view = raycast(
        Solids.of([turned[first], turned[1 - first]], [0, 1]), Stance(0, 0, heading), Lens(), CEILING
    )
    assert view.owner[36, 48] == 0
    assert (view.pixels > 0).tolist() == ([True, True] if first == 0 else [True, False])


def _turned(box: list[float], heading: int) -> list[float]:
    turn = radians(heading)
    corners = [
        (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x in box[::3] for y in box[1::3]
    ]
    xs, ys = (sorted(round(side, 9) for side in sides) for sides in zip(*corners, strict=True))
    return [xs[0], ys[0], box[2], xs[-1], ys[-1], box[5]]
