"""Noun phrases of everyday speech: what is told of things besides, owners, measures, contrasts."""

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import NotUnderstoodError

TOLD_MORE = [
    ("bring me the mug, the one on table2", "(given mug2 anna)"),
    ("bring me the mug, the dirty one", "(given mug1 anna)"),
    ("bring me the mug, which is still dirty", "(given mug1 anna)"),
    ("take the mug, which is on table2, to the counter", "(on mug2 counter1)"),
    ("put the mug into the sink, the one standing on table1", "(in mug1 sink1)"),
    ("bring me a mug, preferably a clean one", "(exists (?x - mug) (and (clean ?x) (given ?x anna)))"),
    ("bring me the apple, I mean the one in the fridge", "(given apple2 anna)"),
    ("wash the mug, the one on table1, and the plate", "(and (clean mug1) (clean plate1))"),
]
TOLD_BY_PEOPLE = [
    ("bring me the bottle I left somewhere", "(given bottle1 anna)"),
    ("put the shirt my sister gave me on table1", "(on shirt1 table1)"),
    ("bring me the coat I bought last week", "(given coat1 anna)"),
    ("bring me the cup that I always drink from", "(given cup1 anna)"),
    ("bring me the mug I left on table2", "(given mug2 anna)"),
    ("put everything I left on the counter into the sink", "(and (in bottle1 sink1) (in knife1 sink1))"),
    ("put whatever you find on the counter into the sink", "(and (in bottle1 sink1) (in knife1 sink1))"),
    ("bring me all there is on the counter", "(and (given bottle1 anna) (given knife1 anna))"),
    ("put the contents of the basket into the sink", "(and (in cup1 sink1) (in fork1 sink1))"),
    ("put anything lying on the counter into the sink", "(and (in bottle1 sink1) (in knife1 sink1))"),
]
OWNERS_AND_LOOKS = [
    ("bring me my husband's coat", "(given coat1 anna)"),
    ("bring me that shirt of mine", "(given shirt1 anna)"),
    ("bring me the shirt belonging to my brother", "(given shirt1 anna)"),
    ("bring me the shirt with the blue stripes", "(given shirt1 anna)"),
    ("bring me the plate made of china", "(given plate1 anna)"),
    ("bring me my favourite woollen coat", "(given coat1 anna)"),
    ("bring me a nice cold apple", "(exists (?x - apple) (and (cold ?x) (given ?x anna)))"),
    ("bring me the kitchen bottle", "(given bottle1 anna)"),
    ("bring me the living room mug", "(given mug2 anna)"),
]
NUMBERS_AND_MEASURES = [
    ("bring me one of the two apples", "(exists (?x - apple) (given ?x anna))"),
    ("put both the mango and the plate into the sink", "(and (in mango1 sink1) (in plate1 sink1))"),
    ("bring me the dirty one of the mugs", "(given mug1 anna)"),
    ("wash every last one of the mugs", "(forall (?x - mug) (clean ?x))"),
    ("bring me any kind of apple", "(exists (?x - apple) (given ?x anna))"),
    ("put the pile of pillows on table1", "(forall (?x - pillow) (on ?x table1))"),
]
CONTRASTS = [
    ("bring me the apple, not the one in the fridge", "(given apple1 anna)"),
    ("bring me the mango instead of the plate", "(given mango1 anna)"),
    ("put the plate into the sink, not the bottle", "(in plate1 sink1)"),
    ("put the knife on table1, not in the sink", "(on knife1 table1)"),
    ("put the mango in the fridge along with the plate", "(and (in mango1 fridge1) (in plate1 fridge1))"),
]
PLACES = [
    ("put the mango next to the knife", "(on mango1 counter1)"),
    ("put the plate down beside the bottle", "(on plate1 counter1)"),
    ("put the mango where the plate is", "(on mango1 table1)"),
    ("put the mango with the apple in the fridge", "(in mango1 fridge1)"),
    ("put the plate in the same place as the cup", "(in plate1 basket1)"),
    ("put the mango in the living room", "(or (on mango1 sofa1) (on mango1 table2))"),
    ("take the fork away from the dresser and put it in the sink", "(in fork2 sink1)"),
    ("wash the plate in the sink", "(clean plate1)"),
    (
        "put the mango on the counter and the plate in the sink",
        "(and (on mango1 counter1) (in plate1 sink1))",
    ),
    ("put mango on counter and plate in sink", "(and (on mango1 counter1) (in plate1 sink1))"),
    ("close the fridge door", "(not (open fridge1))"),
    ("open the door of the dishwasher", "(open dishwasher1)"),
]
PRONOUNS = [
    ("wash the plate and the bottle, then put the former in the sink and the latter on table1",
     "(and (clean plate1) (clean bottle1) (in plate1 sink1) (on bottle1 table1))"),
    ("wash the plate and the bottle and put them both in the sink",
     "(and (clean plate1) (clean bottle1) (in plate1 sink1) (in bottle1 sink1))"),
    ("put any dirty mugs into the sink", "(in mug1 sink1)"),
    ("put more than one pillow on table1", "(at-least 2 (?x - pillow) (on ?x table1))"),
    ("bring me the apple, any apple", "(exists (?x - apple) (given ?x anna))"),
]  # fmt: skip
ASKED = [
    ("put the red mug in the sink", {"(in mug1 sink1)", "(in mug2 sink1)"}),
    ("bring me my brother's mug", {"(given mug1 anna)", "(given mug2 anna)"}),
    ("bring me the mug I used yesterday", {"(given mug1 anna)", "(given mug2 anna)"}),
    ("bring me the mug, the one I like best", {"(given mug1 anna)", "(given mug2 anna)"}),
    ("bring me the mug with the blue stripes", {"(given mug1 anna)", "(given mug2 anna)"}),
]
REFUSED = [
    ("put all the red mugs in the sink", '"red"'),
    ("put the rest of the mugs in the sink", "Nothing was said before"),
    ("put my stuff into the basket", '"my"'),
    ("put the mango next to the fridge", "not beside it"),
    ("wash the plate and put the latter on table1", "Nothing was said before"),
]


def _cases(*groups):
    found = [case for group in groups for case in group]
    return {"argvalues": found, "ids": [case[0] for case in found]}


@pytest.mark.parametrize(
    ("said", "goal"),
    **_cases(TOLD_MORE, TOLD_BY_PEOPLE, OWNERS_AND_LOOKS, NUMBERS_AND_MEASURES, CONTRASTS, PLACES, PRONOUNS),
)
def test_spoken_phrases_pick_what_is_meant(reasoner, situation, said, goal):
    understood = reasoner.understand(said, situation)
    assert (show(understood.goal), len(understood.readings)) == (goal, 0)


@pytest.mark.parametrize(("said", "goals"), **_cases(ASKED))
def test_what_is_not_believed_of_several_things_is_asked(reasoner, situation, said, goals):
    assert {show(reading.goal) for reading in reasoner.understand(said, situation).readings} == goals


@pytest.mark.parametrize(("said", "message"), **_cases(REFUSED))
def test_what_cannot_be_told_is_refused(reasoner, situation, said, message):
    with pytest.raises(NotUnderstoodError, match=message):
        reasoner.understand(said, situation)
