"""Ageing of facts."""

from foretree.world_model.beliefs.facts import Fact, Truth
from foretree.world_model.beliefs.staleness import is_stale
from foretree.world_model.beliefs.vocabulary import PredicateInfo, Vocabulary

VOCABULARY = Vocabulary({"open": PredicateInfo(shelf_life=60.0), "surface": PredicateInfo()})


def test_evidence_keeps_as_long_as_its_predicate_says():
    seen = Fact(("open", "door1"), Truth.TRUE, 0.9, 10.0, "look")
    assert not is_stale(seen, VOCABULARY, 70.0)
    assert is_stale(seen, VOCABULARY, 70.1)


def test_without_a_shelf_life_evidence_keeps():
    assert not is_stale(Fact(("surface", "table1"), Truth.TRUE, 0.9, 0.0, "look"), VOCABULARY, 1e9)
