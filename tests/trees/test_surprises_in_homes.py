"""What somebody else does in a home while a plan is carried out, and which guard finds it.

In each scenario somebody changes something behind the robot's back, once it is on its way to the first thing that its
plan is about. Nobody tells the robot: it sees what there is to see, without noise.
"""

from __future__ import annotations

from itertools import takewhile

import pytest
from empty_kitchen import CABINET, COUNTER, EMPTY, FAR_COUNTER, FRIDGE, TABLE, carry, lay

from foretree.revision.expectation import GUARD_NAMES
from foretree.runs.events import Tape
from foretree.trees.embedded import Options, Wish
from foretree.trees.homes import open_home

#: Where the robot begins, and where it looks: in the corner that is farthest from both.
CORNER = (17, 18), 270
#: Likewise; from here both counters are seen at once.
OVERVIEW = (15, 6), 90

ALL = ",".join(GUARD_NAMES)
PLATE_ON_SHELF = "(exists (?item - plate ?place - shelf) (on ?item ?place))"
PLATE_IN_FRIDGE = "(exists (?item - plate ?place - fridge) (in ?item ?place))"
CLEAN_PLATE_ON_SHELF = "(exists (?item - plate ?place - shelf) (and (clean ?item) (on ?item ?place)))"
TWO_PLATES_ON_TABLE = "(exists (?place - table) (at-least 2 (?item - plate) (on ?item ?place)))"
CUP_AND_MUG_ON_SHELF = (
    "(exists (?item - mug ?other - cup ?place - shelf) (and (on ?item ?place) (on ?other ?place)))"
)


def but(*guards):
    return ",".join(name for name in GUARD_NAMES if name not in guards)


class Story:
    """A run in the empty kitchen in which somebody interferes.

    Args:
        goal: what the robot is to reach.
        laid: the things that lie there at first: of which class, and where.
        surprise: what somebody does, as soon as the robot walks to the first place of a plan that moves things.
        start: where the robot begins, and where it looks.
        guards: the guards that are compiled in.

    Attributes:
        home: the truth.
        things: what was laid.
        tape: what happened.
    """

    def __init__(self, goal, laid, surprise, start=CORNER, guards=ALL):
        self.tape = Tape()
        session, self.world = open_home(
            EMPTY, Wish(goal=goal), Options("homes", {"guards": guards}), recorder=self.tape
        )
        self.home = self.world.body.rules.home
        self.home.posture.cell, self.home.posture.heading = start
        self.things = [lay(self.home, *what) for what in laid]
        while session.result is None and not self._sets_out():
            session.step()
        self.struck = len(self.tape.events)
        surprise(self.home, *self.things)
        session.run()
        self.outcome = session.result.outcome

    def _sets_out(self):
        plans = self.tape.of("plan.made")
        actions = plans[-1].data["actions"] if plans else []
        begun = {event.data["action"] for event in self.tape.of("action.started")}
        return any(one["skill"].startswith("pick") for one in actions) and actions[0]["id"] in begun

    def told(self):
        """What the robot was told to do since somebody interfered, walks aside: skill, things and place."""
        actions = {one["id"]: one for event in self.tape.of("plan.made") for one in event.data["actions"]}
        begun = [actions[event.data["action"]] for event in self._since("action.started")]
        return [
            " ".join([one["skill"], *one["arguments"][2:-1]])
            for one in begun
            if not one["skill"].startswith("move")
        ]

    def failed(self):
        """How actions have failed, or what the robot was refused."""
        ended = [event.data for event in self.tape.of("action.ended")]
        return [data["reason"] for data in ended if data["outcome"] == "failed"] + list(self.world.illegal)

    def found(self):
        """The guard and what it has found, for each discrepancy."""
        return [
            (event.data["guard"], event.data["sentence"].split(", but ")[-1])
            for event in self.tape.of("discrepancy.found")
        ]

    def before(self, kind, skill):
        """How often something happened before the robot was told to do something, by the beginning of its name."""
        actions = {
            one["id"]: one["skill"] for event in self.tape.of("plan.made") for one in event.data["actions"]
        }
        events = takewhile(
            lambda e: not (e.kind == "action.started" and actions[e.data["action"]].startswith(skill)),
            self.tape.events,
        )
        return sum(event.kind == kind for event in events)

    def skipped(self):
        """The guards for which actions were left out."""
        return [guard for event in self.tape.of("action.skipped") for guard in event.data["guards"]]

    def moved(self):
        """Which of the things that were laid the robot has picked up, by their number."""
        ids = [thing.id for thing in self.things]
        return [
            ids.index(one.thing) if one.thing in ids else None for one in self.world.body.rules.log.picked
        ]

    def _since(self, kind):
        return [event for event in self.tape.events[self.struck :] if event.kind == kind]


# -- presence ----------------------------------------------------------------------------------------------


def moved_to(place, relation="on", guards=ALL):
    return Story(
        PLATE_ON_SHELF,
        [("plate", COUNTER)],
        lambda home, plate: carry(home, plate, place, relation),
        guards=guards,
    )


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
    story = moved_to(CABINET, "in", guards)
    assert story.told()[0] == "pick_from_surface plate1 counter1"
    assert "nobody knows where the plate is" in story.failed()
    assert story.found()[0][0] == "failure"


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
    assert ticks == {revision.tick}
    picks = [told for told in story.told() if told.startswith("pick")]
    assert sorted(picks) == ["pick_from_surface cup1 table1", "pick_from_surface mug1 table1"]
    assert story.failed() == []


def test_without_guards_none_of_them_is_noticed():
    story = both_moved("none")
    assert story.tape.of("discrepancy.found") == []
    assert story.told()[0] in ("pick_from_surface cup1 counter3", "pick_from_surface mug1 counter3")
