from __future__ import annotations

import gc
import weakref

from effort import growth
from hypothesis import given, settings
from hypothesis import strategies as st
from random_scripts import random_faults

from foretree.clock import SimulatedClock
from foretree.simulation.household.initial_belief import initial_belief
from foretree.simulation.household.rules import HOUSEHOLD_ABILITIES, Ability
from foretree.simulation.household.world import HouseholdWorld
from foretree.skills.robot import LookRequest, Outcome, RobotError
from foretree.world_model.observation import Observation

# -- what the agent could have known -----------------------------------------------------------------


def test_what_was_seen_and_delivered_counts_as_known(drive):
    d = drive()
    d.go("fridge1")
    d.robot.observations()
    d.do("pick", item="milk1", place="fridge1")  # it is not open
    assert [(i.rule, i.in_view) for i in d.world.illegal] == [("container-open", True)]


def test_what_was_not_delivered_does_not(drive):
    d = drive()
    d.go("fridge1")
    d.house.set_state(d.house.named("fridge1"), "open")
    d.robot.observations()
    d.house.set_state(d.house.named("fridge1"), "open", False)
    d.do("pick", item="milk1", place="fridge1")
    [illegal] = d.world.illegal
    assert (illegal.rule, illegal.in_view) == ("container-open", False)


def test_nothing_is_known_before_the_first_observation(drive):
    d = drive()
    d.do("pick", item="milk1", place="table1")
    assert not d.world.illegal[0].in_view


def test_a_thing_that_is_gone_is_known_to_be_if_its_place_was_seen(drive):
    d = drive()
    target = d.target("mango1")
    d.house.put(d.house.named("mango1"), "on", d.house.names["table2"])
    d.do("pick", item=target, place="table1")
    d.robot.observations()
    d.do("pick", item=target, place="table1")
    assert [(i.rule, i.in_view) for i in d.world.illegal] == [("item-there", False), ("item-there", True)]


def test_a_thing_that_is_gone_from_a_closed_container_is_not_known_to_be(drive):
    d = drive()
    d.go("microwave1")
    target = d.target("bread1")
    d.house.remove(d.house.named("bread1"))
    d.robot.observations()
    d.do("heat", item=target, place="microwave1")
    assert [(i.rule, i.in_view) for i in d.world.illegal] == [("item-there", False)]


def test_states_that_show_only_from_close_by_are_not_known_from_afar(drive):
    d = drive()
    d.go("fridge1")
    d.do("pick", item="milk1", place="fridge1")
    d.go("table1")
    d.do("pick", item="spoon1", place="table1")
    d.do("stir", tool="spoon1", item="mug1", place="table1")
    d.robot.observations()
    d.do("stir", tool="spoon1", item="mug1", place="table1")
    assert [(i.rule, i.in_view) for i in d.world.illegal[1:]] == [("filled", False), ("filled", True)]


def test_the_own_body_and_the_map_are_always_known(drive):
    d = drive()
    d.robot.observations()
    d.do("move", None, from_="table1", to="table2")
    d.do("open", place="fridge1")
    assert [(i.rule, i.in_view) for i in d.world.illegal] == [("no-wall", True), ("at-place", True)]


# -- the same again ----------------------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(sorted(HOUSEHOLD_ABILITIES)),
        st.sampled_from(["left", "right"]),
        st.sampled_from(["mango1", "mug1", "milk1", "knife1", "spoon1", "cloth1", "kettle1"]),
        st.sampled_from(["table1", "fridge1", "sink1", "microwave1"]),
        st.sampled_from([0.0, 0.3, 2.0, 7.0]),
        st.sampled_from(["let", "let", "cancel", "stop", "look"]),
    ),
    max_size=12,
)


def play(d, script):
    """Carry out a script; everything that an agent or a judge gets to know of it."""
    record = []
    executions = []
    for number, (skill, hand, item, place, wait, then) in enumerate(script):
        names = {
            "item": item,
            "place": place,
            "tool": "knife1" if skill == "cut" else "spoon1",
            "target": "mug1",
            "person": "person1",
            "door": "door1",
            "from_": d.house.last_node,
            "to": place,
        }
        try:
            executions.append(d.robot.start(d.order(skill, hand, **names), f"x{number}"))
            if then == "look":
                executions.append(d.robot.look(LookRequest(), f"look{number}"))
        except RobotError as error:
            record.append(str(error))
        if then == "cancel" and executions:
            executions[-1].cancel()
        d.wait(wait)
        if then == "stop":
            d.robot.stop()
        record.append(d.robot.observations())
        record.append([execution.poll() for execution in executions])
        check(d)
    d.robot.stop()
    d.wait(120)
    ends = [execution.poll() for execution in executions]
    assert None not in ends
    assert not d.world.busy
    return record, ends, d.world.illegal, d.world.injected


def check(d):
    """What is true of every household at every moment."""
    house = d.house
    for hand, held in house.hands.items():
        assert held is None or house[held].rests == ("held", hand)
    for thing in house.items():
        if thing.rests.relation == "held":
            assert house.hands[thing.rests.support] == thing.id
    spots = [house.pose_of(thing) for thing in house.items()]
    assert len(spots) == len(set(spots))


@settings(max_examples=60, deadline=None)
@given(script=steps, seed=st.integers(0, 5))
def test_the_same_seed_and_calls_give_the_same_world(drive, script, seed):
    def once():
        noise = {"confusion": 0.2, "misread": 0.1, "missed": 0.1}
        chance = {"move": 0.2, "fail": 0.1, "silent": 0.1, "half": 0.1, "hang": 0.1, "disconnect": 0.1}
        d = drive(scene={"noise": noise, "chance": chance}, seed=seed, faults=["after 2: swap mango1 mug1"])
        return play(d, script)

    assert once() == once()


# -- what it costs -----------------------------------------------------------------------------------


def test_a_minute_at_a_hundred_hertz_costs_little_more_than_at_ten(shipped):
    scene = shipped("flat")

    def minute(hertz):
        clock = SimulatedClock()
        world = HouseholdWorld(scene, clock, faults=random_faults(scene, 1, rate=1.0))
        for tick in range(60 * hertz):
            clock.sleep_until(tick / hertz)
            world.robot.observations()

    assert growth(minute, 10, 100, rounds=3) < 10


def test_episodes_leave_nothing_behind(shipped):
    scene = shipped("kitchen")

    def episode():
        clock = SimulatedClock()
        world = HouseholdWorld(scene, clock, faults=["after 0: hang next action"])
        initial_belief(scene, clock)
        world.robot.observations()
        return weakref.ref(world)

    refs = [episode() for _ in range(5)]
    gc.collect()
    assert [ref() for ref in refs] == [None] * 5


def test_an_ability_can_be_added(drive):
    def ring(house, attempt):
        house.set_state(house.named("person1"), "called")

    d = drive(abilities={**HOUSEHOLD_ABILITIES, "ring": Ability({}, (), ring, 1.0, uses_hand=False)})
    assert d.do("ring", None).outcome is Outcome.DONE
    assert d.is_("called", "person1")


def test_observations_hold_together(drive):
    d = drive()
    d.do("pick", item="mango1", place="table1")
    for observation in d.robot.observations():
        assert isinstance(observation, Observation)
        ids = {detection.id for detection in observation.detections}
        assert {x.rests[1] for x in observation.detections if x.rests} <= ids
        assert {c.support for c in observation.covered} <= ids
        assert set(observation.held) <= ids


def test_a_scene_is_not_changed_by_its_world(lab):
    scene = lab()
    world = HouseholdWorld(scene, SimulatedClock())
    world.house.set_state(world.house.named("fridge1"), "open")
    assert not HouseholdWorld(scene, SimulatedClock()).house.named("fridge1").is_open
