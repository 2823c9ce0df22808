"""What would do in place of a missing thing."""

from __future__ import annotations

import pytest

from foretree.reasoning.alternatives import relevant_affordances, suggest_alternatives
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


def test_the_same_things_in_another_order_give_the_same_answer(placer) -> None:
    things = ("scissors", "saw", "pizza_cutter", "fork")
    one = suggest_alternatives("knife", "cut it", things, placer)
    assert one == suggest_alternatives("knife", "cut it", things[::-1], placer)
