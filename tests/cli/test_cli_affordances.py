"""``foretree affordances``, driven as a user drives it."""

from __future__ import annotations

import json

import pytest

from foretree.cli import main

CLASSES = """
classes:
  mug:   {words: [coffee mug], affords: [grasp, carry, contain, liquid-contain, drink, {push: 0.4}]}
  cup:   {affords: [grasp, carry, contain, liquid-contain, drink]}
  knife: {affords: [grasp, carry, cut]}
  table: {affords: [support]}
"""


@pytest.fixture
def foretree(capsys, tmp_path, monkeypatch):
    (tmp_path / "affordances").mkdir()
    (tmp_path / "affordances" / "classes.yaml").write_text(CLASSES)
    monkeypatch.setenv("FORETREE_CONFIGS", str(tmp_path))
    monkeypatch.setenv("FORETREE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(["affordances", *arguments])
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def test_showing_a_class(foretree):
    code, out, err = foretree("show", "mug")
    assert (code, err) == (0, "")
    assert out.startswith("mug: a known class (confidence 100%).\n")
    assert "  95%  drink             A person can drink from it.\n" in out
    assert "Less likely: push 40%." in out


def test_showing_a_name_that_is_not_listed(foretree):
    code, out, _ = foretree("show", "broken espresso cup")
    assert code == 0
    assert out.startswith(
        'broken espresso cup: a kind of cup, by its head noun "cup", broken (confidence 90%).'
    )
    assert "drink" not in out


def test_showing_as_json(foretree):
    code, out, _ = foretree("show", "espresso cup", "--json")
    shown = json.loads(out)
    assert (code, shown["classes"], shown["confidence"]) == (0, {"cup": 1.0}, 0.9)
    assert shown["affordances"]["drink"] > 0.8


def test_things_in_a_scene(foretree):
    code, out, _ = foretree("which", "--affords", "grasp, cut", "--scene", "kitchen")
    assert (code, out) == (0, "  90%  knife1                knife\n")
    _, out, _ = foretree("which", "--affords", "support", "--scene", "kitchen", "--json")
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["table1", "table2"]


def test_no_thing_in_a_scene(foretree):
    code, out, err = foretree("which", "--affords", "pound", "--scene", "kitchen")
    assert (code, out) == (0, "")
    assert err.startswith("Nothing is at least 50% likely; the likeliest is ")


def test_a_persons_word_lasts(foretree, tmp_path):
    code, out, _ = foretree("tell", "coffee mug", "push")
    assert (code, out) == (0, "mug: push was 40% likely, and is 80% now.\n")
    assert "  80%  push" in foretree("show", "mug")[1]
    assert foretree("tell", "mug", "push", "--no")[1] == "mug: push was 80% likely, and is 48% now.\n"
    (tmp_path / "home" / "affordances.json").write_text("{}")
    code, _, err = foretree("show", "mug")
    assert code == 2
    assert "affordances.json: evidence: Field required. Repair it, or move it away" in err


def test_comparing_with_labels(foretree, tmp_path):
    (tmp_path / "labels.csv").write_text("object,affordances\nmug,grasp\nespresso cup,drink\ntable,grasp\n")
    code, out, _ = foretree("eval", "labels.csv")
    assert code == 0
    # drink: the mug too; grasp: the cup too, but not the table
    assert "overall                 0.50    0.67  0.57       3" in out
    assert 'espresso cup: a kind of cup, by its head noun "cup".' in out
    code, out, _ = foretree("eval", "labels.csv", "--json")
    read = json.loads(out)
    assert read["overall"] == {
        "precision": 0.5,
        "recall": 0.6667,
        "f1": 0.5714,
        "found": 2,
        "wrong": 2,
        "missed": 1,
    }
    assert read["missed"] == [["table", "grasp"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("show", "mgu"),
            "There is no class 'mgu', and nothing in its name tells what it is. Did you mean mug?",
        ),
        (
            ("tell", "espresso cup", "push"),
            "There is no class 'espresso cup'. Only classes that the mapping lists",
        ),
        (("tell", "mug", "fly"), "There is no affordance 'fly'. Valid: "),
        (("which", "--affords", "fly", "--scene", "kitchen"), "There is no affordance 'fly'. Valid: "),
        (("which", "--affords", ",", "--scene", "kitchen"), "Name at least one affordance"),
        (
            ("which", "--affords", "cut", "--scene", "kitchn"),
            "There is no scene called 'kitchn'. Did you mean",
        ),
        (("eval", "none.csv"), "Cannot read none.csv: No such file or directory."),
        (
            ("eval", "affordances/classes.yaml"),
            "affordances/classes.yaml:1: expected the columns object,affordances",
        ),
    ],
)
def test_mistakes(foretree, arguments, says):
    code, out, err = foretree(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"foretree: {says}")
    assert err.count("\n") == 1


def test_what_was_learned_is_listed_and_shown(foretree, tmp_path):
    code, out, _ = foretree("learned")
    assert (code, out) == (0, f"Nothing is kept in {tmp_path / 'home' / 'affordances.json'}.\n")
    foretree("tell", "mug", "drink", "--no")
    (tmp_path / "other.json").write_text(
        '{"evidence": {}, "skills": {"cut": {"held": 3, "failed": 1}}, "objects": {"kitchen": {"mug1": '
        '{"class": "mug", "outcomes": {}, "said": {"drink": false}, "states": ["leaky"]}}}}'
    )
    code, out, _ = foretree("learned")
    assert out == "Learned of mug: drink was there 0 times, missing 16 times.\n"
    assert out in foretree("show", "coffee mug")[1]
    code, out, _ = foretree("learned", "other.json")
    assert out.splitlines() == [
        "Skill cut: succeeded 3 times, failed 1 times.",
        "mug1 (mug) in kitchen: does not afford drink; is leaky.",
    ]
