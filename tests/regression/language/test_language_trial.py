from __future__ import annotations

from dataclasses import replace

import pytest
from language_cases import write_suite

from foretree.planning.pddl.syntax import Count, Literal, Typed
from foretree.regression.language import trial as language_trial
from foretree.regression.language._judgement import JudgedResponse
from foretree.regression.language.suite_file import read_language_suite
from foretree.regression.language.trial import LanguageEpisode, LanguageTrials


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return read_language_suite(write_suite(tmp_path_factory.mktemp("suites")))


def tried(suite, name: str) -> LanguageEpisode:
    (trial,) = suite.only([name]).trials()
    return LanguageTrials(suite).run(trial)


def meaning(suite, name: str, read_as: str, **changes) -> LanguageEpisode:
    """The result of a case whose instruction is read in a way of our own."""
    case = suite.cases[name]
    opened = language_trial.open_household

    def understood(scene, wish, *args, **named):
        return opened(scene, replace(wish, instruction="", goal=read_as), *args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language_trial, "open_household", understood)
        return tried(replace(suite, cases={**suite.cases, name: replace(case, **changes)}), name)


def test_an_instruction_that_is_understood_reaches_the_goal_as_cheaply_as_can_be(suite):
    found = tried(suite, "apple")
    assert (found.response, found.success, found.half) == ("reached", True, "frozen")
    assert found.cost == found.least
    assert found.minimal_plan
    assert found.to_goal is not None
    assert found.to_plan is not None
    assert found.sound


def test_calls_of_tools_are_counted(suite):
    found = tried(suite, "fork")
    assert found.success
    assert found.calls["plan"] == 1
    assert found.calls["explore"] >= 1
    assert found.least_calls == 3
    assert found.minimal_calls == (sum(found.calls.values()) <= 3)


def test_a_question_is_right_where_it_has_to_be_asked(suite):
    found = tried(suite, "mug")
    assert (found.response, found.success, found.started) == ("asked", True, 0)


def test_what_is_not_understood_is_refused_rightly_only_where_it_is_unclear(suite):
    assert tried(suite, "nonsense").success
    case = replace(suite.cases["nonsense"], because="impossible")
    found = tried(replace(suite, cases={"nonsense": case}), "nonsense")
    assert (found.response, found.because, found.success) == ("refused", "unclear", False)


@pytest.mark.parametrize(
    ("because", "right"),
    [
        ("impossible", {"impossible", "missing"}),
        ("missing", {"impossible", "missing"}),
        ("unsafe", {"impossible"}),
        ("unclear", {"impossible", "missing", "unclear"}),
    ],
)
def test_a_refusal_is_right_for_what_the_agent_can_know(suite, because, right):
    case = replace(suite.cases["nonsense"], because=because)
    said = ("impossible", "missing", "unclear")
    assert {one for one in said if JudgedResponse("refused", because=one).suits(case, "")} == right


@pytest.mark.parametrize(
    ("word", "answer", "right"),
    [
        ("no", "No, there is none.", True),
        ("no", "I know of none.", False),
        ("egg", "Milk and eggs.", True),
        ("egg", "An eggplant.", False),
        ("coffee table", "On the coffee table.", True),
    ],
)
def test_an_answer_has_the_words_as_whole_words(suite, word, answer, right):
    case = replace(suite.cases["nonsense"], outcome="answers", because=None, answer=(word,))
    assert JudgedResponse("answered").suits(case, answer) == right


def test_another_thing_is_suggested_for_a_missing_one(suite):
    found = tried(suite, "cut-without-knife")
    assert (found.response, found.suggestion, found.success) == ("suggested", "scissors", True)
    assert found.sound
    without = replace(suite.cases["cut-without-knife"], things=("pillow", "lamp"))
    failed = tried(replace(suite, cases={"cut-without-knife": without}), "cut-without-knife")
    assert (failed.response, failed.success) == ("failed", False)


def test_another_thing_brought_is_another_meaning(suite):
    found = meaning(suite, "apple", "(given mango1 person1)")
    assert (found.response, found.success) == ("other", False)
    assert found.unasked == ("(given mango1 person1)",)


def test_more_than_was_asked_for_is_another_meaning(suite):
    found = meaning(suite, "apple", "(and (given apple1 person1) (open fridge1))")
    assert (found.response, found.unasked) == ("other", ("(open fridge1)",))
    assert not found.success


def test_what_a_count_may_be_about_is_asked_for(suite):
    goal = Count(Typed("?m", "mug"), Literal(("in", "?m", "sink1")), at_least=2)
    found = meaning(suite, "apple", "(and (in mug1 sink1) (in mug2 sink1))", goal=goal)
    assert (found.response, found.unasked) == ("reached", ())


def test_less_than_was_asked_for_is_another_meaning(suite):
    found = meaning(suite, "apple", "(on apple1 table2)")
    assert (found.response, found.unasked) == ("other", ())


def test_tools_are_nobodys_concern(suite):
    found = meaning(suite, "apple", "(sliced apple1)", goal=Literal(("sliced", "apple1")))
    assert (found.response, found.success, found.unasked) == ("reached", True, ())


def test_to_act_where_one_has_to_ask_is_another_meaning(suite):
    found = meaning(suite, "mug", "(clean mug1)")
    assert (found.response, found.unasked) == ("other", ("(clean mug1)",))


def test_a_goal_that_counts_is_judged_too(suite):
    found = meaning(suite, "apple", "(and (given apple1 person1) (at-least 2 (?x - mug) (on ?x table2)))")
    assert found.unasked == ("(on mug1 table2)", "(on mug2 table2)")


def test_the_same_case_has_the_same_result(suite):
    assert tried(suite, "apple") == tried(suite, "apple")
