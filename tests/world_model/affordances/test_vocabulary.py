"""The mapping that comes with Foretree, and the static predicates of the household: one vocabulary."""

from __future__ import annotations

import re

import pytest

from foretree.config import ConfigError, find_config, read_yaml
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.affordances.static_predicates import StaticPredicates
from foretree.world_model.ontology_file import load_ontology


@pytest.fixture(scope="module")
def placer():
    return Placer(load_mapping())


@pytest.fixture(scope="module")
def household():
    return load_ontology(find_config("domains", "household"))


def test_every_static_predicate_of_the_household_is_an_affordance(placer, household):
    predicates = {predicate for known in household.classes.values() for predicate in known.affords}
    assert {predicate for predicate in predicates if placer.mapping.of_predicate(predicate) is None} == set()


@pytest.mark.parametrize("domain", ["household", "home", "tabletop"])
def test_domains_list_only_what_affordances_do_not_tell(domain):
    """What a class affords in one file is not said again in another, nor denied where it is not so."""
    predicates = StaticPredicates()
    data = read_yaml(find_config("domains", domain))
    assert data["affordances"]
    for name, known in data["classes"].items():
        derived = {*predicates.of(name, data["affordances"].get(known["is"], ()))}
        assert derived.isdisjoint(known.get("affords", ())), name
        assert derived.issuperset(known.get("lacks", ())), name


def test_what_a_class_affords_decides_what_the_household_says_of_it(tmp_path, monkeypatch, household):
    assert "blade" in household.classes["knife"].affords
    assert "blade" not in household.classes["spoon"].affords
    classes = find_config("affordances", "classes").read_text()
    own = tmp_path / "affordances" / "classes.yaml"
    own.parent.mkdir()
    own.write_text(
        re.sub(
            r"(?m)^(  spoon:.*affords: \[)",
            r"\1cut, ",
            re.sub(r"(?m)^(  knife:.*)\bcut\b", r"\1play", classes),
        )
    )
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    changed = load_ontology(find_config("domains", "household"))
    assert "blade" not in changed.classes["knife"].affords
    assert "blade" in changed.classes["spoon"].affords


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("affordances: {item: [blede]}\nclasses: {knife: {is: item}}", "'blede'|no affordance has"),
        ("affordances: {item: [blade]}\nclasses: {knife: {is: item, lacks: [surface]}}", "'surface'"),
    ],
)
def test_predicates_that_no_affordance_states_are_mistakes(tmp_path, text, complaint):
    file = tmp_path / "own.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=complaint):
        load_ontology(file)


def test_a_class_has_what_it_affords_and_more_but_not_what_it_lacks(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(
        "affordances: {item: [blade, scoop_tool]}\n"
        "classes: {knife: {is: item, affords: [shiny]}, spoon: {is: item, lacks: [scoop_tool]}}"
    )
    classes = load_ontology(file).classes
    assert {name: known.affords for name, known in classes.items()} == {
        "knife": ("blade", "shiny"),
        "spoon": (),
    }


@pytest.mark.parametrize("scene", ["kitchen", "flat", "office"])
def test_what_is_in_a_scene_has_a_place(placer, scene):
    classes = set(load_scene(find_config("scenes", scene)).classes().values())
    assert {name for name in classes if not placer.place(name).classes} <= {"person"}


@pytest.mark.parametrize(
    ("name", "affordance"),
    [("espresso cup", "drink"), ("oven mitt", "shield"), ("steak knife", "cut"), ("paper towel", "absorb")],
)
def test_names_of_everyday_life(placer, name, affordance):
    assert placer.probability(name, affordance) >= LIKELY
