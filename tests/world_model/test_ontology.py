"""Classes, their names and what they afford."""

from pathlib import Path

import pytest

from foretree.config import ConfigError, find_config
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.ontology import UnknownClassError, plurals
from foretree.world_model.ontology_file import load_ontology


@pytest.fixture(scope="module")
def household():
    return load_ontology(find_config("domains", "household"))


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "domain.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("phrase", "class_name", "plural"),
    [
        ("mug", "mug", False),
        ("mugs", "mug", True),
        ("Mug", "mug", False),
        ("coffee machine", "coffee_machine", False),
        ("coffee_machine", "coffee_machine", False),
        ("coffee machines", "coffee_machine", True),
        ("pillows", "pillow", True),
        ("cushions", "pillow", True),
        ("knives", "knife", True),
        ("boxes", "box", True),
        ("loaves", "bread", True),
        ("mangoes", "mango", True),
        ("mangos", "mango", True),
        ("shelves", "shelf", True),
        ("dishes", "plate", True),
        ("batteries", "battery", True),
        ("toys", "toy", True),
        ("glasses", "glass", True),
        ("chests of drawers", "dresser", True),
        ("t-shirt", "shirt", False),
        ("people", "person", True),
        ("keys", "keys", False),
        ("scissors", "scissors", False),
    ],
)
def test_things_are_found_by_what_people_call_them(household, phrase, class_name, plural):
    naming = household.named(phrase)
    assert naming is not None
    assert (naming.class_name, naming.plural) == (class_name, plural)


def test_an_unknown_word_names_nothing(household):
    assert household.named("gryphon") is None


def test_a_compound_takes_its_plural_at_the_head():
    assert plurals("chest of drawers") == ("chests of drawers",)
    assert plurals("frying pan") == ("frying pans",)


def test_affordances_are_facts_about_the_entity(household):
    assert household.affordance_atoms("fridge1", "fridge") == (
        ("container", "fridge1"),
        ("openable", "fridge1"),
        ("cools", "fridge1"),
    )


def test_a_container_that_cannot_be_opened_is_open(household):
    assert ("open", "sink1") in household.affordance_atoms("sink1", "sink")
    assert ("open", "fridge1") not in household.affordance_atoms("fridge1", "fridge")


def test_a_type_that_is_no_class_has_no_affordances(household):
    assert household.affordance_atoms("robot1", "robot") == ()
    assert household.type_of("robot") == "robot"


def test_classes_become_types_below_what_they_are(household):
    types = household.types()
    assert types["mug"] == "item"
    assert types["fridge"] == "asset"
    assert "person" not in types, "a class of the same name as its type adds no type"


def test_look_alikes_count_both_ways(household):
    assert household.look_alike("mug", "cup")
    assert household.look_alike("vase", "glass")
    assert household.look_alike("glass", "vase")
    assert not household.look_alike("mug", "fridge")


def test_the_vocabulary_is_what_the_file_says(household):
    assert household.vocabulary["on"].group == "rests"
    assert household.vocabulary["on"].observable
    assert household.vocabulary["on"].default is None
    assert household.vocabulary["open"].shelf_life == 60
    assert not household.vocabulary["surface"].observable


def test_asking_for_an_unknown_class_says_what_there_is(household):
    with pytest.raises(UnknownClassError, match=r"no class 'mugg'. Did you mean mug"):
        household["mugg"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("classes: {mug: {affords: [fillable]}}", r"domain.yaml:1: classes\.mug\.is: is missing"),
        (
            "classes: {mug: {is: item, aford: []}}",
            r"classes\.mug\.aford: there is no such key. Did you mean affords",
        ),
        ("classes: {mug: {is: item, like: [cop]}, cup: {is: item}}", r"no class 'cop'. Did you mean cup"),
        ("classes: {mug: {is: item, words: [cup]}, cup: {is: item}}", r"'cup' already means cup"),
        (
            "classes: {knife: {is: item, affords: [blade]}}\nneeds: [{said: [cut], take: [blade, blates]}]",
            r"domain.yaml:2: needs\.0\.take\.1: there is no class 'blates', and none affords it. Did you mean blade",
        ),
        ("needs: [{said: [], take: [blade]}]", r"needs\.0\.said: .*at least 1"),
        ("needs: [{take: [blade]}]", r"needs\.0\.said: is missing"),
        ("needs: [{said: cut, take: [blade]}]", r"needs\.0\.said: .*'cut'"),
        ("predicates: {on: {kind: colour}}", r"predicates\.on\.kind: .*'place'.*not 'colour'"),
        ("predicates: {on: {shelf_life: -1}}", r"predicates\.on\.shelf_life"),
        ("clases: {}", r"clases: there is no such key. Did you mean classes"),
        ("classes: [", r"domain.yaml:\d+:\d+: not valid YAML"),
    ],
)
def test_a_mistake_is_reported_with_file_key_and_what_is_valid(tmp_path, text, message):
    with pytest.raises(ConfigError, match=message):
        load_ontology(write(tmp_path, text))


def test_the_domain_file_lies_beside_the_ontology(household):
    assert household.domain is not None
    assert household.domain.is_file()


def test_predicates_have_words_and_opposites(household):
    assert "full" in household.predicate_words["filled"]
    assert "on top of" in household.predicate_words["on"]
    assert household.predicate_opposites["clean"] == ("dirty", "unwashed")


def test_needs_say_what_a_deed_takes(tmp_path):
    path = tmp_path / "domain.yaml"
    path.write_text(
        "classes: {knife: {is: item, affords: [blade]}}\nneeds: [{said: [Cut, cut-up], take: [blade, knife]}]"
    )
    (need,) = load_ontology(path).needs
    assert need.said == ("cut", "cut up")
    assert need.take == ("blade", "knife")


@pytest.mark.parametrize(
    ("relation", "class_name", "way"),
    [
        ("in", "shelf", "on"),
        ("on", "cabinet", "in"),
        ("on", "table", "on"),
        ("in", "dresser", "in"),
        ("on", "dresser", "on"),
        ("under", "table", "under"),
        ("in", "lamp", "in"),
    ],
)
def test_things_rest_as_their_support_affords(relation, class_name, way):
    assert load_catalogue("home").ontology.way_to_rest(relation, class_name) == way
