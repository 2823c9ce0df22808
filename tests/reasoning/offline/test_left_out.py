"""Parts of an instruction that nothing here can do are left out where the rest can be done."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import InstructionError

PARTIAL = [
    ("wash the plate and mow the lawn", "(clean plate1)", ["mow the lawn"]),
    ("Mow the lawn and wash the plate.", "(clean plate1)", ["mow the lawn"]),
    ("Please wash the plate. Also, order a pizza!", "(clean plate1)", ["order a pizza"]),
    ("could you water the flowers and fold the towel?", "(folded towel1)", ["water the flowers"]),
    ("put the mango in the fridge and after that paint the wall blue", "(in mango1 fridge1)",
     ["paint the wall blue"]),
    ("open the window, wash the plate and sing me a song", "(clean plate1)",
     ["open the window", "sing me a song"]),
    ("turn on the lamp and zorble the hedge", "(turned_on lamp1)", ["zorble the hedge"]),
    ("turn on the lamp and the radio", "(turned_on lamp1)", ["the radio"]),
    ("put a van and the mango into the fridge", "(in mango1 fridge1)", ["a van"]),
    ("wash the plate and a swimming pool", "(clean plate1)", ["a swimming pool"]),
    ("switch the radio and the lamp on", "(turned_on lamp1)", ["the radio"]),
    ("Lamp on. Radio on.", "(turned_on lamp1)", ["radio on"]),
    ("wash the plate, the windows and the mango", "(and (clean plate1) (clean mango1))", ["the windows"]),
    ("put the mango in the fridge and the plate on the roof", "(in mango1 fridge1)", ["the plate on the roof"]),
    ("open the fridge and fold the mango", "(open fridge1)", ["fold the mango"]),
    ("wash the plate and paint it blue", "(clean plate1)", ["paint it blue"]),
    # When and why it is done says nothing of the rest.
    ("wash the plate and walk the alpaca before it rains", "(clean plate1)",
     ["walk the alpaca before it rains"]),
    ("wash the plate and bake a cake, because we have guests", "(clean plate1)",
     ["bake a cake , because we have guests"]),
    ("wash the plate, and blow up the dinghy", "(clean plate1)", ["blow up the dinghy"]),
    ("wash the plate, and could you also sing me a lullaby?", "(clean plate1)", ["sing me a lullaby"]),
    ("My coat needs mending. Wash the plate.", "(clean plate1)", ["my coat needs mending"]),
    # What is told besides may go back to what is left out.
    ("I'm so worn out, so wash the plate and rub my feet for me.", "(clean plate1)",
     ["rub my feet for me"]),
    ("Weed the lawn and wash the plate, it looks awful.", "(clean plate1)", ["weed the lawn"]),
    ("Wash the plate, then varnish the floor, I can't bear to look at it.", "(clean plate1)",
     ["varnish the floor , i can't bear to look at it"]),
    # What somebody is told is nothing that is to be done.
    ("put the mango in the fridge and phone my mum to say it is from the market", "(in mango1 fridge1)",
     ["phone my mum to say it is from the market"]),
    # What is told before only says why.
    ("Wash the plate. The grass is too long, so mow it.", "(clean plate1)",
     ["the grass is too long, mow it"]),
    ("Mow the lawn, and I'd like the mango.", "(given mango1 anna)", ["mow the lawn"]),
    ("put the mango in the fridge and add some of those sprinkles", "(in mango1 fridge1)",
     ["add some of those sprinkles"]),
    ("Put the mango in the fridge, then a quick waltz on the gramophone.", "(in mango1 fridge1)",
     ["a quick waltz on the gramophone"]),
]  # fmt: skip
WHOLE_OR_NOTHING = [
    "mow the lawn",
    "mow the lawn and feed the cat",
    # The rest depends on it, or only prepares for it.
    "iron the shirt and fold it",
    "paint the basket, wash the plate and put it in it",
    "grab the knife and stab the sofa",
    "put the plate on the table and paint it blue",
    "if the grass is too long, mow it, and wash the plate",
    # A thing that is not known is no deed, which would take the place of the others with it.
    "the mango and gizmos in the garage should go in the fridge",
    "the mango and gizmo on the lampstand go in the fridge",
    # It may be a word for what can be done.
    "wash the plate and zorble the mango",
    # Limits are no requests.
    "wash the plate or mow the lawn",
    "put the mango into the van",
    "bring me the mango without the van",
    "wash the plate before you mow the lawn",
    "wash the plate until it shines and mow the lawn",
    "wash the plate and mow the lawn unless it rains",
    "if the fridge is open, close it and mow the lawn. Otherwise feed the cat",
    "wash the plate and never open the window",
    "wash the plate and ignore the zorble",
    "wash the plate and keep it in the zorble",
    "wash the plate and handle it with the greatest care",
    # A thing that may be found, and one that can be told, are not left out.
    "wash the plate and bring me the dirty fork",
]


@pytest.mark.parametrize(("said", "goal", "left_out"), PARTIAL, ids=[case[0][:40] for case in PARTIAL])
def test_what_cannot_be_done_is_left_out_and_said_to_be(reasoner, situation, said, goal, left_out):
    found = reasoner.understand(said, situation)
    assert show(found.goal) == goal
    assert [one.words for one in found.left_out] == left_out
    for one in found.left_out:
        assert f'left out: "{one.words}" ({one.why.rstrip(".")})' in found.sentence


@pytest.mark.parametrize("said", WHOLE_OR_NOTHING)
def test_nothing_is_left_out_on_which_the_rest_depends(reasoner, situation, said):
    try:
        found = reasoner.understand(said, situation)
    except InstructionError:
        return
    assert not found.left_out, found.sentence


def test_the_reasons_are_told_apart(reasoner, situation):
    found = reasoner.understand(
        "open the window, wash the plate, mow the lawn and zorble the hedge", situation
    )
    assert [one.why for one in found.left_out] == [
        "I know of no window here.",
        "Nothing here can do that.",
        '"zorble" is not understood.',
    ]


def test_what_is_left_may_be_asked_about(reasoner, situation):
    found = reasoner.understand("wash the mug and mow the lawn", situation)
    assert len(found.readings) == 2
    assert [one.words for one in found.left_out] == ["mow the lawn"]
