"""The best plan known: what somebody makes of a home who knows everything in it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.pddl.syntax import Literal
from foretree.planning.task.goals import parse_goal
from foretree.regression.homes._best_plan import best_length, full_knowledge
from foretree.regression.homes._draw import home_catalogue
from foretree.regression.homes.household_tasks import find_family
from foretree.simulation.grid_homes._physics import move
from foretree.simulation.grid_homes.goals import HomeTask
from foretree.simulation.grid_homes.home import Home
from foretree.simulation.grid_homes.layouts.layout import steps_from
from foretree.simulation.grid_homes.layouts.layout_generator import generate_layout, layout_names
from foretree.simulation.grid_homes.layouts.spawning import spawn_home
from foretree.simulation.grid_homes.task_families import make_task
from foretree.world_model.beliefs.facts import Truth

LAYOUTS = layout_names()


def furnished(layout: str, family: str = "", seed: int = 1, things: int = 40, **parameters: str) -> Home:
    needs = make_task(family, parameters) if family else HomeTask()
    return spawn_home(generate_layout(layout), needs, "diverse", Random(seed), things)


def goal_of(family: str, **parameters: str):
    return find_family(family).task(home_catalogue().ontology, parameters).formula


# -- ways --------------------------------------------------------------------------------------------
@settings(max_examples=10, deadline=None)
@given(st.sampled_from(LAYOUTS), st.randoms(use_true_random=False))
def test_no_random_walk_is_shorter_than_the_way(layout, rng):
    home = furnished(layout, things=0)
    start = home.posture.cell
    steps = steps_from(start, home.layout.reachable)
    assert set(steps) == home.layout.reachable
    for walked in range(1, 60):
        move(home, rng.choice(["move_ahead", "move_back", "strafe_left", "strafe_right"]))
        assert steps[home.posture.cell] <= walked
        assert abs(steps[home.posture.cell] - steps[start]) <= walked


def test_furniture_is_joined_by_as_many_controls_as_the_way_takes():
    home = furnished("hall_flat/0")
    beliefs, places = full_knowledge(home, home_catalogue())
    kinds = {place.name for place in places.places()}
    assert len(kinds) == 1 + sum(1 for _ in home.furniture())
    for place in list(places.places())[1:4]:
        x, y, heading = place.pose
        far = steps_from((int(x), int(y)), home.layout.reachable)
        for other in places.neighbours(place.name):
            ox, oy, looks = places.place(other).pose
            passage = places.passage(place.name, other)
            turns = {0: 0, 90: 1, 180: 2, 270: 1}[abs(int(heading - looks)) % 360]
            assert passage.cost == max(1, far[int(ox), int(oy)] + turns)


# -- what is known -----------------------------------------------------------------------------------
def test_all_that_is_true_is_believed_and_nothing_else():
    home = furnished("studio/2")
    beliefs, _ = full_knowledge(home, home_catalogue())
    for thing in home.items():
        name = f"{thing.class_name}_{thing.id}"
        relation, support = thing.rests
        below = home[support]
        assert beliefs.truth((relation, name, f"{below.class_name}_{below.id}")) is Truth.TRUE
        for state in ("clean", "hot", "filled"):
            assert (beliefs.truth((state, name)) is Truth.TRUE) == (state in thing.states)


# -- plans -------------------------------------------------------------------------------------------
def test_the_best_plan_takes_the_way_and_the_hand():
    home = furnished("bathroom/0", "pick_and_place", item="soap", place="shelf")
    length = best_length(home, goal_of("pick_and_place", item="soap", place="shelf"), home_catalogue())
    soaps = home.of_class("soap")
    shelf = home.of_class("shelf")[0].piece
    cells = [
        home.layout.spots_before(base.piece)[0]
        for soap in soaps
        for base in home.supports_of(soap)
        if base.piece is not None
    ]
    here = steps_from(home.posture.cell, home.layout.reachable)
    there = steps_from(home.layout.spots_before(shelf)[0], home.layout.reachable)
    shortest = min(here[cell] + there[cell] for cell in cells)
    # Picking it up and putting it down, at most four turns, and whatever had to be opened.
    assert shortest + 2 <= length <= shortest + 2 + 4 + 2


def test_more_to_do_takes_longer():
    home = furnished("u_kitchen/1", "clean_and_place", item="mug", place="cabinet")
    plain = best_length(home, goal_of("pick_and_place", item="mug", place="cabinet"), home_catalogue())
    clean = best_length(home, goal_of("clean_and_place", item="mug", place="cabinet"), home_catalogue())
    assert plain is not None
    assert clean is not None
    assert plain <= clean


def test_what_is_so_already_takes_nothing():
    home = furnished("u_kitchen/1")
    dish = next(thing for thing in home.items() if "clean" in thing.states)
    goal = Literal(("clean", f"{dish.class_name}_{dish.id}"))
    assert best_length(home, goal, home_catalogue()) == 0


def test_for_what_cannot_be_there_is_no_plan():
    home, catalogue = furnished("u_kitchen/1", things=25), home_catalogue()
    there_is_no_bed = parse_goal(
        "(exists (?item - plate) (exists (?bed - bed) (on ?item ?bed)))", catalogue.domain, {}
    )
    assert not home.of_class("bed")
    assert best_length(home, there_is_no_bed.formula, catalogue) is None
    assert best_length(home, Literal(("in", "nothing1", "nowhere1")), catalogue) is None
