"""The model server that answers by rule, and suites that are run with it."""

import json

import pytest

from foretree.errors import ForetreeError
from foretree.reasoning.models.endpoint import Client, Endpoint, ServedModel
from foretree.reasoning.models.model import Question
from foretree.regression.core.selection import SuiteError
from foretree.regression.core.suite_run import SuiteRun
from foretree.regression.language.scripted_model import MODEL, answer_by_rule, scripted_server
from foretree.regression.sessions.report import run_session_suite
from foretree.regression.sessions.suite import read_suite
from foretree.regression.suites import Selection, regress

pytest.importorskip("openai")


def about(feedback, *plan):
    things = {"mango1": "mango", "fridge1": "fridge", "microwave1": "microwave"}
    return json.dumps({"plan": plan, "feedback": feedback, "things": things})


@pytest.mark.parametrize(
    ("feedback", "plan", "says"),
    [
        ("x expects fridge1 is open, but fridge1 is not open.", ["(fridge, place_in)"], "(fridge, open)"),
        ("x expects microwave1 is not open, but …", ["(mango, heat)"], "(microwave, close)"),
        ("x expects microwave1 is not turned on, but …", ["(microwave, open)"], "(microwave, turn_off)"),
        (
            "x expects fridge1 is open, but …",
            ["(place_in, mango, fridge)"],
            "(open, fridge, none), (place_in, mango, fridge)",
        ),
        ("x expects robot1 is holding mango1 in left, but …", ["(fridge, open)"], "(mango, pick)"),
        ("wash(mug1) is not needed: mug1 is clean.", ["(sink, wash)", "(cupboard, open)"], "Pass"),
        ("x expects mango1 is on table1, but …", ["(mango, pick)"], "(mango, pick), Pass"),
        ("x expects mango1 is on table1, but …", ["(pick, mango, table)"], "(pick, mango, table)"),
        ("The plan is through.", [], "Pass"),
    ],
)
def test_its_rules(feedback, plan, says):
    assert answer_by_rule("", about(feedback, *plan)) == says


@pytest.mark.parametrize("user", ["", "hello", "[]", "{}"])
def test_it_has_nothing_to_say_about_anything_else(user):
    assert "nothing" in answer_by_rule("", user)


def test_it_speaks_the_protocol():
    with scripted_server(lambda system, user: f"{system} {user}") as url:
        endpoint = Endpoint(url, MODEL, retries=0)
        reply = ServedModel(endpoint).ask(Question("one two", "three"))
        assert (reply.text, reply.problem, reply.asked, reply.answered) == ("one two three", "", 2, 3)
        assert Client(endpoint).models() == (MODEL,)
        with pytest.raises(ForetreeError, match="400"):
            Client(endpoint).chat([{"role": "system", "content": "nobody asks"}])


def test_a_suite_is_revised_by_whom_one_says(monkeypatch):
    suite = read_suite("smoke").only(["mango-moved"])
    with scripted_server() as url:
        monkeypatch.setenv("FORETREE_LLM_URL", url)
        monkeypatch.setenv("FORETREE_LLM_MODEL", MODEL)
        changed = suite.revised_by(["llm", "planner"])
        report = run_session_suite(changed.only(variants=["guards"]), SuiteRun(Selection(episodes=1, jobs=1)))
    settings = {name: variant.settings.get("revisers") for name, variant in changed.variants.items()}
    assert settings["guards"] == "llm,planner"
    assert "none" in settings.values(), "who revises nothing goes on revising nothing"
    (episode,) = report.episodes
    assert episode.success
    assert episode.sound


def test_revisers_that_there_are_not():
    with pytest.raises(ForetreeError, match="not 'oracle'"):
        read_suite("smoke").revised_by(["oracle"])
    with pytest.raises(
        SuiteError,
        match="--reviser is for suites of sessions, grid homes, language and trials of ALFRED only",
    ):
        regress(Selection("building", revisers=("llm",)))
