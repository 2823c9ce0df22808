"""Vessels that are called by what they hold, where a domain knows only that they are filled."""

from __future__ import annotations

from functools import cache

import pytest

from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import read_wish
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show


@cache
def _context(scene):
    return embedded_context(scene, Options())[0]


def read(said, scene="studio"):
    return read_wish(_context(scene), Wish(said))


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("heat my tea", "(hot mug1)"),
        ("carry the cocoa over to the coffee table", "(on mug1 coffee_table1)"),
        ("put the mug with my cocoa in it on the coffee table", "(on mug1 coffee_table1)"),
        ("warm up the coffee in the mug", "(hot mug1)"),
        ("stand the book beside the coffee", "(on book1 desk1)"),
        ("my goulash should be on the desk", "(exists (?x - bowl) (on ?x desk1))"),
        ("bring the bowl of stew to me", "(exists (?x - bowl) (given ?x person1))"),
        (
            "bring me the broth and my tea",
            "(and (exists (?x - bowl) (given ?x person1)) (given mug1 person1))",
        ),
        # things of their own
        ("wash the coffee mug", "(clean mug1)"),
        ("wipe the coffee table", "(wiped coffee_table1)"),
    ],
)
def test_what_a_vessel_holds_stands_for_the_vessel(said, goal):
    assert show(read(said).goal) == goal


@pytest.mark.parametrize(
    "said",
    [
        "throw the tea away",  # nobody throws the mug away
        "chuck the coffee in the bin",
        "make me a tea",
        "bring me a bowl of soup",
        "drink the coffee",
        "bring me the coffee machine",
    ],
)
def test_what_is_done_to_the_contents_alone_is_not_done_to_the_vessel(said):
    with pytest.raises(ForetreeError):
        read(said)


def test_a_vessel_that_is_empty_is_not_meant():
    with pytest.raises(ForetreeError, match="the tea"):
        read("bring me the tea", "kitchen")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Where is my tea?", "mug1 is on desk1."),
        ("Is the coffee still hot?", "No, mug1 is not hot."),
        ("Where is the soup?", "I know of no soup here."),
    ],
)
def test_questions_may_be_about_what_a_vessel_holds(asked, answer):
    assert read(asked).answer == answer
