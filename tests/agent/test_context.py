"""The shared ground: what a sync takes in, what is in sight from here, and how one looks."""

from __future__ import annotations

import pytest
from at_home import AtHome, house, shipped, with_puppet

from foretree.world_model.beliefs.facts import Truth


class Settling:
    def __init__(self, home, log):
        self.home, self.log = home, log

    def settle(self):
        self.log.append("settled")
        self.home.context.belief.tell(("on", "mango1", "table1"), False, time=self.home.clock.now())


def test_a_sync_takes_in_ends_first_and_sights_after_them():
    home = AtHome()
    home.context.sync()
    home.do("clean mug1")
    log = []
    settling = Settling(home, log)
    home.context.attend(settling)
    observe = home.context.tracker.observe
    home.context.tracker.observe = lambda o: (log.append("observed"), observe(o))[1]
    home.do("move mango1 table2")
    home.context.sync()
    assert log == ["settled", "observed"]
    home.context.release(settling)
    home.context.release(settling)
    home.context.sync()
    assert log.count("settled") == 1


def test_a_sync_records_what_changed_and_new_things_can_be_planned_with():
    home = AtHome(house(items={"milk1": {"class": "milk", "in": "fridge1"}}, known="map"))
    home.context.sync()
    changed = home.tape.of("entity.changed")[-1].data["entities"]
    assert "mango1" in [entity["name"] for entity in changed]
    assert "mango1" in home.context.task.objects.of_type("mango")
    facts = {tuple(f[0]): f[1] for e in home.tape.of("belief.changed") for f in e.data["facts"]}
    assert facts["on", "mango1", "table1"] == "true"
    assert not any(atom[0].startswith("group:") for atom in facts)


def test_a_sync_without_news_records_nothing():
    home = AtHome()
    home.context.sync()
    before = len(home.tape.events)
    home.wait(1.0)
    home.context.sync()
    assert len(home.tape.events) == before


def test_more_changes_than_the_journal_keeps_are_recorded_as_all_that_is_believed():
    home = AtHome()
    home.context.sync()
    before = len(home.tape.of("belief.changed"))
    for number in range(5000):
        home.context.belief.tell(("open", "fridge1"), number % 2 == 0)
    home.context.sync()
    (event,) = home.tape.of("belief.changed")[before:]
    atoms = [tuple(fact[0]) for fact in event.data["facts"]]
    assert ("rob_at_node", "robot1", "kitchen") in atoms
    assert atoms == sorted(atoms)


def test_ids_are_not_given_twice():
    context = AtHome().context
    for fresh in (context.execution_id, context.action_id, context.discrepancy_id):
        assert len({fresh() for _ in range(5)}) == 5
    context.actions_named = 40
    assert context.action_id() == "a41"


# -- what is in sight ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("on mango1 table1", True),  # in this room
        ("on apple1 table3", False),  # next door
        ("on apple1 table1", True),  # that it is not here would be seen
        ("open fridge1", True),
        ("open box1", False),
        ("open door1", True),  # a door shows from both sides
        ("class apple1 apple", False),
        ("rob_at_node robot1 table1", False),  # felt, not seen
        ("hand_free robot1 left", False),
    ],
)
def test_a_look_can_tell_about_what_is_in_this_room(words, seen):
    home = AtHome()
    assert home.context.in_sight(tuple(words.split())) is seen


def test_a_door_shows_from_both_sides_and_a_held_thing_from_everywhere():
    home = AtHome()
    home.believe("rob_at_node robot1 table3")
    context = home.context
    assert context.in_sight(("open", "door1"))
    assert not context.in_sight(("clean", "mug1"))
    home.believe("holding robot1 left mug1")
    assert context.in_sight(("clean", "mug1"))


def test_a_door_of_other_rooms_does_not_show():
    home = AtHome(shipped("flat"))
    assert home.context.in_sight(("open", "kitchen_door"))
    home.believe("rob_at_node robot1 desk1")
    assert not home.context.in_sight(("open", "kitchen_door"))
    assert home.context.in_sight(("open", "study_door"))


def test_nothing_is_in_sight_when_nobody_knows_where_the_robot_is():
    home = AtHome()
    home.believe("rob_at_node robot1 kitchen", truth=False)
    assert home.context.node() is None
    assert not home.context.in_sight(("on", "mango1", "table1"))


def test_a_thing_that_is_lost_is_not_in_sight_but_the_place_it_might_be_is():
    home = AtHome()
    home.forget("on mango1 table1")
    assert not home.context.in_sight(("clean", "mango1"))
    assert home.context.in_sight(("on", "mango1", "table2"))


# -- looking -------------------------------------------------------------------------------------------------


def test_a_look_is_recorded_with_what_is_looked_at_and_why():
    home = AtHome()
    context, puppet = with_puppet(home)
    requests = []
    look = puppet.look
    puppet.look = lambda request, execution: (requests.append(request), look(request, execution))[1]
    lease = context.look([("on", "mango1", "table1"), ("open", "nothing1")], "why not")
    assert lease is not None
    (event,) = home.tape.of("look.started")
    assert event.data == {"execution": lease.id, "at": ["mango1"], "why": "why not"}
    assert [target.pose for target in requests[0].at] == [
        context.belief.entity("mango1").pose,
    ]


def test_there_is_one_look_at_a_time():
    home = AtHome()
    context, puppet = with_puppet(home)
    assert context.look([("on", "mango1", "table1")], "first") is not None
    assert context.look([("on", "mug1", "table1")], "second") is None
    assert len(home.tape.of("look.started")) == 1
    puppet.last.ends()
    assert context.look([("on", "mug1", "table1")], "third") is not None


def test_a_look_never_ends_is_given_up():
    home = AtHome()
    context, _ = with_puppet(home, cancel_grace=1.0)
    lease = context.look((), "around")
    home.clock.sleep_until(10.0)
    assert lease.poll() is None
    home.clock.sleep_until(12.5)
    end = lease.poll()
    assert end is not None
    assert end.outcome.value == "lost"


def test_travel_costs_come_from_the_map():
    home = AtHome()
    action = home.action("move robot1 kitchen table1")
    assert action.cost == home.context.places.travel_costs()["travel_cost", "kitchen", "table1"] > 1
    assert home.context.belief.truth(("connected", "kitchen", "table3")) is Truth.FALSE
