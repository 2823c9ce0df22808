from __future__ import annotations

import pytest

from foretree.simulation.action_timing import InjectedFault
from foretree.simulation.faults.fault_script import FaultError
from foretree.skills.robot import LookRequest, Outcome


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("move mango1 table2", r"say when and what"),
        ("after 2:", r"say when and what"),
        ("before 2: open fridge1", r"'before 2' does not say when\. Valid: after N"),
        ("after two: open fridge1", r"'after two' does not say when"),
        ("during 0: open fridge1", r"counted from 1"),
        ("at noon: open fridge1", r"'noon' is not a number of seconds"),
        ("after 2: fail pick", r"say 'fail next SKILL'"),
        ("after 2: fail next pik", r"there is no skill 'pik'\. Did you mean pick"),
        ("after 2: disconnect", r"say 'disconnect for SECONDS'"),
        ("after 2: disconnect for ever", r"'ever' is not a number of seconds"),
        ("after 2: opne fridge1", r"nothing that can happen"),
    ],
)
def test_a_mistake_in_a_script_is_explained(drive, line, says):
    with pytest.raises(FaultError, match=says) as error:
        drive(faults=[line])
    assert line in str(error.value)


def test_after_counts_the_actions_that_have_ended(drive):
    d = drive(faults=["after 0: open fridge1", "after 2: move mango1 table2"])
    d.world.advance()
    assert d.is_("open", "fridge1")
    d.do("fold", item="cloth1", place="table1")
    d.start("pick", item="milk1", place="fridge1")  # refused: not counted
    d.end(d.robot.look(LookRequest(), "look"))
    d.wait(1.0)
    assert d.rests("mango1") == ("on", "table1")
    d.do("fold", item="cloth1", place="table1")
    assert d.rests("mango1") == ("on", "table2")


def test_at_strikes_at_its_time(drive):
    d = drive(faults=["at 3.5: open fridge1", "at 4s: switch on lamp1"])
    d.wait(3.4)
    assert not d.is_("open", "fridge1")
    d.wait(0.1)
    assert d.is_("open", "fridge1")
    assert not d.is_("turned_on", "lamp1")
    d.wait(0.5)
    assert d.is_("turned_on", "lamp1")
    assert d.world.injected == [
        InjectedFault(3.5, "at 3.5: open fridge1"),
        InjectedFault(4.0, "at 4s: switch on lamp1"),
    ]


def test_during_strikes_half_way_through(drive):
    d = drive(faults=["during 2: open fridge1"])
    d.do("fold", item="cloth1", place="table1")
    start = d.clock.now()
    execution = d.start("pick", item="mango1", place="table1")
    d.wait(0.9)
    assert not d.is_("open", "fridge1")
    d.end(execution)
    assert d.world.injected[0].time == pytest.approx(start + 1.0)


def test_things_happen_in_order_even_when_nobody_asks_for_long(drive):
    d = drive(faults=["at 9: close fridge1", "at 2: open fridge1", "after 1: move mug1 table2"])
    d.start("pick", item="mango1", place="table1")
    d.wait(60)
    assert [fault.time for fault in d.world.injected] == [2.0, 2.0, 9.0]
    assert not d.is_("open", "fridge1")
    assert d.rests("mug1") == ("on", "table2")


# -- the robot's trouble -----------------------------------------------------------------------------


def test_fail_does_nothing_and_says_so(drive):
    d = drive(faults=["after 0: fail next pick"])
    assert d.do("fold", item="cloth1", place="table1").outcome is Outcome.DONE
    end = d.do("pick", item="mango1", place="table1")
    assert (end.outcome, end.reason) == (Outcome.FAILED, "it did not work")
    assert d.rests("mango1") == ("on", "table1")
    assert d.world.illegal == []
    assert d.do("pick", item="mango1", place="table1").outcome is Outcome.DONE
    assert [fault.what for fault in d.world.injected] == ["after 0: fail next pick"]


def test_silent_does_nothing_and_says_done(drive):
    d = drive(faults=["after 0: silent next action"])
    assert d.do("pick", item="mango1", place="table1").outcome is Outcome.DONE
    assert d.rests("mango1") == ("on", "table1")
    assert d.house.hands["left"] is None


def test_hang_never_ends_until_it_is_cancelled(drive):
    d = drive(faults=["after 0: hang next action"])
    execution = d.start("pick", item="mango1", place="table1")
    assert d.end(execution, patience=300.0) is None
    execution.cancel()
    assert d.end(execution).outcome is Outcome.CANCELLED
    assert d.do("pick", item="mango1", place="table1").outcome is Outcome.DONE


@pytest.mark.parametrize("manner", ["fail", "silent"])
def test_a_way_that_goes_wrong_ends_where_it_began(drive, manner):
    d = drive(faults=[f"after 0: {manner} next move"])
    d.do("move", None, from_="table1", to="fridge1")
    assert d.house.node == "table1"


HALF = {
    "pick": (
        [],
        "pick",
        {"item": "mango1", "place": "table1"},
        lambda d: d.rests("mango1") == ("on", "table1"),
    ),
    "place_on": (
        [("pick", "mango1", "table1")],
        "place_on",
        {"item": "mango1", "place": "table1"},
        lambda d: d.rests("mango1") == ("under", "table1") and d.house.hands["left"] is None,
    ),
    "place_under": (
        [("pick", "mango1", "table1")],
        "place_under",
        {"item": "mango1", "place": "table1"},
        lambda d: d.rests("mango1") == ("on", "table1"),
    ),
    "hang_on": (
        [("pick", "cloth1", "table1"), ("go", "rack1")],
        "hang_on",
        {"item": "cloth1", "place": "rack1"},
        lambda d: d.rests("cloth1") == ("held", "left"),
    ),
    "open": ([("go", "fridge1")], "open", {"place": "fridge1"}, lambda d: not d.is_("open", "fridge1")),
    "pour": (
        [("pick", "kettle1", "table1")],
        "pour",
        {"item": "kettle1", "target": "mug1", "place": "table1"},
        lambda d: not d.is_("filled", "kettle1") and not d.is_("filled", "mug1"),
    ),
    "heat": (
        [("go", "microwave1"), ("cold", "bread1")],
        "heat",
        {"item": "bread1", "place": "microwave1"},
        lambda d: not d.is_("cold", "bread1") and not d.is_("hot", "bread1"),
    ),
    "move": ([], "move", {"from_": "table1", "to": "fridge1"}, lambda d: d.house.node == "kitchen"),
}


@pytest.mark.parametrize("case", HALF)
def test_half_does_part_of_it_and_says_done(drive, case):
    before, skill, names, so = HALF[case]
    d = drive(faults=[f"after 0: half next {skill}" if skill != "pick" else "after 0: half next action"])
    for verb, *words in before:
        if verb == "go":
            d.go(*words)
        elif verb == "cold":
            d.house.set_state(d.house.named(words[0]), "cold")
        else:
            d.do(verb, item=words[0], place=words[1])
    assert d.do(skill, **names).outcome is Outcome.DONE
    assert so(d)


def test_an_item_that_slips_lies_elsewhere_and_is_seen_there(drive):
    d = drive(faults=["after 0: half next pick"])
    before = d.house.pose_of(d.house.named("mango1"))
    d.robot.observations()
    d.do("pick", item="mango1", place="table1")
    assert d.house.pose_of(d.house.named("mango1")) != before
    assert "mango1" in d.seen()


# -- by chance ---------------------------------------------------------------------------------------


def test_chance_strikes_at_its_rate_and_by_seed(drive):
    def run(seed):
        d = drive(scene={"chance": {"fail": 0.2, "move": 0.3, "switch": 0.1}}, seed=seed)
        outcomes = [d.do("fold", item="cloth1", place="table1") for _ in range(60)]
        return [end.outcome for end in outcomes if not end.reason.startswith("refused")], d.world.injected

    assert run(3) == run(3)
    assert run(3) != run(4)
    failed = moved = total = 0
    for seed in range(12):
        outcomes, injected = run(seed)
        total += len(outcomes)
        failed += outcomes.count(Outcome.FAILED)
        moved += sum(fault.what.startswith("move") for fault in injected)
    assert failed / total == pytest.approx(0.2, abs=0.06)
    assert moved / total == pytest.approx(0.3, abs=0.08)


def test_a_fault_is_reported_when_it_strikes(drive):
    told = []
    d = drive(faults=["after 1: open fridge1"], on_fault=told.append)
    d.world.advance()
    assert told == []
    d.do("fold", item="cloth1", place="table1")
    assert told == [InjectedFault(3.0, "after 1: open fridge1")]
