"""What is denied, told or listed keeps its scope: nothing is done that was only said not to be done, or done before."""

from __future__ import annotations

from functools import cache

import pytest

from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import read_wish
from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError


@cache
def _context(scene):
    return embedded_context(scene, Options())[0]


def goal(scene, said):
    return show(read_wish(_context(scene), Wish(said)).goal)


@pytest.mark.parametrize(
    "said",
    [
        "The tomato must not be cut and put in the fridge.",
        "The plate isn't to be washed and then put in the sink.",
        "Never take the apple and put it in the fridge.",
        "I don't want you to take the spoon and put it in the drawer.",
        "You needn't wash the bowl and put it in the cupboard.",
        "We used to wash the bowl and put it in the sink.",
        "My brother washed the bowl and put it in the sink.",
        "Earlier I took the knife and put it in the drawer.",
        "I'll wash the bowl and put it in the sink.",
    ],
)
def test_what_may_be_denied_or_told_is_no_order(said):
    with pytest.raises(NotUnderstoodError, match="in a sentence of its own"):
        goal("kitchen", said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Don't open the drawer and bring me the apple.", "(given apple1 person1)"),
        ("Don't forget to take the bowl and put it in the sink.", "(in bowl1 sink1)"),
        ("I need you to take the bowl and put it in the sink.", "(in bowl1 sink1)"),
        ("I spilled milk on the counter, so take the cloth and wipe it.", "(wiped counter1)"),
        ("My son has eaten, so take the bowl and put it in the sink.", "(in bowl1 sink1)"),
    ],
)
def test_what_is_asked_for_behind_them_is_done(said, meant):
    assert goal("kitchen", said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "Wash the plate, but not if it is clean.",
        "Wash the plate, but don't bother if it's clean.",
        "Wash the plate, but leave it alone if it is clean.",
        "Wash the plate, though you needn't do it if it is clean.",
        "Wash the plate, but only if it is dirty.",
    ],
)
def test_a_case_that_is_left_out_leaves_the_rest(said):
    assert goal("kitchen", said) == "(clean plate1)"


def test_what_is_denied_in_a_case_is_said_apart():
    with pytest.raises(NotUnderstoodError, match="depends on"):
        goal("kitchen", "Put the plate in the sink, but don't wash it if it is clean.")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Put the dishes, the plate and the bowl, in the sink.", "(and (in plate1 sink1) (in bowl1 sink1))"),
        ("Wash the fruit, the apple and the mango.", "(and (clean apple1) (clean mango1))"),
        # what is of another kind is put there as well
        (
            "Put the fruit, the bread and the egg in the fridge.",
            "(and (forall (?x - apple) (in ?x fridge1)) (forall (?y - mango) (in ?y fridge1)) "
            "(in bread1 fridge1) (in egg1 fridge1))",
        ),
    ],
)
def test_an_apposition_lists_what_is_meant(said, meant):
    assert goal("kitchen", said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Wash all the dirty dishes except the mug.", "(clean plate1)"),
        ("Put all the dirty dishes in the sink except the mug.", "(in plate1 sink1)"),
    ],
)
def test_an_exception_is_one_of_those_that_are_meant(said, meant):
    assert goal("kitchen", said) == meant


def test_what_somebody_has_is_no_deed():
    said = "Have you got something that I could lay my head on?"
    assert goal("flat", said) == "(exists (?x - pillow) (given ?x person1))"
