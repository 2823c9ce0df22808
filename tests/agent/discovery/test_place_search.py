"""Where to look for what was never seen: by the prior over places, and only where was not looked yet."""

from __future__ import annotations

import pytest
from at_home import AtHome, house

from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.discovery.search_prior import SearchPrior
from foretree.agent.mission import Lack, Mission


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
