from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from foretree.config import find_config
from foretree.perception.gallery import load_pictures
from foretree.simulation.grid_homes import training_data
from foretree.simulation.grid_homes.camera.noise import EXCLUSIVE
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout
from foretree.simulation.grid_homes.training_data import training_pictures, training_places
from foretree.world_model.likely_places import load_likely_places


@pytest.fixture(scope="module")
def pictures():
    return training_pictures(2)


def test_pictures_say_what_things_are_and_in_which_states(pictures):
    assert len(pictures.crops) > 20
    assert {"clean", "open", "hot"} <= set(pictures.states)
    rows = pictures.rows()
    assert len({(name, tuple(sorted(states.items()))) for _, name, states in rows}) == len(rows)
    mug = next((states for _, name, states in rows if name in ("mug", "cup", "glass", "bowl")), None)
    assert mug is None or "clean" in mug


def test_they_are_taken_in_homes_that_may_be_learned_from(monkeypatch):
    drawn = []

    def noted(name: str):
        drawn.append(generate_layout(name))
        return drawn[-1]

    monkeypatch.setattr(training_data, "generate_layout", noted)
    training_pictures(1)
    assert drawn
    assert all(layout.seen for layout in drawn)


def test_the_same_homes_give_the_same_pictures(pictures):
    again = training_pictures(2)
    np.testing.assert_array_equal(again.crops, pictures.crops)
    assert again.class_names == pictures.class_names


def test_the_gallery_that_comes_with_foretree_was_made_so(pictures):
    """It was taken in more homes; of what these show, it has the like."""
    known = {
        (name, tuple(sorted(states.items())))
        for _, name, states in load_pictures(find_config("homes", "gallery", ".npz")).rows()
    }
    shown = [(name, tuple(sorted(states.items()))) for _, name, states in pictures.rows()]
    assert sum(one in known for one in shown) > 0.8 * len(shown)


def test_what_chance_has_not_shown_is_shown_on_purpose(pictures):
    chance, purpose = training_pictures(12), training_pictures(2, more=10)
    assert len(purpose.crops) > 1.1 * len(chance.crops)
    kept = {crop.tobytes() for crop in purpose.crops}
    assert all(crop.tobytes() in kept for crop in pictures.crops)


def test_the_gallery_that_comes_with_foretree_shows_each_class_in_all_states_it_can_be_in_at_once():
    shown: dict[str, list[dict[str, bool]]] = {}
    for _, name, states in load_pictures(find_config("homes", "gallery", ".npz")).rows():
        shown.setdefault(name, []).append(dict(states))
    assert {"carrot_slice", "mug", "fridge"} <= shown.keys()
    for name, rows in shown.items():
        every = [
            dict(zip(rows[0], values, strict=True)) for values in product((False, True), repeat=len(rows[0]))
        ]
        for states in every:
            if not any(states.get(one) and states.get(other) for one, other in EXCLUSIVE):
                assert states in rows, name


def test_places_are_learned_in_homes_that_may_be_learned_from(monkeypatch):
    drawn = []

    def noted(name: str):
        drawn.append(generate_layout(name))
        return drawn[-1]

    monkeypatch.setattr(training_data, "generate_layout", noted)
    places = training_places(3)
    assert len(drawn) == 3
    assert all(layout.seen for layout in drawn)
    assert places == training_places(3)
    assert all(sum(shares.values()) == pytest.approx(100, abs=1) for shares in places.values())


def test_the_expectations_that_come_with_foretree_were_learned_so():
    """In more homes; what is usual in a few is usual there."""
    likely = load_likely_places(frozen=True)
    for item, shares in training_places(20).items():
        place, share = next(iter(shares.items()))
        if share > 50:
            assert likely.likelihood(item, [*shares, "bathtub"])[place] > 0.1, (item, place)
