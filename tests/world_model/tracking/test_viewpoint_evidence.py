"""Looks from one place repeat its mistakes, and count once; looks from several places count each."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.world_model.beliefs.evidence import SEEN_SEVERAL_TIMES, fuse_absence, fuse_state
from foretree.world_model.beliefs.facts import Entity, Fact, Truth
from foretree.world_model.tracking._class_evidence import KEPT
from foretree.world_model.tracking._viewpoint_evidence import ViewpointEvidence

HERE = (0.1, 0.1, 0.75)
CUP = {"cup": 0.9, "mug": 0.08}
MISREAD = {"mug": 0.75, "cup": 0.19}
CLEAN = ("clean", "mug1")


def anything(name: str) -> bool:
    return True


# -- through the tracker -----------------------------------------------------------------------------


def test_twenty_looks_from_one_place_do_not_turn_a_cup_into_a_mug(kitchen, thing):
    kitchen.know("cup1", "cup", ("on", "cup1", "table1"), HERE)
    for _ in range(20):
        kitchen.look(thing(MISREAD, HERE), viewpoint="here")
    assert kitchen.belief.entity("cup1").best_class == "cup"
    once = dict(kitchen.belief.entity("cup1").classes)
    kitchen.look(thing({"mug": 0.74, "cup": 0.19}, HERE), viewpoint="here")
    assert kitchen.belief.entity("cup1").classes == pytest.approx(once, abs=0.01)


def test_three_places_do(kitchen, thing):
    kitchen.know("cup1", "cup", ("on", "cup1", "table1"), HERE)
    for place in ("here", "there", "behind"):
        assert kitchen.belief.entity("cup1").best_class == "cup"
        kitchen.look(thing(MISREAD, HERE), viewpoint=place)
    assert kitchen.belief.entity("cup1").best_class == "mug"


def test_without_viewpoints_every_look_counts(kitchen, thing):
    kitchen.know("cup1", "cup", ("on", "cup1", "table1"), HERE)
    for _ in range(3):
        kitchen.look(thing(MISREAD, HERE))
    assert kitchen.belief.entity("cup1").best_class == "mug"


def test_a_thing_first_seen_wrong_is_not_believed_the_more_the_longer_one_stares(kitchen, thing):
    for _ in range(20):
        kitchen.look(thing(MISREAD, HERE), viewpoint="here")
    assert kitchen.things() == ["mug1"]
    assert kitchen.belief.entity("mug1").classes["mug"] == pytest.approx(0.75)
    for place in ("there", "behind"):
        kitchen.look(thing(CUP, HERE), viewpoint=place)
    assert kitchen.belief.entity("mug1").best_class == "cup"


def test_staring_does_not_confirm_a_state_nor_lose_a_thing(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    for _ in range(20):
        kitchen.look(
            thing("mug", (0.5, 0.1, 0.75), clean=0.8), covered=[("on", "table1", 0.8)], viewpoint="here"
        )
    assert kitchen.belief.fact(CLEAN).confidence == pytest.approx(0.8)
    assert kitchen.truth("on", "mango1", "table1") == "true"
    for place in ("there", "behind"):
        kitchen.look(
            thing("mug", (0.5, 0.1, 0.75), clean=0.8), covered=[("on", "table1", 0.8)], viewpoint=place
        )
    assert kitchen.belief.fact(CLEAN).confidence > 0.95
    assert kitchen.truth("on", "mango1", "table1") == "false"


def test_what_an_action_did_is_seen_from_where_one_looked_before(kitchen, thing):
    for _ in range(3):
        kitchen.look(thing("mug", HERE, clean=0.04), viewpoint="here")
    kitchen.belief.tell(CLEAN, confidence=0.9, time=kitchen.now, source="action")
    kitchen.look(thing("mug", HERE, clean=0.96), viewpoint="here")
    assert kitchen.truth(*CLEAN) == "true"
    assert kitchen.belief.fact(CLEAN).confidence > 0.98


def test_what_was_carried_elsewhere_shows_another_side_to_the_same_place(kitchen, thing):
    kitchen.look(thing(MISREAD, HERE), viewpoint="between")
    first = kitchen.belief.entity("mug1").classes["mug"]
    kitchen.belief.tell(("on", "mug1", "table2"), confidence=0.9, time=kitchen.now, source="action")
    for _ in range(5):
        kitchen.look(thing(MISREAD, (5.1, 0.1, 0.75), ("on", "table2")), viewpoint="between")
    assert kitchen.things() == ["mug1"]
    second = kitchen.belief.entity("mug1").classes["mug"]
    assert second > first
    kitchen.look(thing({"mug": 0.76, "cup": 0.19}, (5.1, 0.1, 0.75), ("on", "table2")), viewpoint="between")
    assert kitchen.belief.entity("mug1").classes["mug"] == pytest.approx(second, abs=0.01)


def test_the_way_something_is_held_up_is_a_viewpoint_of_its_own(kitchen, thing):
    hand = ("robot1", "hand")
    for grip in ("hand 0 0", "hand 0 0", "hand 0 1", "hand 0 2"):
        held = replace(thing(MISREAD, (1.0, 1.0, 1.0), None), viewpoint=grip)
        kitchen.look(held, held={"d1": (hand,)}, viewpoint="here")
    from_three = kitchen.belief.entity("mug1").classes["mug"]
    assert from_three > 0.97
    assert kitchen.things() == ["mug1"]


def test_what_it_rests_on_is_what_most_places_show(kitchen, thing):
    for viewpoint, place in (("a", "table1"), ("b", "table1"), ("c", "table2"), ("b", "table1")):
        kitchen.look(thing(CUP, HERE, ("on", place)), viewpoint=viewpoint)
    assert kitchen.truth("on", "cup1", "table1") == "true"
    for _ in range(5):
        kitchen.look(thing(CUP, HERE, ("on", "table2")), viewpoint="c")
    assert kitchen.truth("on", "cup1", "table1") == "true"
    for viewpoint in "de":
        kitchen.look(thing(CUP, HERE, ("on", "table2")), viewpoint=viewpoint)
    assert kitchen.truth("on", "cup1", "table2") == "true"


def test_once_it_is_put_elsewhere_it_rests_there_however_often_it_was_seen(kitchen, thing):
    for viewpoint in "abc":
        kitchen.look(thing(CUP, HERE, ("on", "table1")), viewpoint=viewpoint)
    kitchen.belief.tell(("on", "cup1", "table2"), confidence=0.9, time=kitchen.now, source="action")
    kitchen.look(thing(CUP, (0.2, 0.1, 0.75), ("on", "table2")), viewpoint="a")
    assert kitchen.things() == ["cup1"]
    assert kitchen.truth("on", "cup1", "table2") == "true"


# -- on its own --------------------------------------------------------------------------------------


def test_a_plainly_poorer_look_from_the_same_place_does_not_replace_a_better_one():
    viewpoints = ViewpointEvidence()
    cup = Entity("cup1", {"cup": 0.95, "mug": 0.05})
    viewpoints.created(cup, "here")
    assert viewpoints.classes(cup, "here", {"mug": 0.6, "cup": 0.2}, anything) is cup.classes
    assert viewpoints.classes(cup, "here", {"mug": 0.9, "cup": 0.1}, anything)["mug"] > 0.5


def test_a_state_that_changed_is_believed_after_a_few_places_have_shown_it():
    viewpoints, fact = ViewpointEvidence(), None

    def look(place, seen):
        nonlocal fact
        truth, confidence = viewpoints.state(CLEAN, fact, place, seen, "view")
        fact = Fact(CLEAN, truth, confidence, 0.0, "view")

    for number in range(12):
        look(f"place {number}", 0.1)
    assert fact.truth is Truth.FALSE
    assert fact.confidence > 0.95
    look("place 3", 0.9)
    assert fact.truth is Truth.FALSE, "eyes err once in a while"
    look("place 4", 0.9)
    look("place 5", 0.9)
    assert fact.truth is Truth.TRUE


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from((0.1, 0.2, 0.8, 0.9))), max_size=20))
def test_no_viewpoint_counts_more_than_once(looks):
    viewpoints, fact = ViewpointEvidence(), None
    for place, seen in looks:
        truth, confidence = viewpoints.state(CLEAN, fact, place, seen, "view")
        fact = Fact(CLEAN, truth, confidence, 0.0, "view")
    if fact is None:
        return
    # However they alternate, it is no surer than if all three had said the surest thing that was said.
    limit = None
    surest = max(abs(seen - 0.5) for _, seen in looks) + 0.5
    for _ in {place for place, _ in looks}:
        limit = Fact(CLEAN, *fuse_state(limit, surest, firm=SEEN_SEVERAL_TIMES), 0.0, "view")
    assert limit is not None
    assert fact.confidence <= limit.confidence + 1e-9


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0.5, 0.98)), min_size=1, max_size=12))
def test_absence_from_each_place_counts_by_its_best_look(looks):
    viewpoints = ViewpointEvidence()
    fact = Fact(("on", "mug1", "table1"), Truth.TRUE, 0.98, 0.0, "look")
    for place, certainty in looks:
        fact = fact._replace(confidence=viewpoints.absence(fact, place, certainty, "look"))
    best = {place: max(c for p, c in looks if p == place) for place, _ in looks}
    expected = 0.98
    for certainty in best.values():
        expected = fuse_absence(expected, certainty)
    assert fact.confidence == pytest.approx(expected, abs=1e-6)


def test_old_viewpoints_are_summed_up():
    viewpoints = ViewpointEvidence()
    mug = Entity("mug1", {"mug": 0.75, "cup": 0.25})
    viewpoints.created(mug, "first")
    for number in range(3 * KEPT):
        scores = viewpoints.classes(mug, f"place {number}", MISREAD, anything)
        mug = Entity("mug1", scores)
    assert mug.classes["mug"] > 0.97
    viewpoints.forget("mug1")
    assert viewpoints.classes(mug, "first", CUP, anything) != mug.classes


# -- what is felt ------------------------------------------------------------------------------------


def test_from_where_the_eyes_are_known_to_err_looks_at_a_state_count_no_more():
    """A drawer that is open already, says the hand, goes on looking shut from where it looked so."""
    viewpoints = ViewpointEvidence()
    viewpoints.state(CLEAN, None, "here", 0.05, "view")
    felt = Fact(CLEAN, Truth.TRUE, 0.95, time=1.0, source="action")
    viewpoints.assured(felt)
    for _ in range(3):
        assert viewpoints.state(CLEAN, felt, "here", 0.02, "view") == (Truth.TRUE, 0.95)
        felt = felt._replace(source="view")
    for viewpoint in ("there", "behind"):
        truth, confidence = viewpoints.state(CLEAN, felt, viewpoint, 0.02, "view")
        felt = felt._replace(truth=truth, confidence=confidence)
    assert truth is Truth.FALSE, "from elsewhere they may be right: somebody may have changed it"


def test_what_is_felt_twice_is_known_to_look_wrong_from_there_still():
    viewpoints = ViewpointEvidence()
    viewpoints.state(CLEAN, None, "here", 0.05, "view")
    felt = Fact(CLEAN, Truth.TRUE, 0.95, time=1.0, source="action")
    viewpoints.assured(felt)
    viewpoints.assured(felt)
    assert viewpoints.state(CLEAN, felt, "here", 0.02, "view") == (Truth.TRUE, 0.95)
    viewpoints.assured(felt._replace(truth=Truth.FALSE))
    assert viewpoints.state(CLEAN, felt, "here", 0.02, "view") != (Truth.TRUE, 0.95)


# -- furniture ---------------------------------------------------------------------------------------


def test_furniture_that_was_seen_from_many_places_is_not_turned_by_a_few_bad_looks():
    """It stays what it is; things may have been exchanged in the meantime."""

    def after(fixed):
        viewpoints = ViewpointEvidence()
        entity = Entity("stove1", {"stove": 0.8, "counter": 0.2}, HERE, fixed=fixed)
        viewpoints.created(entity, "first")
        right, wrong = {"stove": 0.8, "counter": 0.2}, {"counter": 0.75, "stove": 0.15}
        for number in range(15):
            seen = right if number < 10 else wrong
            entity = replace(entity, classes=viewpoints.classes(entity, f"v{number}", seen, anything))
        return entity.best_class

    assert after(fixed=True) == "stove"
    assert after(fixed=False) == "counter"


def test_looks_at_furniture_count_once_for_each_viewpoint_however_many_there_are():
    viewpoints = ViewpointEvidence()
    entity = Entity("stove1", {"stove": 0.8, "counter": 0.2}, HERE, fixed=True)
    viewpoints.created(entity, "first")
    for _ in range(3):
        for number in range(2 * KEPT):
            seen = {"stove": 0.6, "counter": 0.4} if number % 2 else {"counter": 0.6, "stove": 0.4}
            entity = replace(entity, classes=viewpoints.classes(entity, f"v{number}", seen, anything))
        assert entity.classes == pytest.approx({"stove": 0.8, "counter": 0.2}, abs=1e-3)


# -- near and far ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize(("sure", "best"), [(0.95, "stove"), (0.55, "counter")])
def test_a_few_sure_looks_outweigh_many_from_afar_and_many_from_afar_as_few(fixed, sure, best):
    viewpoints = ViewpointEvidence()
    near, far = {"stove": sure, "counter": 1 - sure}, {"counter": 0.6, "stove": 0.4}
    entity = Entity("stove1", near, HERE, fixed=fixed)
    viewpoints.created(entity, "first")
    for number, seen in enumerate([near, near, *[far] * 30]):
        entity = replace(entity, classes=viewpoints.classes(entity, f"v{number}", seen, anything))
    assert entity.best_class == best


def test_from_afar_staring_adds_nothing_to_many_sure_looks():
    viewpoints = ViewpointEvidence()
    entity = Entity("cup1", {"cup": 0.95, "mug": 0.05}, HERE)
    viewpoints.created(entity, "first")
    for number in range(KEPT):
        seen = {"cup": 0.95, "mug": 0.05}
        entity = replace(entity, classes=viewpoints.classes(entity, f"v{number}", seen, anything))
    for _ in range(50):
        seen = {"mug": 0.6, "cup": 0.4}
        assert viewpoints.classes(entity, "afar", seen, anything) is entity.classes


def test_three_sure_looks_turn_what_others_have_shown_of_a_thing():
    viewpoints = ViewpointEvidence()
    entity = Entity("cup1", {"cup": 0.95, "mug": 0.05}, HERE)
    viewpoints.created(entity, "first")
    looks = (
        [{"cup": 0.95, "mug": 0.05}] * 4 + [{"mug": 0.6, "cup": 0.4}] * 9 + [{"mug": 0.95, "cup": 0.05}] * 3
    )
    for number, seen in enumerate(looks):
        entity = replace(entity, classes=viewpoints.classes(entity, f"v{number}", seen, anything))
    assert entity.best_class == "mug"


# -- places ------------------------------------------------------------------------------------------

ON_TABLE, IN_SINK = ("on", "table1"), ("in", "sink1")


def rests(
    viewpoints, looks, before=None, pose=HERE, as_it_is=lambda region: region, against=lambda region: 0.0
):
    """Where a mug is believed to rest after some looks, each from a place of its own."""
    for number, seen in enumerate(looks):
        where, sure = viewpoints.rests("mug1", pose, before, f"{pose} {number}", seen, 0.9, as_it_is, against)
        before = Fact((where[0], "mug1", where[1]), Truth.TRUE, sure, time=1.0, source="view")
    return where, sure, before


def test_one_odd_look_moves_nothing_and_two_that_agree_do():
    viewpoints = ViewpointEvidence()
    where, sure, before = rests(viewpoints, [ON_TABLE, IN_SINK])
    assert where == ON_TABLE
    assert sure < 0.6, "but it leaves doubt"
    assert rests(viewpoints, [ON_TABLE, IN_SINK, IN_SINK], before)[0] == IN_SINK


def against_sinks(region):
    return 1.0 if region == IN_SINK else 0.0


def test_of_two_places_the_likelier_counts_more():
    def after(looks, before=None):
        viewpoints = ViewpointEvidence()
        where, sure, _ = rests(viewpoints, looks, before, against=against_sinks)
        return where, sure

    plain = rests(ViewpointEvidence(), [IN_SINK])[1]
    assert after([IN_SINK]) == (IN_SINK, pytest.approx(1 / (1 + (1 - plain) / plain * exp(1.0)), abs=1e-3))
    assert after([IN_SINK, ON_TABLE])[0] == ON_TABLE
    assert after([IN_SINK, IN_SINK, ON_TABLE])[0] == IN_SINK, "but looks decide in the end"


def test_where_it_was_put_needs_no_plausibility():
    put = Fact(("in", "mug1", "sink1"), Truth.TRUE, 0.9, time=2.0, source="action")
    where, sure, _ = rests(ViewpointEvidence(), [IN_SINK], put, against=against_sinks)
    assert (where, sure) == rests(ViewpointEvidence(), [IN_SINK], put)[:2]


def test_what_has_been_moved_is_where_it_is_seen():
    viewpoints = ViewpointEvidence()
    *_, before = rests(viewpoints, [ON_TABLE] * 4)
    assert rests(viewpoints, [IN_SINK], before, pose=(2.0, 0.1, 0.75))[0] == IN_SINK


def test_what_was_put_somewhere_is_there_until_it_is_seen_elsewhere_twice():
    viewpoints = ViewpointEvidence()
    rests(viewpoints, [ON_TABLE] * 4)
    put = Fact(("in", "mug1", "sink1"), Truth.TRUE, 0.9, time=2.0, source="action")
    assert rests(viewpoints, [ON_TABLE], put)[0] == IN_SINK
    assert rests(viewpoints, [ON_TABLE, ON_TABLE], put)[0] == ON_TABLE


def test_how_things_rest_follows_what_they_rest_at_is_believed_to_be_by_now():
    viewpoints = ViewpointEvidence()
    *_, before = rests(viewpoints, [IN_SINK, IN_SINK])
    where, *_ = rests(viewpoints, [IN_SINK], before, as_it_is=lambda region: ("on", region[1]))
    assert where == ("on", "sink1")


def test_nothing_rests_at_what_there_is_not():
    viewpoints = ViewpointEvidence()
    *_, before = rests(viewpoints, [IN_SINK] * 3)
    where, *_ = rests(viewpoints, [ON_TABLE], before, as_it_is=lambda r: r if r != IN_SINK else None)
    assert where == ON_TABLE


def test_two_pieces_that_are_one_bear_what_both_bore():
    viewpoints = ViewpointEvidence()
    *_, before = rests(viewpoints, [("on", "table2"), ("on", "table2")])
    viewpoints.renamed("table2", "table1")
    before = before._replace(atom=("on", "mug1", "table1"))
    where, sure, _ = rests(viewpoints, [ON_TABLE], before)
    assert where == ON_TABLE
    assert sure > 0.98


# -- what hardly ever is so --------------------------------------------------------------------------


def test_a_look_that_sees_what_hardly_ever_is_so_is_rather_a_mistake():
    broken = ("broken", "egg1")
    assert ViewpointEvidence().state(broken, None, "far", 0.8, "view")[0] is Truth.TRUE
    viewpoints = ViewpointEvidence()
    assert viewpoints.state(broken, None, "far", 0.8, "view", 0.02)[0] is Truth.FALSE
    fact = None
    for viewpoint in ("near", "nearer", "from behind"):
        truth, sure = viewpoints.state(broken, fact, viewpoint, 0.96, "look", 0.02)
        fact = Fact(broken, truth, sure, time=1.0, source="look")
    assert truth is Truth.TRUE


def test_what_was_overlooked_from_many_places_is_the_less_likely_there():
    viewpoints, counter = ViewpointEvidence(), ("on", "counter1")
    assert viewpoints.probability_overlooked(counter) == 1.0
    viewpoints.covered(counter, "door", 0.75)
    once = viewpoints.probability_overlooked(counter)
    assert once == pytest.approx(0.25)
    viewpoints.covered(counter, "door", 0.6)
    assert viewpoints.probability_overlooked(counter) == once, "the same errors are seen from the same place"
    viewpoints.covered(counter, "window", 0.75)
    assert once > viewpoints.probability_overlooked(counter) > once**2, (
        "what hides it from one place hides it from others"
    )
    assert viewpoints.probability_overlooked(("on", "counter2")) == 1.0
    viewpoints.renamed("counter1", "counter2")
    assert viewpoints.probability_overlooked(("on", "counter2")) < once
    assert viewpoints.probability_overlooked(counter) == 1.0
    viewpoints.forget("counter2")
    assert viewpoints.probability_overlooked(("on", "counter2")) == 1.0
