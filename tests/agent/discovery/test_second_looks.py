"""What is looked at again before a goal is given up."""

from itertools import permutations

import pytest
from py_trees.common import Status
from searched_flat import Flat

from foretree.agent.discovery.object_search import ObjectSearch
from foretree.behaviours.explore import ChooseSearchTarget
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Action, Plan
from foretree.skills.catalogue_file import load_catalogue
from foretree.world_model.beliefs.facts import CONNECTED, OBJECT_AT, robot_at

CLEAN_MUG = "(exists (?x - mug) (clean ?x))"
WHOLE_CARROT = "(exists (?x - carrot) (and (cold ?x) (not (sliced ?x))))"


@pytest.fixture(scope="module")
def home():
    return load_catalogue("home")


def flat_of(home, goal, *furniture, **settings):
    """A flat in which everything was seen from everywhere, so that no place is left to search."""
    flat = Flat(home, goal, *furniture, look_round=True, **settings)
    for name in furniture:
        flat.belief.tell((OBJECT_AT, name, name), source="map")
    for one, other in permutations(["here", *furniture], 2):
        flat.belief.tell((CONNECTED, one, other), source="map")
    flat.seen(*((relation, name) for name in furniture for relation in ("on", "in")))
    return flat


def thing(flat, name, place, classes=None, confidence=0.99):
    flat.thing(name, classes=classes)
    flat.belief.tell(("on", name, place), source="look", confidence=confidence)


def searched(flat, anew=False):
    """What is looked at until all is to be searched anew, or until it is given up."""
    found = []
    if not anew:
        flat.search._second_looks.begin_anew = lambda: False
    while (target := flat.choose()) is not None:
        found.append(target)
        flat.context.clock.sleep_until(flat.context.clock.now() + 10.0)
        assert len(found) < 50
    return found


def test_where_it_is_not_wanted_nothing_is_looked_at_again(home):
    flat = Flat(home, CLEAN_MUG, "counter1")
    flat.seen(("on", "counter1"))
    thing(flat, "cup1", "counter1", {"cup": 0.975, "mug": 0.025})
    assert searched(flat) == []


def test_what_may_be_what_is_missing_is_looked_at_a_few_times_however_unlikely(home):
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1")
    thing(flat, "cup1", "counter1", {"cup": 0.975, "mug": 0.025})
    thing(flat, "plate1", "counter1", {"plate": 0.99, "mug": 0.01})
    found = searched(flat)
    assert found[:3] == ["cup1"] * 3
    assert "cup1" not in found[3:]
    assert "plate1" not in found


def test_what_looks_like_it_is_looked_at_however_sure_one_is(home):
    """From afar a cup may be taken for a mug again and again."""
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1")
    thing(flat, "cup1", "counter1", {"cup": 1.0})
    assert searched(flat)[:3] == ["cup1"] * 3


def test_furniture_that_may_be_what_is_missing_is_looked_at_from_nearer(home):
    flat = flat_of(home, CLEAN_MUG, "counter1")
    thing(flat, "mug1", "counter1")
    flat.furniture("stove1", 2.0, {"stove": 0.8, "sink": 0.2})
    assert flat.choose() == "stove1"
    assert flat.mission.subgoal == Literal(robot_at("robot1", "stove1"))
    assert flat.look_beyond() == "looks whether it is stove1 at stove1"


def test_of_several_doubts_those_count_but_for_which_there_is_a_plan(home):
    """That the cold carrot is whole is what matters; where the plate is, and how, is not."""
    flat = flat_of(home, WHOLE_CARROT, "counter1", "fridge1")
    thing(flat, "carrot1", "counter1")
    thing(flat, "plate1", "counter1", confidence=0.6)
    flat.belief.tell(("sliced", "carrot1"), source="look", confidence=0.9)
    found = searched(flat)
    assert found[:3] == ["carrot1"] * 3
    assert "plate1" not in found


def test_what_is_for_sure_is_not_looked_at_again(home):
    flat = flat_of(home, WHOLE_CARROT, "counter1", "fridge1")
    thing(flat, "carrot1", "counter1")
    flat.belief.tell(("sliced", "carrot1"), source="look", confidence=0.99)
    assert "carrot1" not in searched(flat)


@pytest.mark.parametrize(("source", "looked_at"), [("look", True), ("view", True), ("action", False)])
def test_only_what_eyes_have_told_is_in_doubt(home, source, looked_at):
    flat = flat_of(home, WHOLE_CARROT, "counter1", "fridge1")
    thing(flat, "carrot1", "counter1")
    flat.belief.tell(("sliced", "carrot1"), source=source, confidence=0.9)
    assert ("carrot1" in searched(flat)) is looked_at


def test_what_the_last_plan_took_is_in_doubt_too(home):
    flat = flat_of(home, "(exists (?x - mug ?y - box) (in ?x ?y))", "counter1")
    thing(flat, "mug1", "counter1")
    thing(flat, "knife1", "counter1", confidence=0.7)
    assert "knife1" not in searched(flat)
    action = Action("a1", "pick_from_surface", ("robot1", "hand", "knife1", "counter1"), 1)
    flat.mission.plan = Plan(flat.mission.goal, (action,))
    flat.search = ObjectSearch(flat.context, flat.mission, flat.survey)
    assert "knife1" in searched(flat)


def test_in_the_end_the_robot_looks_around_from_elsewhere_the_nearest_first(home):
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1", "shelf1")
    # A metre apart, and the robot stands a metre before the first: that one shows nothing new.
    assert searched(flat) == ["counter1"]
    assert flat.survey.tried_again == 1
    assert flat.mission.reason.startswith("a mug could not be found.")


def test_as_long_as_time_allows_all_is_searched_anew(home):
    """What was looked at a few times, and what may have been overlooked where it usually is."""
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1", time_limit=400.0)
    thing(flat, "cup1", "counter1", {"cup": 0.975, "mug": 0.025})
    found = searched(flat, anew=True)
    first = ["cup1"] * 3 + ["counter1"]
    assert found[: len(first)] == first
    assert found.count("cup1") > 3
    assert "sink1" in found[len(first) :]
    assert flat.context.clock.now() == pytest.approx(0.85 * 400.0, abs=10.0)
    assert flat.mission.reason.startswith("a mug could not be found.")


def test_who_is_walled_in_by_what_it_sees_doubts_that_once(home):
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1")
    for one, other in permutations(["here", "sink1", "counter1"], 2):
        flat.places.disconnect(one, other)
    assert searched(flat) == ["here"]
    assert flat.survey.tried_again == 1


def test_it_looks_all_around_there(home):
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1")
    assert flat.choose() == "counter1"
    assert flat.mission.subgoal == Literal(robot_at("robot1", "counter1"))
    assert str(flat.search.target) == "all around from counter1, once more"
    assert flat.look_beyond() == "looks around"


@pytest.mark.parametrize("why", ["time", "rounds"])
def test_where_no_plan_would_be_made_afterwards_it_is_given_up(home, why):
    flat = flat_of(home, CLEAN_MUG, "sink1", "counter1", time_limit=100.0, rounds=3)
    if why == "time":
        flat.context.clock.sleep_until(90.0)
    else:
        flat.mission.rounds = 3
    assert searched(flat) == []


def test_a_leaf_says_what_it_looks_at_again(home):
    flat = flat_of(home, WHOLE_CARROT, "counter1", "fridge1")
    thing(flat, "carrot1", "counter1")
    flat.belief.tell(("sliced", "carrot1"), source="look", confidence=0.9)
    leaf = ChooseSearchTarget(flat.search)
    leaf.tick_once()
    assert leaf.status is Status.SUCCESS
    assert leaf.feedback_message.endswith("again at carrot1 at counter1")
