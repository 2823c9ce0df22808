from __future__ import annotations

import pytest

from foretree.planning.pddl.syntax import show
from foretree.skills.capabilities import ASKING_COST, CapabilityError, Helper, capabilities
from foretree.skills.catalogue_file import load_catalogue


@pytest.fixture(scope="module")
def household():
    return load_catalogue("household")


def test_where_all_robots_can_do_everything_and_no_person_is_asked_the_catalogue_stays(household):
    made = capabilities(household, {"robot1": None}, {})
    assert made.catalogue is household
    assert (made.facts, made.costs) == ((), {})


def test_what_takes_two_robots_is_there_where_there_are_two(household):
    made = capabilities(household, {"robot1": None, "robot2": None}, {})
    assert made.catalogue.skills.keys() - household.skills.keys() == {"hand_over"}
    assert "hand_over" in made.catalogue.domain.operators
    assert capabilities(household, {"robot1": None, "robot2": None}, {}).catalogue is made.catalogue
    assert "hand_over" not in household.domain.operators
    both = capabilities(household, {"arm": ["pick", "hand_over"], "cart": ["move", "hand_over"]}, {})
    condition = show(both.catalogue.skills["hand_over"].operator.precondition)
    assert "(able_to_hand_over" not in condition
    one = capabilities(household, {"arm": None, "cart": ["move"]}, {})
    condition = show(one.catalogue.skills["hand_over"].operator.precondition)
    assert "(able_to_hand_over ?robot) (able_to_hand_over ?receiver)" in condition


def test_what_one_robot_cannot_do_takes_a_robot_that_can(household):
    skills = [name for name in household.of_a_team.skills if name != "open"]
    made = capabilities(household, {"arm": None, "cart": skills}, {})
    assert made.facts == (("able_to_open", "arm"),)
    assert "(able_to_open ?robot)" in show(made.catalogue.skills["open"].operator.precondition)
    assert "able_to" not in show(made.catalogue.skills["pick"].operator.precondition)
    assert made.catalogue.domain.operators["open"] is made.catalogue.skills["open"].operator
    assert "able_to_open" in made.catalogue.domain.predicates


def test_asking_has_the_conditions_and_effects_of_the_deed_and_none_on_the_robot(household):
    made = capabilities(household, {"robot1": None}, {"ann": Helper(("open",), 700)})
    asking = made.catalogue.skills["ask_to_open"]
    condition = show(asking.operator.precondition)
    for needed in (
        "(rob_at_node ?asking ?asked)",
        "(willing_to_open ?asked)",
        "(openable ?place)",
        "(not (open ?place))",
    ):
        assert needed in condition
    assert "hand" not in condition
    assert [effect.literal.atom for effect in asking.operator.effects] == [("open", "?place")]
    assert asking.operator.cost.function == (ASKING_COST, "?asked")
    assert made.costs == {(ASKING_COST, "ann"): 700}
    assert made.facts == (("willing_to_open", "ann"),)
    assert asking.parameters == {"action": "open", "words": "open {place}"}
    assert made.catalogue.skills["open"] == household.skills["open"]


@pytest.mark.parametrize("skill", ["pick", "move", "handover", "cut", "pour"])
def test_what_changes_the_robot_or_takes_a_tool_in_its_hand_is_not_asked_for(household, skill):
    with pytest.raises(CapabilityError, match=rf"cannot be asked to {skill}.*Valid: .*\bopen\b.*turn_on"):
        capabilities(household, {"robot1": None}, {"ann": Helper((skill,))})


def test_a_skill_that_does_not_exist_is_refused_with_one_that_does(household):
    with pytest.raises(CapabilityError, match=r"cart has no skill 'opn'.*open"):
        capabilities(household, {"cart": ["opn"]}, {})
