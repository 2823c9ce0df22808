"""Where to look for what is missing, in a home that nobody told of."""

import pytest
from py_trees.common import Status
from searched_flat import Flat

from foretree.agent.discovery.missing_objects import Missing
from foretree.agent.discovery.object_search import SearchTarget
from foretree.agent.discovery.topological_map import FloorEnd
from foretree.behaviours.explore import LookAround, UntilSeen
from foretree.planning.pddl.syntax import Literal
from foretree.planning.task.goals import parse_goal
from foretree.skills.catalogue_file import load_catalogue
from foretree.skills.robot import End, Outcome
from foretree.world_model.beliefs.facts import robot_at


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


CLEAN_MUG = "(exists (?x - mug) (clean ?x))"


def test_the_nearest_of_places_that_are_as_likely_is_looked_at_first(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2")
    assert flat.choose() == "counter1"
    assert flat.mission.subgoal == Literal(("inspected", "counter1"))


def test_where_there_is_more_hope_one_looks_first_though_it_is_farther(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2", "cabinet1")
    flat.survey.likely["mug", "cabinet1"] = 0.9
    assert flat.choose() == "cabinet1"


def test_what_was_seen_all_of_is_not_looked_at(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.seen(("on", "counter1"))
    assert flat.choose() == "sink1"
    flat.seen(("in", "sink1"))
    assert flat.choose() is None
    assert flat.mission.reason == "a mug could not be found. Searched: sink1."


def test_a_place_that_does_not_show_all_of_itself_is_looked_at_a_few_times(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    looks = [flat.choose() for _ in range(10)]
    assert looks[:3] == ["sink1"] * 3
    assert looks[-1] is None


def test_missing_furniture_is_looked_for_beyond_the_known_only(home):
    flat = Flat(home, CLEAN_MUG, "counter1")
    flat.thing("mug1", ("on", "mug1", "counter1"))
    flat.corner("corner1", 8.0, (1, 1))
    assert flat.choose() == "corner1"
    assert flat.search.missing == (Missing("sink"),)
    assert flat.mission.subgoal == Literal(robot_at("robot1", "corner1"))
    assert flat.choose() is None, "it was gone to already"


def test_a_corner_that_leads_on_is_another(home):
    flat = Flat(home, "(exists (?x - sink ?y - mug) (in ?y ?x))")
    flat.corner("corner1", 1.0, (1, 1))
    assert flat.choose() == "corner1"
    flat.survey.corners["corner1"] = FloorEnd((5, 1), 4.0)
    assert flat.choose() == "corner1"


def test_a_certain_thing_may_be_wherever_it_was_not_missed(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.thing("mug1")
    flat.mission.goal = Literal(("clean", "mug1"))
    flat.belief.tell(("on", "mug1", "counter1"), False, confidence=0.99, source="look")
    assert flat.choose() == "sink1"


def test_of_what_all_are_wanted_is_looked_for_until_nothing_is_left(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1", "counter1")
    flat.thing("mug1", ("in", "mug1", "sink1"))
    flat.seen(("in", "sink1"), ("on", "counter1"))
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose(everywhere=True) == "corner1"
    assert flat.mission.unsearched
    assert not flat.search.found()
    assert flat.choose(everywhere=True) is None
    assert not flat.mission.unsearched


def test_who_wants_one_does_not_look_for_all(home):
    flat = Flat(home, CLEAN_MUG, "sink1", "counter1")
    assert flat.choose(everywhere=True) is None
    assert not flat.mission.unsearched


def test_a_search_ends_when_what_is_missing_is_seen(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.choose()

    class Searching(LookAround):
        def update(self):
            return Status.RUNNING

    until = UntilSeen(Searching(flat.context), flat.search)
    until.tick_once()
    assert until.status is Status.RUNNING
    flat.thing("mug1", ("on", "mug1", "counter1"))
    until.tick_once()
    assert until.status is Status.SUCCESS
    assert until.feedback_message == "found a mug"


def test_one_looks_around_once_and_goes_on_whatever_comes_of_it(home):
    flat = Flat(home, CLEAN_MUG)
    leaf = LookAround(flat.context)
    leaf.tick_once()
    leaf.tick_once()
    assert leaf.status is Status.RUNNING
    ((lease, _),) = flat.looks
    lease.end = End(Outcome.FAILED, "it is dark")
    leaf.tick_once()
    assert leaf.status is Status.SUCCESS


def test_a_look_at_what_may_be_something_else_does_not_tell_that_no_look_will(home):
    flat = Flat(home, CLEAN_MUG)
    flat.search.target = SearchTarget("here", thing="cup1")
    leaf = LookAround(flat.context, flat.search)
    leaf.tick_once()
    ((lease, _),) = flat.looks
    lease.end = End(Outcome.DONE, "")
    leaf.tick_once()
    assert leaf.status is Status.SUCCESS
    assert flat.noted == []


def test_from_where_one_has_just_looked_nobody_looks_at_what_has_drawn_back(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    flat.seen(("in", "sink1"))
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose() == "corner1"
    flat.survey.corners["corner1"] = FloorEnd((2, 1), 4.0)
    flat.context.node = lambda: "corner1"
    looked = list(flat.mission.looked_at)
    flat.choose()
    assert flat.mission.looked_at == looked
    flat.context.node = lambda: "here"
    assert flat.choose() == "corner1"


def test_where_it_may_have_been_overlooked_one_looks_again_before_giving_up(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1")
    flat.seen(("in", "sink1"))
    flat.tracker.viewpoints.covered(("on", "counter1"), "from the door", 0.75)
    assert flat.choose() == "counter1"


def test_what_may_be_what_is_missing_is_looked_at_from_near_by(home):
    flat = Flat(home, CLEAN_MUG, "sink1", "counter1")
    flat.seen(("in", "sink1"), ("on", "counter1"))
    flat.thing("cup1", ("on", "cup1", "counter1"), {"cup": 0.7, "mug": 0.3})
    flat.thing("cup2", ("on", "cup2", "counter1"), {"cup": 0.99, "mug": 0.01})
    assert flat.choose() == "cup1"
    assert flat.mission.subgoal == Literal(robot_at("robot1", "counter1"))
    assert flat.look_beyond() == "looks whether it is cup1 at counter1"


def test_what_has_gone_missing_is_looked_for_first_where_it_rested(home):
    flat = Flat(home, CLEAN_MUG, "counter1", "sink1", "counter2")
    flat.mission.goal = Literal(("clean", "mug1"))
    flat.thing("mug1")
    there = ("on", "counter2")
    flat.tracker.viewpoints.rests("mug1", (3.0, 0.0, 0.9), None, "here", there, 0.9, lambda region: region)
    flat.belief.tell(("on", "mug1", "counter2"), False, confidence=0.95, source="look")
    assert flat.choose() == "counter2"


def test_nobody_goes_to_an_end_of_the_floor_that_was_seen_through_on_the_way(home):
    flat = Flat(home, CLEAN_MUG)
    flat.corner("corner1", 2.0, (1, 1))
    assert flat.choose() == "corner1"

    class Going(LookAround):
        def update(self):
            return Status.RUNNING

    until = UntilSeen(Going(flat.context), flat.search)
    until.tick_once()
    assert until.status is Status.RUNNING
    flat.survey.seen_through.add("corner1")
    flat.busy = {"base": "x-1"}
    flat.thing("fork1")
    for _ in range(2):
        until.tick_once()
        assert until.status is Status.RUNNING, "it has not stopped yet"
        assert until.feedback_message.startswith("all that there is to see at corner1 has been seen")
    assert until.decorated.status is Status.INVALID
    flat.busy = {}
    until.tick_once()
    assert until.status is Status.SUCCESS
    assert flat.look_beyond() is None


def test_where_it_is_hardly_ever_nobody_looks_for_more_of_it(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "fridge1")
    flat.survey.likely["mug", "fridge1"] = 0.01
    assert flat.choose(everywhere=True) is None
    needed = Flat(home, CLEAN_MUG, "fridge1", "sink1")
    needed.seen(("in", "sink1"))
    needed.survey.likely["mug", "fridge1"] = 0.01
    assert needed.choose() == "fridge1"


def test_one_of_all_that_is_found_nowhere_is_believed_never_to_have_been(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1", "table1")
    flat.seen(("in", "sink1"))
    flat.thing("mug1", ("in", "mug1", "sink1"))
    flat.thing("mug2")
    looked = []
    while flat.belief.entity("mug2") is not None:
        flat.choose()
        looked.append(flat.mission.looked_at[-1])
        assert len(looked) < 20
    assert "table1" in looked
    assert flat.mission.subgoal == Literal(robot_at("robot1", "here"))
    assert flat.belief.entity("mug1") is not None


def test_a_thing_that_the_goal_names_is_never_thought_a_mistake(home):
    flat = Flat(home, "(forall (?x - mug) (clean ?x))", "sink1")
    flat.seen(("in", "sink1"))
    flat.thing("mug1")
    types = {"mug1": "mug"}
    flat.mission.goal = parse_goal("(clean mug1)", home.domain, types).formula
    for _ in range(20):
        flat.choose()
    assert flat.belief.entity("mug1") is not None


def test_one_looks_beyond_a_corner_unless_it_was_found_on_the_way(home):
    flat = Flat(home, CLEAN_MUG, "sink1")
    flat.seen(("in", "sink1"))
    flat.corner("corner1", 2.0, (1, 1))
    flat.choose()
    beyond = LookAround(flat.context, flat.search)
    beyond.tick_once()
    assert beyond.status is Status.RUNNING
    flat.thing("mug1", ("in", "mug1", "sink1"))
    again = LookAround(flat.context, flat.search)
    again.tick_once()
    assert again.status is Status.SUCCESS
