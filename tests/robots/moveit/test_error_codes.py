from __future__ import annotations

from foretree.robots.moveit.error_codes import CODES, OF_PLANNING, SUCCESS, MotionProblem, meaning_of

#: The numbers in moveit_msgs/msg/MoveItErrorCodes; tests/ros compares them with the message itself.
NUMBERS = {0, *range(-7, 0), *range(-19, -9), *range(-31, -20), 99999}


def test_every_code_has_a_meaning_but_success():
    assert set(CODES) == NUMBERS
    assert SUCCESS not in CODES
    assert all(meaning.says and not meaning.says.endswith(".") for meaning in CODES.values())
    assert len({meaning.name for meaning in CODES.values()}) == len(CODES)


def test_a_code_that_is_not_known_is_trouble():
    meaning = meaning_of(-77)
    assert meaning.problem is MotionProblem.TROUBLE
    assert "-77" in meaning.says


def test_problems_of_planning_are_those_after_which_another_motion_may_be_possible():
    assert MotionProblem.NOT_FOLLOWED not in OF_PLANNING
    assert MotionProblem.TROUBLE not in OF_PLANNING
    assert MotionProblem.STOPPED not in OF_PLANNING
    assert meaning_of(-31).problem in OF_PLANNING
