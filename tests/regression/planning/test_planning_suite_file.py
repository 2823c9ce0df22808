from __future__ import annotations

from pathlib import Path

import pytest
from pretended_planner import LITTLE, ground

from foretree.config import ConfigError
from foretree.errors import ForetreeError
from foretree.regression.planning.factory import task_vocabulary as real_ground
from foretree.regression.planning.suite import RANGES
from foretree.regression.planning.suite_file import read_planning_suite


def read(tmp_path, text, ground=ground):
    path = tmp_path / "little.yaml"
    path.write_text(text)
    return read_planning_suite(str(path), ground)


def test_a_suite_is_read(tmp_path):
    suite = read(tmp_path, LITTLE)
    assert (suite.name, suite.seeds, suite.closed) == ("little", 3, 0.5)
    assert suite.scene == "nowhere"
    assert [(s.hands, s.doors) for s in suite.settings.values()] == [(2, False), (1, False), (2, True)]
    assert [v.without for v in suite.variants.values()] == ["", "expansion", "incremental-map"]
    assert suite.variants["without-incremental-map"].seconds == 5
    mango = suite.tasks["mango-cooled"]
    assert mango.otherwise == "The mango has to be kept cool."
    assert mango.props["mango1"].among == ("table1", "table2")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("level: simple", "level: easy", "'simple', 'moderate' or 'compositional'"),
        ("hands: 1}", "hands: 3}", "1 or 2"),
        ("without: expansion", "without: expansoin", "'expansion'"),
        ("[table1, table2]", "[table1, tabel2]", "Did you mean table2"),
        ("closed: 0.5", "closed: 1.5", "expected a number up to 1"),
        ("seeds: 3", "seed: 3", "Did you mean seeds"),
        ("class: mango,", "class: mangoe,", "Did you mean mango?"),
        ("on: tables", "on: tabels", "Did you mean tables"),
        ("on: tables", "in: tables", "cannot be in table1, a table; it can be on it"),
        ("on: tables", "on: table1, in: fridge1", "exactly one of"),
        ("on: tables", "on: mango1", "there is no place 'mango1'"),
        ("mango1: {", "table1: {", "piece of furniture"),
        ("{fridge1: [open]}", "{fridge1: [opened]}", "Did you mean open?"),
        ("{fridge1: [open]}", "{frige1: [open]}", "Did you mean fridge1?"),
        ("(in mango1 fridge1)", "(in mango1 frige1)", "fridge1"),
        ("(in mango1 fridge1)", "(inn mango1 fridge1)", "inn"),
        ("(in mango1 fridge1)", "(in mango1", ""),
        ("(and (hot cup1)", "(and (cold cup1)", "cold"),
    ],
)
def test_a_mistake_names_the_file_the_line_and_what_is_valid(tmp_path, old, new, says):
    text = LITTLE.replace(old, new, 1)
    line = LITTLE[: LITTLE.index(old)].count("\n") + 1
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    assert f"little.yaml:{line}: " in str(error.value)
    assert says in str(error.value)
    assert "\n\n" not in str(error.value)


def test_a_scene_that_is_not_there_is_a_mistake_in_the_suite(tmp_path):
    def missing(scene):
        raise ForetreeError("There is no scene called 'nowhere'.")

    with pytest.raises(ConfigError, match=r"little.yaml:4: scene: There is no scene called 'nowhere'"):
        read(tmp_path, LITTLE, missing)


def test_a_thing_can_be_on_another_thing_of_the_task(tmp_path):
    text = LITTLE.replace("class: cup, on: table1", "class: cup, in: box")
    with pytest.raises(ConfigError, match="there is no place 'box'"):
        read(tmp_path, text)


PAGE = (Path(__file__).parents[3] / "docs" / "suites.md").read_text()


def test_the_planning_suite_of_the_page(tmp_path):
    path = tmp_path / "tea.yaml"
    path.write_text(PAGE.split("```yaml\n")[2].partition("```")[0])
    suite = read_planning_suite(str(path), real_ground)
    assert len(suite.trials()) == 3 * 2 + 2
    for level, (stops, actions) in RANGES.items():
        assert f"| `{level}` | {stops[0]} to {stops[1]} | {actions[0]} to {actions[1]} |" in PAGE
