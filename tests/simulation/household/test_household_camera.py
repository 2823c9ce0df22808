from __future__ import annotations

import pytest

from foretree.simulation.household._camera import true_view


def in_view(d):
    return {name for name, i in d.house.names.items() if i in true_view(d.house).poses}


KITCHEN = {"table1", "fridge1", "microwave1", "sink1", "rack1", "lamp1", "person1", "door1"}
ON_TABLE1 = {"mango1", "knife1", "mug1", "kettle1", "spoon1", "cloth1", "shoe1"}
OPENLY = {*KITCHEN, *ON_TABLE1, "coat1", "sponge1"}

#: What is done before, and what comes into view or leaves it, compared with standing at table1.
VISIBLE = [
    ([], set(), set()),
    ([("go", "lamp1")], set(), set()),
    ([("go", "fridge1")], set(), set()),
    ([("open", "fridge1")], set(), set()),
    ([("go", "fridge1"), ("open", "fridge1")], {"milk1"}, set()),
    ([("go", "fridge1"), ("open", "fridge1"), ("go", "table1")], set(), set()),
    ([("open", "door1")], set(), set()),
    ([("remove", "mango1")], set(), {"mango1"}),
    (
        [("open", "door1"), ("go", "door1_kitchen_side", "door1_hall_side")],
        {"table2", "box1", "apple1"},
        OPENLY - {"door1"},
    ),
]


@pytest.mark.parametrize(("before", "more", "less"), VISIBLE)
def test_what_is_in_view(drive, before, more, less):
    d = drive()
    for verb, *words in before:
        if verb == "go":
            d.go(*words)
        elif verb == "open":
            d.house.set_state(d.house.named(words[0]), "open")
        else:
            d.house.remove(d.house.named(words[0]))
    assert in_view(d) == (OPENLY | more) - less


def test_on_the_way_only_what_is_held_is_in_view(drive):
    d = drive()
    d.do("pick", item="mango1", place="table1")
    d.start("move", None, from_="table1", to="fridge1")
    assert in_view(d) == {"mango1"}
    assert true_view(d.house).covered == ()


def test_states_of_items_show_only_from_close_by(drive):
    d = drive(scene={"noise": {}})
    near = d.seen()
    assert near["kettle1"].states["filled"] == pytest.approx(0.99)
    assert near["kettle1"].states["hot"] == pytest.approx(0.01)
    assert near["sponge1"].states == {}
    assert "wiped" in near["table1"].states
    assert near["fridge1"].states == {"open": pytest.approx(0.01)}
    d.go("fridge1")
    far = d.seen()
    assert far["kettle1"].states == {}
    assert far["table1"].states == {}
    assert far["microwave1"].states == {"open": pytest.approx(0.01), "turned_on": pytest.approx(0.01)}


def test_states_of_what_is_held_show_everywhere(drive):
    d = drive()
    d.do("pick", item="kettle1", place="table1")
    d.go("lamp1")
    assert d.seen()["kettle1"].states["filled"] == pytest.approx(0.99)


def test_covered_regions_are_those_seen_completely(drive):
    d = drive()
    names = {i: n for n, i in d.house.names.items()}

    def covered():
        return {(relation, names[support]) for relation, support in true_view(d.house).covered}

    always = {("on", "table1"), ("under", "table1"), ("in", "sink1"), ("hung_on", "rack1")}
    assert covered() == always
    d.go("fridge1")
    assert covered() == always
    d.house.set_state(d.house.named("fridge1"), "open")
    assert covered() == {*always, ("in", "fridge1")}


def test_detections_say_how_things_rest_and_name_nothing(drive):
    d = drive()
    [observation] = d.robot.observations()
    by_name = d.by_name(observation)
    assert by_name["mango1"].rests == ("on", by_name["table1"].id)
    assert by_name["shoe1"].rests == ("under", by_name["table1"].id)
    assert by_name["coat1"].rests == ("hung_on", by_name["rack1"].id)
    assert by_name["table1"].rests is None
    assert by_name["mango1"].classes == {"mango": 0.99}
    said = repr(observation)
    hidden = set(d.house.scene.items) | set(d.house.things)
    assert not [name for name in hidden if f"'{name}'" in said]


def test_ids_are_fresh_in_every_look(drive):
    d = drive()
    first = {x.id for x in d.robot.observations()[0].detections}
    d.go("fridge1")
    assert not first & {x.id for o in d.robot.observations() for x in o.detections}


def test_the_body_is_felt_and_held_things_are_in_the_hand(drive):
    d = drive()
    assert d.robot.observations()[0].body == {
        ("rob_at_node", "robot1", "table1"): True,
        ("hand_free", "robot1", "left"): True,
        ("hand_free", "robot1", "right"): True,
    }
    d.do("pick", item="mango1", place="table1")
    d.start("move", None, from_="table1", to="fridge1")
    [leaving] = d.robot.observations()[-1:]
    assert leaving.body == {
        ("rob_at_node", "robot1", "table1"): False,
        ("hand_free", "robot1", "left"): False,
        ("hand_free", "robot1", "right"): True,
    }
    [detection] = leaving.detections
    assert leaving.held == {detection.id: (("robot1", "left"),)}
    assert detection.rests is None


# -- noise -------------------------------------------------------------------------------------------


def looks(d, count):
    view = d.world.view()
    return [d.by_name(d.world._detector.observe(view, 0.0, "look")) for _ in range(count)]


def test_without_noise_every_look_is_right_and_sure(drive):
    for seen in looks(drive(), 20):
        assert set(seen) == OPENLY
        assert max(seen["mug1"].classes.values()) == 0.99
        assert set(seen["mug1"].classes) == {"mug"}


def test_missed_detections_come_at_their_rate_and_lower_the_certainty(drive):
    d = drive(scene={"noise": {"missed": 0.2}})
    view = d.world.view()
    seen = looks(d, 600)
    rate = sum("mango1" not in names for names in seen) / len(seen)
    assert rate == pytest.approx(0.2, abs=0.05)
    assert all(set(names) >= KITCHEN for names in seen)
    assert {c.certainty for c in d.world._detector.observe(view, 0.0, "look").covered} == {0.8}


def test_what_is_held_is_never_missed(drive):
    d = drive(scene={"noise": {"missed": 0.9}})
    d.do("pick", item="mango1", place="table1")
    assert all("mango1" in names for names in looks(d, 30))


def test_confusions_come_at_their_rate_and_are_reported_with_it(drive):
    d = drive(scene={"noise": {"confusion": 0.3}})
    seen = looks(d, 600)
    best = [max(names["mug1"].classes, key=names["mug1"].classes.get) for names in seen]
    assert sum(name != "mug" for name in best) / len(best) == pytest.approx(0.3, abs=0.06)
    assert set(best) == {"mug", "cup", "glass"}
    for names in seen:
        scores = names["mug1"].classes
        assert max(scores.values()) == pytest.approx(0.7)
        assert sum(scores.values()) == pytest.approx(1.0, abs=1e-5)
        assert "mug" in scores or "cup" in scores
    assert all(max(names["shoe1"].classes, key=names["shoe1"].classes.get) == "shoe" for names in seen)


def test_misread_states_come_at_their_rate_and_are_reported_with_it(drive):
    d = drive(scene={"noise": {"misread": 0.1}})
    readings = [names["kettle1"].states["filled"] for names in looks(d, 800)]
    assert set(readings) == {0.9, 0.1}
    assert readings.count(0.1) / len(readings) == pytest.approx(0.1, abs=0.03)


def test_a_look_alike_is_never_furniture(ontology, drive):
    camera = drive().world._detector
    assert "box" in ontology["cereal"].like
    assert camera._look_alikes("cereal") == ()
    assert set(camera._look_alikes("plate")) == {"bowl", "tray"}
