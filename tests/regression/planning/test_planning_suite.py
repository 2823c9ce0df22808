from __future__ import annotations

import pytest
from pretended_planner import LITTLE, PretendedFactory, ground

from foretree.regression.core.selection import SuiteError
from foretree.regression.planning.suite_file import read_planning_suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    path = tmp_path_factory.mktemp("suites") / "little.yaml"
    path.write_text(LITTLE)
    return read_planning_suite(str(path), ground)


def starts(suite, setting, seeds=20):
    workshop = PretendedFactory()
    trials = [t for t in suite.trials(seeds) if t.setting == setting and t.variant == "full"]
    return [suite.start(t, workshop.nodes(suite), workshop.doors(suite)) for t in trials]


def test_every_task_is_tried_in_every_setting_and_variant(suite):
    trials = suite.trials()
    assert [trial.number for trial in trials] == list(range(len(trials)))
    # Three seeds of two tasks in three settings; one variant does with one seed.
    assert len(trials) == 2 * 3 * (3 + 1 + 3)
    assert len({(t.task, t.setting, t.variant, t.seed) for t in trials}) == len(trials)


def test_the_first_seed_comes_first_so_that_an_early_end_leaves_a_report_on_all_tasks(suite):
    first = suite.trials()[: 2 * 3 * 3]
    assert {(t.task, t.setting, t.variant) for t in first} == {
        (task, setting, variant)
        for task in suite.tasks
        for setting in suite.settings
        for variant in suite.variants
    }


def test_settings_and_variants_meet_the_same_seeds(suite):
    seeds = {
        (s, v): [t.seed for t in suite.trials() if t.setting == s and t.variant == v and t.task == "refused"]
        for s in suite.settings
        for v in ("full", "without-incremental-map")
    }
    assert len(set(map(tuple, seeds.values()))) == 1
    assert len(set(next(iter(seeds.values())))) == 3
    assert suite.trials(seed=1)[0].seed != suite.trials(seed=2)[0].seed


def test_starts_differ_with_the_seed_and_not_with_the_setting(suite):
    dual, single, doors = (starts(suite, name) for name in suite.settings)
    assert len({start.robot for start in dual}) == 3
    assert {s.items["mango1"].place for s in dual if "mango1" in s.items} == {"table1", "table2"}
    for one, other, third in zip(dual, single, doors, strict=True):
        assert one.items == other.items == third.items
        assert one.robot == other.robot == third.robot
        assert (one.hands, other.hands, third.hands) == (2, 1, 2)


def test_doors_are_closed_only_where_there_are_any(suite):
    assert not any(start.closed for start in starts(suite, "dual"))
    shares = [len(start.closed) / 20 for start in starts(suite, "dual-doors")]
    assert 0.4 < sum(shares) / len(shares) < 0.6
    assert len(set(shares)) > 1


def test_a_start_is_what_the_task_says(suite):
    cup = starts(suite, "dual")[1].items["cup1"]
    assert (cup.relation, cup.place, cup.states) == ("on", "table1", {"hot"})
    assert starts(suite, "dual")[0].furniture == {"fridge1": {"open"}}


def test_success_is_the_goal_unless_something_else_is_said(suite):
    assert suite.tasks["mango-cooled"].success == suite.tasks["mango-cooled"].goal
    assert suite.tasks["refused"].success != suite.tasks["refused"].goal


def test_choosing(suite):
    chosen = suite.only(levels=["simple"], settings=["single"], variants=["full"])
    assert list(chosen.tasks) == ["mango-cooled"]
    assert list(chosen.settings) == ["single"]
    assert list(chosen.variants) == ["full"]
    assert suite.only() == suite
    for asked, says in [
        ({"tasks": ["mango-coold"]}, "no task 'mango-coold'. Did you mean mango-cooled?"),
        ({"settings": ["singel"]}, "Did you mean single?"),
        ({"variants": ["ful"]}, "Did you mean full?"),
        ({"levels": ["easy"]}, "no level 'easy'. Valid: compositional, moderate, simple."),
        ({"tasks": ["refused"], "levels": ["simple"]}, "None of the tasks"),
    ]:
        with pytest.raises(SuiteError) as error:
            suite.only(**asked)
        assert says in str(error.value)
