"""What a camera sees of a home: what is there, with the errors that the noise says and no others."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.simulation.grid_homes._object_classes import load_object_classes
from foretree.simulation.grid_homes.camera._appearance import clean_crop
from foretree.simulation.grid_homes.camera._raycast import raycast
from foretree.simulation.grid_homes.camera.camera import (
    EYE,
    Camera,
    CameraImage,
    VisibleScene,
    visible_states,
    wall_boxes,
)
from foretree.simulation.grid_homes.camera.noise import ByBand, NoiseModel, load_noise
from foretree.simulation.grid_homes.episode import open_episode
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, Posture
from foretree.simulation.grid_homes.layouts.geometry import CELL, centre_of
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.world_model.camera_model import Lens, Stance

LENS = Lens()
NONE = load_noise().times(0)


def empty_home(layout: str = "galley_kitchen/0") -> Home:
    drawn = generate_layout(layout)
    return Home(drawn, load_object_classes(), Posture(min(drawn.reachable), 0))


def add(home: Home, class_name: str, relation: str, place: str, states: tuple[str, ...] = ()) -> HomeObject:
    """Put a new thing somewhere on, in or under the first piece of furniture of a class."""
    support, body = home.of_class(place)[0], home.classes.items[class_name]
    x0, y0, z0, x1, y1, z1 = support.extent
    spot = home.spot(body.size, support, relation, ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2))
    assert spot is not None
    return home.add(class_name, set(states), body.colour, Placement(relation, support.id), spot)


def stand_before(home: Home, place: str, pitch: int = -30) -> None:
    piece = home.of_class(place)[0].piece
    assert piece is not None
    home.posture.cell = home.layout.spots_before(piece)[0]
    home.posture.heading = (piece.facing + 180) % 360
    home.posture.pitch = pitch


def camera(home: Home, noise: NoiseModel = NONE, seed: int = 1) -> Camera:
    return Camera(home, LENS, noise, seed)


def only(**rates: float) -> NoiseModel:
    """No errors but these, in all bands alike."""
    return NONE.model_copy(
        update={kind: ByBand(far=rate, middle=rate, near=rate) for kind, rate in rates.items()}
    )


def seen_classes(picture: CameraImage) -> set[str]:
    return {max(mask.scores, key=lambda name: mask.scores[name]) for mask in picture.frame.masks}


def mask_of(picture: CameraImage, thing: HomeObject):
    label = {thing_id: label for label, thing_id in picture.things.items()}[thing.id]
    return next(mask for mask in picture.frame.masks if mask.label == label)


def test_what_is_in_a_closed_container_is_not_seen_and_in_an_open_one_it_is():
    home = empty_home()
    milk = add(home, "milk", "in", "fridge")
    stand_before(home, "fridge")
    look = camera(home)
    assert "fridge" in seen_classes(look.take())
    assert "milk" not in seen_classes(look.take())
    home.set_state(home.of_class("fridge")[0], "open")
    assert "milk" in seen_classes(look.take())
    assert milk.id in look.take().in_view


def test_an_open_container_is_not_seen_into_from_behind_or_aside():
    home = empty_home("studio/0")
    milk = add(home, "milk", "in", "fridge")
    home.set_state(home.of_class("fridge")[0], "open")
    piece = home.of_class("fridge")[0].piece
    assert piece is not None
    look = camera(home)
    seen_from = set()
    for cell, heading in product(sorted(home.layout.reachable), (0, 90, 180, 270)):
        home.posture.cell, home.posture.heading = cell, heading
        if milk.id in look.take().in_view:
            seen_from.add(cell)
    assert seen_from
    x0, y0, x1, y1 = piece.foot
    for i, j in seen_from:
        x, y = (i + 0.5) * CELL, (j + 0.5) * CELL
        before = {0: x > x1, 90: y > y1, 180: x < x0, 270: y < y0}[piece.facing]
        assert before, f"milk is seen from {x}, {y} in a fridge that opens towards {piece.facing}"


def test_without_noise_all_is_as_it_is():
    home = empty_home()
    mug = add(home, "mug", "on", "counter", ("clean", "hot"))
    stand_before(home, "counter")
    picture = camera(home).take()
    mask = mask_of(picture, mug)
    assert mask.scores == {"mug": 0.99}
    np.testing.assert_array_equal(mask.crop, clean_crop("mug", mug.colour, ("clean", "hot")))
    rows, columns = np.nonzero(picture.frame.labels == mask.label)
    assert len(rows) >= 2
    assert 0 < mask.visible <= 1
    away = picture.frame.depth[rows, columns]
    assert np.all((away > 0.2) & (away < 2)), "it stands within reach"


def test_labels_are_those_of_masks_and_number_them_from_one():
    home = empty_home()
    for name in ("mug", "cup", "apple"):
        add(home, name, "on", "counter")
    stand_before(home, "counter")
    picture = camera(home, only(missed=0.3), seed=5).take()
    labels = [mask.label for mask in picture.frame.masks]
    assert labels == list(range(1, len(labels) + 1))
    assert set(np.unique(picture.frame.labels)) == {0, *labels}
    assert set(picture.things) == set(labels)
    assert picture.frame.labels.dtype == np.int16
    assert picture.frame.depth.dtype == np.float32


def test_what_is_missed_has_neither_mask_nor_pixels_but_its_depth():
    home = empty_home()
    stand_before(home, "counter")
    blind = camera(home, only(missed=1.0)).take()
    assert blind.frame.masks == ()
    assert not blind.frame.labels.any()
    assert blind.in_view
    np.testing.assert_array_equal(blind.frame.depth, camera(home).take().frame.depth)


def test_a_misread_state_shows_in_the_crop():
    home = empty_home()
    mug = add(home, "mug", "on", "counter", ("clean",))
    stand_before(home, "counter")
    mask = mask_of(camera(home, only(misread=1.0)).take(), mug)
    shown = [("broken", "has_coffee", "hot"), ("broken", "has_water", "hot"), ("broken", "cold", "has_water")]
    shown += [("broken", "cold", "has_coffee")]
    assert any((mask.crop == clean_crop("mug", mug.colour, states)).all() for states in shown)


def test_a_confused_thing_looks_like_what_it_is_taken_for():
    home = empty_home()
    milk = add(home, "milk", "on", "counter")
    milk.colour = (milk.colour[0] - 9, milk.colour[1] - 3, milk.colour[2] - 6)
    stand_before(home, "counter")
    mask = mask_of(camera(home, only(confused=1.0)).take(), milk)
    looks_like = max(mask.scores, key=lambda name: mask.scores[name])
    assert looks_like != "milk"
    # It is as much off the usual colour as it really is: else one could tell which things are mistaken.
    red, green, blue = home.classes.items[looks_like].colour
    np.testing.assert_array_equal(mask.crop, clean_crop(looks_like, (red - 9, green - 3, blue - 6), ()))


def test_what_is_far_or_mostly_hidden_is_seen_worst():
    home = open_episode("studio/0", seed=1).rules.home
    far_only = NONE.model_copy(update={"confused": ByBand(far=1.0, middle=0.0, near=0.0)})
    look, true = camera(home, far_only), camera(home)
    rng, worst, well = Random(0), 0, 0
    for _ in range(60):
        home.posture = Posture(rng.choice(sorted(home.layout.reachable)), rng.choice((0, 90, 180, 270)), -30)
        eye = np.array([*centre_of(home.posture.cell), EYE])
        picture, classes = look.take(), true.take()
        for mask, right in zip(picture.frame.masks, classes.frame.masks, strict=True):
            extents = [box.extent for box in home.boxes() if box.thing == picture.things[mask.label]]
            nearest = np.clip(eye, np.min(extents, axis=0)[:3], np.max(extents, axis=0)[3:])
            is_bad = np.linalg.norm(nearest - eye) > 3 or mask.visible < 1 / 3
            looks_like = max(mask.scores, key=lambda name: mask.scores[name])
            (class_name,) = right.scores
            if class_name in NONE.look_alikes:
                assert (looks_like != class_name) is bool(is_bad)
                worst, well = worst + is_bad, well + (not is_bad)
    assert worst > 30
    assert well > 30


def same(one: CameraImage, other: CameraImage) -> bool:
    return (
        (one.frame.labels == other.frame.labels).all()
        and (one.frame.depth == other.frame.depth).all()
        and [mask.scores for mask in one.frame.masks] == [mask.scores for mask in other.frame.masks]
        and all((a.crop == b.crop).all() for a, b in zip(one.frame.masks, other.frame.masks, strict=True))
    )


def test_who_looks_again_from_the_same_place_sees_the_same():
    home = empty_home()
    for name in ("mug", "cup", "apple", "phone"):
        add(home, name, "on", "counter")
    stand_before(home, "counter")
    look = camera(home, load_noise().times(2))
    first, cell = look.take(), home.posture.cell
    assert same(first, look.take())
    home.posture.cell = sorted(home.layout.reachable)[7]
    look.take()
    home.posture.cell = cell
    assert same(first, look.take())
    assert same(first, camera(home, load_noise().times(2)).take())
    assert not same(first, camera(home, load_noise().times(2), seed=2).take())


def test_what_has_not_moved_is_cast_once_from_a_place(monkeypatch: pytest.MonkeyPatch):
    home = empty_home()
    mug, apple = (add(home, name, "on", "counter", states=("clean",)) for name in ("mug", "apple"))
    stand_before(home, "counter")
    noise, casts = load_noise().times(2), list[int]()
    monkeypatch.setattr(
        "foretree.simulation.grid_homes.camera.camera.raycast",
        lambda *all_of_it: casts.append(1) or raycast(*all_of_it),
    )
    look = camera(home, noise)

    def sees_as_a_new_camera_does() -> bool:
        with monkeypatch.context() as apart:
            apart.setattr("foretree.simulation.grid_homes.camera.camera.raycast", raycast)
            fresh = camera(home, noise).take()
        return same(look.take(), fresh)

    assert sees_as_a_new_camera_does()
    home.set_state(mug, "clean", False)
    assert sees_as_a_new_camera_does()
    home.posture.pitch -= 30
    assert sees_as_a_new_camera_does()
    home.posture.pitch += 30
    assert sees_as_a_new_camera_does()
    assert len(casts) == 2
    home.grasp(apple)
    assert sees_as_a_new_camera_does()
    assert len(casts) == 3


def test_nodding_is_no_new_view_of_a_thing():
    home = empty_home()
    things = [add(home, name, "on", "counter") for name in ("mug", "cup", "apple", "phone")]
    stand_before(home, "counter")
    look = camera(home, only(confused=0.5))
    both = []
    for home.posture.pitch in (-30, 0):
        picture = look.take()
        both.append(
            {thing.id: mask_of(picture, thing).scores for thing in things if thing.id in picture.in_view}
        )
    for thing_id in set(both[0]) & set(both[1]):
        assert both[0][thing_id] == both[1][thing_id]
    assert set(both[0]) & set(both[1])


def test_another_heading_is_another_view():
    home = empty_home("studio/0")
    look, both, differ = camera(home, only(confused=0.5)), 0, 0
    for cell in sorted(home.layout.reachable)[::3]:
        views, home.posture.cell = [], cell
        for home.posture.heading in (0, 90):
            picture = look.take()
            views.append({picture.things[mask.label]: mask.scores for mask in picture.frame.masks})
        for thing_id in set(views[0]) & set(views[1]):
            both += 1
            differ += views[0][thing_id] != views[1][thing_id]
    assert both > 5
    assert differ > both / 2


def test_distances_are_those_to_the_nearest_points():
    home = open_episode("studio/0", seed=1).rules.home
    in_sight = VisibleScene.of(home, ())
    for x, y in ((1.0, 1.0), (2.5, 1.5), (3.0, 3.0)):
        for sight, distance in zip(in_sight.sights, in_sight.distances(Stance(x, y, 0)), strict=True):
            extents = [box.extent for box in home.boxes() if box.thing == sight.thing.id]
            eye = np.array([x, y, EYE])
            nearest = np.clip(eye, np.min(extents, axis=0)[:3], np.max(extents, axis=0)[3:])
            assert distance == pytest.approx(np.linalg.norm(nearest - eye))


def test_depth_errs_by_two_in_a_hundred():
    home = empty_home()
    stand_before(home, "counter", pitch=-30)
    true = camera(home).take().frame.depth
    ratio = camera(home, load_noise()).take().frame.depth / true
    assert np.std(ratio) == pytest.approx(0.02, rel=0.1)
    assert np.mean(ratio) == pytest.approx(1, abs=0.002)
    home.posture.pitch = 0
    other = camera(home, load_noise()).take().frame.depth / camera(home).take().frame.depth
    assert not np.allclose(other, ratio, atol=1e-4), "each way of looking errs in its own way"


def test_each_side_and_height_of_what_is_held_is_a_view_of_its_own():
    home = empty_home()
    mug = add(home, "mug", "on", "counter")
    stand_before(home, "counter")
    home.grasp(mug)
    look = camera(home, only(confused=0.5))
    views = {}
    for lift, turn in product((-1, 0, 1), range(4)):
        home.posture.lift, home.posture.turn = lift, turn
        held = look.take().frame.held
        assert held is not None
        assert not (look.take().frame.labels == held.label).any()
        views[lift, turn] = max(held.scores, key=lambda name: held.scores[name])
    assert 2 <= sum(name == "mug" for name in views.values()) <= 10, views
    cell = home.posture.cell
    home.posture.cell = next(other for other in sorted(home.layout.reachable) if other != cell)
    again = look.take().frame.held
    assert again is not None
    assert max(again.scores, key=lambda name: again.scores[name]) == views[1, 3], "it was not turned"


def test_what_is_held_is_never_overlooked():
    home = empty_home()
    mug = add(home, "mug", "on", "counter")
    home.grasp(mug)
    assert camera(home, only(missed=1.0)).take().frame.held is not None


def test_states_that_show_are_those_that_a_thing_can_have():
    home = empty_home()
    assert visible_states(home.of_class("fridge")[0]) == ("open",)
    apple = add(home, "apple", "on", "counter", ("cooked",))
    assert visible_states(apple) == ("clean", "cold", "cooked", "hot", "sliced")


cells = st.tuples(st.integers(0, 8), st.integers(0, 6))


@given(st.frozensets(cells, max_size=40))
@settings(max_examples=60, deadline=None)
def test_wall_boxes_cover_every_wall_that_can_be_seen_and_nothing_that_is_free(
    walls: frozenset[tuple[int, int]],
):
    covered = []
    for x0, y0, _, x1, y1, _ in wall_boxes(walls, 9, 7):
        covered += product(
            range(round(x0 / CELL), round(x1 / CELL)), range(round(y0 / CELL), round(y1 / CELL))
        )
    assert len(covered) == len(set(covered))
    free = set(product(range(9), range(7))) - walls
    assert not free & set(covered)
    beside_free = {(i + di, j + dj) for i, j in free for di, dj in product((-1, 0, 1), repeat=2)} - free
    assert beside_free == set(covered)
