"""The shipped object-affordance mapping: its names are unambiguous, and it covers the things of the domains."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from foretree.config import find_config, read_yaml
from foretree.world_model.affordances.evaluation import evaluate, read_ground_truth
from foretree.world_model.affordances.mapping import LIKELY
from foretree.world_model.affordances.mapping_file import load_mapping
from foretree.world_model.affordances.placement import Placer
from foretree.world_model.ontology import plurals

AFFORDANCES = frozenset(read_yaml(find_config("affordances", "affordances"))["affordances"])
#: In the domains, but no things.
NOT_THINGS = {"person", "waypoint"}


@pytest.fixture(scope="module")
def mapping():
    return read_yaml(find_config("affordances", "classes"))


@pytest.fixture(scope="module")
def classes(mapping):
    return mapping["classes"]


def probabilities(entry):
    """The affordances of a class, with their probabilities where they are given."""
    return [next(iter(item.items())) if isinstance(item, dict) else (item, None) for item in entry["affords"]]


def words(classes):
    """What classes are called: their own names, and the other ones."""
    return {name: [name.replace("_", " "), *entry.get("words", ())] for name, entry in classes.items()}


def test_there_are_many_classes_in_a_uniform_style(classes):
    assert len(classes) >= 1_000
    assert [name for name in classes if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name)] == []
    assert [name for name, entry in classes.items() if entry.keys() - {"words", "like", "affords"}] == []


def test_no_word_names_two_classes_or_one_twice(classes):
    owners = Counter(word for known in words(classes).values() for word in known)
    assert [word for word, times in owners.items() if times > 1] == []
    assert [word for word in owners if not re.fullmatch(r"[a-z0-9'-]+( [a-z0-9'-]+)*", word)] == []


def test_no_plural_names_another_class(classes):
    owners = {word: name for name, known in words(classes).items() for word in known}
    for word, name in owners.items():
        assert {owners.get(plural, name) for plural in plurals(word)} <= {name}, word


def test_every_class_affords_something_known_once(classes):
    for name, entry in classes.items():
        afforded = [affordance for affordance, _ in probabilities(entry)]
        assert afforded, name
        assert set(afforded) <= AFFORDANCES, name
        assert len(afforded) == len(set(afforded)), name


def test_every_affordance_is_usual_of_some_class(classes):
    usual = {found for entry in classes.values() for found, share in probabilities(entry) if share is None}
    assert usual == AFFORDANCES


def test_what_has_a_number_is_between_the_usual_and_what_is_not_listed(mapping, classes):
    low, high = mapping["otherwise"], mapping["usual"]
    assert 0 < low < high < 1
    shares = [share for entry in classes.values() for _, share in probabilities(entry) if share is not None]
    assert all(low < share < high for share in shares)


def test_look_alikes_are_other_classes(classes):
    for name, entry in classes.items():
        like = entry.get("like", [])
        assert set(like) <= classes.keys() - {name}, name
        assert len(like) == len(set(like)), name


@pytest.mark.parametrize("domain", ["household", "home"])
def test_all_things_of_a_domain_are_classes_or_words_for_one(classes, domain):
    things = read_yaml(find_config("domains", domain))["classes"].keys() - NOT_THINGS
    listed = {word for known in words(classes).values() for word in known}
    assert {thing.replace("_", " ") for thing in things} <= listed


def test_what_an_affordance_implies_comes_with_it():
    mapping = load_mapping()
    for name in mapping.classes:
        likely = {known for known in mapping.affordances if mapping.probability(name, known) >= LIKELY}
        assert mapping.contradictions(likely) == [], name


def test_the_mapping_agrees_with_a_second_list_of_labels():
    """It was made before the mapping was looked at, by definitions alone."""
    mapping = load_mapping()
    labels = Path(__file__).parents[3] / "benchmarks" / "affordance-labels-2.csv"
    evaluation = evaluate(Placer(mapping), read_ground_truth(labels, mapping))
    assert evaluation.overall.f1 >= 0.85
