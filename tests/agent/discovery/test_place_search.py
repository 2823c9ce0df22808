"""Where to look for what was never seen: by the prior over places, and only where was not looked yet."""

from __future__ import annotations

import pytest
from at_home import AtHome, house

from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.discovery.search_prior import SearchPrior
from foretree.agent.mission import Lack, Mission
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.reasoning.dialogs.dialog import Turn
from foretree.reasoning.dialogs.place_hints import PlaceHint


@pytest.fixture
def home():
    return AtHome(house())


def first(home, *classes):
    mission = Mission(goal=home.goal("(open fridge1)"))
    best = PlaceSearch(home.context, mission).best([Lack("it", classes)])
    return best and best.node


def chances(home, thing):
    places = {
        place.name: home.context.belief.entity(place.name).best_class
        for place in home.context.places.places()
        if place.kind == "asset"
    }
    return SearchPrior(home.context.catalogue.ontology).chances(thing, places)


def test_the_likeliest_place_comes_first_however_far_it_is(home):
    home.context.tracker.covered_at.clear()
    assert first(home, "milk") == "fridge1"
    assert first(home, "cutting_board") == "cupboard1"


@pytest.mark.parametrize("thing", ["milk", "lemonade", "qwertz"])
def test_where_a_person_has_said_that_it_is_comes_first(home, thing):
    home.context.tracker.covered_at.clear()
    assert first(home, thing) != "sofa1"
    home.context.expect([PlaceHint(thing, "sofa")])
    assert first(home, thing) == "sofa1"
    assert home.context.hints == (PlaceHint(thing, "sofa"),)
    home.context.expect([PlaceHint(thing, "sofa")])
    assert len(home.context.hints) == 1


def test_a_hint_is_about_its_thing_only_and_looked_for_no_longer_than_elsewhere(home):
    home.context.tracker.covered_at.clear()
    home.context.expect([PlaceHint("milk", "sofa")])
    assert first(home, "cutting_board") == "cupboard1"
    for relation in ("on", "under"):
        home.context.tracker.covered_at[relation, "sofa1"] = 0.0
    assert first(home, "milk") == "fridge1"


def test_hints_in_the_words_of_a_person_are_heeded_while_a_run_begins():
    wish = Wish("put the mango into the fridge", hints=("The milk is on the sofa.",))
    session, _ = open_household(house(), wish, Options())
    assert [(hint.thing, hint.place) for hint in session.context.hints] == [("milk", "sofa")]


def test_a_dialog_is_an_instruction_with_hints():
    said = (
        Turn("Commander", "Hi! Today you need to put the mango into the fridge."),
        Turn("Driver", "Where is the milk?"),
        Turn("Commander", "The milk is on the sofa."),
    )
    session, world = open_household(house(), Wish(dialog=said), Options())
    assert "mango" in session.mission.instruction
    assert [(hint.thing, hint.place) for hint in session.context.hints] == [("milk", "sofa")]
    assert session.run().outcome == "reached"
    assert world.holds(session.mission.goal)


def test_a_class_that_nothing_is_expected_of_goes_by_what_is_like_it(home):
    lemonade = chances(home, "lemonade")
    assert max(lemonade, key=lemonade.__getitem__) == "fridge1"


def test_where_nothing_is_like_it_no_place_is_likelier(home):
    assert len({round(chance, 6) for chance in chances(home, "qwertz").values()}) == 1


def test_chances_are_probabilities(home):
    for thing in ("milk", "lemonade", "qwertz"):
        assert sum(chances(home, thing).values()) == pytest.approx(1.0)


def test_of_a_scene_that_is_told_as_a_whole_nothing_is_left_to_explore(home):
    assert first(home, "milk") is None


def test_what_is_explored_is_not_explored(home):
    covered = home.context.tracker.covered_at
    covered.clear()
    covered["in", "fridge1"] = 0.0
    assert first(home, "milk") not in (None, "fridge1")


def test_of_furniture_that_nothing_is_expected_of_as_much_is_hoped_as_of_any(home):
    prior = SearchPrior(home.context.catalogue.ontology)
    places = {"fridge1": "fridge", "table1": "table", "drying_rack1": "drying_rack"}
    towel = prior.chances("towel", places)
    assert min(towel, key=towel.__getitem__) != "drying_rack1"
    assert towel["drying_rack1"] == pytest.approx(1 / 3)
