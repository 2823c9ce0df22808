"""Comparing the mapping with labels."""

from __future__ import annotations

import pytest

from foretree.config import ConfigError
from foretree.world_model.affordances.evaluation import Agreement, evaluate, read_ground_truth
from foretree.world_model.affordances.mapping_file import load_mapping


def test_figures_of_a_small_table(placer, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(
        "\ufeffobject,affordances\nmug,grasp\nmug,drink\nespresso cup, Liquid Contain\nespresso cup,grasp\n"
        "table,drink\ntable,\n\nspoon,grasp\n",
        encoding="utf-8",
    )
    truth = read_ground_truth(path, placer.mapping)
    assert truth["espresso cup"] == {"liquid-contain", "grasp"}
    evaluation = evaluate(placer, truth)
    assert evaluation.by_affordance == {
        "grasp": Agreement(3, 0, 0),
        "liquid-contain": Agreement(1, 1, 0),
        "drink": Agreement(1, 1, 1),
    }
    assert evaluation.wrong == (("mug", "liquid-contain"), ("espresso cup", "drink"))
    assert evaluation.missed == (("table", "drink"),)
    assert list(evaluation.placed) == ["espresso cup"]
    overall = evaluation.overall
    assert (overall.precision, overall.recall) == (5 / 7, 5 / 6)
    assert overall.f1 == pytest.approx(2 * (5 / 7) * (5 / 6) / (5 / 7 + 5 / 6))


def test_the_threshold_moves_precision_against_recall(placer):
    truth = {"mug": ["push"], "cup": []}
    assert evaluate(placer, truth).overall == Agreement(1, 0, 0)
    assert evaluate(placer, truth, 0.7).overall == Agreement(0, 0, 1)
    assert evaluate(placer, truth, 0.0).overall == Agreement(1, 1, 0)


def test_labels_without_any_affordance_judge_nothing(placer):
    overall = evaluate(placer, {"mug": []}).overall
    assert (overall.precision, overall.recall, overall.f1) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ":1: expected the columns object,affordances, not ''"),
        ("thing,can\nmug,grasp\n", ":1: expected the columns object,affordances, not 'thing,can'"),
        ("object,affordances\n", ": it names no object"),
        ("object,affordances\nmug,grasp\nmug\n", ":3: expected an object and one affordance, not 'mug'"),
        ("object,affordances\nmug,grasp,flying\n", ":2: There is no affordance 'flying'."),
        ("object,affordances\nmug,grasp\nmug,bowing\n", ":3: There is no affordance 'bowing'."),
        ("object,affordances\nmug,graps\n", ":2: There is no affordance 'graps'. Did you mean grasp?"),
        ("object,affordances\n ,grasp\n", ":2: there is no object before 'grasp'"),
        ("object,affordances\nmug," + "x" * 200_000, ":2: not valid CSV: field larger than field limit"),
    ],
)
def test_mistakes_in_labels(placer, tmp_path, text, says):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_ground_truth(path, placer.mapping)
    assert f"{path}{says}" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "Object, Affordance\nCoffee-Mug,Graspable\ncoffee_mug,liquid containing\n",
        "object;affordances\ncoffee mug;grasping\ncoffee mug;Liquid_Contain\n",
        "class\taffordances\ncoffee mug\tgrasp\tliquid-contain\n",
        'object,affordances\ncoffee mug,"grasp, liquid-contain"\n',
        "object,affordances\r\ncoffee mug,\"['grasp', 'liquid-contain']\"\r\n",
        "object,affordances\ncoffee mug,grasp;liquid-contain\n",
    ],
)
def test_slips_that_have_one_meaning(placer, tmp_path, text):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    (labels,) = read_ground_truth(path, placer.mapping).values()
    assert labels == {"grasp", "liquid-contain"}


def test_other_forms_of_all_affordances_are_told_apart(tmp_path):
    mapping = load_mapping()
    forms = {
        "cutting": "cut",
        "openable": "open",
        "drinkable": "drinkable",
        "drinking": "drink",
        "pourable": "pour",
        "heat resistant": "heat-resistance",
        "heating": "heat",
        "stackable": "stack",
        "slicing": "cut",
        "liquid container": "liquid-contain",
        "wet swiping": "wet-swipe",
        "rolls along one axis": None,
        "tighten": None,
    }
    for said, meant in forms.items():
        path = tmp_path / "labels.csv"
        path.write_text(f"object,affordances\nmug,{said}\n")
        if meant is None:
            with pytest.raises(ConfigError, match=":2: There is no affordance"):
                read_ground_truth(path, mapping)
        else:
            assert read_ground_truth(path, mapping) == {"mug": {meant}}, said


def test_a_file_of_labels_that_is_not_there(placer, tmp_path):
    with pytest.raises(ConfigError, match="Cannot read"):
        read_ground_truth(tmp_path / "none.csv", placer.mapping)
