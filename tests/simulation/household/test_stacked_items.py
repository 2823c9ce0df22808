"""What is seen of things that rest on things, of what is carried, and of what stands in the way."""

from __future__ import annotations

import pytest

from foretree.clock import SimulatedClock
from foretree.simulation.household._camera import true_view
from foretree.simulation.household.initial_belief import initial_belief
from foretree.world_model.beliefs.facts import Truth
from foretree.world_model.tracking.tracker import Tracker

YES, NO = Truth.TRUE, Truth.FALSE
IN_HAND = "held"


def in_view(d):
    return {name for name, i in d.house.names.items() if i in true_view(d.house).poses}


def covered(d):
    names = {i: n for n, i in d.house.names.items()}
    return {(relation, names[support]) for relation, support in true_view(d.house).covered}


def test_what_rests_openly_on_what_is_seen_is_seen_too(at_work):
    d = at_work()
    seen = in_view(d)
    assert {"tray1", "plate1", "mango1", "red1", "blue1", "remote1", "battery1", "mug1", "glass1"} <= seen
    assert not {"keys1", "bowl1", "egg1", "apple1", "plate2", "cake1", "shirt1"} & seen
    assert {("on", "tray1"), ("on", "plate1"), ("in", "remote1"), ("on", "red1")} <= covered(d)
    assert not {("in", "box1"), ("in", "microwave1"), ("in", "bowl1"), ("on", "plate2")} & covered(d)


def test_what_is_in_something_open_is_seen_from_close_by_only(at_work):
    d = at_work()
    for name in ("microwave1", "fridge1", "box1"):
        d.house.set_state(d.house.named(name), "open")
    assert "keys1" in in_view(d)
    assert not {"bowl1", "egg1", "plate2", "cake1"} & in_view(d)
    d.go("microwave1")
    assert {"bowl1", "egg1"} <= in_view(d)
    assert ("in", "bowl1") in covered(d)
    assert not {"keys1", "cake1"} & in_view(d)
    d.go("fridge1")
    assert {"plate2", "cake1"} <= in_view(d)


def test_what_is_held_is_seen_with_what_is_on_it(at_work):
    d = at_work()
    d.do("pick", other_hand="right", item="tray1", place="table1")
    d.start("move", None, from_="table1", to="sink1")
    assert in_view(d) == {"tray1", "plate1", "mango1"}
    [observation] = d.robot.observations()[-1:]
    by_name = d.by_name(observation)
    assert by_name["plate1"].rests == ("on", by_name["tray1"].id)
    assert observation.held == {by_name["tray1"].id: (("robot1", "left"), ("robot1", "right"))}
    assert "clean" in by_name["mango1"].states


@pytest.mark.parametrize(("opened", "seen"), [(False, {"box1"}), (True, {"box1", "keys1"})])
def test_what_is_in_a_held_box_is_seen_if_it_is_open(at_work, opened, seen):
    d = at_work()
    d.house.set_state(d.house.named("box1"), "open", opened)
    d.do("pick", item="box1", place="table1")
    d.start("move", None, from_="table1", to="sink1")
    assert in_view(d) == seen


def test_what_rests_on_something_that_was_missed_hangs_in_the_air(at_work):
    d = at_work(scene={"noise": {"missed": 0.5}})
    view = d.world.view()
    in_the_air = 0
    for _ in range(30):
        observation = d.world._detector.observe(view, 0.0, "look")
        ids = {detection.id for detection in observation.detections}
        assert {x.rests[1] for x in observation.detections if x.rests} <= ids
        assert {region.support for region in observation.covered} <= ids
        by_name = d.by_name(observation)
        if "plate1" in by_name and "tray1" not in by_name:
            assert by_name["plate1"].rests is None
            in_the_air += 1
    assert in_the_air


def test_positions_tell_apart_what_rests_where(at_work):
    house = at_work().house
    poses = [house.pose_of(thing) for thing in house.items()]
    assert len(set(poses)) == len(poses)


# -- what stands in the way --------------------------------------------------------------------------


def test_what_stands_in_the_way_is_seen_from_the_rooms_at_either_end(at_work):
    d = at_work(faults=["at 1: block door1_kitchen_side door1_hall_side", "at 2: block table1 sink1"])
    assert d.robot.observations()[-1].passable == {}
    d.wait(2.0)
    across, inside = ("door1_kitchen_side", "door1_hall_side"), ("table1", "sink1")
    assert d.robot.observations()[-1].passable == {across: False, inside: False}
    d.house.arrive("table2")
    assert d.robot.observations()[-1].passable == {across: False}
    d.house.obstruct(*across, blocked=False)
    assert d.robot.observations()[-1].passable == {across: True}


def test_whoever_sees_the_way_blocked_could_know(at_work):
    d = at_work()
    d.robot.observations()
    d.house.obstruct("table1", "sink1")
    d.do("move", None, from_="table1", to="sink1")
    d.robot.observations()
    d.do("move", None, from_="table1", to="sink1")
    assert [(i.rule, i.in_view) for i in d.world.illegal] == [("way-free", False), ("way-free", True)]


def test_who_is_blocked_on_the_way_turns_back(at_work):
    d = at_work(faults=["during 1: block table1 sink1"])
    end = d.do("move", None, from_="table1", to="sink1")
    assert end.reason.startswith("interrupted")
    assert d.house.node == "table1"


# -- what is believed --------------------------------------------------------------------------------


class Onlooker:
    """A belief that is fed everything a robot observes."""

    def __init__(self, d):
        self.d = d
        scene = d.house.scene
        self.belief = initial_belief(scene, SimulatedClock())
        self.tracker = Tracker(self.belief, scene.ontology, scene.places)
        self.watch()

    def watch(self):
        changes = [self.tracker.observe(observation) for observation in self.d.robot.observations()]
        assert self.wrong() == []
        return changes

    def truth(self, *atom):
        return self.belief.truth(atom)

    def wrong(self):
        """What is believed otherwise than it is, of the things in view."""
        house, mistakes = self.d.house, []
        names = {i: n for n, i in house.names.items()}
        for (what, *ids), value in self.d.world.view().facts.items():
            if what == "rests":
                name = names[ids[0]]
                if value.relation == IN_HAND:
                    so = [("holding", "robot1", hand, name) for hand in house.hands_with(house[ids[0]])]
                else:
                    so = [(value.relation, name, names[value.support])]
                mistakes += [atom for atom in so if self.belief.truth(atom) is not YES]
            elif what not in ("found", "is", "passable") and what in house[ids[0]].possible:
                atom = (what, names[ids[0]])
                if self.belief.truth(atom) is not (YES if value else NO):
                    mistakes.append((atom, value))
        return mistakes


def test_the_first_sight_confirms_the_initial_belief(office, at_work):
    d = at_work()
    scene = office()
    tracker = Tracker(initial_belief(scene, SimulatedClock()), scene.ontology, scene.places)
    for observation in d.robot.observations():
        changes = tracker.observe(observation)
        assert changes.appeared == changes.lost == changes.reclassified == changes.moved == ()


def test_a_belief_keeps_up_with_what_is_carried_about(at_work):
    d = at_work()
    agent = Onlooker(d)
    steps = [
        ("pick", {"item": "mango1", "place": "plate1"}),
        ("place_on", {"item": "mango1", "place": "tray1"}),
        ("pick", {"item": "tray1", "place": "table1", "other_hand": "right"}),
        ("move", {"from_": "table1", "to": "fridge1", "hand": None}),
        ("move", {"from_": "fridge1", "to": "table1", "hand": None}),
        ("place_on", {"item": "tray1", "place": "table1", "other_hand": "right"}),
        ("open", {"place": "box1"}),
        ("pick", {"item": "keys1", "place": "box1"}),
        ("place_on", {"item": "keys1", "place": "plate1"}),
        ("pick", {"item": "plate1", "place": "tray1"}),
        ("move", {"from_": "table1", "to": "microwave1", "hand": None}),
        ("open", {"place": "microwave1", "hand": "right"}),
        ("place_in", {"item": "plate1", "place": "microwave1"}),
        ("close", {"place": "microwave1"}),
        ("turn_on", {"place": "microwave1"}),
    ]
    for skill, names in steps:
        end = d.do(skill, **names)
        assert end.outcome.value == "done", (skill, end)
        changes = agent.watch()
        assert not [name for change in changes for name in change.appeared], skill
    assert agent.truth("on", "keys1", "plate1") is YES
    assert agent.truth("in", "plate1", "microwave1") is YES
    assert agent.truth("holding", "robot1", "left", "tray1") is NO


def test_what_two_hands_hold_is_believed_to_be_in_both(at_work):
    d = at_work()
    agent = Onlooker(d)
    d.do("pick", other_hand="right", item="tray1", place="table1")
    agent.watch()
    assert agent.truth("holding", "robot1", "left", "tray1") is YES
    assert agent.truth("holding", "robot1", "right", "tray1") is YES
    assert agent.truth("hand_free", "robot1", "right") is NO
    assert agent.truth("on", "tray1", "table1") is NO
    d.do("place_on", other_hand="right", item="tray1", place="table1")
    agent.watch()
    for hand in ("left", "right"):
        assert agent.truth("holding", "robot1", hand, "tray1") is NO
        assert agent.truth("hand_free", "robot1", hand) is YES


def test_what_somebody_does_to_things_on_things_is_believed(at_work):
    d = at_work(
        faults=[
            "at 1: move mango1 tray1",
            "at 2: move cup1 plate1",
            "at 3: move plate1 table1",
            "at 4: swap blue1 green1",
            "at 5: move tray1 table2",
            "at 6: move cup2 tray1",
        ],
    )
    agent = Onlooker(d)
    for _ in range(6):
        d.wait(1.0)
        agent.watch()
    assert agent.truth("on", "cup1", "plate1") is YES
    assert agent.truth("on", "tray1", "table1") is NO
    assert agent.truth("on", "mango1", "tray1") is YES, "wherever that is"
    d.house.arrive("table2")
    changes = agent.watch()
    assert changes[-1].appeared == ()
    assert agent.truth("on", "tray1", "table2") is YES
    assert agent.truth("on", "cup2", "tray1") is YES


def test_a_blocked_passage_is_not_connected_until_it_is_seen_to_be_free(at_work):
    d = at_work()
    agent = Onlooker(d)
    both = [("connected", "table1", "sink1"), ("connected", "sink1", "table1")]
    d.house.obstruct("table1", "sink1")
    agent.watch()
    assert [agent.truth(*atom) for atom in both] == [NO, NO]
    d.house.arrive("table2")
    d.house.obstruct("table1", "sink1", blocked=False)
    agent.watch()
    assert agent.truth(*both[0]) is NO, "nobody has seen it"
    d.house.arrive("fridge1")
    agent.watch()
    assert [agent.truth(*atom) for atom in both] == [YES, YES]


def test_an_open_door_does_not_help_where_something_stands_in_the_way(at_work):
    d = at_work()
    agent = Onlooker(d)
    through = ("connected", "door1_kitchen_side", "door1_hall_side")
    d.house.set_state(d.house.named("door1"), "open")
    agent.watch()
    assert agent.truth(*through) is YES
    d.house.obstruct(*through[1:])
    agent.watch()
    assert agent.truth(*through) is NO
    d.house.obstruct(*through[1:], blocked=False)
    agent.watch()
    assert agent.truth(*through) is YES
    d.house.set_state(d.house.named("door1"), "open", False)
    agent.watch()
    assert agent.truth(*through) is NO
