"""Further nouns, and the things that remarks name."""

import pytest

from foretree.planning.pddl.syntax import show

NOUNS = [
    ("put the anorak on the davenport", "(on coat1 sofa1)"),
    ("put the button-up shirt on the chesterfield", "(on shirt1 sofa1)"),
    ("put the hand towel in the dishwashing machine", "(in towel1 dishwasher1)"),
    ("put the anoraks on the sofa", "(forall (?x - coat) (on ?x sofa1))"),
    ("could you toss the dinner plate in the icebox, mate, my hands are full", "(in plate1 fridge1)"),
]
REMARKS = [
    ("The plate and the bottle are getting dusty, put them in the sink.",
     "(and (in plate1 sink1) (in bottle1 sink1))"),
    ("The plate and the bottle are on the way, put the two of them in the sink.",
     "(and (in plate1 sink1) (in bottle1 sink1))"),
    ("The mug is dirty. Please put it in the sink.", "(in mug1 sink1)"),
    ("The plate and the bottle are getting dusty; put the former in the sink.", "(in plate1 sink1)"),
]  # fmt: skip
PLACES = [
    ("put the plate on the table that the mango is on", "(on plate1 table2)"),
    ("put the plate on the table the mango's on", "(on plate1 table2)"),
    ("put Tom's plate in the sink", "(in plate1 sink1)"),
]


@pytest.mark.parametrize(("said", "goal"), NOUNS + REMARKS + PLACES)
def test_everyday_nouns_and_remarks_name_things(reasoner, situation, said, goal):
    assert show(reasoner.understand(said, situation).goal) == goal


def test_a_verb_is_a_noun_behind_a_determiner_only(reasoner, situation):
    """In "throw the plate in the sink", nobody speaks of a blanket."""
    assert (
        show(reasoner.understand("throw the anorak on the davenport", situation).goal) == "(on coat1 sofa1)"
    )


def test_a_class_of_its_own_keeps_its_noun(situation):
    """A "cup" is no mug in a domain with cups."""
    from foretree.reasoning.offline.knowledge.further_nouns import with_further_nouns

    wider = with_further_nouns(situation, ["put", "the", "cup", "on", "the", "davenport"], ())
    assert wider.ontology.named("davenport").class_name == "sofa"
    assert wider.ontology.named("cup").class_name == "cup"
    assert with_further_nouns(situation, ["put", "the", "cup", "away"], ()) is situation


DESCRIBED = [
    ("put the sofa coat on table1", "(on coat1 table1)"),
    ("put the counter's bottle in the sink", "(in bottle1 sink1)"),
    ("put my good winter coat on table1", "(on coat1 table1)"),
    ("put the mug that needs washing in the sink", "(in mug1 sink1)"),
    ("put the mug that needs a wash in the sink", "(in mug1 sink1)"),
    ("put the mug that needs to be washed in the sink", "(in mug1 sink1)"),
    ("put whichever mug is clean in the sink", "(in mug2 sink1)"),
    ("put whichever of the mugs is clean in the sink", "(in mug2 sink1)"),
    ("put the mango on the table that's got the plate on it", "(on mango1 table1)"),
    ("put the mango wherever the plate is", "(on mango1 table1)"),
    ("put the thing on the counter that you cut bread with in the sink", "(in knife1 sink1)"),
    ("put all the mugs in the flat in the sink", "(forall (?x - mug) (in ?x sink1))"),
    ("put the whole lot of pillows on table1", "(forall (?x - pillow) (on ?x table1))"),
    ("put the pair of mugs in the sink", "(at-least 2 (?x - mug) (in ?x sink1))"),
]


@pytest.mark.parametrize(("said", "goal"), DESCRIBED)
def test_things_are_told_by_place_by_need_and_by_use(reasoner, situation, said, goal):
    understood = reasoner.understand(said, situation)
    assert (show(understood.goal), len(understood.readings)) == (goal, 0)


def test_what_is_to_be_left_is_of_the_kind_that_was_spoken_of(reasoner, situation):
    understood = reasoner.understand("bring me the clean mug and leave the dirty one where it is", situation)
    assert show(understood.goal) == "(given mug2 anna)"
    assert {name for one in understood.constraints for name in one.objects} == {"mug1"}


@pytest.mark.parametrize(
    "said", ["bring me a glass of water", "I could murder a glass of water", "could I have a cup of water?"]
)
def test_a_drink_in_a_vessel_is_poured_and_brought(reasoner, situation, said):
    """There is no glass here yet: one is looked for, filled and brought."""
    goal = show(reasoner.understand(said, situation).goal)
    assert "filled_at_tap" in goal
    assert "given" in goal
