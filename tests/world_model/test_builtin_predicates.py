"""What is said of the robot's own body."""

from foretree.config import find_config
from foretree.planning.pddl.parser import read_domain
from foretree.world_model.builtin_predicates import hand_free, hand_of, has_hand, holding, robot_at

LEFT = ("robot1", "left")


def test_the_household_says_it_in_the_same_words():
    predicates = read_domain(find_config("domains", "household").with_suffix(".pddl")).predicates
    for atom in (robot_at("robot1", "sink1"), has_hand(LEFT), hand_free(LEFT), holding(LEFT, "mug1")):
        assert len(predicates[atom[0]]) == len(atom) - 1, atom


def test_a_thing_in_a_hand_says_whose_hand_it_is():
    assert hand_of(holding(LEFT, "mug1")) == LEFT
    assert hand_of(("on", "mug1", "table1")) is None
    assert hand_of(None) is None
