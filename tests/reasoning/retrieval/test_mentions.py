"""What an instruction mentions."""

import pytest
from office import office

from foretree.reasoning.retrieval._mentions import MANY, find_mentions


@pytest.fixture(scope="module")
def index():
    return office().index


def places(instruction, index):
    return {places.said: set(places.nodes) for places in find_mentions(instruction, index).places}


@pytest.mark.parametrize(
    ("instruction", "nodes"),
    [
        ("wipe the couch", {"couch1"}),
        ("wipe the settee", {"couch1"}),
        ("wipe kitchen table 2", {"kitchen_table2"}),
        ("wipe kitchen table number two", {"kitchen_table2"}),
        ("wipe kitchen table no. 2", {"kitchen_table2"}),
        ("wipe kitchen tables 1 and 3", {"kitchen_table1", "kitchen_table3"}),
        ("wipe kitchen tables 1 to 3", {"kitchen_table1", "kitchen_table2", "kitchen_table3"}),
        ("wipe the first and the third kitchen table", {"kitchen_table1", "kitchen_table3"}),
        ("wipe the middle table in the kitchen", {"kitchen_table2"}),
        ("wipe the last kitchen table", {"kitchen_table3"}),
        ("wipe the eastern kitchen table", {"kitchen_table3"}),
        ("wipe the table in the meeting room", {"meeting_table1"}),
        ("wipe the conference table", {"meeting_table1"}),
        ("wipe the table in office 605", {"table605"}),
        ("wipe desk 605", {"table605"}),
        ("wipe table605", {"table605"}),
        ("wipe it in 605", {"table605"}),
        ("wipe it in six oh five", {"table605"}),
        ("wipe it in six fourteen", {"table614"}),
        ("wipe the tables in 602 and 603", {"table602", "table603"}),
        ("wipe offices 601 to 603", {"table601", "table602", "table603"}),
        ("open the washingmachine", {"washing_machine1"}),
        ("open the refridgerator", {"fridge1"}),
    ],
)
def test_furniture_is_found_by_name_number_and_place(instruction, nodes, index):
    found = find_mentions(instruction, index).places
    assert {node for mention in found for node in mention.nodes} == nodes


def test_a_number_that_counts_names_no_table(index):
    found = places("put two cups on the couch", index)
    assert found == {"couch": {"couch1"}}
    found = places("lay the kitchen tables. Two cups are in the fridge", index)
    assert found["kitchen tables"] == {"kitchen_table1", "kitchen_table2", "kitchen_table3"}


def things(instruction, index):
    return {mention.classes[0]: mention for mention in find_mentions(instruction, index).things}


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("the cup", 1), ("two cups", 2), ("2 cups", 2), ("both clean cups", 2), ("a couple of cups", 2),
        ("all cups", MANY), ("cups", MANY), ("every cup", MANY), ("two plates and a cup", 1),
    ],
)  # fmt: skip
def test_how_many_are_wanted(words, count, index):
    assert things(f"bring {words}", index)["cup"].count == count


@pytest.mark.parametrize(
    ("instruction", "there", "surely"),
    [
        ("take the cup from the couch", {"couch1"}, True),
        ("the cup that is on the couch is mine", {"couch1"}, True),
        ("there is a cup in the fridge", {"fridge1"}, True),
        ("put the cup on the couch", {"couch1"}, False),
        ("take the cup, go to the couch", set(), False),
        ("take the cup", set(), False),
        ("put the cup and the plate on the couch", set(), False),
    ],
)
def test_where_a_thing_is_said_to_be(instruction, there, surely, index):
    cup = things(instruction, index)["cup"]
    assert set(cup.there) == there
    assert cup.surely is surely


def test_a_word_for_several_classes_means_any_of_them(index):
    blocks = things("stack the blocks", index)
    assert {"red_block", "blue_block"} <= set(next(iter(blocks.values())).classes)
    assert set(things("the battery", index)) & {"new_battery", "old_battery"}


def needs(instruction, index):
    return {wanted for need, _ in find_mentions(instruction, index).needs for wanted in need.take}


def test_a_deed_takes_what_it_does_in_all_its_forms(index):
    for said in ("slice the bread", "I want sliced bread", "bread needs slicing"):
        assert "blade" in needs(said, index)
    assert "waste" in needs("please get rid of it", index)


def test_a_word_within_a_name_asks_for_nothing(index):
    assert "washes" not in needs("open the washing machine", index)


def test_the_rest_is_left_unexplained(index):
    assert find_mentions("please put the purple unicorn onto the couch", index).unexplained[-2:] == [
        "unicorn",
        "onto",
    ]
