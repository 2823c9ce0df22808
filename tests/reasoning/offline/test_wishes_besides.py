"""Things that are wished for beside states, or together; and what pronouns and exceptions leave."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NoSuchThingError, NotUnderstoodError


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("I want the bottle, and the knife should be clean", "(and (given bottle1 anna) (clean knife1))"),
        ("I need the bottle and the knife has to be washed", "(and (given bottle1 anna) (clean knife1))"),
        ("I'd like that bottle, and the fridge must be open", "(and (given bottle1 anna) (open fridge1))"),
        ("I want the bottle and the knife to be clean", "(and (clean bottle1) (clean knife1))"),
        ("I want that the bottle and the knife should be clean", "(and (clean bottle1) (clean knife1))"),
    ],
)
def test_a_thing_is_wished_for_beside_a_state(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "it'd be nice if the plate and the bottle could both be in the sink",
        "it would be great if the plate and the bottle might each be in the sink",
        "I'd be glad if the plate and the bottle were both in the sink",
    ],
)
def test_what_is_wished_of_two_things_is_wished_of_both(reasoner, situation, said):
    assert show(reasoner.understand(said, situation).goal) == "(and (in plate1 sink1) (in bottle1 sink1))"


def test_a_wish_that_is_not_understood_brings_nothing(reasoner, situation):
    with pytest.raises(NotUnderstoodError):
        reasoner.understand("it would be great if the plate and the bottle could dance", situation)


def test_nothing_is_left_where_all_is_left_out(reasoner, situation):
    with pytest.raises(NoSuchThingError, match="Nothing is left"):
        reasoner.understand("wash all the dirty mugs except the mug on table1", situation)


def test_what_is_taken_with_a_tool_is_on_the_tool(reasoner, situation):
    found = reasoner.understand("scoop from the cup with the ladle and give me that", situation)
    assert show(found.goal) == "(exists (?x - ladle) (and (scooped ?x cup1) (laden ?x) (given ?x anna)))"


def test_what_no_word_was_for_is_not_gone_back_to(reasoner, situation):
    with pytest.raises(NotUnderstoodError, match='What "that" is'):
        reasoner.understand("scoop from the cup and give me that", situation)


def test_clothes_are_all_of_them(reasoner, situation):
    goal = reasoner.understand("put the clothes in the basket", situation).goal
    assert show(goal) == "(and (forall (?x - shirt) (in ?x basket1)) (forall (?y - coat) (in ?y basket1)))"
