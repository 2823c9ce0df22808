from __future__ import annotations

from dataclasses import replace

import pytest
from pretended_planner import LITTLE, PLAN, PretendedFactory, ground, step

from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.planning.report import run_planning_suite
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.planning.trial import PlanningTrials, plan_length


@pytest.fixture(scope="module")
def little(tmp_path_factory):
    path = tmp_path_factory.mktemp("suites") / "little.yaml"
    path.write_text(LITTLE)
    return read_planning_suite(str(path), ground)


def with_task(suite, name):
    """The suite with a single task of that name; the pretended planner does what it says."""
    task = replace(suite.tasks["mango-cooled"], name=name)
    return replace(suite, tasks={name: task})


def episode(suite, setting="dual", variant="full", factory=None):
    suite = suite.only(settings=[setting], variants=[variant])
    return PlanningTrials(suite, factory or PretendedFactory()).run(suite.trials(1)[0], 60.0)


def test_a_plan_that_the_world_accepts_and_that_does_the_task_is_a_success(little):
    found = episode(little.only(["mango-cooled"]))
    assert found.success
    assert found.sound
    assert found.proved
    assert (found.cost, found.first_cost, found.lower_bound) == (100, 300, 100)
    assert (found.actions, found.waypoints, found.stops) == (6, 5, 2)
    assert found.used == ("move", "open_door", "pick", "place_in")
    assert found.asked == {"goal": 1, "grounding": 2}
    assert (found.timing.first, found.timing.proof, found.timing.search) == (0.1, 0.5, 0.3)
    assert found.effort.wall > 0


@pytest.mark.parametrize(
    ("task", "planned", "sound", "trouble", "says"),
    [
        ("refused", True, False, "", "pick: hand-free"),
        ("pointless", True, False, "", ""),
        ("impossible", False, True, "", "there is no way to the fridge"),
        ("crashes", False, False, "crashed", "divided by nothing"),
    ],
)
def test_what_goes_wrong_becomes_part_of_the_result(little, task, planned, sound, trouble, says):
    found = episode(with_task(little, task))
    assert not found.success
    assert (found.planned, found.sound, found.trouble) == (planned, sound, trouble)
    assert says in f"{found.refused} {found.why} {found.details}"


def test_a_plan_without_proof_is_a_success_that_says_why(little):
    found = episode(with_task(little, "hard"))
    assert found.success
    assert not found.proved
    assert found.why == "the time was up"


def test_ways_that_are_put_in_afterwards_may_be_refused(little):
    found = episode(with_task(little, "refused"), variant="without-expansion")
    assert not found.success
    assert found.sound


def test_a_change_in_the_middle_is_tried_where_the_map_is_kept_and_where_it_is_not(little):
    assert episode(little.only(["mango-cooled"]), variant="without-expansion").again is None
    factory = PretendedFactory()
    found = episode(little.only(["mango-cooled"]), "dual-doors", factory=factory)
    assert found.again is True
    assert found.timing.again_map == 0.002
    first, second = factory.worlds
    assert first.happened == [len(PLAN)]
    half, (_, doors), rest = second.happened
    assert (half, rest) == (len(PLAN) // 2, len(PLAN))
    assert doors
    # Both worlds began the same way.
    assert factory.starts[0] == factory.starts[1]


def test_no_door_is_touched_where_there_are_none(little):
    factory = PretendedFactory()
    episode(little.only(["mango-cooled"]), "dual", factory=factory)
    assert factory.worlds[1].happened[1][1] is False


def test_moves_that_follow_each_other_are_one_action():
    assert plan_length(())["actions"] == 0
    assert plan_length([step("move", "a"), step("move", "b")])["actions"] == 1
    assert plan_length([step("move", "a"), step("pick"), step("move", "b")])["actions"] == 3
    counted = plan_length([step("pick"), step("open"), step("open_door")])
    assert (counted["actions"], counted["waypoints"], counted["stops"]) == (3, 0, 1)


def test_a_stop_is_a_place_where_something_is_done_however_often():
    ways = [step("move", node) for node in ("a", "b", "c", "a")]
    first, second, third, fourth = ways
    assert plan_length(ways)["stops"] == 0
    assert plan_length([first, step("pick"), second, third, step("place_on")])["stops"] == 2
    assert (
        plan_length([first, step("pick"), second, step("open_door"), fourth, step("place_on")])["stops"] == 1
    )


def test_a_suite_runs_in_several_processes_and_trouble_ends_nothing(little, monkeypatch):
    from foretree.regression.core import runner

    monkeypatch.setattr(runner, "EXIT_GRACE", 0.1)
    names = ("mango-cooled", "vanishes", "crashes", "hard")
    item = little.tasks["mango-cooled"].props["mango1"]
    tasks = {
        name: replace(
            little.tasks["mango-cooled"],
            name=name,
            props={f"mango_{name}": replace(item, name=f"mango_{name}")},
        )
        for name in names
    }
    suite = replace(little, tasks=tasks).only(settings=["dual"], variants=["full"])
    report = run_planning_suite(suite, SuiteRun(Selection(episodes=1, jobs=2)), PretendedFactory())
    assert report.complete
    assert [e.task for e in report.episodes] == list(names)
    assert [e.trouble for e in report.episodes] == ["", "crashed", "crashed", ""]
    assert [e.success for e in report.episodes] == [True, False, False, True]
    assert not report.ok
    assert report.processor > 0
