"""The domain whose types are affordances and capabilities, with classes of things below them."""

from __future__ import annotations

from functools import lru_cache

import pytest

from foretree.config import ConfigError, find_config
from foretree.planning.pddl.parser import parse_domain
from foretree.skills.affordance_catalogue import load_affordance_domain, with_parents
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer


@lru_cache(maxsize=1)
def domain():
    return load_affordance_domain(Placer(load_mapping()))


@pytest.mark.parametrize(
    ("kind", "above", "not_above"),
    [
        ("knife", ["item", "grasp", "cut"], ["liquid-contain", "asset", "cuttable"]),
        ("cucumber", ["item", "cuttable"], ["cut"]),
        ("glass", ["item", "liquid-contain", "pour"], ["open"]),
        ("fridge", ["asset", "place", "open", "contain"], ["item", "water-supply"]),
        ("robot", ["agent", "can-cut", "place"], ["human", "thing"]),
    ],
)
def test_a_class_is_below_all_that_it_affords(kind, above, not_above):
    types = domain().catalogue().domain
    assert [name for name in above if not types.is_a(kind, name)] == []
    assert [name for name in not_above if types.is_a(kind, name)] == []


def test_an_unlisted_class_is_a_kind_of_what_its_head_noun_names():
    catalogue = domain().catalogue(["picnic_cup", "couch", "cup"])
    assert catalogue.domain.is_a("picnic_cup", "cup")
    assert catalogue.domain.is_a("picnic_cup", "liquid-contain")
    assert catalogue.domain.is_a("couch", "sofa")
    assert catalogue.ontology.named("picnic cups").class_name == "picnic_cup"
    assert catalogue.ontology.named("couch").class_name == "sofa"  # another word for it, and below it


def test_without_new_classes_the_catalogue_is_the_same():
    assert domain().catalogue(["cup"]) is domain().catalogue()
    assert domain().catalogue(["picnic_cup"]) is domain().catalogue(["cup", "picnic_cup"])


def test_a_package_is_told_apart_from_what_is_in_it():
    kinds = domain().catalogue(["juice_carton"])
    assert kinds.domain.is_a("juice_carton", "juice")
    apart = domain().catalogue(["juice_carton"], packages=["juice_carton"])
    assert not apart.domain.is_a("juice_carton", "juice")
    assert apart.domain.is_a("juice_carton", "carton")
    assert apart.ontology.named("juice carton").class_name == "juice_carton"


def test_what_stands_somewhere_is_a_place():
    assert not domain().catalogue().domain.is_a("stool", "place")
    assert domain().catalogue(standing=["stool"]).domain.is_a("stool", "place")


def test_a_drink_is_carried_where_it_is_packed():
    assert not domain().catalogue().domain.is_a("tea", "item")
    assert domain().catalogue(["tea"], packed=["tea"]).domain.is_a("tea", "grasp")


def test_a_kind_is_a_class_only_where_a_thing_is_of_it():
    assert domain().catalogue().ontology.named("food") is None
    assert domain().catalogue(["food"]).ontology.named("food").class_name == "food"


def test_people_cost_a_thousand_times_as_much_as_robots():
    costs = {name: kind.cost for name, kind in domain().agents.items()}
    assert costs == {"robot": 1, "human": 1000}


def test_a_type_that_is_there_is_put_below_further_ones():
    base = parse_domain("(define (domain d) (:types a b c - object x - a))")
    types = with_parents(base, {"x": ["b"], "y": ["c", "x", "c"]})
    assert types.lineage("x") == ("x", "a", "b")
    assert types.lineage("y") == ("y", "c", "x", "a", "b")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("capabilities: all, words: [robot]", "capabilities: [can-graps]", "can-grasp"),
        ("  robot: {cost", "  robbot: {cost", "Did you mean robot"),
        ("  move:\n", "  moove:\n", "Did you mean move"),
        ("walk) to {to}", "walk) to {too}", "no parameter of the action"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line(tmp_path, old, new, says):
    source = find_config("domains", "affordances")
    text = source.read_text()
    assert old in text
    (tmp_path / "affordances.pddl").write_text(source.with_suffix(".pddl").read_text())
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError, match=rf"mine.yaml:\d+(?s:.*){says}"):
        load_affordance_domain(domain().placer, str(path))
