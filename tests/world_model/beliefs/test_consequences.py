"""What follows from where things are, of plain facts and of a belief that changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretree.config import ConfigError
from foretree.world_model.beliefs.belief import Belief
from foretree.world_model.beliefs.consequences import (
    ConsequenceRule,
    ConsequenceUpdater,
    class_facts,
    consequences,
    read_pattern,
)
from foretree.world_model.beliefs.entity_creation import add_entity
from foretree.world_model.beliefs.facts import Entity, PredicateInfo, Truth, Vocabulary
from foretree.world_model.observation import Detection, Observation
from foretree.world_model.ontology_file import load_ontology
from foretree.world_model.tracking.tracker import Tracker

OCCUPIED = ConsequenceRule((("stackable", "?b"), ("on", "?i", "?b")), ("occupied", "?b"))
PILED = ConsequenceRule(
    (("stackable", "?b"), ("on", "?i", "?b"), ("on", "?b", "?p"), ("is", "?p", "asset")),
    ("piled_at", "?i", "?p"),
)
HIGHER = ConsequenceRule((("on", "?i", "?b"), ("piled_at", "?b", "?p")), ("piled_at", "?i", "?p"))
RULES = (OCCUPIED, PILED, HIGHER)
TYPES = {"block": "item", "table": "asset", "tray": "item"}


def facts(*lines: str) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in lines]


def test_a_thing_with_something_on_it_is_occupied():
    found = consequences((OCCUPIED,), facts("stackable b1", "stackable b2", "on b1 b2", "on b2 t1"))
    assert found == {("occupied", "b2")}


def test_what_follows_leads_to_more():
    found = consequences(
        RULES, facts("stackable a", "stackable b", "stackable c", "on a b", "on b c", "on c t", "is t asset")
    )
    assert {atom for atom in found if atom[0] == "piled_at"} == {
        ("piled_at", "b", "t"),
        ("piled_at", "a", "t"),
    }


def test_the_type_of_a_thing_is_a_condition_like_others():
    found = consequences(RULES, facts("stackable b", "on a b", "on b tray1", "is tray1 item"))
    assert found == {("occupied", "b")}


def test_a_variable_stands_for_the_same_thing_throughout():
    twice = ConsequenceRule((("on", "?a", "?a"),), ("odd", "?a"))
    assert consequences((twice,), facts("on x y", "on z z")) == {("odd", "z")}


def test_things_are_of_their_class_and_of_the_type_above_it():
    assert set(class_facts({"b1": "block"}, TYPES.__getitem__)) == {
        ("is", "b1", "block"),
        ("is", "b1", "item"),
    }


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20), st.randoms())
def test_a_chain_is_followed_to_its_end_whatever_the_order(pairs, shuffled: random.Random):
    step = ConsequenceRule((("next", "?a", "?b"),), ("reach", "?a", "?b"))
    more = ConsequenceRule((("next", "?a", "?b"), ("reach", "?b", "?c")), ("reach", "?a", "?c"))
    atoms = [("next", f"n{a}", f"n{b}") for a, b in pairs]
    shuffled.shuffle(atoms)
    reach = {(a, b) for a, b in pairs}
    while new := {(a, d) for a, b in reach for c, d in reach if b == c} - reach:
        reach |= new
    assert consequences((more, step), atoms) == {("reach", f"n{a}", f"n{b}") for a, b in reach}


@pytest.mark.parametrize("text", ["on ?a ?b", "(on)", "(on ?a ?b", "(On ?A ?b) x", "((on ?a))", ""])
def test_what_is_no_atom_is_no_pattern(text):
    assert read_pattern(text) is None
    assert read_pattern(" ( On ?A  tray1 ) ") == ("on", "?a", "tray1")


# -- beliefs -----------------------------------------------------------------------------------------
VOCABULARY = Vocabulary({"on": PredicateInfo(kind="place", observable=True, default=None, group="rests")})


def piled() -> Belief:
    belief = Belief(VOCABULARY)
    for name, class_name in {"a": "block", "b": "block", "c": "block", "t": "table"}.items():
        belief.put_entity(Entity(name, {class_name: 1.0}, None, 0.0, False))
    for line in ("stackable a", "stackable b", "stackable c", "on a b", "on b c", "on c t"):
        belief.tell(tuple(line.split()))
    return belief


def following(belief: Belief) -> set[str]:
    return {" ".join(a) for a in belief.snapshot().true_atoms() if a[0] in ("occupied", "piled_at")}


def test_a_belief_holds_what_follows_and_drops_what_does_not_any_more():
    belief = piled()
    ConsequenceUpdater(RULES, TYPES.__getitem__).update(belief, 1.0)
    assert following(belief) == {"occupied b", "occupied c", "piled_at a t", "piled_at b t"}
    belief.tell(("on", "a", "t"))
    ConsequenceUpdater(RULES, TYPES.__getitem__).update(belief, 2.0)
    assert following(belief) == {"occupied c", "piled_at b t"}
    assert belief.truth(("occupied", "b")) is Truth.FALSE


def test_a_belief_that_is_settled_stays_as_it_is():
    belief = piled()
    ConsequenceUpdater(RULES, TYPES.__getitem__).update(belief, 1.0)
    version = belief.version
    ConsequenceUpdater(RULES, TYPES.__getitem__).update(belief, 2.0)
    assert belief.version == version


# -- the file ----------------------------------------------------------------------------------------
FILE = """
predicates:
  under: {kind: place, observable: true, default: null, group: rests}
  on:    {kind: place, observable: true, default: null, group: rests}
follows:
  - {when: ["(outlet ?place)", "(under ?item ?place)"], then: "(occupied ?place)"}
classes:
  coffee_maker: {is: asset, affords: [surface, outlet]}
  cup: {is: item}
"""


def test_an_observation_settles_what_follows(tmp_path):
    path = tmp_path / "home.yaml"
    path.write_text(FILE)
    ontology = load_ontology(path)
    belief = Belief(ontology.vocabulary)
    maker = Entity("maker", {"coffee_maker": 1.0}, (0.0, 0.0, 0.5), fixed=True)
    add_entity(belief, ontology, maker, time=0.0, source="map")
    tracker = Tracker(belief, ontology)
    for time, relation in ((1.0, "under"), (2.0, "on")):
        seen = (
            Detection("1", {"coffee_maker": 1.0}, (0.0, 0.0, 0.5)),
            Detection("2", {"cup": 1.0}, (0.0, 0.1, 0.5), rests=(relation, "1")),
        )
        tracker.observe(Observation(time, "look", seen))
        assert belief.truth((relation, "cup1", "maker")) is Truth.TRUE
        assert following(belief) == ({"occupied maker"} if relation == "under" else set())


def test_a_tracker_begins_with_what_follows_from_what_was_told(tmp_path):
    path = tmp_path / "home.yaml"
    path.write_text(FILE)
    ontology = load_ontology(path)
    belief = Belief(ontology.vocabulary)
    maker = Entity("maker", {"coffee_maker": 1.0}, (0.0, 0.0, 0.5), fixed=True)
    add_entity(belief, ontology, maker, time=0.0, source="map")
    belief.tell(("under", "cup1", "maker"))
    Tracker(belief, ontology)
    assert following(belief) == {"occupied maker"}


def test_two_things_make_a_pile_and_one_thing_does_not():
    rule = ConsequenceRule(
        (("on", "?one", "?below"), ("on", "?other", "?below"), ("differ", "?one", "?other")),
        ("piled", "?below"),
    )
    assert consequences([rule], [("on", "egg1", "plate1"), ("on", "egg2", "plate2")]) == frozenset()
    assert consequences([rule], [("on", "egg1", "plate1"), ("on", "egg2", "plate1")]) == {("piled", "plate1")}


@pytest.mark.parametrize(
    ("rule", "location", "problem"),
    [
        ("{when: ['on ?a ?b'], then: '(occupied ?b)'}", "follows.0.when.0", "not 'on ?a ?b'"),
        ("{when: ['(on ?a ?b)'], then: occupied}", "follows.0.then", "not 'occupied'"),
        ("{when: ['(on ?item ?below)'], then: '(full ?bellow)'}", "follows.0.then", "Did you mean ?below"),
        ("{when: [], then: '(occupied ?b)'}", "follows.0.when", "at least 1"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(tmp_path, rule, location, problem):
    path = tmp_path / "home.yaml"
    path.write_text(f"follows:\n  - {rule}\n")
    with pytest.raises(ConfigError) as refusal:
        load_ontology(path)
    assert f"{path}:2: {location}" in str(refusal.value)
    assert problem in str(refusal.value)
