"""Speech and notes in passing: hesitation, notes in telegraphic style, cases to be found out, loose names."""

from __future__ import annotations

from functools import cache

import pytest

from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options, Wish
from foretree.bringup.understanding import read_wish
from foretree.errors import ForetreeError
from foretree.planning.pddl.syntax import show
from foretree.reasoning.offline.sentences.rewording.speech.hesitations import without_hesitation


@cache
def _context(scene):
    return embedded_context(scene, Options())[0]


def goal(said, scene="kitchen"):
    return show(read_wish(_context(scene), Wish(said)).goal)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("hand me the, um, the fork", "hand me the fork"),
        ("hand me a uhh fork", "hand me a fork"),
        ("put it on the, what's it called, the shelf", "put it on the shelf"),
        ("slice the tomato erm and the bread", "slice the tomato and the bread"),
        ("bring me, er, my mug", "bring me my mug"),
        ("I'd like that... that bowl", "I'd like that bowl"),
        # it may put right what was said before
        ("the mug, er, the plate", "the mug, er, the plate"),
        ("I don't know where the mug is", "I don't know where the mug is"),
        ("the umbrella and some ham", "the umbrella and some ham"),
    ],
)
def test_hesitation_is_left_out(said, plain):
    assert without_hesitation(said) == plain


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Glass from the cupboard: rinse, onto table2.", "(and (clean glass1) (on glass1 table2))"),
        ("Fork out of the drawer, wash, back in the drawer.", "(and (clean fork1) (in fork1 drawer1))"),
        ("Tomato: fridge.", "(in tomato1 fridge1)"),
        ("Microwave: on.", "(turned_on microwave1)"),
        ("Spoon: wash it, drawer shut.", "(and (clean spoon1) (not (open drawer1)))"),
        ("fetch me the following: the egg, the fork", "(and (given egg1 person1) (given fork1 person1))"),
        # no notes
        ("Three things: slice the apple, slice the bread, wash the fork", "(and (sliced apple1) (sliced bread1) (clean fork1))"),
        ("Robot: slice the bread", "(sliced bread1)"),
    ],
)  # fmt: skip
def test_notes_in_telegraphic_style(said, meant):
    assert goal(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Take a look at the fork: if it's dirty, wash it, and if it isn't, give it to me.", "(given fork1 person1)"),
        ("Check the plate, and if it's dirty wash it.", "(clean plate1)"),
        ("If the plate is clean, put it on table1; if it isn't, put it in the sink.", "(in plate1 sink1)"),
        ("If anybody left the fridge closed, slice the bread.", "(sliced bread1)"),
    ],
)  # fmt: skip
def test_cases_that_are_to_be_found_out(said, meant):
    assert goal(said) == meant


@pytest.mark.parametrize(
    ("said", "meant", "scene"),
    [
        ("put the breakables from table1 on the counter", "(on mug1 counter1)", "kitchen"),
        ("the bits and pieces on table2 should be on the counter", "(and (on cloth1 counter1) (on plate1 counter1))", "kitchen"),
        ("pour a little of the milk into the glass", "(exists (?x - milk) (and (poured ?x glass1) (filled glass1)))", "kitchen"),
        ("My wrist is stuck to the counter.", "(wiped counter1)", "kitchen"),
        ("I can't tear this envelope open", "(exists (?x - knife) (given ?x person1))", "kitchen"),
        ("We have misplaced our keys", "(given keys1 person1)", "flat"),
        ("stick a wash on, please", "(clean shirt2)", "flat"),
    ],
)  # fmt: skip
def test_loose_names_and_needs(said, meant, scene):
    assert goal(said, scene) == meant


@pytest.mark.parametrize(
    "said", ["My sleeve is stuck in the drawer.", "Kitchen: wash the plate.", "I can't get the drawer open."]
)
def test_what_is_not_understood_stays_refused(said):
    with pytest.raises(ForetreeError):
        goal(said)
