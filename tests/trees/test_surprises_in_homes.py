"""What somebody else does in a home while a plan is carried out, and which guard finds it.

In each scenario somebody changes something behind the robot's back, once it is on its way to the first thing that its
plan is about. Nobody tells the robot: it sees what there is to see, without noise.
"""

from __future__ import annotations

import pytest
from empty_kitchen import CABINET, COUNTER, FAR_COUNTER, FRIDGE, TABLE, carry, lay
from stories import (
    ALL,
    OVERVIEW,
    PLATE_IN_FRIDGE,
    Story,
    but,
    moved_and_shut,
    moved_to,
    seen_on_the_way,
)

from foretree.simulation.grid_homes.goals import is_reached
from foretree.simulation.grid_homes.task_families import make_task

CLEAN_PLATE_ON_SHELF = "(exists (?item - plate ?place - shelf) (and (clean ?item) (on ?item ?place)))"
TWO_PLATES_ON_TABLE = "(exists (?place - table) (at-least 2 (?item - plate) (on ?item ?place)))"
CUP_AND_MUG_ON_SHELF = (
    "(exists (?item - mug ?other - cup ?place - shelf) (and (on ?item ?place) (on ?other ?place)))"
)


# -- presence ----------------------------------------------------------------------------------------------


def test_a_thing_that_was_moved_is_missed_before_it_is_reached_for():
    story = moved_to(TABLE)
    assert story.outcome == "reached"
    assert story.found() == [("presence", "plate1 is on table1.")]
    assert story.before("discrepancy.found", "pick") == 1
    assert story.told() == ["pick_from_surface plate1 table1", "put_on_surface plate1 shelf1"]
    assert story.failed() == []


def test_without_guards_a_thing_that_was_moved_is_reached_for_where_it_was():
    """The plan stays wrong. Where the thing has been seen elsewhere, the robot goes there all the same."""
    story = moved_to(TABLE, guards="none")
    assert story.told()[0] == "pick_from_surface plate1 counter1"
    assert story.found() == []


def test_a_thing_that_was_hidden_is_searched_for_without_reaching_for_nothing():
    story = moved_to(CABINET, "in")
    assert story.outcome == "reached"
    assert story.found()[0] == ("presence", "plate1 is not on counter1.")
    assert "pick_from_surface plate1 counter1" not in story.told()
    assert story.told()[-3:] == [
        "open_container cabinet1",
        "pick_from_container plate1 cabinet1",
        "put_on_surface plate1 shelf1",
    ]
    assert story.failed() == []


@pytest.mark.parametrize("guards", ["none", but("presence")])
def test_without_the_guard_a_thing_that_was_hidden_is_reached_for_in_vain(guards):
    story = moved_to(CABINET, "in", guards=guards)
    assert story.told()[0] == "pick_from_surface plate1 counter1"
    assert "it is not known where the plate is" in story.failed()
    assert story.found()[0][0] == "failure"


def test_a_thing_that_is_seen_elsewhere_on_the_way_is_missed_while_the_robot_walks():
    """Not when it has arrived, nor when it is about to reach for the thing: it turns round at once."""
    story = seen_on_the_way()
    assert story.outcome == "reached"
    (found,) = story.tape.of("discrepancy.found")
    (revision,) = story.tape.of("revision.made")
    walk, began, ended = story.first_walk()
    assert (walk["skill"], walk["arguments"][-1]) == ("move_robot", "counter3")
    assert ended.data["outcome"] == "cancelled"
    assert found.data["guard"] == "presence"
    assert found.data["seen"] == "plate1 is on table1"
    assert began.tick + 2 < found.tick, "seen after some steps"
    assert ended.tick <= revision.tick <= found.tick + 4
    turned = revision.data["added"][0]
    assert turned["arguments"] == ["robot1", "here", "table1"]
    assert "move_robot(robot1, here, table1)" in revision.data["why"]
    assert story.before("look.started", "pick") == 1, "nobody looks for it: that is the look around at first"
    assert story.told() == ["pick_from_surface plate1 table1", "put_on_surface plate1 shelf1"]
    assert is_reached(story.home, make_task("pick_and_place", {"item": "plate", "place": "shelf"}))


@pytest.mark.parametrize("guards", ["none", but("presence")])
def test_without_the_guard_nothing_is_missed_while_the_robot_walks(guards):
    story = seen_on_the_way(guards)
    assert story.found() == []
    assert story.told()[0] == "pick_from_surface plate1 counter3"
    assert story.acted_for > seen_on_the_way().acted_for, "and that is so much dearer"


def another_appears(guards=ALL):
    """The fridge is to be opened first; meanwhile somebody puts another plate on the table, which is nearer to it."""
    return Story(
        PLATE_IN_FRIDGE, [("plate", COUNTER)], lambda home, plate: lay(home, "plate", TABLE), guards=guards
    )


def test_another_thing_that_comes_into_view_and_is_nearer_is_taken():
    story = another_appears()
    assert story.outcome == "reached"
    assert story.found()[0][0] == "presence"
    assert "plate2 is on table1, which is nearer" in story.found()[0][1]
    assert story.moved() == [None]
    assert story.failed() == []


def test_without_the_guard_the_plan_keeps_to_the_thing_that_it_chose():
    story = another_appears(but("presence"))
    assert story.outcome == "reached"
    assert story.moved() == [0]
    assert story.found() == []


# -- attribute ---------------------------------------------------------------------------------------------


def washed(guards=ALL):
    return Story(
        CLEAN_PLATE_ON_SHELF,
        [("plate", COUNTER)],
        lambda home, plate: home.set_state(plate, "clean"),
        guards=guards,
    )


def test_what_somebody_has_washed_is_not_washed_again():
    story = washed()
    assert story.outcome == "reached"
    assert story.told() == ["pick_from_surface plate1 counter1", "put_on_surface plate1 shelf1"]
    assert story.skipped() == ["attribute"]


def test_without_the_guard_what_is_clean_is_washed():
    story = washed(but("attribute"))
    assert story.outcome == "reached"
    assert "wash_at_tap plate1 sink1" in story.told()


def opened(guards=ALL):
    return Story(
        PLATE_IN_FRIDGE,
        [("plate", COUNTER)],
        lambda home, plate: home.set_state(home[FRIDGE], "open"),
        guards=guards,
    )


def test_what_stands_open_is_not_opened():
    story = opened()
    assert story.outcome == "reached"
    assert story.skipped() == ["attribute"]
    assert not any(told.startswith("open") for told in story.told())
    assert story.failed() == []


def test_without_the_guard_it_shows_when_the_robot_is_refused():
    story = opened(but("attribute"))
    assert story.outcome == "reached"
    assert story.told()[0] == "open_container fridge1"
    assert [one.rule for one in story.failed()] == ["closed"]


# -- relationship ------------------------------------------------------------------------------------------


def one_is_there(guards):
    return Story(
        TWO_PLATES_ON_TABLE,
        [("plate", COUNTER), ("plate", FAR_COUNTER)],
        lambda home, *plates: lay(home, "plate", TABLE),
        guards=guards,
    )


def on_table(story):
    return len(story.home[TABLE].load)


@pytest.mark.parametrize("others", [[], ["presence"]])
def test_what_is_there_already_counts(others):
    story = one_is_there(but(*others))
    assert story.outcome == "reached"
    assert len(story.moved()) == 1
    assert on_table(story) == 2
    assert story.failed() == []
    found = story.tape.of("discrepancy.found") + story.tape.of("action.skipped")
    assert any("relationship" in (one.data.get("guard"), *one.data.get("guards", ())) for one in found)


def test_without_the_guard_what_is_there_already_does_not_count():
    # Where presence is guarded, whatever else it finds has the rest planned anew, with what is seen by then.
    story = one_is_there(but("presence", "relationship"))
    assert story.outcome == "reached"
    assert len(story.moved()) == 2
    assert on_table(story) == 3
    assert story.skipped() == []


# -- several at once ---------------------------------------------------------------------------------------


def both_moved(guards=ALL):
    def surprise(home, *things):
        for thing in things:
            carry(home, thing, TABLE)

    laid = [("mug", FAR_COUNTER), ("cup", FAR_COUNTER)]
    return Story(CUP_AND_MUG_ON_SHELF, laid, surprise, OVERVIEW, guards)


def test_several_discrepancies_at_once_are_resolved_in_one_revision():
    story = both_moved()
    assert story.outcome == "reached"
    assert sorted(story.found()) == [("presence", "cup1 is on table1."), ("presence", "mug1 is on table1.")]
    ticks = {event.tick for event in story.tape.of("discrepancy.found")}
    (revision,) = story.tape.of("revision.made")
    assert len(ticks) == 1
    assert ticks <= set(range(revision.tick - 4, revision.tick + 1))
    picks = [told for told in story.told() if told.startswith("pick")]
    assert sorted(picks) == ["pick_from_surface cup1 table1", "pick_from_surface mug1 table1"]
    assert story.failed() == []


def test_without_guards_none_of_them_is_noticed():
    story = both_moved("none")
    assert story.tape.of("discrepancy.found") == []
    assert story.told()[0] in ("pick_from_surface cup1 counter3", "pick_from_surface mug1 counter3")


@pytest.mark.parametrize("revisers", ["planner", "rules,planner"])
def test_discrepancies_of_different_guards_are_resolved_in_one_revision(revisers):
    story = moved_and_shut(revisers=revisers)
    assert story.outcome == "reached"
    assert story.found() == [("presence", "plate1 is on table1."), ("attribute", "fridge1 is not open.")]
    assert len({event.tick for event in story.tape.of("discrepancy.found")}) == 1, "known at once"
    assert len(story.tape.of("revision.made")) == 1
    assert story.told() == [
        "open_container fridge1",
        "pick_from_surface plate1 table1",
        "put_in_container plate1 fridge1",
    ]
    assert story.failed() == []
    assert is_reached(story.home, make_task("pick_and_place", {"item": "plate", "place": "fridge"}))


def test_without_guards_neither_is_noticed_before_the_robot_is_refused():
    story = moved_and_shut(guards="none")
    assert story.found()[0][0] == "failure"
    assert story.told()[:2] == ["pick_from_surface plate1 counter1", "put_in_container plate1 fridge1"]
    assert [one.rule for one in story.world.illegal] == ["container-open"]
