"""The suite of the building: what it says, and that its tasks can be planned and carried out."""

from __future__ import annotations

from collections import Counter

import pytest

from foretree.config import ConfigError
from foretree.planning.pddl.syntax import constants_of
from foretree.regression.core.selection import Selection
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.planning.factory import (
    HouseholdFactory,
    mapped_scene,
    scene_at_start,
    task_vocabulary,
)
from foretree.regression.planning.report import ACTIONS, run_planning_suite
from foretree.regression.planning.suite import Trial
from foretree.regression.planning.suite_file import read_planning_suite
from foretree.regression.planning.trial import PlanningTrials
from foretree.regression.reports.output import markdown


@pytest.fixture(scope="module")
def suite():
    return read_planning_suite("building", task_vocabulary)


def test_there_are_fifty_tasks_in_four_settings(suite):
    assert Counter(task.level for task in suite.tasks.values()) == {
        "simple": 10,
        "moderate": 30,
        "compositional": 10,
    }
    assert {(s.hands, s.doors) for s in suite.settings.values()} == {
        (2, False),
        (1, False),
        (2, True),
        (1, True),
    }
    assert suite.seeds == 10
    assert [variant.without for variant in suite.variants.values()] == [
        "",
        "expansion",
        "compression",
        "incremental-map",
        "selection",
    ]


def test_no_two_tasks_are_said_in_the_same_way(suite):
    said = [s.lower() for task in suite.tasks.values() for s in (task.instruction, task.otherwise)]
    assert len(set(said)) == 2 * len(suite.tasks)
    assert len({str(task.goal) for task in suite.tasks.values()}) == len(suite.tasks)


def test_goals_are_about_the_things_and_the_furniture_of_the_task(suite):
    furniture = mapped_scene(suite.scene).scene.furniture
    for task in suite.tasks.values():
        assert constants_of(task.goal) <= {*task.props, *furniture}, task.name


def test_what_a_task_begins_with_is_not_its_end(suite):
    factory = HouseholdFactory()
    for task in suite.tasks.values():
        for setting in ("dual-arm", "single-arm-doors"):
            start = suite.start(
                Trial(0, task.name, setting, "full", 7), factory.nodes(suite), factory.doors(suite)
            )
            world = factory.open(suite, start)
            assert not world.holds(task.success), task.name
            assert len(world.house.hands) == suite.settings[setting].hands


def test_everything_else_is_scattered(suite):
    place, factory = mapped_scene(suite.scene), HouseholdFactory()
    starts = [
        suite.start(
            Trial(0, "battery-replaced", "dual-arm-doors", "full", seed),
            factory.nodes(suite),
            factory.doors(suite),
        )
        for seed in (1, 2, 1)
    ]
    one, other, again = (scene_at_start(place.scene, start) for start in starts)
    assert one.items == again.items
    assert one.doors == again.doors
    assert one.doors != other.doors
    moved = [name for name in one.items if one.items[name].place != other.items[name].place]
    assert len(moved) > 50
    assert len(one.items) > 100
    # What the task is about is where it says, and there is nothing else like it.
    assert one.items["new_battery1"].place == "storage_drawers1"
    assert [i.name for i in one.items.values() if i.class_name == "new_battery"] == ["new_battery1"]


def test_tasks_are_planned_on_a_map():
    with pytest.raises(ConfigError, match=r"kitchen.yaml: map: is missing; tasks are planned on a map"):
        mapped_scene("kitchen")


#: One task of each level, together with doors, one hand, a tray and two hands.
TRIED = [
    ("hat-on-the-rack", "dual-arm-doors", "full"),
    ("towels-hung-up", "single-arm-doors", "full"),
    ("laundry-day", "dual-arm", "full"),
    ("fridge-left-open", "dual-arm-doors", "without-compression"),
    ("juice-back-in-the-fridge", "single-arm-doors", "without-incremental-map"),
    ("kettle-boiled", "single-arm", "without-expansion"),
]


@pytest.mark.parametrize(("task", "setting", "variant"), TRIED)
def test_the_world_accepts_plans(suite, task, setting, variant):
    chosen = suite.only([task], [setting], [variant])
    found = PlanningTrials(chosen).run(chosen.trials(1)[0], limit=20.0)
    assert found.success, (found.refused, found.why, found.details)
    assert found.again in (None, True)
    assert found.cost >= found.lower_bound
    assert found.timing.first > 0
    assert set(found.timing.parts) >= {"retrieve", "ground"}


def test_ways_that_are_put_in_afterwards_fail_at_a_closed_door_with_a_full_hand(suite):
    chosen = suite.only(["wardrobe-on-the-rack"], ["single-arm-doors"], ["full", "without-expansion"])
    full, without = (PlanningTrials(chosen).run(trial, limit=5.0) for trial in chosen.trials(1))
    assert full.success
    assert "(open_door left_hand laundry_door" in without.refused
    assert "the hand has to be free" in without.refused
    assert without.sound


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["dual-arm", "single-arm", "dual-arm-doors", "single-arm-doors"])
def test_every_task_is_solved_and_keeps_to_its_level(suite, setting):
    chosen = suite.only(settings=[setting], variants=["full"])
    report = run_planning_suite(chosen, SuiteRun(Selection(episodes=1)))
    assert [(e.task, e.refused or e.why or e.details) for e in report.episodes if not e.success] == []
    assert "Not what their level says" not in markdown(report)
    if setting == "dual-arm-doors":
        assert {action for e in report.episodes for action in e.used} == set(ACTIONS)
