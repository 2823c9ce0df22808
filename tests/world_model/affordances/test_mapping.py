"""The mapping from classes to affordances: its files, and what it learns."""

from __future__ import annotations

import pytest

from foretree.config import ConfigError, find_config
from foretree.world_model.affordances.mapping import Outcomes, UnknownAffordanceError
from foretree.world_model.affordances.mapping_file import load_mapping

#: Those of AutoGPT+P.
PUBLISHED = [
    "grasp",
    "carry",
    "assisted-carry",
    "cut",
    "contain",
    "liquid-contain",
    "enclosed-contain",
    "pour",
    "precise-pour",
    "drink",
    "constrained-move",
    "rotate",
    "axis-roll",
    "free-roll",
    "push",
    "pull",
    "open",
    "close",
    "support",
    "stack",
    "sturdy-support",
    "vertical-support",
    "scoop",
    "stir",
    "distance-connect",
    "contact-connect",
    "pierce",
    "pick",
    "hit",
    "pound",
    "swing",
    "dry-swipe",
    "wet-swipe",
    "heat",
    "heat-resistance",
    "liquid",
    "drinkable",
    "consumable",
]


def test_the_published_affordances_are_there_and_some_that_were_missing(mapping):
    assert len(PUBLISHED) == 38
    assert {*PUBLISHED, "cool", "wash", "sit", "light"} <= mapping.affordances.keys()


def test_every_affordance_has_a_sentence_of_its_own(mapping):
    sentences = [known.means for known in mapping.affordances.values()]
    assert len({*sentences}) == len(sentences)
    assert all(sentence.endswith(".") and len(sentence) > 12 for sentence in sentences)


def test_probabilities_come_from_the_file(mapping):
    assert mapping.probability("mug", "grasp") == 0.95
    assert mapping.probability("mug", "push") == 0.6
    assert mapping.probability("mug", "cut") == 0.03


def test_affordances_are_found_however_they_are_written(mapping):
    assert mapping.checked("Liquid Contain") == mapping.checked("liquid_contain") == "liquid-contain"
    assert mapping.checked("fillable") == "liquid-contain"


@pytest.mark.parametrize(("name", "says"), [("graps", "Did you mean grasp?"), ("slice", "Did you mean cut?")])
def test_unknown_affordances_are_answered_by_what_was_meant(mapping, name, says):
    with pytest.raises(UnknownAffordanceError, match=f"There is no affordance '{name}'") as error:
        mapping.checked(name)
    assert says in str(error.value)


def test_outcomes_outweigh_the_file_in_the_end(mapping):
    before = mapping.probability("table", "push")
    mapping.learn("table", "push", Outcomes(failed=1))
    once = mapping.probability("table", "push")
    mapping.learn("table", "push", Outcomes(failed=30))
    assert 0.5 < once < before
    assert mapping.probability("table", "push") < 0.25
    assert mapping.probability("mug", "push") == 0.6


def test_a_person_overrules_the_file_but_not_for_ever(mapping):
    mapping.tell("spoon", "cut", holds=True)
    assert mapping.probability("spoon", "cut") > 0.5
    mapping.learn("spoon", "cut", Outcomes(failed=20))
    assert mapping.probability("spoon", "cut") < 0.5


def test_base_rates_follow_what_is_learned(mapping):
    before = mapping.base_rate("cut")
    assert before == pytest.approx((0.95 + 9 * 0.03) / 10)
    mapping.tell("spoon", "cut", holds=True)
    assert mapping.base_rate("cut") > before


def test_classes_that_have_several_affordances(mapping):
    assert list(mapping.affording(["grasp", "wear"])) == ["glove", "shoe"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("classes: {mug: {affords: [graps]}}", "there is no affordance 'graps'. Did you mean grasp?"),
        ("classes: {mug: {affords: [{grasp: 2}]}}", "a number up to 1"),
        ("classes: {mug: {affords: [grasp, {grasp: 0.2}]}}", "grasp is listed for the second time"),
        ("classes: {mug: {like: [cupp]}, cup: {}}", "there is no class 'cupp'. Did you mean cup?"),
        ("classes: {mug: {words: [cup]}, cup: {}}", "'cup' already means cup"),
        ("classes: {tea cup: {}, tea_cup: {}}", "it is the same class as 'tea cup'"),
        ("classes: {mug: {afford: []}}", "there is no such key. Did you mean affords?"),
        ("usual: 0.9", "classes: is missing"),
    ],
)
def test_mistakes_in_the_file_of_classes(tmp_path, text, says):
    path = tmp_path / "classes.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_mapping(classes=path)
    assert says in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "affordances: {a: {means: It is., predicates: [p]}, b: {means: No., predicates: [p]}}",
            "already states a",
        ),
        ("{affordances: {cut: {means: It cuts.}}, states: {blunt: [cutt]}}", "Did you mean cut?"),
        ("affordances: {cut: {}}", "means: is missing"),
    ],
)
def test_mistakes_in_the_file_of_affordances(tmp_path, classes_file, text, says):
    path = tmp_path / "affordances.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_mapping(path, classes_file)
    assert says in str(error.value)


def test_predicates_that_affordances_name_are_of_a_domain(mapping):
    domains = [
        find_config("domains", name).with_suffix(".pddl").read_text() for name in ("household", "tabletop")
    ]
    for affordance in mapping.affordances.values():
        for predicate in affordance.predicates:
            assert any(f"({predicate} ?" in domain for domain in domains), predicate
    assert mapping.of_predicate("blade") == "cut"
    assert mapping.of_predicate("clean") is None
