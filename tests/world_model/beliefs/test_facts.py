"""Facts, entities, and predicates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretree.config import find_config
from foretree.planning.pddl.parser import read_domain
from foretree.world_model.beliefs.facts import (
    Entity,
    Fact,
    PredicateInfo,
    Truth,
    Vocabulary,
    best_of,
    hand_free,
    hand_of,
    has_hand,
    holding,
    robot_at,
)

SCORES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.0, 0.1, 0.3, 0.5]), min_size=1)


@given(SCORES)
def test_the_best_class_is_the_likeliest_and_of_several_the_first_by_name(classes: dict[str, float]):
    best = sorted(classes, key=lambda name: (-classes[name], name))[0]
    assert best_of(classes) == Entity("thing1", classes).best_class == best


def test_what_is_of_no_class_has_no_best_one():
    assert Entity("thing1", {}).best_class == ""


VOCABULARY = Vocabulary({"open": PredicateInfo(shelf_life=60.0), "surface": PredicateInfo()})


def test_evidence_keeps_as_long_as_its_predicate_says():
    seen = Fact(("open", "door1"), Truth.TRUE, 0.9, 10.0, "look")
    assert not VOCABULARY.is_stale(seen, 70.0)
    assert VOCABULARY.is_stale(seen, 70.1)


def test_without_a_shelf_life_evidence_keeps():
    assert not VOCABULARY.is_stale(Fact(("surface", "table1"), Truth.TRUE, 0.9, 0.0, "look"), 1e9)


LEFT = ("robot1", "left")


def test_the_household_says_it_in_the_same_words():
    predicates = read_domain(find_config("domains", "household").with_suffix(".pddl")).predicates
    for atom in (robot_at("robot1", "sink1"), has_hand(LEFT), hand_free(LEFT), holding(LEFT, "mug1")):
        assert len(predicates[atom[0]]) == len(atom) - 1, atom


def test_a_thing_in_a_hand_says_whose_hand_it_is():
    assert hand_of(holding(LEFT, "mug1")) == LEFT
    assert hand_of(("on", "mug1", "table1")) is None
    assert hand_of(None) is None
