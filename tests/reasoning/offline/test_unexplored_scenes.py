"""Instructions in a home of which nobody has told anything: there is more than what has been seen."""

from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.reasoning.instruction_errors import (
    AmbiguousError,
    InstructionError,
    NoSuchThingError,
    NotPossibleError,
    NotUnderstoodError,
)
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Situation
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


def situation(home, *, discovered=("asset",), **seen):
    belief = Belief(home.vocabulary)
    for name, kind in {"robot1": "robot", "hand": "hand", **seen}.items():
        fixed = home.ontology.type_of(kind) != "item"
        entity = Entity(name, {kind: 1.0}, (0.0, 0.0, 0.0), fixed=fixed)
        add_entity(belief, home.ontology, entity, time=0.0, source="map")
    forms = tuple(form for skill in home.skills.values() for form in skill.forms)
    return Situation(belief.snapshot(), home.domain, home.ontology, forms, discovered=discovered)


@pytest.mark.parametrize(
    ("said", "goal", "wanted"),
    [
        (
            "put a mug on a table",
            "(exists (?x - mug) (exists (?y - table) (on ?x ?y)))",
            ("mug", "table"),
        ),
        (
            "heat a mug and put it on the table",
            "(exists (?x - mug) (exists (?x3 - table) (and (heated ?x) (hot ?x) (on ?x ?x3))))",
            ("mug", "table"),
        ),
        (
            "put two pillows on the sofa",
            "(exists (?y - sofa) (at-least 2 (?x - pillow) (on ?x ?y)))",
            ("pillow", "sofa"),
        ),
        ("open the fridge", "(exists (?x - fridge) (open ?x))", ("fridge",)),
        (
            "go to the sofa",
            "(exists (?x - sofa) (exists (?robot - robot) (rob_at_node ?robot ?x)))",
            ("sofa",),
        ),
        (
            "wash the mug in the sink",
            "(exists (?x - mug) (exists (?y - sink) (and (washed_at ?x ?y) (clean ?x))))",
            ("mug", "sink"),
        ),
        (
            "throw the apple in the bin",
            "(exists (?x - apple) (exists (?y - bin) (in ?x ?y)))",
            ("apple", "bin"),
        ),
    ],
)
def test_what_nobody_has_seen_yet_is_any_that_may_be_found(home, said, goal, wanted):
    understood = CommandReasoner().understand(said, situation(home))
    assert show(understood.goal) == goal
    assert understood.wanted == wanted


def test_all_that_is_dirty_is_clean_when_all_is(home):
    for seen in ({}, {"mug1": "mug"}):
        understood = CommandReasoner().understand("wash all dirty mugs", situation(home, **seen))
        assert show(understood.goal) == "(forall (?x - mug) (clean ?x))"


def test_what_was_just_spoken_of_is_meant_once_more(home):
    said = "boil a potato, put it on a plate and put the plate on the table"
    understood = CommandReasoner().understand(said, situation(home, table1="table"))
    inner = "(exists (?x3 - plate) (and (boiled ?x) (cooked ?x) (on ?x ?x3) (on ?x3 table1)))"
    assert show(understood.goal) == f"(exists (?x - potato) {inner})"


def test_furniture_that_was_seen_is_what_is_meant(home):
    understood = CommandReasoner().understand("put a mug on the table", situation(home, table1="table"))
    assert show(understood.goal) == "(exists (?x - mug) (on ?x table1))"
    assert understood.wanted == ("mug",)


def test_more_furniture_than_was_seen_may_be_asked_for(home):
    understood = CommandReasoner().understand("open two cabinets", situation(home, cabinet1="cabinet"))
    assert show(understood.goal) == "(at-least 2 (?x - cabinet) (open ?x))"


def test_where_the_furniture_was_told_there_is_none_but_that(home):
    with pytest.raises(NoSuchThingError, match='"a table": there is no table here'):
        CommandReasoner().understand("put a mug on a table", situation(home, discovered=(), sofa1="sofa"))


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        (
            "put a blorb on the table",
            NotUnderstoodError,
            r'"blorb"\. Things there may be: alarm clock, apple',
        ),
        ("I am thirsty", NoSuchThingError, r'you are thirsty\. What would help: "bring me something'),
        ("bring me an apple", NotUnderstoodError, r'hand anything to "me".*"bring <item> to <place>"'),
        ("slice a table", NotPossibleError, "a table will not do"),
        ("open the table", NotPossibleError, "the table is not openable"),
        ("put the mug on the table in the sink", NoSuchThingError, 'not seen .* yet, .* Say "a'),
        # Not: put it, which is on a plate, on the table.
        ("boil a potato and put it on a plate on the table", NoSuchThingError, "not seen a plate yet"),
        ("wash all mugs on the table", NoSuchThingError, 'Say "every mug" if all are meant'),
        (
            "wash all dirty mugs and put them in the sink",
            NoSuchThingError,
            'nothing that is "all dirty mugs"',
        ),
        ("put all dirty mugs in the sink", NoSuchThingError, 'nothing that is "all dirty mugs"'),
    ],
)
def test_what_can_be_found_nowhere_is_refused_with_a_reason(home, said, error, message):
    with pytest.raises(InstructionError, match=message) as caught:
        CommandReasoner().understand(said, situation(home))
    assert isinstance(caught.value, error)


def test_a_thing_of_another_kind_is_not_taken_in_silence(home):
    for said, kind, other in (("a glass", "cup", "cup"), ("the cup", "mug", "mug")):
        room = situation(home, sink1="sink", **{f"{kind}1": kind})
        taken = CommandReasoner().understand(f"put {said} in the sink", room)
        assert f"(meaning the {other})" in taken.sentence or f"{other}1" in taken.sentence
        assert not taken.wanted


def test_furniture_that_will_not_do_is_taken_for_what_is_called_so_and_will(home):
    room = situation(home, cabinet1="cabinet", dresser1="dresser", keys1="keys")
    inside = CommandReasoner().understand("put the keys in the cabinet", room)
    above = CommandReasoner().understand("put the keys on a cabinet", room)
    assert show(inside.goal) == "(in keys1 cabinet1)"
    assert show(above.goal) == "(exists (?x - dresser) (on keys1 ?x))"
    assert "(meaning the dresser)" in above.sentence


def test_a_rack_may_be_a_shelf_or_a_cart(home):
    room = situation(home, shelf1="shelf", cart1="cart", cloth1="cloth")
    understood = CommandReasoner().understand("put the cloth on the rack", room)
    assert [show(one.goal) for one in understood.readings] == ["(on cloth1 shelf1)", "(on cloth1 cart1)"]


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put a wet cloth on the counter", "(exists (?x - cloth) (and (clean ?x) (on ?x counter1)))"),
        ("put damp cloth on the counter", "(exists (?x - cloth) (and (clean ?x) (on ?x counter1)))"),
        ("put the wet cloth on the counter", "(on cloth1 counter1)"),
        ("move the cloth from the floor to the counter", "(on cloth1 counter1)"),
        ("put the cloth on the counter by the window", "(on cloth1 counter1)"),
        ("put the cloth on the counter, to the left of the door", "(on cloth1 counter1)"),
        ("put the cloth on the counter in the far corner of the room", "(on cloth1 counter1)"),
    ],
)
def test_what_is_wet_was_rinsed_and_parts_of_the_room_say_which_is_meant(home, said, goal):
    room = situation(home, cloth1="cloth", counter1="counter", sink1="sink")
    assert show(CommandReasoner().understand(said, room).goal) == goal


@pytest.mark.parametrize(
    "said",
    ["put the cloth on the floor", "put the cloth on the floor by the sink", "put the cloth by the window"],
)
def test_nothing_is_put_where_the_room_itself_is_named(home, said):
    with pytest.raises(InstructionError):
        CommandReasoner().understand(said, situation(home, cloth1="cloth", sink1="sink", counter1="counter"))


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("take a plate and a mug to a dining table", "bring a plate and a mug to a dining table"),
        ("carry the plate and the mug onto the counter", "put the plate and the mug onto the counter"),
        ("put a slice of warm bread on the counter", "put a warm slice of bread on the counter"),
        ("move the watch to end table", "move the watch to the end table"),
        ("wash a mug to set on the counter", "wash a mug and set it on the counter"),
    ],
)
def test_a_wording_means_the_same_as_a_plainer_one(home, said, instead):
    room = situation(home, counter1="counter", table1="table", side_table1="side_table")
    one, other = (CommandReasoner().understand(words, room) for words in (said, instead))
    assert show(one.goal) == show(other.goal)


def test_nothing_is_put_into_itself(home):
    with pytest.raises(NotUnderstoodError):
        CommandReasoner().understand(
            "move a bowl with a spoon in it", situation(home, bowl1="bowl", spoon1="spoon")
        )


@pytest.mark.parametrize(
    ("slipped", "plain", "notes"),
    [
        (
            "palce the mug in the sinkk",
            "place the mug in the sink",
            '"palce" is taken for "place"; "sinkk" is taken for "sink"',
        ),
        ("plae the mug in the sink", "place the mug in the sink", '"plae" is taken for "place"'),
        (
            "put the mug in the refridgerator",
            "put the mug in the refrigerator",
            '"refridgerator" is taken for "refrigerator"',
        ),
    ],
)
def test_a_slip_is_put_right_and_said(home, slipped, plain, notes):
    room = situation(home, mug1="mug", sink1="sink", fridge1="fridge")
    one, other = (CommandReasoner().understand(words, room) for words in (slipped, plain))
    assert show(one.goal) == show(other.goal)
    assert one.sentence.endswith(notes)


@pytest.mark.parametrize("word", ["tale", "fable"])
def test_a_word_of_its_own_is_no_slip(home, word):
    with pytest.raises(NotUnderstoodError, match=word):
        CommandReasoner().understand(
            f"put the mug on the {word}", situation(home, mug1="mug", table1="table")
        )


def test_a_load_may_be_said_behind_the_place(home):
    room = situation(home, mug1="mug", mug2="mug", pen1="pen", desk1="desk")
    found = CommandReasoner().understand("put a mug on the desk with a pen inside", room)
    assert show(found.goal) == "(exists (?x - mug) (exists (?y - pen) (and (on ?x desk1) (in ?y ?x))))"


def test_the_only_one_is_meant_wherever_it_is_said_to_be_as_long_as_its_place_is_unknown(home):
    room = situation(home, book1="book", bed1="bed", desk1="desk")
    assert show(CommandReasoner().understand("pick up the book on the bed", room).goal).endswith("book1))")


def test_what_is_taken_from_somewhere_may_not_have_been_seen_there(home):
    room = situation(home, candle1="candle", candle2="candle", bathtub1="bathtub", shelf1="shelf")
    found = CommandReasoner().understand("move both candles from the bathtub to the shelf", room)
    assert show(found.goal) == "(at-least 2 (?x - candle) (on ?x shelf1))"


def test_a_clean_dish_is_one_that_is_to_be_washed(home):
    room = situation(home, plate1="plate", bowl1="bowl", fridge1="fridge")
    found = CommandReasoner().understand("put a clean dish in the fridge", room)
    assert show(found.goal) == (
        "(or (and (clean plate1) (in plate1 fridge1)) (and (clean bowl1) (in bowl1 fridge1)))"
    )


def test_the_two_mugs_may_be_any_two(home):
    room = situation(home, mug1="mug", mug2="mug", mug3="mug", desk1="desk")
    found = CommandReasoner().understand("put the two mugs on the desk", room)
    assert show(found.goal) == "(at-least 2 (?x - mug) (on ?x desk1))"
    with pytest.raises(AmbiguousError, match='"both mugs" could be any of 3'):
        CommandReasoner().understand("put both mugs on the desk", room)


@pytest.mark.parametrize(
    "said",
    [
        "look at the mug with the lamp on",
        "examine the mug by the lamp turned on",
        "pick up the mug to look at under the lamp",
    ],
)
def test_a_lamp_may_be_said_to_be_on(home, said):
    room = situation(home, mug1="mug", lamp1="lamp")
    assert "(examined_by mug1 lamp1)" in show(CommandReasoner().understand(said, room).goal)


def test_what_a_thing_looks_like_does_not_tell_its_kind(home):
    room = situation(home, pan1="pan", pan2="pan", sink1="sink")
    found = CommandReasoner().understand("put a large metal pan in the sink", room)
    assert [show(reading.goal) for reading in found.readings] == ["(in pan1 sink1)", "(in pan2 sink1)"]


def test_what_is_brought_to_a_lamp_is_held_there(home):
    room = situation(home, mug1="mug", lamp1="lamp", table1="table")
    goal = show(CommandReasoner().understand("bring the mug to the lamp", room).goal)
    assert "mug1)" in goal
    assert "(rob_at_node ?robot lamp1)" in goal
    assert show(CommandReasoner().understand("bring the mug to the table", room).goal) == "(on mug1 table1)"


def test_a_load_may_come_before_where_a_thing_is_taken_from(home):
    room = situation(home, box1="box", pen1="pen", chair1="chair", desk1="desk")
    said = "move the box with a pen in it from the chair to the desk"
    goal = "(exists (?x - box) (exists (?y - pen) (and (on ?x desk1) (in ?y ?x))))"
    assert show(CommandReasoner().understand(said, room).goal) == goal
