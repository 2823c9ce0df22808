"""Exploring: where to look, when to stop, and what to say when it was in vain."""

from __future__ import annotations

import pytest
from at_home import HOUSE, AtHome, F, R, S, catalogue, house
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.mission import Mission
from foretree.behaviours.explore import ChoosePlace, UntilFound
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import Literal
from foretree.runs.events import Tape
from foretree.world_model.beliefs.facts import Truth


def searching(goal="(in mango1 fridge1)", scene=None, **lost):
    home = AtHome(scene or house(items={"milk1": {"class": "milk", "in": "fridge1"}}))
    home.context.tracker.covered_at.clear()  # or all would be known of a scene that is told as a whole
    home.forget("on mango1 table1")
    mission = Mission(goal=home.goal(goal))
    return home, mission, ChoosePlace(home.context, mission)


def chosen(home, mission, leaf, limit=30):
    """The places that are chosen, one after the other, none of them revealing anything."""
    places = []
    while len(places) < limit:
        leaf.tick_once()
        if leaf.status is not S:
            break
        places.append(mission.looked_at[-1])
    return places


def distance(home, place):
    return home.context.places.distances(home.context.node())[place]


def test_the_nearest_place_comes_first():
    home, mission, leaf = searching()
    leaf.tick_once()
    assert leaf.status is S
    holders = [
        place.name
        for place in home.context.places.places()
        if place.kind == "asset" and place.name not in mission.looked_at
    ]
    assert all(distance(home, mission.looked_at[0]) <= distance(home, place) for place in holders)
    assert mission.subgoal == Literal(("inspected", mission.looked_at[0]))
    (event,) = home.tape.of("agent.chose")
    assert event.data == {"tool": "explore", "why": f"looks for mango1 at {mission.looked_at[0]}"}


def test_no_place_is_chosen_twice_and_all_are_before_giving_up():
    home, mission, leaf = searching()
    places = chosen(home, mission, leaf)
    assert len(places) == len(set(places))
    distances = [distance(home, place) for place in places]
    assert distances == sorted(distances)
    assert set(places) == {p.name for p in home.context.places.places() if p.kind == "asset"}
    assert leaf.status is F


def test_to_have_looked_there_once_does_not_count():
    home, mission, leaf = searching()
    for place in home.context.places.places():
        if place.kind == "asset":
            home.believe(f"inspected {place.name}")
    leaf.tick_once()
    assert home.context.belief.truth(mission.subgoal.atom) is not Truth.TRUE, "else nobody would go there"


def test_it_goes_by_where_the_robot_is():
    home, mission, leaf = searching()
    home.believe("rob_at_node robot1 sofa1")
    leaf.tick_once()
    assert mission.looked_at == ["sofa1"]


def test_closed_containers_are_looked_into_before_giving_up():
    """From the kitchen one sees that the mango is gone, but not into the closed fridge."""
    home, mission, leaf = searching()
    home.do("remove mango1")
    for _ in range(3):
        home.context.sync()
        home.wait()
    places = chosen(home, mission, leaf)
    for place in ("fridge1", "microwave1", "cupboard1", "box1"):
        assert place in places
    sure = [place for place in ("table1", "table2") if place in places]
    assert not sure or places.index("box1") < places.index(sure[0]), "what one has seen comes last"


def test_where_it_is_known_not_to_be_is_left_out():
    home, mission, leaf = searching()
    for way in ("on", "under"):
        home.believe(f"{way} mango1 table1", truth=Truth.FALSE, confidence=1.0)
    home.believe("in mango1 fridge1", truth=Truth.FALSE, confidence=1.0)
    places = chosen(home, mission, leaf)
    assert "table1" not in places
    assert "fridge1" not in places
    assert "table2" in places


def test_for_anything_of_a_class_the_places_nobody_has_looked_at_count():
    home, mission, leaf = searching("(exists (?b - banana) (in ?b fridge1))")
    covered = home.context.tracker.covered_at
    for way, place in (("on", "table1"), ("under", "table1"), ("on", "table2"), ("in", "fridge1")):
        covered[way, place] = 0.0
    places = chosen(home, mission, leaf)
    assert "table1" not in places
    assert "fridge1" not in places
    assert "table2" in places, "nobody has looked under it"
    assert home.tape.of("agent.chose")[0].data["why"].startswith("looks for a banana at")


def test_lamps_hold_nothing():
    lamp = {"class": "lamp", "room": "kitchen", "at": [4.6, 2.8]}
    home = AtHome(house(furniture={**HOUSE["furniture"], "lamp1": lamp}))
    home.forget("on mango1 table1")
    mission = Mission(goal=home.goal("(in mango1 fridge1)"))
    assert "lamp1" not in chosen(home, mission, ChoosePlace(home.context, mission))


def test_when_nothing_is_missing_there_is_nothing_to_explore():
    home = AtHome()
    mission = Mission(goal=home.goal("(in mango1 fridge1)"), reason="as before")
    leaf = ChoosePlace(home.context, mission)
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == "as before", "that is not why"
    assert home.tape.of("agent.chose") == []


def test_it_says_honestly_what_was_searched_in_vain():
    home, mission, leaf = searching()
    places = chosen(home, mission, leaf)
    assert mission.reason == f"mango1 could not be found. Searched: {', '.join(places)}."
    assert leaf.feedback_message == mission.reason


def test_it_says_honestly_that_nothing_was_left_to_search():
    home, mission, leaf = searching("(exists (?b - banana) (in ?b fridge1))")
    covered = home.context.tracker.covered_at
    for place in home.context.places.places():
        for way in ("on", "in", "under", "hung_on"):
            covered[way, place.name] = 0.0
    leaf.tick_once()
    assert leaf.status is F
    assert mission.reason == "a banana could not be found. Searched: everything in sight."


def test_a_robot_that_does_not_know_where_it_is_cannot_choose():
    home, mission, leaf = searching()
    home.believe("rob_at_node robot1 kitchen", truth=False)
    leaf.tick_once()
    assert leaf.status is F


# -- until it is found ---------------------------------------------------------------------------------------


class Search(Behaviour):
    """A search that goes on until the test says otherwise."""

    def __init__(self):
        super().__init__("search")
        self.result = R
        self.updates = 0
        self.stopped = []

    def update(self):
        self.updates += 1
        return self.result

    def terminate(self, new_status):
        self.stopped.append(new_status)


def until_found(goal="(in mango1 fridge1)"):
    home, mission, _ = searching(goal)
    search = Search()
    return home, mission, search, UntilFound(search, home.context, mission)


def test_the_search_is_over_at_once_when_the_thing_is_seen():
    home, mission, search, until = until_found()
    until.tick_once()
    until.tick_once()
    assert (until.status, search.updates) == (R, 2)
    home.believe("in mango1 cupboard1")
    until.tick_once()
    assert until.status is S
    assert search.updates == 2
    assert search.stopped == [Status.INVALID]
    assert until.feedback_message == "found mango1"


def test_what_else_changes_does_not_end_it():
    home, mission, search, until = until_found()
    until.tick_once()
    home.believe("open fridge1", "on apple1 table2")
    until.tick_once()
    assert until.status is R


@pytest.mark.parametrize("result", [S, F])
def test_a_search_that_ends_in_vain_is_no_reason_to_give_up(result):
    home, mission, search, until = until_found()
    until.tick_once()
    search.result = result
    until.tick_once()
    assert until.status is S
    assert until.feedback_message != "found"


def test_once_found_the_places_count_again():
    home, mission, search, until = until_found()
    mission.looked_at.append("table2")
    until.tick_once()
    home.believe("in mango1 cupboard1")
    until.tick_once()
    assert mission.looked_at == []


def test_it_can_be_begun_again():
    home, mission, search, until = until_found()
    until.tick_once()
    home.believe("in mango1 cupboard1")
    until.tick_once()
    home.forget("in mango1 cupboard1")
    until.tick_once()
    assert until.status is R
    assert search.updates == 2


def test_stopping_it_stops_the_search():
    home, mission, search, until = until_found()
    until.tick_once()
    until.stop(Status.INVALID)
    assert search.stopped == [Status.INVALID]


# -- the whole of it -----------------------------------------------------------------------------------------


def carried_out(*faults, goal="(in mango1 fridge1)", scene=None):
    tape = Tape()
    session, world = open_household(
        scene or house(), Wish(goal=goal), Options(faults=faults), recorder=tape, catalogue=catalogue()
    )
    return session.run(), world, tape


def test_a_thing_that_is_gone_is_searched_for_and_carried_on_with():
    """Somebody has put it into the cupboard; nobody saw it."""
    result, world, tape = carried_out("after 0: move mango1 cupboard1")
    assert result.reached, result.reason
    assert world.holds(result.goal)
    assert world.illegal == []
    tools = [event.data["tool"] for event in tape.of("agent.chose")]
    assert "explore" in tools


def test_what_is_nowhere_is_given_up_honestly():
    result, world, tape = carried_out("after 0: remove mango1")
    assert result.outcome == "given-up"
    assert "mango1 could not be found. Searched: " in result.reason
    for place in ("fridge1", "cupboard1", "microwave1", "box1"):
        assert place in result.reason
    assert world.illegal == []


def test_a_thing_that_was_never_seen_is_found():
    scene = house(items={"banana1": {"class": "banana", "in": "box1"}}, known=["mango1"])
    result, world, tape = carried_out(goal="(exists (?b - banana) (on ?b table2))", scene=scene)
    assert result.reached, result.reason
    assert world.house.named("banana1").rests.relation == "on"
