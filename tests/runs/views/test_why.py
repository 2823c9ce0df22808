import pytest
from mango_run import mango_events

from foretree.runs.events import Tape
from foretree.runs.views.why import UnknownStepError, why


def test_an_action_that_never_happened():
    story = why(mango_events(), "a2")
    assert str(story.action) == "pick(robot, left, mango1, table1)"
    assert story.action.status == "dropped"
    assert story.goal == "(in mango1 fridge1)"
    assert story.origin == "planned in tick 1 by fast-downward, for (in mango1 fridge1)"
    assert story.needed_for == (
        "5. a5 place_in(robot, left, mango1, fridge1) needs (holding robot left mango1)",
    )
    assert story.assumptions == ("(on mango1 table1), prior 80% sure",)
    assert [(check.guard, check.passed, check.expected) for check in story.checks] == [
        ("presence", False, "(on mango1 table1)")
    ]
    assert [note.sentence for note in story.discrepancies] == [
        "the mango is not on table1; it was seen on table2"
    ]
    assert [note.why for note in story.revisions] == ["go to table2 and take the mango there"]
    assert [note.why for note in story.rejections] == ["table2 cannot be reached from here"]


def test_a_number_means_the_nth_that_the_robot_was_told_to_do():
    story = why(mango_events(), "2")
    assert story.action.id == "b1"
    assert story.origin == "added in tick 48 by the planner reviser: go to table2 and take the mango there"
    assert story.discrepancies == ()
    assert [note.reviser for note in story.revisions] == ["planner"]


def test_the_last_action_is_needed_for_the_goal():
    assert why(mango_events(), "a5").needed_for == ("the goal needs (in mango1 fridge1)",)


def test_without_links_those_who_wait_need_it():
    assert why(mango_events(), "a3").needed_for == ("a4 open(robot, right, fridge1) waits for it",)


def test_a_skipped_action_says_why():
    action = why(mango_events(), "a4").action
    assert (action.status, action.reason) == ("skipped", "fridge1 is open already")


def test_a_watched_condition_is_told_once_and_again_when_it_changes():
    tape = Tape()
    action = {"id": "a1", "skill": "heat", "arguments": ["cup"]}
    tape.record("plan.made", actions=[action], order={}, goal="(hot cup)")
    for passed in (True, True, True, False, False, True):
        tape.record(
            "guard.checked", action="a1", guard="attribute", passed=passed, expected="(on cup)", believed=""
        )
    assert [check.passed for check in why(tape.events, "a1").checks] == [True, False, True]


def test_an_unknown_step_lists_the_known():
    with pytest.raises(UnknownStepError, match=r"no action 'a9'.*a1.*1 to 5"):
        why(mango_events(), "a9")
    with pytest.raises(UnknownStepError, match="1 to 5"):
        why(mango_events(), "6")
    with pytest.raises(UnknownStepError, match="no plan was made"):
        why([], "1")


def test_a_plan_of_no_actions_is_told_from_none():
    tape = Tape()
    tape.record("plan.made", actions=[], order={}, goal="(open fridge1)")
    with pytest.raises(UnknownStepError, match="no actions: what was asked for was so already"):
        why(tape.events, "1")
