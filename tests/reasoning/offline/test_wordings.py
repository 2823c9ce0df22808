"""Wordings of people for what has a plainer one."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.offline.lexicon import tokens_of
from foretree.reasoning.offline.sentences.rewording.wording import put_plainly
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity

VERBS = ("put", "place", "wash", "turn", "hold", "take", "slice")


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


def goal(home, said, seen="", facts=()):
    """The goal of what is said where these things were seen, called by their classes: ``mug1 mug2``."""
    return show(understood(home, said, seen, facts).goal)


def readings(home, said, seen):
    return [show(one.goal) for one in understood(home, said, seen).readings]


def understood(home, said, seen="", facts=()):
    belief = Belief(home.vocabulary)
    for name in ("robot1", "hand1", *seen.split()):
        kind = name.rstrip("0123456789")
        entity = Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0), fixed=home.ontology.type_of(kind) != "item")
        add_entity(belief, home.ontology, entity, time=0.0, source="map")
    for fact in facts:
        belief.tell(tuple(fact.split()))
    forms = tuple(form for skill in home.skills.values() for form in skill.forms)
    situation = Situation(belief.snapshot(), home.domain, home.ontology, forms, discovered=("asset",))
    return CommandReasoner().understand(said, situation)


@pytest.mark.parametrize(
    ("said", "plainly"),
    [
        ("To put a mug away in the sink", "put a mug in the sink"),
        ("putting the mug back onto the back of the shelf", "put the mug onto the shelf"),
        ("turning a lamp on while holding a mug", "turn a lamp on and hold a mug"),
        ("turn on a lamp with the mug in hand", "turn on a lamp and hold the mug"),
        ("take the knife to slice the bread", "take the knife , slice the bread"),
        ("wash a fork and put back in the drawer", "wash a fork and put it in the drawer"),
        ("put two cd's on the toilet's lid", "put two cds on the toilet lid"),
        ("put the fork inside of the sink, in the room", "put the fork inside the sink in the room"),
        # These say something of their own.
        ("go to the back", "go to the back"),
        ("put it in the back of the room", "put it in the back of the room"),
    ],
)
def test_words_that_say_nothing_about_the_goal_are_left_out(said, plainly):
    assert " ".join(put_plainly(tokens_of(said), VERBS)) == plainly


@pytest.mark.parametrize(
    ("said", "plainly"),
    [
        ("throw away the egg", "throw away the egg"),
        ("throw the egg away", "throw the egg away"),
        ("throw out the egg", "put in a bin the egg"),
        ("toss the egg away", "put in a bin the egg"),
    ],
)
def test_what_the_skills_say_themselves_of_throwing_away_is_left_as_it_is(said, plainly):
    openings = {("throw", "away"), ("throw",)}
    assert " ".join(put_plainly(tokens_of(said), VERBS, openings)) == plainly


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("examine a watch under the light of a desk lamp", "examine a watch by a lamp"),
        ("put a washed fork in a kitchen drawer", "put a clean fork in a drawer"),
        ("put a cooked apple on the counter", "put a hot apple on the counter"),
        ("place a mug in the coffee maker", "put a mug under the coffee machine"),
        ("throw away an apple", "put an apple in a bin"),
        ("put a mug containing a spoon on a table", "put a mug with a spoon in it on a table"),
    ],
)
def test_another_wording_has_the_same_goal(home, one, other):
    assert goal(home, one).replace("?bin", "?y") == goal(home, other)


def test_what_a_thing_shall_hold_is_part_of_the_goal(home):
    found = goal(home, "put a plate with a fork on it in the sink", "sink1")
    assert found == "(exists (?x - plate) (exists (?y - fork) (and (in ?x sink1) (on ?y ?x))))"


def test_what_is_in_a_thing_goes_along_with_it(home):
    found = goal(home, "put a fork in a cup and put them in the sink", "sink1")
    assert found == "(exists (?x - fork) (exists (?y - cup) (and (in ?x ?y) (in ?y sink1))))"


def test_several_things_come_to_one_and_the_same_place(home):
    found = goal(home, "put two mugs in a cabinet", "cabinet1 cabinet2")
    assert found == "(exists (?y - cabinet) (at-least 2 (?x - mug) (in ?x ?y)))"


def test_where_there_is_no_such_thing_at_a_place_it_shall_be_there(home):
    found = goal(home, "put a watch in a bowl on the desk", "watch1 bowl1 desk1 shelf1", ["on bowl1 shelf1"])
    assert found == "(exists (?x - watch) (exists (?y - bowl) (and (in ?x ?y) (on ?y desk1))))"
    there = goal(home, "put a watch in a bowl on the desk", "watch1 bowl1 desk1", ["on bowl1 desk1"])
    assert there == "(exists (?x - watch) (in ?x bowl1))"


def test_furniture_where_something_is_put_is_any_of_several_but_not_what_is_opened(home):
    assert goal(home, "put a mug in the drawer", "drawer1 drawer2").endswith("(in ?x ?y)))")
    assert readings(home, "open the drawer", "drawer1 drawer2") == ["(open drawer1)", "(open drawer2)"]


def test_a_word_covers_the_kinds_of_a_class(home):
    assert "armchair1" in goal(home, "put a book on the chair", "armchair1")
    chairs = readings(home, "put a book on the chair", "armchair1 chair1")
    assert ["chair1" in chairs[0], "armchair1" in chairs[1]] == [True, True]
    assert "chair1" in goal(home, "put a book on the stool", "armchair1 chair1")


def test_what_cannot_be_told_of_things_is_no_matter_where_there_is_one_only(home):
    assert goal(home, "put a book on the small white table", "table1") == goal(
        home, "put a book on table1", "table1"
    )
    assert "table1" in goal(home, "put a book on the table next to the sofa", "table1 sofa1")
    either = readings(home, "put a book on the white table", "table1 table2")
    assert ["table1" in either[0], "table2" in either[1]] == [True, True]


def test_where_things_were_not_seen_they_are_to_be_found(home):
    assert (
        goal(home, "move the keys from the dresser to the bed", "bed1 dresser1")
        == "(exists (?x - keys) (on ?x bed1))"
    )


def test_being_cooled_is_not_undone_by_being_put_away(home):
    found = goal(home, "cool a tomato and place it in the bin", "bin1")
    assert found == "(exists (?x - tomato) (and (cold ?x) (in ?x bin1)))"
