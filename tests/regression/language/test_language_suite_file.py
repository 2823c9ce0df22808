from __future__ import annotations

import re

import pytest
from language_cases import SUITE, write_suite

from foretree.config import ConfigError, config_files, read_yaml
from foretree.planning.pddl.syntax import show
from foretree.regression.core.selection import SuiteError
from foretree.regression.language.suite import InstructionCase, SubstitutionCase
from foretree.regression.language.suite_file import read_language_suite

SHIPPED = [name for name, path in config_files("suites").items() if read_yaml(path).get("kind") == "language"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_suite_that_is_shipped_makes_sense(name):
    assert read_language_suite(name).cases


def test_a_suite_is_read(tmp_path):
    suite = read_language_suite(write_suite(tmp_path))
    assert (suite.name, suite.frozen_at, list(suite.variants)) == ("little", "0123abc", ["default"])
    apple, mug, cut = (suite.cases[name] for name in ("apple", "mug", "cut-without-knife"))
    assert isinstance(apple, InstructionCase)
    assert isinstance(mug, InstructionCase)
    assert (apple.half, apple.family, apple.wanted) == ("frozen", "plain", "reaches")
    assert apple.goal is not None
    assert show(apple.goal) == "(given apple1 person1)"
    assert [show(reading) for reading in mug.readings] == ["(clean mug1)", "(clean mug2)"]
    assert isinstance(cut, SubstitutionCase)
    assert (cut.half, cut.things, cut.alternatives) == ("open", ("spoon", "scissors", "plate"), ("scissors",))


def test_what_is_in_unexplored_furniture_is_not_known(tmp_path):
    fork = read_language_suite(write_suite(tmp_path)).cases["fork"]
    assert isinstance(fork, InstructionCase)
    assert not fork.scene.tells("fork1")
    assert not fork.scene.tells("spoon1")
    assert fork.scene.tells("apple1")
    assert fork.scene.tells("drawer1")
    everything = SUITE.replace("[drawer1, bin1]", "[]")
    fork = read_language_suite(write_suite(tmp_path, everything)).cases["fork"]
    assert isinstance(fork, InstructionCase)
    assert fork.scene.known == "everything"


def test_lists_of_things_are_named(tmp_path):
    text = SUITE.replace("things: [spoon, scissors, plate]", "things: desk")
    text = text.replace("cases:", "lists:\n  desk: [scissors, lamp]\ncases:")
    cut = read_language_suite(write_suite(tmp_path, text)).cases["cut-without-knife"]
    assert isinstance(cut, SubstitutionCase)
    assert cut.things == ("scissors", "lamp")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "(given apple1",
            "(given aple1",
            r'little.yaml:11: cases.apple.goal: .*"aple1".*Did you mean apple1',
        ),
        ("(given apple1 person1)", "(on apple1 table1)", "apple.goal: the goal holds at the start"),
        ("goal: (given", "nothing: true\n    goal: (given", "goal: the goal does not hold at the start"),
        ("(clean mug2)]", "(clean mugg2)]", r"little.yaml:\d+: cases.mug.readings.1: .*mugg2"),
        ("scene: kitchen", "scene: kitchin", "apple.scene: .*kitchen"),
        ("[drawer1, bin1]", "[drawer1, bun1]", r"fork.unexplored.1: there is no piece of furniture 'bun1'"),
        ("{explore: 2", "{expolre: 2", "fork.calls"),
        ("because: unclear", "because: silly", "nonsense.because"),
        ("    because: unclear\n", "", "because is missing: a case whose outcome is refuses needs it"),
        ("because: unclear", "because: unclear\n    goal: (open fridge1)", "nonsense.goal: .* no such key"),
        ("half: frozen", "half: other", "apple.half"),
        ("[scissors]", "[scissor]", "alternatives.0: scissor is none of the things. Did you mean scissors"),
        ("    alternatives: [scissors]\n", "", "alternatives is missing"),
        ("missing: knife", "missing: spoon", "missing: spoon is one of the things"),
        ("missing: knife", "missing: knife\n    calls: {plan: 1}", "calls: .* no such key"),
        ("scissors, plate]", "scissors, spoon]", "things.2: spoon is listed twice"),
        ("things: [spoon, scissors, plate]", "things: desk", "there is no list 'desk'"),
    ],
)
def test_a_mistake_is_reported_where_it_stands(tmp_path, old, new, says):
    with pytest.raises(ConfigError) as raised:
        read_language_suite(write_suite(tmp_path, SUITE.replace(old, new, 1)))
    assert re.search(says, str(raised.value))


def test_a_case_is_somewhere(tmp_path):
    text = SUITE + "  nowhere:\n    say: Hello.\n"
    with pytest.raises(ConfigError, match="nowhere: say where: a scene, or the things that are there"):
        read_language_suite(write_suite(tmp_path, text))


def test_some_of_it_is_selected(tmp_path):
    suite = read_language_suite(write_suite(tmp_path))
    assert [trial.case for trial in suite.only(["mug", "apple"]).trials()] == ["mug", "apple"]
    with pytest.raises(SuiteError, match="has no case 'mugs'"):
        suite.only(["mugs"])


def test_a_suite_can_be_made_of_others(tmp_path):
    write_suite(tmp_path)
    path = tmp_path / "all.yaml"
    path.write_text(f"suite: all\nkind: language\nof: [{tmp_path / 'little.yaml'}]\n")
    suite = read_language_suite(str(path))
    assert list(suite.cases)[:2] == ["little/apple", "little/fork"]
    assert suite.cases["little/apple"].name == "little/apple"
    assert suite.frozen_at == "0123abc"
    assert [suite.cases[name].family for name in ("little/apple", "little/mug")] == ["plain", "little"]


def test_a_suite_is_no_part_of_itself(tmp_path):
    path = tmp_path / "all.yaml"
    path.write_text(f"suite: all\nkind: language\nof: [{path}]\n")
    with pytest.raises(ConfigError, match=r"all.yaml:3: of.0: a suite cannot be a part of itself"):
        read_language_suite(str(path))


def test_an_empty_suite_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="nothing to do: say cases"):
        read_language_suite(write_suite(tmp_path, "suite: none\nkind: language\n"))
