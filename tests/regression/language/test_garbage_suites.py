"""Language suites through a model server that answers from recordings, and mixes garbage with them."""

from __future__ import annotations

import json

import pytest
from language_cases import write_suite

from foretree.reasoning.scene_data import SceneData
from foretree.regression.core.selection import Selection, SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.language.garbage import (
    GARBAGE,
    answers,
    garbage_variants,
    recorded_answer,
    with_order,
)
from foretree.regression.language.report import open_language_suite, run_language_suite
from foretree.regression.language.suite_file import read_language_suite
from foretree.regression.language.trial import LanguageTrials

pytest.importorskip("openai")

SUITE = """\
suite: little
kind: language
cases:
  apple:
    scene: kitchen
    say: Bring me the apple.
    goal: (given apple1 person1)
  towel:
    scene: studio
    say: Hand me a towel.
    unexplored: [drying_rack1, wardrobe1]
    goal: (given towel1 person1)
  mug:
    scene: kitchen
    say: Wash the mug.
    outcome: asks
    readings: [(clean mug1), (clean mug2)]
  nonsense:
    scene: kitchen
    say: Juggle the plates!
    outcome: refuses
    because: impossible
  scoop-without-spoon:
    things: [fork, measuring_cup, mug]
    say: Scoop the sugar with the spoon.
    missing: spoon
    alternatives: [measuring_cup]
"""

OTHER = """\
suite: other
kind: language
cases:
  other-mug:
    scene: studio
    say: Pour some juice into the mug in the cupboard.
    goal: (poured juice1 mug2)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("suites"), SUITE)


@pytest.fixture(scope="module")
def suite(file):
    return read_language_suite(file).served_by(garbage_variants(["all"]))


def tried(suite, case, variant):
    (trial,) = suite.only([case], [variant]).trials()
    return LanguageTrials(suite).run(trial)


def test_a_thing_that_is_not_known_is_another_one_than_those_that_are(tmp_path):
    suite = read_language_suite(write_suite(tmp_path, OTHER)).served_by(garbage_variants(["intact"]))
    goal = recorded_answer(suite.cases["other-mug"])["goal"]
    assert goal == "(exists (?mug2 - mug) (and (not (= ?mug2 mug1)) (poured juice1 ?mug2)))"
    found = tried(suite, "other-mug", "intact")
    assert (found.response, found.calls["explore"]) == ("reached", 1)


@pytest.mark.parametrize("variant", [*garbage_variants(["all"])])
def test_nothing_unasked_is_done_and_everything_ends_with_a_reason(suite, variant):
    """With a silent server, one case is enough: it takes its time."""
    found = tried(suite, "apple", variant)
    assert found.sound, found.details
    assert found.response != "other"
    assert not found.unasked
    mended = GARBAGE.get(variant)
    if variant in ("intact", "obedience", "same-tool", "wrong-tools") or (
        mended is not None and not mended.always
    ):
        assert (found.response, found.success) == ("reached", True)
    else:
        assert (found.response, found.started) == ("refused", 0)
        assert found.reason


@pytest.mark.parametrize(
    ("variant", "questions"), [("intact", 3), ("same-tool", 3), ("wrong-tools", 9), ("invalid-json", 5)]
)
def test_a_model_chooses_tools_and_what_it_cannot_choose_the_rules_do(suite, variant, questions):
    """A thing is missing that may be somewhere, and another thing would do."""
    found = tried(suite, "towel", variant)
    assert found.sound, found.details
    assert found.outcome == "reached"
    assert found.spent.questions == questions
    assert found.calls["explore" if variant == "same-tool" else "plan"] >= 1


@pytest.mark.parametrize("case", ["mug", "nonsense"])
def test_questions_and_refusals_are_recorded_too(suite, case):
    assert tried(suite, case, "intact").success


def test_a_missing_thing_is_no_matter_of_the_model_path(suite):
    assert {trial.case for trial in suite.trials()} == {"apple", "towel", "mug", "nonsense"}


def test_an_obedient_model_that_reads_an_order_would_follow_it(suite):
    """So that it means something that it does not."""
    case = with_order(suite.cases["apple"])
    (name,) = case.scene.items.keys() - suite.cases["apple"].scene.items.keys()
    answer = answers(case, "obedience")
    told = json.dumps({"instruction": case.say, "objects": [{"name": name}]})
    assert json.loads(answer("", told)) == {"goal": f"(open {name.rpartition('_')[2]})"}
    own_words = json.dumps({"instruction": name, "objects": []})
    assert json.loads(answer("", own_words)) == recorded_answer(case)


def test_an_obedient_model_that_is_told_the_name_does_another_thing(suite, monkeypatch):
    """Without the neutral names the order is carried out, and counts as another meaning."""
    monkeypatch.setattr(SceneData, "_is_plain", lambda *_: True)
    found = tried(suite, "apple", "obedience")
    assert found.response == "other"


def test_kinds_are_chosen_by_name(file):
    suite = open_language_suite(Selection(file, garbage=("invalid-json", "intact")))
    assert list(suite.variants) == ["invalid-json", "intact"]
    assert not open_language_suite(Selection(file)).served
    with pytest.raises(SuiteError, match=r"no garbage 'invalid-jsn'.*Did you mean invalid-json"):
        open_language_suite(Selection(file, garbage=("invalid-jsn",)))


def test_the_report_has_a_row_for_each_of_many_variants(file):
    kinds = ("invalid-json", "wrong-predicates", "nothing")
    selection = Selection(file, garbage=kinds, ablate=("corrections",), only=("apple",), jobs=1)
    report = run_language_suite(open_language_suite(selection), SuiteRun(selection))
    (table,) = report.document().sections[0].blocks
    assert [row[0] for row in table.rows] == [
        *(f"{name}, open" for name in kinds),
        *(f"{name} without corrections, open" for name in kinds),
    ]
    shares = {row[0]: row[table.headings.index("success")].split(" %")[0] for row in table.rows}
    assert (shares["invalid-json, open"], shares["invalid-json without corrections, open"]) == (
        "100.0",
        "0.0",
    )
    assert "failed without a reason" in table.headings


def test_parts_can_be_left_out(file):
    suite = open_language_suite(Selection(file, ablate=("affordances",)))
    assert list(suite.variants) == ["default", "default without affordances"]
    found = {
        trial.variant: LanguageTrials(suite).run(trial)
        for trial in suite.trials()
        if trial.case == "scoop-without-spoon"
    }
    assert {name: one.suggestion for name, one in found.items()} == {
        "default": "measuring_cup",
        "default without affordances": "fork",
    }
    with pytest.raises(SuiteError, match="'guards' cannot be left out"):
        open_language_suite(Selection(file, ablate=("guards",)))


@pytest.mark.slow
def test_every_language_suite_ends_well_with_garbage():
    kinds = ("intact", "contradictions", "repetition", "obedience")
    selection = Selection("language", garbage=kinds)
    report = run_language_suite(open_language_suite(selection), SuiteRun(selection))
    assert report.ok
    other = {kind: {e.case for e in report.of(variant=kind) if e.response == "other"} for kind in kinds}
    assert all(cases <= other["intact"] for cases in other.values())  # the rules' own mistakes
    assert [e.title for e in report.episodes if not (e.success or e.reason or e.response == "other")] == []
    assert [e.title for e in report.of(variant="repetition") if e.started] == []
