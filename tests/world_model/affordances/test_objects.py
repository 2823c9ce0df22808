"""What single objects afford."""

from __future__ import annotations

import pytest

from foretree.world_model.affordances.objects import ObjectAffordances
from foretree.world_model.beliefs.facts import Entity

KNIFE = Entity("knife1", {"knife": 1.0})
UNSURE = Entity("thing1", {"knife": 0.6, "spoon": 0.4})


@pytest.fixture
def objects(placer) -> ObjectAffordances:
    return ObjectAffordances(placer)


def test_class_scores_weigh_what_classes_afford(objects):
    assert objects.probability(UNSURE, "cut") == pytest.approx(0.6 * 0.95 + 0.4 * 0.03)


def test_what_scores_leave_open_goes_to_the_base_rate(objects):
    half = Entity("thing2", {"knife": 0.5})
    assert objects.probability(half, "cut") == pytest.approx(0.475 + 0.5 * objects.mapping.base_rate("cut"))


def test_detectors_may_name_classes_that_are_not_listed(objects):
    assert objects.probability(Entity("cup1", {"espresso_cup": 1.0}), "drink") > 0.8


def test_either_of_two_classes_is_not_both(objects):
    assert objects.probability(UNSURE, "cut", "stir") == pytest.approx(0.95 * 0.03)


def test_what_fails_with_one_object_is_held_against_it_first(objects):
    for _ in range(3):
        objects.record(KNIFE, "cut", held=False)
    assert objects.probability(KNIFE, "cut") < 0.5
    assert objects.probability(Entity("knife2", {"knife": 1.0}), "cut") > 0.8
    assert objects.probability(KNIFE, "grasp") == 0.95


def test_one_object_counts_once_in_its_class(objects):
    for held in (False, False, True, False):
        objects.record(KNIFE, "cut", held)
    counted = objects.mapping.evidence["knife", "cut"]
    assert (counted.held, counted.failed) == (pytest.approx(0.25), pytest.approx(0.75))


def test_many_objects_teach_what_their_class_affords(objects):
    for number in range(40):
        objects.record(Entity(f"table{number}", {"table": 1.0}), "push", held=False)
    assert objects.probability(Entity("other", {"table": 1.0}), "push") < 0.5


def test_an_uncertain_class_learns_less(objects):
    objects.record(UNSURE, "cut", held=False)
    assert objects.mapping.evidence["spoon", "cut"].failed == pytest.approx(0.4)


def test_a_person_overrules_class_and_outcomes(objects):
    objects.record(KNIFE, "cut", held=False)
    objects.tell("knife1", "cut", holds=True)
    assert objects.probability(KNIFE, "cut") > 0.95
    objects.record(KNIFE, "cut", held=False)
    objects.record(KNIFE, "cut", held=False)
    objects.record(KNIFE, "cut", held=False)
    assert objects.probability(KNIFE, "cut") < 0.5


def test_a_broken_cup_holds_no_water(objects):
    cup, other = Entity("cup1", {"cup": 1.0}), Entity("cup2", {"cup": 1.0})
    objects.tell_state("cup1", "broken")
    assert objects.probability(cup, "liquid-contain") < 0.1
    assert objects.probability(cup, "carry") == 0.95
    assert objects.probability(other, "liquid-contain") == 0.95
    objects.tell_state("cup1", "broken", holds=False)
    assert objects.probability(cup, "liquid-contain") == 0.95


def test_an_action_relies_on_the_static_facts_of_its_precondition(objects):
    table = Entity("table1", {"table": 1.0})
    things = {"knife1": KNIFE, "table1": table, "robot1": Entity("robot1", {"robot": 1.0})}
    facts = [("blade", "knife1"), ("surface", "table1"), ("on", "knife1", "table1"), ("clean", "knife1")]
    objects.record_action(facts, things, succeeded=True)
    assert objects.probability(KNIFE, "cut") > 0.95
    assert objects.probability(table, "support") > 0.95


def test_blame_goes_to_what_was_doubtful(objects):
    things = {"knife1": KNIFE, "thing1": UNSURE}
    objects.record_action([("blade", "thing1"), ("hangable", "knife1"), ("surface", "knife1")], things, False)
    blamed = {key: found.failed for key, found in objects.outcomes.items()}
    assert sum(blamed.values()) == pytest.approx(1.0)
    assert blamed["thing1", "cut"] < blamed["knife1", "hang"]


def test_an_action_that_relied_on_nothing_teaches_nothing(objects):
    objects.record_action([("on", "knife1", "table1")], {"knife1": KNIFE}, succeeded=False)
    assert not objects.outcomes
