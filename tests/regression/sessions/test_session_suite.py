from __future__ import annotations

import re
from pathlib import Path

import pytest

from foretree.config import ConfigError, config_files, read_yaml
from foretree.regression.core.selection import SuiteError
from foretree.regression.planning import suite_file as planning_suite_file
from foretree.regression.sessions import suite as suite_file
from foretree.regression.sessions.suite import read_suite
from foretree.simulation.faults.fault_script import FaultRates
from foretree.simulation.household.scene import Noise

BODY = """\
suite: little
variants:
  guards: {}
  neither: {settings: {guards: none, revisers: none}}
scenarios:
  mango:
    scene: kitchen
    goal: (in mango1 fridge1)
    faults: ["after 2: move mango1 table2"]
"""


def write(tmp_path: Path, text: str, name: str = "little") -> str:
    path = tmp_path / f"{name}.yaml"
    path.write_text(text)
    return str(path)


SESSIONS = [n for n, p in sorted(config_files("suites").items()) if "kind" not in read_yaml(p)]


@pytest.mark.parametrize("name", SESSIONS)
def test_every_suite_that_is_shipped_makes_sense(name):
    suite = read_suite(name)
    assert suite.scenarios
    assert any(variant.guarded for variant in suite.variants.values())


def test_smoke_is_seen_perfectly_and_noisy_is_not():
    smoke, noisy = read_suite("smoke"), read_suite("noisy")
    assert not any(scenario.noisy for scenario in smoke.scenarios.values())
    assert all(scenario.noisy for scenario in noisy.scenarios.values())
    assert list(smoke.scenarios) == list(noisy.scenarios)


def test_a_suite_is_read(tmp_path):
    suite = read_suite(write(tmp_path, BODY))
    assert list(suite.variants) == ["guards", "neither"]
    assert suite.variants["guards"].guarded
    assert not suite.variants["neither"].guarded
    assert suite.variants["neither"].settings == {"guards": "none", "revisers": "none"}
    scenario = suite.scenarios["mango"]
    assert scenario.faults == ("after 2: move mango1 table2",)
    assert scenario.scene.noise == Noise()
    assert scenario.ends == "reached"


def test_noise_and_chance_are_the_suites_unless_a_scenario_has_its_own(tmp_path):
    text = BODY + "    chance: {move: 0.5}\n"
    suite = read_suite(write(tmp_path, f"{text}noise: {{missed: 0.1}}\nchance: {{move: 0.1, fail: 0.2}}\n"))
    scene = suite.scenarios["mango"].scene
    assert scene.chance == FaultRates(move=0.5, fail=0.2)
    assert scene.noise == Noise(missed=0.1)


def test_a_suite_can_extend_another(tmp_path):
    base = write(tmp_path, BODY, "base")
    suite = read_suite(write(tmp_path, f"suite: blurred\nextends: {base}\nnoise: {{misread: 0.1}}\n"))
    assert suite.name == "blurred"
    assert suite.scenarios["mango"].scene.noise == Noise(misread=0.1)
    own = tmp_path / "own.yaml"
    own.write_text(f"suite: own\nextends: {own}\n")
    with pytest.raises(ConfigError, match=r"own.yaml:2: extends: a suite cannot extend itself"):
        read_suite(str(own))


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("scene: kitchen", "scene: kitchn", 7, "Did you mean kitchen?"),
        ("goal:", "gaol:", 8, "Did you mean goal?"),
        ("(in mango1 fridge1)", "(in mango1 frige1)", 8, "fridge1"),
        ("(in mango1 fridge1)", "(inn mango1 fridge1)", 8, "inn"),
        ("move mango1 table2", "move mango1 tabel2", 9, "table2"),
        ("after 2:", "afterwards:", 9, "after N"),
        ("guards: none", "guards: [presense]", 4, "presence"),
        ("revisers: none", "reviser: none", 4, "revisers"),
        ("goal: (in mango1 fridge1)", "says: hm", 8, "no such key"),
        ('    faults: ["after 2: move mango1 table2"]', "    chance: {mve: 0.1}", 9, "move"),
        (
            '    faults: ["after 2: move mango1 table2"]',
            "    chance: {move: 1.5}",
            9,
            "expected a number up to 1",
        ),
        ('    faults: ["after 2: move mango1 table2"]', "    instruction: bring me the mango", 6, "either"),
        ('    faults: ["after 2: move mango1 table2"]', "    ends: lost", 9, "given-up"),
        ('    faults: ["after 2: move mango1 table2"]', "    success: (at mango1 fridge1)", 9, "at"),
        (
            "scenarios:",
            "tasks: {of: buildin, settings: [dual-arm]}\nscenarios:",
            5,
            "Did you mean building or ",
        ),
        ("scenarios:", "tasks: {of: building, settings: [dual]}\nscenarios:", 5, "no setting 'dual'"),
        ("scenarios:", "tasks: {of: building, settings: [dual-arm], level: easy}\nscenarios:", 5, "moderate"),
    ],
)
def test_a_mistake_names_the_file_the_line_and_what_is_valid(tmp_path, old, new, line, says):
    assert old in BODY
    path = write(tmp_path, BODY.replace(old, new))
    with pytest.raises(ConfigError) as error:
        read_suite(path)
    assert re.search(rf"little.yaml:{line}:", str(error.value)), str(error.value)
    assert says in str(error.value)


def test_a_suite_with_nothing_to_do_is_a_mistake(tmp_path):
    with pytest.raises(ConfigError, match="there is nothing to do: say scenarios, or tasks"):
        read_suite(write(tmp_path, BODY.partition("scenarios:")[0]))


def test_a_scenario_can_be_a_task_of_a_planning_suite_in_one_of_its_settings():
    suite = read_suite("building-surprises")
    assert len(suite.scenarios) == 30 * 4
    scenario = suite.scenarios["battery-replaced/dual-arm-doors"]
    assert scenario.wish.goal == "(and (in new_battery1 remote1) (in old_battery1 trash_bin1))"
    one, other, again = scenario.scene_of(1), scenario.scene_of(2), scenario.scene_of(1)
    assert one.items == again.items
    assert one.items != other.items
    assert one.items["old_battery1"].place == other.items["old_battery1"].place == "remote1"
    assert {door.open for door in one.doors.values()} == {True, False}
    assert one.chance.move > 0
    assert one.chance.close > 0
    # With one hand the same things lie in the same places; without doors, all stand open.
    single = suite.scenarios["battery-replaced/single-arm-doors"].scene_of(1)
    assert (single.items, single.doors) == (one.items, one.doors)
    assert (len(one.robot.hands), len(single.robot.hands)) == (2, 1)
    open_ = suite.scenarios["battery-replaced/single-arm"].scene_of(1)
    assert {door.open for door in open_.doors.values()} == {True}


def test_tasks_in_one_setting_keep_their_names(tmp_path):
    tasks = "tasks: {of: building, level: simple, settings: [single-arm]}\nscenarios:"
    suite = read_suite(write(tmp_path, BODY.replace("scenarios:", tasks)))
    assert "hat-on-the-rack" in suite.scenarios


def test_an_unknown_suite_lists_those_there_are():
    with pytest.raises(ConfigError, match="smoke"):
        read_suite("smok")


def test_every_variant_gets_the_same_episodes(tmp_path):
    suite = read_suite(write(tmp_path, BODY.replace("suite: little", "suite: little\nseeds: 3")))
    tasks = suite.trials(seed=5)
    assert len(tasks) == 6
    assert [task.number for task in tasks] == list(range(6))
    seeds = {v: [task.seed for task in tasks if task.variant == v] for v in suite.variants}
    assert seeds["guards"] == seeds["neither"]
    assert len(set(seeds["guards"])) == 3
    assert seeds["guards"][:2] == [task.seed for task in suite.trials(2, seed=5) if task.variant == "guards"]
    assert seeds["guards"] != [task.seed for task in suite.trials(seed=6) if task.variant == "guards"]


def test_choosing_scenarios_and_variants(tmp_path):
    suite = read_suite(write(tmp_path, BODY))
    assert list(suite.only(["mango"], ["neither"]).variants) == ["neither"]
    assert suite.only() == suite
    with pytest.raises(SuiteError, match=r"has no variant 'nether'.*neither"):
        suite.only(variants=["nether"])


PAGE = (Path(__file__).parents[3] / "docs" / "suites.md").read_text()


def test_the_suite_of_the_page(tmp_path):
    text = PAGE.split("```yaml\n")[1].partition("```")[0]
    suite = read_suite(write(tmp_path, text))
    assert list(suite.variants) == ["guards", "neither"]
    assert len(suite.trials()) == 20


def test_every_key_and_every_suite_is_explained():
    for model in (
        suite_file._File,
        suite_file._Scenario,
        planning_suite_file._File,
        planning_suite_file._Task,
        planning_suite_file.TrialSetting,
        planning_suite_file.PlanningVariant,
    ):
        for key in model.model_fields:
            assert f"`{key}`" in PAGE, key
    for name in config_files("suites"):
        assert f"| `{name}` |" in PAGE
