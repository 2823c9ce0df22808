from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.simulation.grid_homes.camera.noise import Band, Recognition, RecognitionErrors, load_noise

STATES = {"clean": True, "hot": False, "cold": True, "has_water": False}
LOOKS = 20_000


def looks(factor: float, band: Band, class_name: str = "mug", count: int = LOOKS) -> list[Recognition | None]:
    eyes = RecognitionErrors(load_noise().times(factor), seed=3)
    return [eyes.recognise(f"thing{k % 50}", class_name, STATES, f"place {k}", band) for k in range(count)]


def close_to(rate: float, count: int) -> object:
    """Within four standard deviations of what *count* draws give."""
    return pytest.approx(rate, abs=4 * (max(rate * (1 - rate), 1e-4) / count) ** 0.5)


@pytest.mark.parametrize("factor", [0, 0.5, 1, 2, 3])
@pytest.mark.parametrize("band", Band)
def test_errors_are_as_frequent_as_the_noise_says(factor: float, band: Band):
    noise = load_noise().times(factor)
    seen = looks(factor, band)
    assert sum(one is None for one in seen) / LOOKS == close_to(noise.missed.of(band), LOOKS)
    there = [one for one in seen if one is not None]
    wrong = sum(one.looks_like != "mug" for one in there)
    assert wrong / len(there) == close_to(noise.confused.of(band), len(there))
    for state in ("clean", "has_water"):
        misread = sum((state in one.states) != STATES[state] for one in there)
        assert misread / len(there) == close_to(noise.misread.of(band), len(there))


def test_what_a_thing_is_taken_for_is_drawn_from_the_matrix():
    wrong = Counter(one.looks_like for one in looks(1, Band.FAR) if one and one.looks_like != "mug")
    for name, share in load_noise().look_alikes["mug"].items():
        assert wrong[name] / wrong.total() == close_to(share, wrong.total())


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_a_score_says_how_often_it_is_right(factor: float):
    right: Counter[int] = Counter()
    all_: Counter[int] = Counter()
    for band in Band:
        for one in looks(factor, band):
            if one is not None:
                decile = int(one.scores[one.looks_like] * 10)
                all_[decile] += 1
                right[decile] += one.looks_like == "mug"
    for decile, count in all_.items():
        if count > 500:
            assert abs(right[decile] / count - (decile + 0.5) / 10) < 0.05 + 2 / count**0.5


@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(load_noise().look_alikes)),
    st.sampled_from(Band),
    st.floats(0, 3),
)
@settings(max_examples=200, deadline=None)
def test_scores_are_a_distribution_with_what_it_looks_like_first(
    k: int, name: str, band: Band, factor: float
):
    one = RecognitionErrors(load_noise().times(factor), seed=k).recognise("a", name, STATES, "b", band)
    if one is not None:
        assert sum(one.scores.values()) <= 1 + 1e-9
        assert all(0 <= score < 1 for score in one.scores.values())
        assert max(one.scores, key=lambda other: one.scores[other]) == one.looks_like
        assert not {"hot", "cold"} <= set(one.states)


def test_the_same_look_errs_the_same_way_and_another_one_does_not():
    eyes = RecognitionErrors(load_noise(), seed=1)

    def from_(viewpoint: str, thing: str = "mug3", eyes: RecognitionErrors = eyes) -> Recognition | None:
        return eyes.recognise(thing, "mug", STATES, viewpoint, Band.FAR)

    places = [f"{k}" for k in range(200)]
    first = [from_(place) for place in places]
    assert [from_(place) for place in reversed(places)][::-1] == first
    assert [from_(place, thing="mug4") for place in places] != first
    assert [from_(place, eyes=RecognitionErrors(load_noise(), seed=2)) for place in places] != first
    assert len({one and (one.looks_like, one.states) for one in first}) > 3


def test_a_thing_that_has_changed_is_looked_at_anew():
    eyes = RecognitionErrors(load_noise(), seed=1)
    unwashed, washed = {"clean": True}, {"clean": False}
    both = [
        (
            eyes.recognise(f"mug{k}", "mug", unwashed, "here", Band.FAR),
            eyes.recognise(f"mug{k}", "mug", washed, "here", Band.FAR),
        )
        for k in range(4000)
    ]
    misread = [(("clean" not in was.states), ("clean" in now.states)) for was, now in both if was and now]
    again = sum(now for was, now in misread if was) / sum(was for was, _ in misread)
    assert again == pytest.approx(0.2, abs=0.06), "an error about how it was says nothing about how it is"


def test_without_noise_everything_is_seen_as_it_is():
    for one in looks(0, Band.FAR, count=200):
        assert one is not None
        assert one.looks_like == "mug"
        assert one.scores == {"mug": 0.99}
        assert one.states == ("clean", "cold")


def test_what_has_no_look_alikes_is_never_mistaken():
    assert all(one is None or one.looks_like == "bathtub" for one in looks(3, Band.FAR, "bathtub", 500))


# -- how long errors last ---


def views(eyes: RecognitionErrors, places: list[tuple[float, float]]) -> list[str]:
    return [eyes.viewpoint(f"own {number}", place) for number, place in enumerate(places)]


def test_without_persistence_each_view_is_its_own():
    places = [(0.1 * at, 0.0) for at in range(10)]
    assert views(RecognitionErrors(load_noise(), seed=1), places) == [f"own {at}" for at in range(10)]


def test_views_from_near_by_share_their_errors_whatever_their_heading():
    eyes = RecognitionErrors(load_noise().lasting(1.0), seed=1)
    places = [(0.25 * at, 0.0) for at in range(40)]
    counted = Counter(views(eyes, places))
    assert max(counted.values()) == 4, "a metre has four cells"
    assert 10 <= len(counted) <= 11
    assert views(eyes, places) == views(eyes, places)
    others = (RecognitionErrors(load_noise().lasting(1.0), seed) for seed in range(8))
    first = {Counter(views(other, places))[other.viewpoint("", places[0])] for other in others}
    assert len(first) > 1, "where they begin is left to chance"


def test_lasting_errors_are_as_frequent_as_others():
    eyes = RecognitionErrors(load_noise().lasting(2.0), seed=5)
    wrong = same = 0
    for number in range(4000):
        at = (10.0 * number, 0.0)
        seen = [
            eyes.recognise(
                "thing", "mug", {}, eyes.viewpoint(f"{number} {step}", (at[0] + step, 0.0)), Band.MIDDLE
            )
            for step in (0.0, 0.25)
        ]
        if None not in seen:
            wrong += seen[0].looks_like != "mug"
            same += seen[0] == seen[1]
    assert wrong / 4000 == close_to(0.1 * 0.92, 4000)
    assert same / 4000 > 0.75, "seven of eight pairs of cells are in one area"
