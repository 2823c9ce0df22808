"""Files and options that mean no good: each is refused with a sentence, at once."""

from __future__ import annotations

from itertools import count
from random import Random
from unittest.mock import MagicMock

import pytest
from hostile import CONFIGS, LOADERS, SPITE, Edit, check, edited, loader, rearranged
from hypothesis import given, settings
from hypothesis import strategies as st
from in_process import foretree

from foretree import _yaml
from foretree.agent.agent_file import read_agent
from foretree.changes import Changes
from foretree.config import MOST_BYTES, ConfigError, find_config, read_text, read_yaml
from foretree.errors import ForetreeError, suggest
from foretree.perception.eyes import load_eye_settings
from foretree.printable import LONGEST_MESSAGE
from foretree.simulation.household.scene_file import load_scene
from foretree.trees.agent_tree import build_agent
from foretree.world_model.maps.graphml import read_graphml
from foretree.world_model.maps.map_file import load_map

#: Ten levels of nine aliases each: three thousand million values in less than half a kilobyte.
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{this}: &{this} [{', '.join([f'*{last}'] * 9)}]\n"
    for last, this in zip("abcdefghi", "bcdefghij", strict=True)
)
#: Texts of YAML that no file needs, and what is said of them.
BAD_YAML = {
    "lists of aliases": (BOMB, ":5:.*: its aliases make it more than 10,000 values"),
    "mappings of aliases": (
        "a: &a {x: 1, y: 2, z: 3}\n"
        + "".join(
            f"{this}: &{this} {{<<: [{', '.join([f'*{last}'] * 9)}]}}\n"
            for last, this in zip("abcdefg", "bcdefgh", strict=True)
        ),
        "its aliases make it more than 10,000 values",
    ),
    "an alias within itself": ("tree: &t {sequence: s, children: [*t]}", r"\*t stands inside of itself"),
    "an alias of nothing": ("a: *nothing", "undefined alias"),
    "an alias of something else": ("a: &a 1\nb: *b", "there is no &b before this alias"),
    "an anchor that stands twice": ("a: &a 1\nb: &a 2", "&a stands here for the second time"),
    "a second document after an anchor": ("a: &a 1\n---\nb: 2", "there is a second document; a file has one"),
    "deep brackets": ("a: " + "[" * 900 + "]" * 900, "nested deeper than 100 levels"),
    "very deep brackets": ("a: " + "[" * 200_000, "nested deeper than 100 levels"),
    "deep dashes": ("- " * 900 + "x", "nested deeper than 100 levels"),
    "deep aliases": (
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 120)),
        "nested deeper than 100 levels",
    ),
    "thousands of digits": ("a: " + "9" * 5000, "a number of 5,000 characters"),
    "no number": ("a: !!int abc", "'abc' is no !!int"),
    "no truth": ("a: !!bool abc", "'abc' is no !!bool"),
    "no tag of ours": ("a: !!python/object:os.system x", "could not determine a constructor"),
    "a list as a key": ("? [1]\n: 2", "found unhashable key"),
    "a tab before a colon": ("a\t: 1\n\tb: 2", "not valid YAML"),
    "a second document": ("a: 1\n---\nb: 2", "found another document"),
    "a control character": ("a: \x01", "control characters are not allowed|unacceptable character"),
    "the same key twice": ("x: 1\nx: 2", "the key 'x' stands here for the second time"),
}


@pytest.mark.parametrize(("text", "says"), BAD_YAML.values(), ids=BAD_YAML)
def test_yaml_beyond_bounds(tmp_path, text, says):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=says) as refused:
        read_yaml(path)
    assert str(refused.value).startswith(f"{path}")
    assert len(str(refused.value)) < 400


def test_aliases_that_a_file_can_need_are_fine(tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text("a: &a [1, 2]\nb: {x: *a, y: [*a, *a]}\nc: &c {d: 1}\ne: {<<: *c, f: 2}\n")
    assert read_yaml(path) == {
        "a": [1, 2],
        "b": {"x": [1, 2], "y": [[1, 2], [1, 2]]},
        "c": {"d": 1},
        "e": {"d": 1, "f": 2},
    }


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*/*.yaml")), ids=lambda path: path.name)
def test_both_ways_to_read_agree(path):
    text = path.read_text(encoding="utf-8")
    # An anchor has the whole text looked through first.
    assert _yaml.load(f"{text}\n# &\n") == _yaml.load(text)


def test_dates_are_words():
    assert _yaml.load("[2020-99-99, 2020-01-01]") == ["2020-99-99", "2020-01-01"]


def test_files_that_are_too_large(tmp_path):
    path = tmp_path / "large.yaml"
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    with pytest.raises(ConfigError, match="it has more than 4 MiB"):
        read_text(path)


BAD_AGENTS = {
    "settings: [1]": r"settings: expected a mapping of keys to values, not \[1\]",
    "settings: {tick_hz: [1]}": r"settings\.tick_hz: expected a number, not \[1\]",
    "settings: {tick_hz: {a: 1}}": r"settings\.tick_hz: expected a number, not \{'a': 1\}",
    "settings: {tick_hz: 1e308}": "tick_hz: expected a number up to 10000",
    "settings: {expansions: 1e308}": "expansions: expected a whole number",
    "settings: {expansions: " + "9" * 99 + "}": "expansions: expected a number up to",
    "settings: {1: 1}": r"settings\.1: there is no such key",
    "settings: {guards: 1}": r"settings\.guards: expected a list, not 1",
    "settings: {revisers: [[1]]}": r"settings\.revisers\.0: expected 'rules', 'llm' or 'planner', not \[1\]",
    '"a\\eb": 1': r"a\\x1bb: there is no such key",
    "[1]: 1": "found unhashable key",
    "1: 1": "Keys should be strings",
}


@pytest.mark.parametrize(("line", "says"), BAD_AGENTS.items())
def test_agents_of_other_types(tmp_path, line, says):
    path = tmp_path / "bad.yaml"
    path.write_text(f"tree: understand\n{line}\n")
    with pytest.raises(ConfigError, match=says):
        read_agent(str(path))


@pytest.mark.parametrize("far", ["1e308", "-1e308", ".inf", "1e7"])
def test_coordinates_beyond_any_floor(tmp_path, far):
    path = tmp_path / "far.yaml"
    path.write_text((CONFIGS / "templates/map.yaml").read_text().replace("to: [5, 4]", f"to: [{far}, {far}]"))
    with pytest.raises(ConfigError, match=r"rooms\.kitchen\.to\.0: expected a (finite )?number"):
        load_map(path)
    path.write_text(
        (CONFIGS / "templates/scene.yaml").read_text().replace("to: [5, 4]", f"to: [{far}, {far}]")
    )
    with pytest.raises(ConfigError, match=r"rooms\.kitchen\.to\.0: expected a (finite )?number"):
        load_scene(path)


@pytest.mark.parametrize("kind", ["agents", "domains", "homes", "maps", "scenes", "skills", "suites"])
@pytest.mark.parametrize(
    "name", ["x" * 300, "x" * 300 + ".yaml", "x" * 5000, "x" * 5000 + ".yaml", "a\0b.yaml"]
)
def test_names_that_no_file_can_have(kind, name):
    with pytest.raises(ConfigError, match="There is no") as refused:
        find_config(kind, name)
    assert len(str(refused.value)) < 600


BAD_COMMANDS = {
    "an instruction of a megabyte": ("plan", "x" * 2**20),
    "a long scene": ("plan", "get a mug", "--scene", "x" * 5000),
    "a long home": ("run", "get a mug", "--home", "x" * 5000),
    "a long setting": ("run", "get a mug", "--set", "agent." + "9" * 5000 + "=1"),
    "a setting of nothing": ("run", "get a mug", "--set", "x" * 5000),
    "a deep setting": ("run", "get a mug", "--set", f"scene.{'a.' * 2000}b=1"),
    "a number of a setting": ("run", "get a mug", "--set", f"agent.tick_hz={'9' * 5000}"),
    "a value of aliases": ("run", "get a mug", "--set", f"scene.says={BOMB}"),
    "a late fault": ("run", "get a mug", "--fault", f"after {'9' * 5000}: remove mug1"),
    "a long fault": ("run", "get a mug", "--fault", "x" * 2**20),
    "a long guard": ("run", "get a mug", "--guards", "x" * 100_000),
    "a long name in a goal": ("plan", "--goal", f"(on {'x' * 100_000} table1)"),
    "a control character in a goal": ("plan", "--goal", "(\x1b[31m mug1)"),
    "a deep goal": ("plan", "--goal", "(not " * 5000 + ")" * 5000),
    "an open goal": ("plan", "--goal", "(" * 5000),
    "a long suite": ("regress", "x" * 5000),
    "a long folder of problems": ("regress", "pddl", "x" * 5000),
    "a long folder for reports": ("regress", "smoke", "--output", "x" * 5000),
    "a long picture": ("map", "show", "office", "--png", "x" * 5000),
    "a long PNG file": ("map", "show", "office", "--png", "x" * 5000 + ".png"),
    "a long new scene": ("new", "scene", "x" * 5000),
    "a long PDDL file": ("plan", "--domain", "x" * 5000, "--problem", "x" * 5000),
    "a long skill": ("run", "get a mug", "--set", f"skill.{'x' * 5000}.retries=1"),
    "a long map": ("map", "show", "x" * 5000),
}


@pytest.mark.parametrize("words", BAD_COMMANDS.values(), ids=BAD_COMMANDS)
def test_options_that_mean_no_good(words):
    done = foretree(*words)
    assert done.returncode == 2, done.stderr[-1000:]
    assert len(done.stderr) <= 2 * LONGEST_MESSAGE
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("children", "problem"),
    [
        ("[plan, {persevere: plan}]", "one node 'plan', but it stands in the tree twice"),
        ("[{persevere: plan}, {persevere: plan}]", "one node 'plan', but it stands in the tree twice"),
        ("[plan_search, search, {persevere: search}]", "2 nodes 'search', but 1 'plan_search'"),
    ],
)
def test_a_node_that_there_is_one_of_stands_in_the_tree_twice(tmp_path, children, problem):
    path = tmp_path / "bad.yaml"
    path.write_text(f"tree: {{sequence: twice, children: {children}}}")
    with pytest.raises(ConfigError, match=problem):
        build_agent(read_agent(str(path)), MagicMock(), MagicMock(), MagicMock())


def test_a_suite_extends_a_name_that_no_file_can_have(tmp_path):
    path = tmp_path / "s.yaml"
    for name in ("x" * 300, "x" * 300 + ".yaml"):
        path.write_text(f"suite: s\nextends: {name}\n")
        done = foretree("regress", str(path))
        assert done.returncode == 2
        assert "2: extends: There is no" in done.stderr


def test_a_folder_of_configs_that_no_folder_can_be():
    done = foretree("plan", "get a mug", FORETREE_CONFIGS="x" * 5000)
    assert done.returncode == 2
    assert "which is not a folder" in done.stderr


def test_a_home_of_no_user(tmp_path):
    path = tmp_path / "eyes.yaml"
    path.write_text(loader("eyes").good.replace("weights: null", "weights: ~nobody-at-all/x"))
    load_eye_settings(str(path))


def test_graphml_in_no_encoding(tmp_path):
    path = tmp_path / "map.graphml"
    path.write_text("<?xml version='1.0' encoding='true8'?><graphml/>")
    with pytest.raises(ForetreeError, match="unknown encoding"):
        read_graphml(path)


def test_a_run_in_a_file_of_a_name_that_no_file_can_have():
    assert foretree("show", "x" * 5000 + ".sqlite").returncode == 3


def test_a_deep_setting_is_not_followed():
    with pytest.raises(ConfigError, match="nested deeper than 100 levels"):
        Changes("scene", {"a." * 100 + "b": "1"}).made_in({})


def test_long_words_are_not_compared(monkeypatch):
    monkeypatch.delattr("difflib.get_close_matches")
    assert suggest("x" * 10**6, ["xx", "xxx"]) == "Valid: xx, xxx."


def subclasses(kind: type) -> set[type]:
    """All classes below *kind*."""
    return {kind}.union(*map(subclasses, kind.__subclasses__()))


def test_every_error_is_cut_and_printable():
    """`__str__` of the base does that: errors say what they say in `message`."""
    assert {kind for kind in subclasses(ForetreeError) if "__str__" in vars(kind)} == {ForetreeError}


@st.composite
def edits(draw: st.DrawFn) -> list[Edit]:
    """A few changes of a text."""
    change = st.tuples(st.floats(0, 1), st.integers(0, 9), st.sampled_from(SPITE) | st.text(max_size=9))
    return draw(st.lists(change, min_size=1, max_size=3))


@pytest.mark.parametrize("name", LOADERS)
def test_what_is_spoilt_is_refused_or_read(tmp_path_factory, name):
    folder, number, by = tmp_path_factory.mktemp("spoilt"), count(), loader(name)
    assert check(by, by.good, folder / "good.yaml")

    @settings(max_examples=25, derandomize=True, database=None)
    @given(edits())
    def spoilt(changes: list[Edit]) -> None:
        check(by, edited(by.good, changes), folder / f"{next(number)}.yaml")

    @settings(max_examples=15, derandomize=True, database=None)
    @given(st.randoms(use_true_random=False))
    def otherwise(rng: Random) -> None:
        check(by, rearranged(by.good, rng), folder / f"{next(number)}.yaml")

    spoilt()
    if by.is_yaml:
        otherwise()
