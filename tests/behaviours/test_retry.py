"""Going on until the goal is reached, or honestly giving up."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from at_home import AtHome, F, R, S
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.mission import NO_PLAN, Mission
from foretree.behaviours.retry import GiveUp, RetryUntilReached
from foretree.clock import WallClock
from foretree.planning.solvers.base import Solution, SolverError
from foretree.revision.expectation import GUARD_NAMES
from foretree.world_model.beliefs.facts import PredicateInfo


class Tool(Behaviour):
    def __init__(self, *results):
        super().__init__("tool")
        self.results = list(results)
        self.begun = 0
        self.stopped = []

    def initialise(self):
        self.begun += 1

    def update(self):
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]

    def terminate(self, new_status):
        self.stopped.append(new_status)


def persevering(*results, goal="(open fridge1)", **settings):
    home = AtHome(**settings)
    mission = Mission(goal=home.goal(goal))
    tool = Tool(*results)
    return home, mission, tool, RetryUntilReached(tool, home.context, mission)


def statuses(node, times):
    found = []
    for _ in range(times):
        node.tick_once()
        found.append(node.status)
    return found


def test_as_long_as_the_goal_is_not_reached_it_begins_again():
    home, mission, tool, node = persevering(S)
    assert statuses(node, 3) == [R, R, R]
    assert tool.begun == 3
    home.believe("open fridge1")
    assert statuses(node, 1) == [S]


def test_while_the_tool_works_it_is_left_alone():
    home, mission, tool, node = persevering(R, R, S)
    assert statuses(node, 2) == [R, R]
    assert tool.begun == 1


def test_it_fails_with_the_tool():
    home, mission, tool, node = persevering(S, F)
    assert statuses(node, 2) == [R, F]


def test_what_the_goal_is_only_assumed_to_hold_by_is_looked_for_once():
    home, mission, tool, node = persevering(S, goal="(not (open fridge1))")
    assert statuses(node, 1) == [S]  # known to be shut
    home.forget("open fridge1")
    home.context.belief.retract([("open", "fridge1")])
    assert statuses(node, 1) == [R]
    assert mission.unseen == {("open", "fridge1"): "fridge1"}
    lacks = mission.lacks(home.context.belief.snapshot(), home.context.catalogue.domain)
    assert [(lack.words, lack.place) for lack in lacks] == [("evidence whether (open fridge1)", "fridge1")]
    assert statuses(node, 1) == [S]  # no look has told


def test_what_no_action_can_change_needs_no_look():
    home, mission, tool, node = persevering(S, goal="(not (exists (?t - table) (open ?t)))")
    assert statuses(node, 1) == [S]


def test_a_goal_that_is_only_perhaps_reached_is_not():
    home, mission, tool, node = persevering(S)
    home.forget("open fridge1")
    assert statuses(node, 1) == [R]


def test_nothing_is_reached_before_what_is_wanted_was_found():
    home, mission, tool, node = persevering(S, goal="(forall (?b - banana) (in ?b fridge1))")
    mission.wanted = ("banana",)
    assert statuses(node, 1) == [R]
    home.imagine("banana1", "banana", "in fridge1")
    assert statuses(node, 1) == [S]


@pytest.mark.parametrize("guards", [GUARD_NAMES, ()])
def test_what_a_search_has_seen_by_the_way_is_made_sure_of_whatever_guards_there_are(guards):
    home, mission, tool, node = persevering(S, guards=guards)
    mission.subgoal = home.goal("(open fridge1)")
    home.believe("open fridge1")
    assert statuses(node, 2) == [R, R]
    mission.subgoal = None
    assert statuses(node, 1) == [S]


def test_whoever_does_not_look_round_takes_it_as_it_is():
    home = AtHome(look_round=False)
    mission = Mission(goal=home.goal("(open fridge1)"), subgoal=home.goal("(open fridge1)"))
    node = RetryUntilReached(Tool(S), home.context, mission)
    home.believe("open fridge1")
    assert statuses(node, 1) == [S]


def test_it_says_why_it_goes_on():
    home, mission, tool, node = persevering(S)
    mission.reason = "It slipped."
    statuses(node, 1)
    assert node.feedback_message == "It slipped."


def test_stopping_it_stops_the_tool():
    home, mission, tool, node = persevering(R)
    statuses(node, 1)
    node.stop(Status.INVALID)
    assert tool.stopped == [Status.INVALID]


@pytest.mark.parametrize(
    ("plan", "last", "reason"),
    [
        ("The plan broke.", "Nothing was found.", "The plan broke. Nothing was found."),
        ("", "Nothing was found.", "Nothing was found."),
        ("The plan broke.", "", "The plan broke."),
        ("The same.", "The same.", "The same."),
    ],
)
def test_giving_up_gives_all_reasons_once(plan, last, reason):
    mission = Mission(reason=last)
    leaf = GiveUp(AtHome(look_round=False).context, mission, lambda: plan)
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == leaf.feedback_message == reason


def test_giving_up_without_another_reason():
    mission = Mission(reason="Nothing was found.")
    GiveUp(AtHome(look_round=False).context, mission).tick_once()
    assert mission.reason == "Nothing was found."


def finding_out(answer, reason=f"Planned twice. {NO_PLAN}"):
    """A leaf that gives up where nobody has found out yet why there is no plan, and who was asked for that."""
    asked: list[Future] = []

    def find_out():
        asked.append(Future())
        if isinstance(answer, Exception):
            asked[-1].set_exception(answer)
        elif answer is not None:
            asked[-1].set_result(answer)
        return asked[-1]

    mission = Mission(reason=reason, find_out=find_out)
    return mission, asked, GiveUp(AtHome(look_round=False).context, mission)


def test_why_there_is_no_plan_is_found_out_before_giving_up():
    mission, asked, leaf = finding_out(Solution("unsolvable", why="There is no knife."))
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == leaf.feedback_message == "Planned twice. There is no knife."
    assert len(asked) == 1


@pytest.mark.parametrize("answer", [Solution("out-of-limits"), SolverError("It broke.")])
def test_where_that_cannot_be_found_out_there_is_no_plan(answer):
    mission, asked, leaf = finding_out(answer)
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == f"Planned twice. {NO_PLAN}"


def test_why_there_is_no_plan_is_not_asked_where_something_else_is_the_reason():
    mission, asked, leaf = finding_out(None, reason="a knife could not be found.")
    leaf.tick_once()
    assert leaf.status is F
    assert asked == []


def test_on_a_real_clock_it_says_what_it_waits_for():
    mission, asked, leaf = finding_out(None)
    leaf._context.clock = WallClock()
    leaf.tick_once()
    assert leaf.status is R
    assert leaf.feedback_message == "finds out why there is no plan"
    asked[0].set_result(Solution("unsolvable", why="There is no knife."))
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == "Planned twice. There is no knife."
    assert len(asked) == 1


def test_whoever_is_stopped_finds_out_no_more():
    mission, asked, leaf = finding_out(None)
    leaf._context.clock = WallClock()
    leaf.tick_once()
    leaf.stop(Status.INVALID)
    assert asked[0].cancelled()


# -- not before another look ---------------------------------------------------------------------------------


def giving_up(**settings):
    home = AtHome(**settings)
    home.context.sync()
    return home, GiveUp(home.context, Mission(reason="No way."))


def ticked(home, node, meanwhile=lambda: None):
    """Tick until it has ended; *meanwhile* happens after the first tick."""
    node.tick_once()
    meanwhile()
    for _ in range(20):
        if node.status is not R:
            break
        home.wait()
        home.context.sync()
        node.tick_once()
    return node.status


@pytest.mark.parametrize("guards", [GUARD_NAMES, ()])
def test_it_looks_around_and_gives_up_if_nothing_is_different(guards):
    home, node = giving_up(guards=guards)
    assert ticked(home, node) is F
    assert node.feedback_message == "No way."
    assert [event.data["outcome"] for event in home.tape.of("look.ended")] == ["done"]


def test_what_looks_different_now_gives_new_hope_but_not_for_ever():
    home, node = giving_up(looks=2)
    places = iter(("table2", "table1", "table2"))
    results = [ticked(home, node, lambda: home.do(f"move mango1 {next(places)}")) for _ in range(3)]
    assert results == [S, S, F]
    assert len(home.tape.of("look.started")) == 2


def test_what_did_not_work_and_nobody_can_see_is_tried_once_more():
    """Whether there is room by now, only another attempt tells."""
    home, node = giving_up(look_round=False, looks=1)

    def find_no_room():
        home.believe("occupied table1")
        home.context.tried.add(("occupied", "table1"))

    find_no_room()
    node.tick_once()
    assert node.status is S
    assert home.context.belief.fact(("occupied", "table1")) is None
    find_no_room()
    node.tick_once()
    assert node.status is F, "it has been tried twice"


@pytest.mark.parametrize(
    ("usual", "source", "forgotten"),
    [(0.02, "view", True), (0.5, "view", False), (None, "view", False), (0.02, "action", False)],
)
def test_what_is_hardly_ever_so_was_perhaps_misread(usual, source, forgotten, monkeypatch):
    home, node = giving_up(look_round=False, looks=1)
    predicates = home.context.belief.vocabulary.predicates
    monkeypatch.setitem(predicates, "broken", PredicateInfo("attribute", observable=True, usual=usual))
    home.context.belief.tell(("broken", "mug1"), confidence=0.93, source=source)
    node.tick_once()
    assert node.status is (S if forgotten else F)
    assert (home.context.belief.fact(("broken", "mug1")) is None) is forgotten


def test_without_looking_round_an_agent_gives_up_at_once():
    home, node = giving_up(look_round=False)
    node.tick_once()
    assert node.status is F
    assert not home.tape.of("look.started")


def test_stopping_it_breaks_the_look_off():
    home, node = giving_up()
    node.tick_once()
    node.stop(Status.INVALID)
    home.wait(5.0)
    home.context.sync()
    assert home.context.executive.alive() == ()
