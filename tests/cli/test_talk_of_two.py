"""A talk in the terminal of two people, whose lines begin with their names."""

import pytest

from foretree.runs.reader import events as read


def test_what_was_done_for_one_is_not_undone_for_another_unasked(told):
    job, runs = told("Anna: put the apple on table2", "Ben: put the apple on the counter", "Ben: no")
    assert 'Anna asks: "put the apple on table2". Ben asks: "put the apple on the counter".' in job.out
    assert "So I keep to what Anna asks for." in job.out
    assert len(runs) == 2
    assert [run.info().outcome for run in runs] == ["reached", "given-up"]
    assert not list(read(runs[1], kinds=("action.intent",)))


@pytest.mark.parametrize("answer", ["Anna: ok", "Ben's", "the counter", "2"])
def test_it_is_if_it_is_so_decided(told, answer):
    job, runs = told("Anna: put the apple on table2", "Ben: put the apple on the counter", answer)
    assert job.status == 0, job.out
    assert "I do what Ben asks for, and not what Anna asks for." in job.out
    assert [run.info().outcome for run in runs] == ["reached", "reached"]


def test_what_is_said_instead_of_an_answer_is_heard_next(told):
    job, runs = told(
        "Anna: put the apple on table2", "Ben: put the apple on the counter", "Ben: put the bread on table2"
    )
    assert [run.info().outcome for run in runs] == ["reached", "given-up", "reached"]


def test_one_person_may_go_back_on_what_was_said(told):
    job, runs = told("Anna: put the apple on table2", "Anna: put the apple on the counter")
    assert job.status == 0, job.out
    assert "I cannot do both" not in job.out


def test_what_one_forbids_another_one_does_not_just_do(told):
    job, _ = told("Anna: never open the drawer", "Ben: put the fork on table2", "Anna: fine")
    assert job.status == 0, job.out
    assert "To Anna: From now on I keep to (never-use open drawer1)." in job.out
    assert "I cannot do both, to keep (never-use open drawer1)." in job.out


def test_a_rule_that_plainly_forbids_a_wish_needs_no_search(told):
    job, runs = told(
        "Anna: never put anything on the sofa", "Ben: put the apple on the sofa", options=("--scene", "flat")
    )
    assert 'Anna asks: "never put anything on the sofa". Ben asks: "put the apple on the sofa".' in job.out
    assert "I look at what is around." not in job.out
    assert [run.info().outcome for run in runs] == ["given-up"]


def test_what_was_done_for_one_is_brought_about_again(told):
    job, runs = told(
        "Anna: put the bowl on the shelf", "Ben: wash the bowl", options=("--scene", "two_robots")
    )
    assert job.status == 0, job.out
    assert "wash bowl1; what Anna asked for stays so: put bowl1 on shelf1." in job.out
    done = [event.data["action"]["skill"] for event in read(runs[1], kinds=("action.intent",))]
    assert done[-1] == "place_on"
    assert "wash" in done


def test_where_the_robot_was_sent_does_not_last(told):
    job, runs = told("Anna: go to the counter", "Ben: put the apple on table2")
    assert job.status == 0, job.out
    assert "what Anna asked for" not in job.out
    done = [event.data["action"]["skill"] for event in read(runs[-1], kinds=("action.intent",))]
    assert done[-1] == "place_on"


def test_who_asks_is_answered_by_name_and_an_opening_is_no_name(told):
    job, runs = told(
        "Anna: where is the mango?", "Please: where is the mango?", "Robot: put the apple on table2"
    )
    assert "To Anna: mango1 is " in job.out
    assert "To Please" not in job.out
    assert "To Robot" not in job.out
