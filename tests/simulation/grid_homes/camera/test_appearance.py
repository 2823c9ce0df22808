from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from foretree.simulation.grid_homes.camera._appearance import clean_crop, grainy
from foretree.simulation.grid_homes.camera.noise import load_noise

COLOURS = {
    "mug": (196, 72, 60),
    "plate": (222, 222, 214),
    "pan": (52, 52, 56),
    "fridge": (226, 230, 233),
    "jug": (40, 96, 232),
}
MARKS = (
    "open",
    "turned_on",
    "clean",
    "hot",
    "cold",
    "sliced",
    "has_water",
    "has_coffee",
    "cooked",
    "broken",
    "watered",
)
COMBINATIONS = [
    (),
    *((state,) for state in MARKS),
    *combinations(("clean", "hot", "has_coffee", "broken"), 2),
]


#: No two things of a class have quite the same colour.
SHADES = [[(7 * number + 5 * part) % 29 - 14 for part in range(3)] for number in range(10)]


def described(picture):
    """A coarse description such as an agent may use: the mean colour of each patch, and how lively it is."""
    patches = picture.astype(float).reshape(4, 4, 4, 4, 3).transpose(0, 2, 1, 3, 4).reshape(16, 16, 3)
    description = np.concatenate([patches.mean(axis=1).ravel(), patches.std(axis=1).ravel()])
    return description - description.mean()


@pytest.mark.parametrize("class_name", COLOURS)
def test_states_are_told_apart_by_the_most_similar_known_picture(class_name: str):
    colour = COLOURS[class_name]
    known = {states: described(clean_crop(class_name, colour, states)) for states in COMBINATIONS}
    table = np.stack([one / np.linalg.norm(one) for one in known.values()])
    grain = load_noise().grain
    wrong = {"near": 0, "far": 0}
    looks = 0
    for states in COMBINATIONS:
        for number in range(10):
            for how, amount in (("near", grain.near), ("far", grain.far)):
                like_it = tuple(np.clip(np.add(colour, SHADES[number]), 0, 255).tolist())
                one = described(grainy(clean_crop(class_name, like_it, states), amount, 977 * number))
                nearest = COMBINATIONS[int((table @ one).argmax())]
                wrong[how] += nearest != states
            looks += 1
    assert wrong["near"] == 0
    assert wrong["far"] <= 0.02 * looks


def test_a_state_without_a_mark_of_its_own_shows_all_the_same():
    plain = clean_crop("mug", COLOURS["mug"], ()).astype(int)
    for state in ("enchanted", "rusty"):
        assert np.abs(clean_crop("mug", COLOURS["mug"], (state,)).astype(int) - plain).sum() > 500


def test_the_order_of_states_does_not_show():
    one = clean_crop("mug", COLOURS["mug"], ("clean", "hot"))
    np.testing.assert_array_equal(one, clean_crop("mug", COLOURS["mug"], ("hot", "clean")))


def test_grain_is_as_strong_as_asked_and_repeats():
    flat = np.full((16, 16, 3), 128, dtype=np.uint8)
    pictures = [grainy(flat, 5, number) for number in range(0, 60_000, 777)]
    assert np.std([picture.astype(int) - 128 for picture in pictures]) == pytest.approx(5, abs=0.2)
    np.testing.assert_array_equal(grainy(flat, 5, 12345), grainy(flat, 5, 12345))
    assert (grainy(flat, 5, 12345) != grainy(flat, 5, 54321)).any()
    assert grainy(flat, 0, 1) is flat
