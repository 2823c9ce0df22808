"""The belief after looks: what appears, moves, changes, vanishes."""

from dataclasses import replace

import pytest

from foretree.world_model.beliefs.facts import Entity, Truth
from foretree.world_model.tracking.tracker import EntityChanges

HERE = (0.1, 0.1, 0.75)
THERE = (5.1, 0.1, 0.75)
BESIDE = (0.5, 0.1, 0.75)


# -- new things --------------------------------------------------------------------------------------


def test_a_new_thing_gets_a_name_its_class_and_what_it_affords(kitchen, thing):
    changes = kitchen.look(thing("mug", HERE, clean=0.03))
    assert changes == EntityChanges(appeared=("mug1",))
    assert kitchen.truth("class", "mug1", "mug") == "true"
    assert kitchen.truth("fillable", "mug1") == "true"
    assert kitchen.truth("on", "mug1", "table1") == "true"
    assert kitchen.truth("clean", "mug1") == "false"
    assert kitchen.belief.fact(("clean", "mug1")).confidence == pytest.approx(0.97)
    assert kitchen.belief.fact(("on", "mug1", "table1")).source == "look"
    assert kitchen.belief.entity("mug1").pose == HERE


def test_names_are_never_used_again(kitchen, thing):
    kitchen.know("mug1", "mug", ("on", "mug1", "table2"), THERE)
    kitchen.look(thing("mug", HERE))
    assert kitchen.things() == ["mug1", "mug2"]
    kitchen.belief.remove_entity("mug2")
    kitchen.look(thing("mug", HERE))
    assert kitchen.things() == ["mug1", "mug3"]


def test_furniture_is_never_created(kitchen, thing):
    before = set(kitchen.belief.entities())
    kitchen.look(thing("sofa", (9.0, 9.0, 0.5), rests=None))
    assert set(kitchen.belief.entities()) == before


# -- the same things again ---------------------------------------------------------------------------


def test_seeing_again_what_is_known_leaves_the_journal_as_it_is(kitchen, thing):
    for _ in range(3):
        kitchen.look(thing("mug", HERE, clean=0.97), covered=[("on", "table1")])
    version = kitchen.belief.version
    changes = kitchen.look(thing("mug", HERE, clean=0.97), covered=[("on", "table1")])
    assert changes == EntityChanges()
    assert changes.entities == ()
    assert kitchen.belief.changes_since(version) == []
    for atom in [("clean", "mug1"), ("on", "mug1", "table1"), ("class", "mug1", "mug")]:
        assert kitchen.belief.fact(atom).time == kitchen.now
    assert kitchen.belief.entity("mug1").seen_at == kitchen.now
    assert kitchen.belief.entity("table1").seen_at == kitchen.now


def test_a_misread_class_makes_no_second_entity(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    changes = kitchen.look(thing({"cup": 0.7, "mug": 0.3}, HERE))
    assert kitchen.things() == ["mug1"]
    assert changes.reclassified == ()
    scores = kitchen.belief.entity("mug1").classes
    assert scores["mug"] > scores["cup"] > 0.02
    assert sum(scores.values()) == pytest.approx(1.0)


def test_two_looks_turn_a_class_around_and_its_affordances_follow(kitchen, thing):
    kitchen.know("cloth1", "cloth", ("on", "cloth1", "table1"), HERE)
    assert kitchen.truth("wiper", "cloth1") == "true"
    assert kitchen.look(thing({"towel": 0.88, "cloth": 0.12}, HERE)).reclassified == ()
    changes = kitchen.look(thing({"towel": 0.88, "cloth": 0.12}, HERE))
    assert changes.reclassified == ("cloth1",)
    assert kitchen.belief.entity("cloth1").best_class == "towel"
    assert kitchen.truth("class", "cloth1", "towel") == "true"
    assert kitchen.truth("class", "cloth1", "cloth") == "false"
    assert kitchen.truth("wiper", "cloth1") == "false"
    assert kitchen.truth("foldable", "cloth1") == "true", "both afford it"


def test_a_thing_never_becomes_furniture(kitchen, thing):
    kitchen.know("cereal1", "cereal", ("on", "cereal1", "table1"), HERE)
    for _ in range(5):
        kitchen.look(thing({"box": 0.95}, HERE))
    assert kitchen.belief.entity("cereal1").best_class == "cereal"
    assert kitchen.things() == ["cereal1"]


# -- states ------------------------------------------------------------------------------------------


def test_one_nearly_certain_look_overrules_what_an_action_claimed(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.belief.tell(("clean", "mug1"), confidence=0.9, source="action")
    kitchen.look(thing("mug", HERE, clean=0.03))
    assert kitchen.truth("clean", "mug1") == "false"
    assert kitchen.belief.fact(("clean", "mug1")).source == "look"


def test_two_contradicting_looks_turn_any_belief_around(kitchen, thing):
    for _ in range(20):
        kitchen.look(thing("mug", HERE, clean=0.99))
    kitchen.look(thing("mug", HERE, clean=0.2))
    assert kitchen.truth("clean", "mug1") == "true"
    kitchen.look(thing("mug", HERE, clean=0.2))
    assert kitchen.truth("clean", "mug1") == "false"


def test_sight_confirms_what_an_action_claimed(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.belief.tell(("clean", "mug1"), confidence=0.6, source="action")
    version = kitchen.belief.version
    kitchen.look(thing("mug", HERE, clean=0.95))
    assert kitchen.belief.fact(("clean", "mug1")).confidence > 0.95
    assert kitchen.belief.changes_since(version) == []


def test_furniture_has_states_too(kitchen, thing):
    fridge = thing("fridge", (0.0, 4.0, 1.0), rests=None, open=0.97)
    kitchen.look(fridge)
    assert kitchen.truth("open", "fridge1") == "true"


# -- moving ------------------------------------------------------------------------------------------


def test_moved_from_a_table_in_view_it_is_the_same_thing(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    changes = kitchen.look(
        thing("mango", THERE, ("on", "table2")), covered=[("on", "table1"), ("on", "table2")]
    )
    assert changes == EntityChanges(moved=("mango1",))
    assert kitchen.things() == ["mango1"]
    assert kitchen.truth("on", "mango1", "table2") == "true"
    assert kitchen.truth("on", "mango1", "table1") == "false"


def test_while_the_old_place_is_out_of_view_it_is_a_new_thing(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    kitchen.look(thing("mango", THERE, ("on", "table2")), covered=[("on", "table2")])
    assert kitchen.things() == ["mango1", "mango2"]
    assert kitchen.truth("on", "mango1", "table1") == "true"


def test_when_the_old_place_turns_out_empty_they_were_one(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    kitchen.look(thing("mango", THERE, ("on", "table2"), sliced=0.97))
    changes = kitchen.look(covered=[("on", "table1")])
    assert changes == EntityChanges(moved=("mango1",), removed=("mango2",))
    assert kitchen.things() == ["mango1"]
    assert kitchen.truth("on", "mango1", "table2") == "true"
    assert kitchen.truth("on", "mango1", "table1") == "false"
    assert kitchen.truth("sliced", "mango1") == "true"
    assert kitchen.belief.entity("mango1").pose == THERE
    kitchen.look(thing("mango", HERE))
    assert kitchen.things() == ["mango1", "mango3"], "a name is not used again"


def test_a_thing_that_moved_and_was_misread_is_recognised_in_the_end(kitchen, thing):
    kitchen.know("mug1", "mug", ("on", "mug1", "table1"), HERE)
    kitchen.look(covered=[("on", "table1")])
    kitchen.look(thing({"cup": 0.9, "mug": 0.1}, THERE, ("on", "table2")))
    assert kitchen.things() == ["cup1", "mug1"]
    for _ in range(2):
        changes = kitchen.look(thing({"mug": 0.9, "cup": 0.1}, THERE, ("on", "table2")))
        if changes.removed:
            break
    assert changes.removed == ("cup1",)
    assert kitchen.things() == ["mug1"]
    assert kitchen.truth("on", "mug1", "table2") == "true"


def test_things_seen_side_by_side_are_never_merged(kitchen, thing):
    kitchen.look(thing("mango", HERE), thing("mango", (0.6, 0.1, 0.75), name="d2"))
    changes = kitchen.look(thing("mango", HERE), covered=[("on", "table1")])
    assert changes.lost == ("mango2",)
    assert kitchen.things() == ["mango1", "mango2"]


def test_another_kind_of_thing_is_not_the_lost_one(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    kitchen.look(thing("pillow", THERE, ("on", "table2")))
    assert kitchen.look(covered=[("on", "table1")]).lost == ("mango1",)


def test_what_was_lost_is_found_again(kitchen, thing):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    kitchen.look(covered=[("on", "table1")])
    changes = kitchen.look(thing("mango", THERE, ("on", "table2")))
    assert changes == EntityChanges(moved=("mango1",))
    assert kitchen.truth("on", "mango1", "table2") == "true"


def test_after_an_action_the_thing_is_recognised_where_it_was_put(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.belief.tell(("on", "mug1", "table2"), confidence=0.9, source="action")
    kitchen.look(thing("mug", THERE, ("on", "table2")))
    assert kitchen.things() == ["mug1"]
    assert kitchen.belief.fact(("on", "mug1", "table2")).source == "look"


def test_what_was_put_down_in_the_place_of_a_look_alike_is_not_that(kitchen, thing):
    kitchen.look(thing("glass", HERE))
    kitchen.know("mug1", "mug")
    kitchen.belief.tell(("on", "mug1", "table1"), confidence=0.9, source="action")
    changes = kitchen.look(thing("mug", HERE), covered=[("on", "table1")])
    assert kitchen.truth("on", "mug1", "table1") == "true"
    assert kitchen.belief.entity("mug1").pose == HERE
    assert changes.lost == ("glass1",)


def test_what_was_put_down_beside_its_like_does_not_take_its_place(kitchen, thing):
    beside = (0.3, 0.1, 0.75)
    kitchen.look(thing("mug", HERE))
    kitchen.know("mug2", "mug")
    kitchen.belief.tell(("on", "mug2", "table1"), confidence=0.9, source="action")
    kitchen.look(thing("mug", beside), thing("mug", HERE, name="d2"))
    assert kitchen.belief.entity("mug1").pose == HERE
    assert kitchen.belief.entity("mug2").pose == beside


def test_what_was_put_down_and_is_misread_is_not_a_look_alike_that_has_moved_there(kitchen, thing):
    kitchen.look(thing("apple", THERE, ("on", "table2")))
    kitchen.know("mango1", "mango")
    kitchen.belief.tell(("on", "mango1", "table1"), confidence=0.9, source="action")
    kitchen.look(thing("apple", HERE), covered=[("on", "table1"), ("on", "table2")])
    assert kitchen.truth("on", "mango1", "table1") == "true"
    assert kitchen.truth("on", "apple1", "table1") != "true"


def test_after_a_failed_action_the_thing_is_recognised_wherever_it_is(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.belief.tell(("on", "mug1", "table1"), Truth.UNKNOWN, confidence=0.0, source="action")
    changes = kitchen.look(thing("mug", THERE, ("on", "table2")))
    assert changes == EntityChanges(moved=("mug1",))
    assert kitchen.truth("on", "mug1", "table1") == "false"


def test_an_unlucky_look_does_not_lose_what_eyes_often_miss(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.look(covered=[("on", "table1", 0.9)])
    assert kitchen.truth("on", "mug1", "table1") == "true"
    kitchen.look(thing("mug", HERE), covered=[("on", "table1", 0.9)])
    assert kitchen.belief.fact(("on", "mug1", "table1")).confidence > 0.9


# -- not seen ----------------------------------------------------------------------------------------


def test_what_is_not_where_one_looked_is_gone(kitchen):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    changes = kitchen.look(covered=[("on", "table1")])
    assert changes == EntityChanges(lost=("mango1",))
    fact = kitchen.belief.fact(("on", "mango1", "table1"))
    assert fact.truth is Truth.FALSE
    assert fact.confidence > 0.8
    assert kitchen.truth("on", "mango1", "table2") == "unknown"
    assert kitchen.belief.entity("mango1").pose is None


def test_what_was_only_glimpsed_of_a_thing_that_is_gone_is_forgotten(kitchen):
    kitchen.know("apple1", "apple", ("on", "apple1", "table1"), (0.1, 0.1, 0.75))
    kitchen.belief.tell(("clean", "apple1"), confidence=0.7, source="view")
    kitchen.belief.tell(("sliced", "apple1"), confidence=0.97, source="look")
    kitchen.look(covered=[("on", "table1")])
    assert kitchen.belief.fact(("clean", "apple1")) is None
    assert kitchen.truth("sliced", "apple1") == "true"


def test_what_the_same_look_shows_is_no_glimpse_of_before(kitchen, thing):
    """A tomato is believed to be in the hand, which holds an apple: it lies on the table."""
    in_hand = (1.0, 1.0, 1.0)
    kitchen.know("tomato1", "tomato", ("holding", "robot1", "left", "tomato1"), HERE)
    kitchen.know("apple1", "apple", pose=in_hand)
    kitchen.belief.tell(("holding", "robot1", "left", "apple1"), time=0.5, source="action")
    kitchen.belief.tell(("clean", "tomato1"), confidence=0.7, source="view")
    kitchen.look(
        thing("tomato", HERE, None, name="d1", clean=0.95),
        thing("apple", in_hand, None, name="d2"),
        held={"d2": (("robot1", "left"),)},
    )
    assert kitchen.truth("clean", "tomato1") == "true"
    assert kitchen.truth("holding", "robot1", "left", "tomato1") == "false"
    assert kitchen.truth("holding", "robot1", "left", "apple1") == "true"


def test_what_is_so_because_of_what_a_thing_is_no_look_sees_otherwise(kitchen, thing):
    here = (0.1, 0.1, 0.75)
    kitchen.know("bowl1", "bowl", ("on", "bowl1", "table1"), here)
    kitchen.belief.tell(("open", "bowl1"), source="class")
    kitchen.look(thing({"bowl": 0.9}, here, open=0.02))
    assert kitchen.truth("open", "bowl1") == "true"


def test_a_doubtful_look_only_lowers_the_confidence(kitchen):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    version = kitchen.belief.version
    kitchen.look(covered=[("on", "table1", 0.9)])
    assert kitchen.belief.fact(("on", "mango1", "table1")).confidence == pytest.approx(0.474, abs=1e-3)
    assert kitchen.belief.changes_since(version) == []
    kitchen.look(covered=[("on", "table1", 0.9)])
    assert kitchen.truth("on", "mango1", "table1") == "false"


def test_only_covered_regions_count(kitchen):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    kitchen.look(covered=[("under", "table1"), ("on", "table2")])
    assert kitchen.truth("on", "mango1", "table1") == "true"


def test_what_hides_behind_others_in_a_region_in_view_is_not_gone(kitchen, thing):
    kitchen.look(thing("mango", HERE), thing("mug", BESIDE, name="d2"))
    changes = kitchen.look(covered=[("on", "table1")], shows=lambda spot, size: float(spot == BESIDE))
    assert changes.lost == ("mug1",)
    assert kitchen.truth("on", "mango1", "table1") == "true"


def test_a_look_that_does_not_find_a_thing_at_its_spot_doubts_it_wherever_that_is(kitchen, thing):
    kitchen.look(thing("mango", HERE), thing("mug", BESIDE, name="d2"))
    cup = thing("cup", (0.3, 0.3, 0.75), name="d3")
    for place in ("here", "there", "behind"):
        kitchen.look(cup, viewpoint=place, shows=lambda spot, size: 0.9 if spot == HERE else 0.4)
    assert kitchen.truth("on", "mango1", "table1") == "false", "in plain view"
    assert kitchen.truth("on", "mug1", "table1") == "true", "half hidden"


def test_how_large_a_thing_has_looked_tells_whether_it_would_show(kitchen, thing):
    asked = []
    for far in (0.02, 0.0, 0.05):
        box = (0.0, 0.0, 0.7, 0.1 + far, 0.2 + far, 0.75 + far)
        kitchen.look(replace(thing("mango", HERE), extent=box))
    kitchen.look(covered=[("on", "table1")], shows=lambda spot, size: asked.append(size) or 1.0)
    assert asked == [pytest.approx((0.15, 0.05))], "from far away it looked larger"


def test_what_nobody_has_seen_where_an_action_put_it_is_not_missed_at_once(kitchen, thing):
    kitchen.know("mango1", "mango")
    kitchen.belief.tell(("on", "mango1", "table1"), confidence=0.9, source="action")
    for place in ("here", "there"):
        kitchen.look(covered=[("on", "table1", 0.8)], viewpoint=place, shows=lambda spot, size: 0.9)
    assert kitchen.truth("on", "mango1", "table1") == "true"


def test_of_two_that_were_overlooked_each_is_where_it_was(kitchen, thing):
    kitchen.look(thing("mango", HERE), thing("mango", BESIDE, name="d2"))
    kitchen.look(covered=[("on", "table1")])
    assert kitchen.belief.entity("mango1").pose is None
    kitchen.look(thing("mango", BESIDE))
    assert kitchen.belief.entity("mango1").pose is None
    assert kitchen.belief.entity("mango2").pose == BESIDE


def test_a_covered_region_rules_out_what_has_no_place(kitchen):
    kitchen.know("mango1", "mango")
    kitchen.look(covered=[("on", "table1")])
    assert kitchen.truth("on", "mango1", "table1") == "false"
    assert kitchen.truth("on", "mango1", "table2") == "unknown"


def test_the_look_that_loses_a_thing_rules_out_what_else_it_covers(kitchen):
    kitchen.know("mug1", "mug", ("on", "mug1", "table1"), HERE)
    kitchen.look(covered=[("on", "table1"), ("on", "table2")])
    assert kitchen.truth("on", "mug1", "table2") == "false"
    assert kitchen.truth("in", "mug1", "fridge1") == "unknown"


def test_a_place_ruled_out_before_is_worth_a_look_when_the_thing_gets_lost_again(kitchen, thing):
    kitchen.know("mango1", "mango")
    kitchen.look(covered=[("on", "table1")])
    kitchen.look(thing("mango", THERE, ("on", "table2")))
    assert kitchen.truth("on", "mango1", "table1") == "false", "it is elsewhere"
    kitchen.look(covered=[("on", "table2")])
    assert kitchen.truth("on", "mango1", "table1") == "unknown"


def test_the_tracker_knows_when_a_region_was_covered(kitchen):
    kitchen.look(covered=[("on", "table1")], at=4.0)
    assert kitchen.tracker.covered_at == {("on", "table1"): 4.0}


# -- the robot itself --------------------------------------------------------------------------------


def test_what_the_robot_feels_is_certain(kitchen):
    kitchen.look(body={("rob_at_node", "robot1", "table1"): True, ("hand_free", "robot1", "left"): True})
    assert kitchen.truth("rob_at_node", "robot1", "table1") == "true"
    kitchen.look(body={("rob_at_node", "robot1", "table2"): True})
    assert kitchen.truth("rob_at_node", "robot1", "table1") == "false"
    fact = kitchen.belief.fact(("rob_at_node", "robot1", "table2"))
    assert (fact.confidence, fact.source) == (1.0, "body")


def test_what_is_in_a_hand_is_held_and_rests_nowhere(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.look(thing("mug", (0.3, 0.5, 1.1), rests=None), held={"d1": (("robot1", "left"),)})
    assert kitchen.things() == ["mug1"]
    assert kitchen.truth("holding", "robot1", "left", "mug1") == "true"
    assert kitchen.truth("hand_free", "robot1", "left") == "false"
    assert kitchen.truth("on", "mug1", "table1") == "false"


def test_a_free_hand_holds_nothing(kitchen, thing):
    kitchen.know("mug1", "mug")
    kitchen.belief.tell(("holding", "robot1", "left", "mug1"), confidence=0.9, source="action")
    changes = kitchen.look(body={("hand_free", "robot1", "left"): True})
    assert changes.lost == ("mug1",)
    assert kitchen.truth("holding", "robot1", "left", "mug1") == "false"
    kitchen.look(thing("mug", HERE), body={("hand_free", "robot1", "left"): True})
    assert kitchen.things() == ["mug1"]
    assert kitchen.truth("on", "mug1", "table1") == "true"


def test_a_pick_that_silently_failed_is_seen(kitchen, thing):
    kitchen.look(thing("mug", HERE))
    kitchen.belief.tell(("holding", "robot1", "left", "mug1"), confidence=0.9, source="action")
    changes = kitchen.look(thing("mug", HERE), body={("hand_free", "robot1", "left"): True})
    assert changes == EntityChanges(moved=("mug1",))
    assert kitchen.truth("on", "mug1", "table1") == "true"
    assert kitchen.truth("holding", "robot1", "left", "mug1") == "false"


def test_what_is_still_in_the_hand_was_not_put_where_a_look_alike_appears(kitchen, thing):
    in_hand = (1.0, 1.0, 1.0)
    kitchen.know("apple1", "apple", ("holding", "robot1", "left", "apple1"), in_hand)
    kitchen.belief.tell(("on", "apple1", "table1"), confidence=0.9, source="action")
    kitchen.look(
        thing("apple", in_hand, None), thing("tomato", HERE, name="d2"), held={"d1": (("robot1", "left"),)}
    )
    assert kitchen.truth("holding", "robot1", "left", "apple1") == "true"
    assert kitchen.truth("on", "tomato1", "table1") == "true"


def test_a_hand_keeps_what_it_was_seen_to_hold_whatever_it_looks_like(kitchen, thing):
    in_hand = (1.0, 1.0, 1.0)
    kitchen.look(thing("phone", in_hand, None), held={"d1": (("robot1", "left"),)})
    for _ in range(2):
        kitchen.look(thing("remote", in_hand, None), held={"d1": (("robot1", "left"),)})
    kitchen.look(thing("wallet", in_hand, None), held={"d1": (("robot1", "left"),)})
    assert kitchen.things() == ["phone1"]
    assert kitchen.truth("holding", "robot1", "left", "phone1") == "true"


def test_what_is_still_in_the_hand_is_what_was_in_it_before(kitchen, thing):
    in_hand = (1.0, 1.0, 1.0)
    kitchen.know("mug1", "mug")
    kitchen.know("mug2", "mug", ("holding", "robot1", "left", "mug2"), in_hand)
    kitchen.belief.tell(("on", "mug2", "table1"), confidence=0.9, source="action")
    kitchen.look(thing("mug", in_hand, None), held={"d1": (("robot1", "left"),)})
    assert kitchen.truth("holding", "robot1", "left", "mug2") == "true"
    assert kitchen.truth("on", "mug2", "table1") == "false"


def test_a_pick_that_silently_failed_is_seen_though_the_look_alike_beside_is_overlooked(kitchen, thing):
    beside = (0.3, 0.1, 0.75)
    kitchen.look(thing("apple", HERE), thing("mango", beside, name="d2"))
    kitchen.belief.tell(("holding", "robot1", "left", "apple1"), confidence=0.9, source="action")
    kitchen.look(
        thing("apple", HERE), covered=[("on", "table1", 0.95)], body={("hand_free", "robot1", "left"): True}
    )
    assert kitchen.truth("on", "apple1", "table1") == "true"
    assert kitchen.belief.entity("mango1").best_class == "mango"


def test_a_hand_holds_one_thing(kitchen, thing):
    kitchen.know("mug1", "mug")
    kitchen.belief.tell(("holding", "robot1", "left", "mug1"), confidence=0.9, source="action")
    kitchen.know("pillow1", "pillow", ("on", "pillow1", "table1"), HERE)
    changes = kitchen.look(thing({"pillow": 0.97}, (1.0, 1.0, 1.0), None), held={"d1": (("robot1", "left"),)})
    assert kitchen.truth("holding", "robot1", "left", "pillow1") == "true"
    assert kitchen.truth("holding", "robot1", "left", "mug1") == "false"
    assert changes.lost == ("mug1",)


# -- doors -------------------------------------------------------------------------------------------


def test_connections_follow_the_doors_that_are_seen(kitchen, thing):
    door = (3.0, 2.0, 1.0)
    kitchen.look(thing("door", door, None, open=0.97))
    assert kitchen.truth("connected", "table1", "table2") == "true"
    kitchen.look(thing("door", door, None, open=0.03))
    assert kitchen.truth("connected", "table1", "table2") == "false"
    assert kitchen.truth("connected", "table2", "table1") == "false"


def test_a_door_that_did_not_open_after_all_does_not_connect(kitchen, thing):
    shut = thing("door", (3.0, 2.0, 1.0), None, open=0.03)
    kitchen.look(shut)
    for atom in [("open", "door1"), ("connected", "table1", "table2"), ("connected", "table2", "table1")]:
        kitchen.belief.tell(atom, source="action")
    kitchen.look(shut)
    assert kitchen.truth("open", "door1") == "false"
    assert kitchen.truth("connected", "table1", "table2") == "false"


def test_a_person_is_fixed_but_a_cup_on_her_spot_is_not_her(kitchen, thing):
    kitchen.belief.put_entity(Entity("anna", {"person": 1.0}, (1.0, 1.0, 0.0), fixed=True))
    kitchen.look(thing("cup", (1.0, 1.0, 0.0), None))
    assert kitchen.things() == ["cup1"]


# -- the same sight ----------------------------------------------------------------------------------


def test_an_unchanged_sight_is_renewed_even_if_its_ids_are_fresh(kitchen, thing):
    for n in range(6):
        kitchen.look(thing("mug", HERE, name=f"d{n}", clean=0.97), covered=[("on", "table1")])
        fact = kitchen.belief.fact(("clean", "mug1"))
        assert fact.time == kitchen.now
        assert kitchen.belief.entity("mug1").seen_at == kitchen.now
        assert kitchen.tracker.covered_at["on", "table1"] == kitchen.now
    assert fact.confidence > 0.99


def test_a_renewed_sight_is_weighed_again_when_somebody_told_otherwise(kitchen, thing):
    for _ in range(4):
        kitchen.look(thing("mug", HERE, clean=0.03), covered=[("on", "table1")])
    kitchen.belief.tell(("clean", "mug1"), confidence=0.9, source="action")
    kitchen.look(thing("mug", HERE, clean=0.03), covered=[("on", "table1")])
    assert kitchen.truth("clean", "mug1") == "false"


def test_doubt_grows_though_the_sight_stays_the_same(kitchen):
    kitchen.know("mango1", "mango", ("on", "mango1", "table1"), HERE)
    for _ in range(2):
        kitchen.look(covered=[("on", "table1", 0.9)])
    assert kitchen.truth("on", "mango1", "table1") == "false"


def test_the_hands_of_two_robots_are_not_mixed_up(kitchen):
    kitchen.know("mug1", "mug", ("holding", "robot1", "left", "mug1"), HERE)
    kitchen.look(body={("hand_free", "robot2", "left"): True})
    assert kitchen.truth("holding", "robot1", "left", "mug1") == "true"


# -- things on things --------------------------------------------------------------------------------


def on_a_tray(thing, tray=(0.1, 0.1, 0.75), rests=("on", "table1")):
    """A tray with a mug on it, as conftest's kitchen takes detections."""
    return (
        thing("tray", tray, rests, name="d1"),
        thing("mug", (tray[0], tray[1], tray[2] + 0.2), ("on", "d1"), name="d2"),
    )


def test_what_rests_on_something_new_rests_on_that(kitchen, thing):
    kitchen.look(*on_a_tray(thing), covered=[("on", "table1")])
    assert kitchen.things() == ["mug1", "tray1"]
    assert kitchen.truth("on", "mug1", "tray1") == "true"
    assert kitchen.truth("on", "mug1", "table1") == "false"


def test_what_rests_on_a_carried_thing_stays_on_it(kitchen, thing):
    kitchen.look(*on_a_tray(thing))
    tray, mug = on_a_tray(thing, (5.0, 0.0, 1.3), None)
    changes = kitchen.look(tray, mug, held={"d1": (("robot1", "left"),)})
    assert kitchen.truth("holding", "robot1", "left", "tray1") == "true"
    assert kitchen.truth("on", "mug1", "tray1") == "true"
    assert changes.appeared == changes.lost == ()
    free = {("hand_free", "robot1", "left"): True}
    kitchen.look(*on_a_tray(thing, (5.1, 0.1, 0.75), ("on", "table2")), body=free)
    assert kitchen.truth("on", "tray1", "table2") == "true"
    assert kitchen.truth("on", "mug1", "tray1") == "true"
    assert kitchen.things() == ["mug1", "tray1"]


def test_what_is_gone_from_a_thing_that_is_seen_completely_is_missed(kitchen, thing):
    kitchen.look(*on_a_tray(thing))
    for _ in range(3):
        kitchen.look(on_a_tray(thing)[0], covered=[("on", "d1")])
    assert kitchen.truth("on", "mug1", "tray1") == "false"
    assert kitchen.truth("on", "tray1", "table1") == "true"


def test_with_what_carries_it_gone_nobody_misses_what_is_on_it(kitchen, thing):
    kitchen.look(*on_a_tray(thing))
    for _ in range(3):
        kitchen.look(covered=[("on", "table1")])
    assert kitchen.truth("on", "tray1", "table1") == "false"
    assert kitchen.truth("on", "mug1", "tray1") == "true"


# -- what stands in the way --------------------------------------------------------------------------


def test_a_blocked_passage_is_not_connected(kitchen):
    kitchen.belief.tell(("connected", "table1", "fridge1"))
    kitchen.belief.tell(("connected", "fridge1", "table1"))
    kitchen.look(passable={("fridge1", "table1"): False})
    assert kitchen.truth("connected", "table1", "fridge1") == "false"
    assert kitchen.truth("connected", "fridge1", "table1") == "false"
    kitchen.look()
    assert kitchen.truth("connected", "table1", "fridge1") == "false", "until it is seen to be free"
    kitchen.look(passable={("fridge1", "table1"): True})
    assert kitchen.truth("connected", "table1", "fridge1") == "true"


def test_an_open_door_is_no_help_where_something_stands_in_the_way(kitchen):
    kitchen.belief.tell(("open", "door1"))
    kitchen.look()
    assert kitchen.truth("connected", "table1", "table2") == "true"
    kitchen.look(passable={("table1", "table2"): False})
    assert kitchen.truth("connected", "table1", "table2") == "false"
    kitchen.look(passable={("table1", "table2"): True})
    assert kitchen.truth("connected", "table1", "table2") == "true"


def test_a_passage_that_is_not_on_the_map_is_ignored(kitchen):
    kitchen.look(passable={("table1", "sink1"): False, ("here", "there"): True})
    assert kitchen.tracker.blocked == set()
