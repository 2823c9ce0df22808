"""Making things known: with what they afford, and with the parts that they can be taken apart into."""

from __future__ import annotations

import pytest

from foretree.config import ConfigError, find_config
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.entity_creation import add_entity, forget_parts, reclassify
from foretree.world_model.beliefs.facts import Entity, Truth
from foretree.world_model.observation import Covered, Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking.tracker import Tracker

ONTOLOGY = load_ontology(find_config("domains", "home"))
SLICES = ("apple1_slice1", "apple1_slice2", "apple1_slice3")


@pytest.fixture
def belief():
    return Belief(ONTOLOGY.vocabulary)


def meet(belief, name, classes):
    add_entity(belief, ONTOLOGY, Entity(name, classes), time=0.0, source="camera")


def test_the_parts_of_a_thing_are_known_with_it_and_are_within_it(belief):
    meet(belief, "apple1", {"apple": 0.7, "tomato": 0.2, "mug": 0.1})
    for name in SLICES:
        assert belief.entity(name).classes == {"apple_slice": 0.7, "tomato_slice": 0.2}
        assert belief.snapshot().placement("rests", name) == ("part_of", name, "apple1")
        assert belief.truth(("small", name)) is Truth.TRUE
    assert belief.truth(("slices", "apple1", *SLICES)) is Truth.TRUE


def test_what_cannot_be_taken_apart_has_no_parts(belief):
    meet(belief, "mug1", {"mug": 0.9, "apple": 0.1})
    assert list(belief.snapshot().entities()) == ["mug1"]


def test_what_turns_out_to_be_something_else_has_the_parts_of_that(belief):
    meet(belief, "apple1", {"apple": 1.0})
    tomato = Entity("apple1", {"tomato": 0.8, "apple": 0.2})
    reclassify(belief, ONTOLOGY, "apple", tomato, time=1.0, source="camera")
    assert {belief.entity(name).best_class for name in SLICES} == {"tomato_slice"}
    assert belief.snapshot().placement("rests", SLICES[0]) == ("part_of", SLICES[0], "apple1")


def test_what_turns_out_to_have_none_loses_its_parts_but_not_those_that_are_cut_off(belief):
    meet(belief, "apple1", {"apple": 1.0})
    belief.tell(("on", SLICES[0], "table1"), source="action")
    ball = Entity("apple1", {"ball": 1.0})
    reclassify(belief, ONTOLOGY, "apple", ball, time=1.0, source="camera")
    assert sorted(belief.snapshot().entities()) == ["apple1", SLICES[0]]
    assert belief.truth(("slices", "apple1", *SLICES)) is not Truth.TRUE


def test_to_forget_parts_is_to_forget_all_about_them(belief):
    meet(belief, "apple1", {"apple": 1.0})
    forget_parts(belief, ONTOLOGY, "apple1")
    assert not [fact for fact in belief.snapshot().facts() if set(SLICES) & set(fact.atom)]


def look(time, *detections, covered=()):
    return Observation(time=time, detections=detections, covered=covered, source="camera")


def test_no_look_finds_or_misses_what_is_still_within(belief):
    add_entity(
        belief,
        ONTOLOGY,
        Entity("table1", {"table": 1.0}, (0.0, 0.0, 0.5), fixed=True),
        time=0.0,
        source="map",
    )
    tracker = Tracker(belief, ONTOLOGY)
    table = Detection("a", {"table": 1.0}, (0.0, 0.0, 0.5))
    apple = Detection("b", {"apple": 0.9}, (0.1, 0.0, 0.8), rests=("on", "a"))
    piece = Detection("c", {"apple_slice": 0.9}, (0.4, 0.0, 0.8), rests=("on", "a"))
    covered = (Covered("on", "a"),)
    tracker.observe(look(1.0, table, apple, covered=covered))
    tracker.observe(look(2.0, table, apple, piece, covered=covered))
    snapshot = belief.snapshot()
    assert [snapshot.placement("rests", name)[0] for name in SLICES] == ["part_of"] * 3
    # The slice that lies there is none of those that nobody has cut yet.
    assert snapshot.placement("rests", "apple_slice1") == ("on", "apple_slice1", "table1")


# -- mistakes ----------------------------------------------------------------------------------------
def changed(tmp_path, before, after):
    for name in ("home.yaml", "home.pddl"):
        text = (ONTOLOGY.source.parent / name).read_text(encoding="utf-8")
        assert name == "home.pddl" or before in text
        (tmp_path / name).write_text(text.replace(before, after) if name == "home.yaml" else text)
    return tmp_path / "home.yaml"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "apple: apple_slice",
            "appel: apple_slice",
            r"parts\.of\.appel: there is no class 'appel'\. Did you mean apple",
        ),
        ("within: part_of", "within: partof", r"parts\.within: .* has no predicate 'partof' of 2 things"),
        ("  number: 3\n", "  number: 2\n", r"parts\.listed: .* has no predicate 'slices' of 3 things"),
        ("  called: slice\n", "", r"parts\.called"),
    ],
)
def test_parts_that_make_no_sense_are_refused(tmp_path, before, after, message):
    with pytest.raises(ConfigError, match=message):
        load_catalogue(str(changed(tmp_path, before, after)))
