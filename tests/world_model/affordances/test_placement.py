"""Names that the mapping does not list."""

from __future__ import annotations

import pytest

from foretree.world_model.affordances.placement import (
    BY_COMPOUND,
    BY_EMBEDDING,
    BY_FUNCTION,
    BY_HEAD,
    BY_SHARED_HEAD,
    Placer,
)


@pytest.mark.parametrize(
    ("name", "known", "confidence"),
    [
        ("mug", "mug", 1.0),
        ("Mugs", "mug", 1.0),
        ("my coffee mug", "mug", 1.0),
        ("mug1", "mug", 1.0),
        ('"2 mugs," ', "mug", 1.0),
        ("washingmachine", "washing_machine", 1.0),
        ("washing-machine", "washing_machine", 1.0),
        ("a cup of tea", "cup", 1.0),
        ("a pair of shoes", "shoe", 1.0),
        ("espresso cup", "cup", BY_HEAD),
        ("oven mitt", "glove", BY_HEAD),
        ("claw hammers", "hammer", BY_HEAD),
        ("oak chest of drawers", "dresser", BY_HEAD),
        ("soup spoon with a long handle", "spoon", BY_HEAD),
        ("bread machine", "washing_machine", BY_SHARED_HEAD),
        ("snowshoe", "shoe", BY_COMPOUND),
        ("bread slicer", "knife", BY_FUNCTION),
        ("milk stirrer", "spoon", BY_FUNCTION),
    ],
)
def test_names_are_placed_by_their_words(placer, name, known, confidence):
    place = placer.place(name)
    assert (list(place.classes), place.confidence) == ([known], confidence)


@pytest.mark.parametrize(
    "name", ["gryphon", "marzipan", "knife block", "mugshot", "hammerhead", "tablet", "of", ""]
)
def test_names_that_no_word_tells_of_have_no_place(placer, name):
    place = placer.place(name)
    assert (place.classes, place.confidence) == ({}, 0.0)
    assert placer.probability(name, "cut") == pytest.approx(placer.mapping.base_rate("cut"))


def test_a_lower_confidence_is_said_and_tells(placer):
    assert placer.place("espresso cup").reason == 'a kind of cup, by its head noun "cup"'
    assert 0.5 < placer.probability("espresso cup", "drink") < placer.probability("cup", "drink")


def test_states_in_a_name_take_affordances_away(placer):
    assert placer.place("broken espresso cup").states == ("broken",)
    assert placer.probability("broken cup", "drink") < 0.1
    assert placer.probability("broken cup", "grasp") > 0.9


def test_several_affordances_are_those_of_one_class(mapping):
    placer = Placer(
        mapping,
        lambda texts: [[1.0, 1.0] if text in ("knife", "spoon", "thing") else [-1.0, 0.0] for text in texts],
    )
    assert placer.place("thing").classes == {"spoon": 0.5, "knife": 0.5}
    both = placer.probability("thing", "cut", "stir")
    assert both < placer.probability("thing", "cut") * placer.probability("thing", "stir") / 3


def test_an_embedder_finds_neighbours_of_names_that_share_no_word(mapping):
    directions = {"sabre": [1.0, 0.1], "knife": [1.0, 0.0], "spoon": [0.5, 1.0]}
    placer = Placer(mapping, lambda texts: [directions.get(text, [-1.0, 0.0]) for text in texts])
    place = placer.place("sabre")
    assert next(iter(place.classes)) == "knife"
    assert sum(place.classes.values()) == pytest.approx(1.0)
    assert 0.5 < place.confidence <= BY_EMBEDDING
    assert "used like knife" in place.reason
    assert placer.place("gryphon").confidence == 0.0 or "knife" not in placer.place("gryphon").classes
    assert Placer(mapping).place("sabre").confidence == 0.0


def test_words_come_before_embeddings(mapping):
    def embed(texts):
        raise AssertionError("nothing is to be embedded")

    assert Placer(mapping, embed).place("espresso cup").confidence == BY_HEAD
