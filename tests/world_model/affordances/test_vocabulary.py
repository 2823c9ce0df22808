"""The mapping that comes with Foretree, and the static predicates of the household: one vocabulary."""

from __future__ import annotations

import pytest

from foretree.config import find_config
from foretree.simulation.household.scene_file import load_scene
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
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


def test_what_the_household_says_of_its_classes_is_likely(placer, household):
    unlikely = [
        (name, predicate)
        for name, known in household.classes.items()
        for predicate in known.affords
        if placer.probability(name, placer.mapping.of_predicate(predicate)) < LIKELY
    ]
    assert unlikely == []


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
