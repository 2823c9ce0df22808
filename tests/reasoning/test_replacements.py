"""Replacements of missing things."""

from __future__ import annotations

import pytest

from foretree.reasoning.replacements import is_needed_for, replacements
from foretree.world_model.affordances.shipped import common_placer

#: Most of what is in a flat.
_HERE = (
    "mug", "glass", "bowl", "plate", "kettle", "knife", "fork", "spoon", "sponge", "towel", "pillow", "blanket", "newspaper",
    "book", "vase", "phone", "laptop", "coat", "umbrella", "shirt", "keys", "battery", "remote", "apple", "bread", "milk",
)  # fmt: skip


def _best(missing: str, instruction: str, things=_HERE) -> str:
    found = replacements(missing, instruction, {name: name for name in things}, common_placer())
    return found[0].thing if found and not found[0].is_makeshift else ""


@pytest.mark.parametrize(
    ("missing", "best"),
    [
        ("lantern", "phone"),
        ("screwdriver", "knife"),
        ("hair_dryer", "towel"),
        ("soup_tureen", "bowl"),
        ("platter", "plate"),
        ("skimmer", "spoon"),
        ("walking_stick", "umbrella"),
        ("hand_fan", "newspaper"),
        ("clock", "phone"),
        ("watering_can", "kettle"),
        ("peach", "apple"),
        ("baguette", "bread"),
        ("duvet", "blanket"),
        ("champagne_glass", "glass"),
    ],
)
def test_what_is_for_the_same_takes_the_place(missing: str, best: str) -> None:
    assert _best(missing, f"bring me a {missing.replace('_', ' ')}") == best


@pytest.mark.parametrize(
    "missing",
    [
        "shampoo",
        "glue",
        "passport",
        "glove",
        "belt",
        "soap",
        "beer",
        "pizza",
        "medicine",
        "ring",
        "teddy_bear",
        "pen",
    ],
)
def test_what_is_only_handled_alike_does_not(missing: str) -> None:
    assert _best(missing, f"bring me a {missing}") == ""


def test_of_several_uses_the_one_that_is_spoken_of_counts() -> None:
    assert _best("bathrobe", "I am dripping wet, bring me the bathrobe") == "towel"
    assert _best("sweater", "bring me a sweater") == "coat"


def test_what_is_known_to_be_broken_does_not() -> None:
    def own(thing: str, affordance: str) -> float | None:
        return 0.03 if (thing, affordance) == ("phone", "light") else None

    assert replacements("torch", "bring me a torch", {"phone": "phone"}, common_placer(), own) == ()


def test_food_of_another_kind_is_a_makeshift() -> None:
    found = replacements("banana", "bring me a banana", {"bread": "bread", "knife": "knife"}, common_placer())
    assert [(one.thing, one.is_makeshift) for one in found] == [("bread", True)]


@pytest.mark.parametrize(
    ("missing", "kind", "instruction", "needed"),
    [
        ("soup_tureen", "bowl", "There is stew tonight, put the tureen on the table.", True),
        ("cake_stand", "plate", "Put the cake stand on the table.", False),
        ("cake_stand", "plate", "I baked a pie. Put the cake stand on the table.", True),
        ("cake_stand", "plate", "The pie is finished. Put the cake stand on the table.", False),
        ("cake_stand", "kettle", "I baked a pie. Put the cake stand on the table.", False),
    ],
)
def test_a_need_is_told_by_words_for_it(missing: str, kind: str, instruction: str, needed: bool) -> None:
    assert is_needed_for(missing, kind, instruction, common_placer()) is needed
