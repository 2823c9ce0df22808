"""What would do in place of a missing thing."""

from __future__ import annotations

import pytest

from foretree.reasoning.alternatives import (
    relevant_affordances,
    spoken_affordances,
    suggest_alternatives,
)
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer


@pytest.fixture(scope="module")
def placer():
    return Placer(load_mapping())


@pytest.mark.parametrize(
    ("missing", "instruction", "things", "best"),
    [
        ("ladle", "stir the soup", ("plate", "spoon", "book"), "spoon"),
        ("knife", "cut the bread", ("scissors", "sponge", "mug"), "scissors"),
        ("mug", "bring me something to drink from", ("plate", "glass", "towel"), "glass"),
        ("hammer", "pound the nail in", ("pillow", "mallet", "pencil"), "mallet"),
        ("apple", "leave it for later", ("banana", "mug", "laptop"), "banana"),
        ("towel", "dry the plate, wipe it", ("cloth", "spoon", "chair"), "cloth"),
    ],
)
def test_what_affords_the_same_is_suggested(
    placer, missing: str, instruction: str, things, best: str
) -> None:
    first = suggest_alternatives(missing, instruction, things, placer)[0]
    assert first.thing == best
    assert first.certainty >= 0.5
    assert first.affords[0] in first.why


def test_things_have_names_and_classes(placer) -> None:
    found = suggest_alternatives("knife", "slice it", {"thing7": "scissors", "mug1": "mug"}, placer)
    assert [one.thing for one in found] == ["thing7"]


def test_nothing_is_suggested_where_nothing_will_do(placer) -> None:
    assert suggest_alternatives("knife", "cut the bread", ("sponge", "pillow"), placer) == ()
    assert suggest_alternatives("knife", "cut the bread", (), placer) == ()


def test_what_the_instruction_speaks_of_is_tried_first(placer) -> None:
    assert relevant_affordances("knife", "Cutting the bread, please", placer)[0] == ("cut",)
    sets = relevant_affordances("knife", "I need it now", placer)
    assert "cut" in sets[0]
    with_rarest = [len(names) for names in sets if names[0] == sets[0][0]]
    assert with_rarest == sorted(with_rarest, reverse=True)
    assert all(names[0] == sets[0][0] for names in sets[: len(with_rarest)]), "the rarest goes last"
    assert not any("grasp" in names for names in sets)


def test_food_of_the_same_name_comes_before_food_of_the_same_shape(placer) -> None:
    found = suggest_alternatives("lemon", "give me a lemon", ["tomato", "kiwi", "onion"], placer)
    assert found[0].thing == "kiwi"


def test_the_same_things_in_another_order_give_the_same_answer(placer) -> None:
    things = ("scissors", "saw", "pizza_cutter", "fork")
    one = suggest_alternatives("knife", "cut it", things, placer)
    assert one == suggest_alternatives("knife", "cut it", things[::-1], placer)


@pytest.mark.parametrize(
    ("missing", "instruction", "things", "best"),
    [
        ("spade", "Dig a hole for the rose.", ("rake", "hose", "shovel"), "shovel"),
        ("suitcase", "Put my clothes in the suitcase.", ("wheelbarrow", "bag", "bin"), "bag"),
        ("match", "Light the fire with a match.", ("lamp", "lighter", "candle"), "lighter"),
        ("glass", "Fetch me a glass.", ("bottle", "mug", "rolling_pin"), "mug"),
        ("camera", "Take a picture of the whiteboard.", ("monitor", "phone", "pen"), "phone"),
        # Of what serves as well, what is of the same kind; and what is nearly the same, though less surely.
        ("potato_masher", "Crush the potatoes.", ("hammer", "rolling_pin", "belt"), "rolling_pin"),
        ("cap", "The sun is blinding me, I want my cap.", ("coat", "scarf", "hat"), "hat"),
        ("croissant", "A croissant for breakfast would be lovely.", ("egg", "bread", "cheese"), "bread"),
        ("desk", "I have to do my homework at a desk.", ("stool", "table", "ladder"), "table"),
        # Nothing is known of it but what the instruction says.
        ("glorp", "Cut the bread with the glorp.", ("pan", "knife", "spoon"), "knife"),
        # Nothing has its use, but one is of its kind.
        ("whisk_broom", "I need the whisk broom.", ("dustpan", "pillow"), "dustpan"),
    ],
)
def test_what_it_is_for_counts_for_more_than_how_it_is_handled(
    placer, missing: str, instruction: str, things, best: str
) -> None:
    assert suggest_alternatives(missing, instruction, things, placer)[0].thing == best


@pytest.mark.parametrize(
    ("missing", "instruction", "things"),
    [
        ("printer", "Print the contract.", ("mug", "desk", "chair", "keyboard")),
        ("pillow", "Bring me a pillow.", ("hammer", "brick", "plate")),
        ("medicine", "I need my medicine.", ("hammer", "spoon", "ball")),
    ],
)
def test_what_can_only_be_moved_alike_is_not_suggested(
    placer, missing: str, instruction: str, things
) -> None:
    assert suggest_alternatives(missing, instruction, things, placer) == ()


def test_what_has_more_besides_replaces_no_worse(placer) -> None:
    things = {"one": "lighter", "other": "lighter"}
    assert [one.thing for one in suggest_alternatives("match", "light it", things, placer)] == [
        "one",
        "other",
    ]
    assert suggest_alternatives("cleaver", "chop it", ("scissors", "knife"), placer)[0].thing == "knife"


def test_the_name_of_the_missing_thing_is_no_verb(placer) -> None:
    assert "pound" not in spoken_affordances("hammer", "I need the hammer", placer)
    assert "pound" in spoken_affordances("mallet", "I need to hammer", placer)
    assert spoken_affordances("suitcase", "put it in my suitcase", placer) == {"contain"}


def test_what_has_failed_or_is_broken_comes_after_what_has_not(placer) -> None:
    things = {"knife1": "knife", "knife2": "knife", "spoon1": "spoon"}

    def own(thing: str, affordance: str) -> float | None:
        return 0.1 if (thing, affordance) == ("knife1", "cut") else None

    found = suggest_alternatives("scissors", "cut the paper", things, placer)
    assert {one.thing for one in found} == {"knife1", "knife2"}
    assert [one.thing for one in suggest_alternatives("scissors", "cut the paper", things, placer, own)] == [
        "knife2"
    ]


@pytest.mark.parametrize(
    ("missing", "said", "things", "best"),
    [
        # What a thing may well be used for counts once it is spoken of.
        ("stick", "stir the paint with a stick", ["shovel", "whisk", "brick"], "whisk"),
        # As many of the affordances that are spoken of as can be had, whichever they are.
        ("electric_kettle", "boil some water in the electric kettle", ["iron", "pot", "basket"], "pot"),
        # What it only may be used for does not tell what it is for.
        ("butter_knife", "spread the jam with a butter knife", ["pliers", "knife"], "knife"),
        ("scissors", "the scissors, I have to open this bag of crisps", ["drawer", "knife", "box"], "knife"),
        # By the end of its name it is a kind of stick; what is said tells more.
        ("yardstick", "how wide is that gap? get me the yardstick", ["shovel", "ruler"], "ruler"),
    ],
)
def test_what_is_spoken_of_tells_what_the_missing_thing_is_for(placer, missing, said, things, best):
    assert suggest_alternatives(missing, said, things, placer)[0].thing == best


@pytest.mark.parametrize(
    ("missing", "said", "things", "best"),
    [
        ("carrot", "Chop a carrot for the stew.", ["mango", "bread", "tomato"], "tomato"),
        ("peach", "Cut a peach into slices.", ["tomato", "bread", "apple"], "apple"),
    ],
)
def test_what_people_call_by_one_name_is_taken_first(placer, missing, said, things, best):
    assert suggest_alternatives(missing, said, things, placer)[0].thing == best
