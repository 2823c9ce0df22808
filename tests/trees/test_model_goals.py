"""Whole sessions whose goal a language model writes: nobody waits for it in a tick, and every one ends."""

from __future__ import annotations

import json
import threading

import pytest
from model_server import delays, held, model_server, refuses, tells

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.bringup.resume import reopen_events
from foretree.clock import WallClock
from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.models.record_replay import AnswerBookError
from foretree.runs.events import Tape

pytest.importorskip("openai")

WORDS = Wish("keep the mango fresh")
IN_FRIDGE = Literal(("in", "mango1", "fridge1"))
GOAL = json.dumps({"goal": "(in mango1 fridge1)", "says": "the mango is in the fridge"})
WRONG = json.dumps({"goal": "(in mango1 table1)"})


@pytest.fixture(autouse=True)
def no_server_in_the_environment(monkeypatch):
    for name in ("URL", "MODEL", "KEY", "RECORD", "REPLAY"):
        monkeypatch.delenv(f"FORETREE_LLM_{name}", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def server():
    with model_server() as state:
        yield state


def opened(server, clock=None, **settings):
    overrides = {
        "reasoner": "openai",
        "llm_url": server.url,
        "llm_model": "m",
        "llm_retries": "0",
        **settings,
    }
    tape = Tape()
    session, world = open_household(
        "kitchen", WORDS, Options(overrides=overrides), recorder=tape, clock=clock
    )
    return session, world, tape


def test_a_goal_arrives_after_the_simulated_latency_whatever_the_server_takes(server):
    runs = []
    for answer in (GOAL, delays(0.5, GOAL)):
        server.answers = [answer]
        session, world, tape = opened(server, llm_latency="3")
        assert session.run().reached
        assert world.holds(IN_FRIDGE)
        (event,) = tape.of("goal.set")
        assert event.time == pytest.approx(3.0, abs=0.11)
        runs.append([(event.kind, event.time) for event in tape.events])
    assert runs[0] == runs[1]


def test_ticks_go_on_while_a_model_thinks_and_it_can_be_cancelled(server):
    asked, release = threading.Event(), threading.Event()
    server.answers = [held(WRONG, asked, release)]
    session, _, tape = opened(server, clock=WallClock())

    def stop(running):
        if running.ticks >= 5 and asked.is_set():
            running.cancel("changed my mind")

    session.before_tick.append(stop)
    result = session.run()
    release.set()
    assert (result.outcome, result.reason) == ("cancelled", "changed my mind")
    assert session.ticks >= 5
    assert not tape.of("goal.set")
    assert len(server.asked) == 1  # what is wrong does not go back any more


def test_corrections_cost_and_the_budget_ends_them(server):
    server.answers = [tells(WRONG, usage={"prompt_tokens": 3000, "completion_tokens": 50})]
    session, _, tape = opened(server, llm_budget_tokens="9000", goal_corrections="9")
    result = session.run()
    assert result.outcome == "given-up"
    assert "llm_budget_tokens is 9,000" in result.reason
    answered = tape.of("model.answered")
    assert [bool(event.data["reply"]["problem"]) for event in answered][-1] is True
    assert len(server.asked) == len(answered) - 1
    assert result.spent.asked == 3000 * len(server.asked) <= 9000
    assert not tape.of("action.started")


@pytest.mark.parametrize("trouble", [refuses(500), refuses(401), "no idea", WRONG])
def test_a_model_of_no_use_ends_with_the_reason_on_record(server, trouble):
    server.answers = [trouble]
    session, _, tape = opened(server)
    result = session.run()
    assert result.outcome == "given-up"
    assert result.reason == tape.of("run.ended")[0].data["reason"] != ""
    assert tape.of("run.ended")[0].data["models"]["questions"] == len(tape.of("model.answered")) >= 1
    assert not tape.of("action.started")


def test_what_is_recorded_is_replayed_without_a_server(server, tmp_path):
    book = str(tmp_path / "answers.jsonl")
    server.answers = [WRONG, GOAL]
    first, _, tape = opened(server, llm_record=book)
    assert first.run().reached
    again, _, copy = opened(server, reasoner="recorded", llm_url="", llm_model="", llm_replay=book)
    assert again.run().reached
    assert len(server.asked) == 2
    assert [event.data for event in copy.of("model.answered")] == [
        event.data for event in tape.of("model.answered")
    ]


def test_a_missing_recording_is_an_error_that_shows_the_prompt(server, tmp_path):
    book = str(tmp_path / "answers.jsonl")
    server.answers = [GOAL]
    opened(server, llm_record=book)[0].run()
    session, _, _ = opened(server, reasoner="recorded", llm_replay=book)
    session.mission.instruction = "burn the mango"
    result = session.run()
    assert result.outcome == "error"
    assert "UnrecordedQuestionError" in str(result.error)
    assert "You turn what a person says" in str(result.error)
    assert "burn the mango" in str(result.error)


def test_recorded_answers_are_in_a_file(server):
    with pytest.raises(AnswerBookError, match=r"name it with the setting llm_replay"):
        opened(server, reasoner="recorded", llm_url="")


def test_a_run_that_broke_off_while_a_model_was_asked_is_taken_up_with_the_model(server):
    server.answers = [GOAL]
    session, _, tape = opened(server)
    session.start()
    for _ in range(3):
        session.step()
    assert not tape.of("goal.set")
    resumed = reopen_events(tape.events, Tape())
    assert resumed.run().reached


def test_a_resumed_run_does_not_ask_again(server):
    server.answers = [GOAL]
    session, _, tape = opened(server)
    session.start()
    while not tape.of("action.started"):
        session.step()
    resumed = reopen_events(tape.events, Tape())
    assert resumed.run().reached
    assert len(server.asked) == 1


def asked_for_an_umbrella(server, **settings):
    overrides = {"llm_url": server.url, "llm_model": "m", "llm_retries": "0", **settings}
    tape = Tape()
    wish, options = Wish("bring me an umbrella"), Options(overrides=overrides)
    session, world = open_household("kitchen", wish, options, recorder=tape)
    return session.run(), world, tape


def test_a_model_is_asked_for_another_thing_where_affordances_know_none(server):
    server.answers = [json.dumps({"alternative": "mango", "why": "no idea"})]
    result, world, tape = asked_for_an_umbrella(server, alternatives="model")
    assert world.holds(Literal(("given", "mango1", "person1")))
    assert result.reached
    assert result.spent.questions == 1
    assert "mango1 in place of an umbrella" in tape.of("goal.set")[-1].data["how"]
    assert tape.of("goal.set")[-1].data["replaced"] == ["mango1 in place of an umbrella"]


def test_without_a_model_nothing_is_brought(server):
    result, _, tape = asked_for_an_umbrella(server)
    assert (result.reached, server.asked) == (False, [])
    assert not tape.of("action.started")


@pytest.mark.parametrize(
    "says", [json.dumps({"alternative": ""}), json.dumps({"alternative": "x"}), refuses(500)]
)
def test_without_advice_nothing_is_brought(server, says):
    server.answers = [says]
    result, _, tape = asked_for_an_umbrella(server, alternatives="model")
    assert result.outcome == "given-up"
    assert "umbrella" in result.reason
    assert 1 <= len(server.asked) <= 4
    assert not tape.of("action.started")


def asked(server, words, **answer):
    server.answers = [json.dumps(answer)]
    tape = Tape()
    overrides = {"reasoner": "openai", "llm_url": server.url, "llm_model": "m", "llm_retries": "0"}
    session, world = open_household("kitchen", Wish(words), Options(overrides=overrides), recorder=tape)
    return session, world, tape


def test_the_person_chooses_among_the_readings_of_a_model(server):
    readings = [
        {"goal": "(in mango1 fridge1)", "words": "the mango"},
        {"goal": "(in apple1 fridge1)", "words": "the apple"},
    ]
    session, world, tape = asked(server, "keep the fruit fresh", readings=readings)
    session.mission.conversation.attended = True
    while not tape.of("person.asked"):
        session.step()
    session.say("the apple")
    assert session.run().reached
    assert world.holds(Literal(("in", "apple1", "fridge1")))
    assert not world.holds(IN_FRIDGE)
    assert tape.of("goal.set")[-1].data["how"].endswith("the apple")


def test_a_plan_keeps_the_constraints_of_a_model(server):
    session, world, tape = asked(
        server,
        "put the mango away, but do not open the fridge",
        goal="(in mango1 fridge1)",
        constraints=["(always (not (open fridge1)))"],
    )
    result = session.run()
    assert result.outcome == "given-up"
    assert "(always (not (open fridge1)))" in result.reason
    assert not world.holds(Literal(("open", "fridge1")))
    assert tape.of("goal.set")[0].data["constraints"] == ["(always (not (open fridge1)))"]


def test_what_a_model_leaves_out_is_said_and_is_no_full_success(server):
    session, world, tape = asked(
        server,
        "put the mango into the fridge and sing",
        goal="(in mango1 fridge1)",
        left_out=[{"words": "sing", "why": "I have no voice."}],
    )
    result = session.run()
    assert world.holds(IN_FRIDGE)
    assert result.outcome == "given-up"
    assert "sing: I have no voice" in result.reason


def test_what_is_dangerous_is_refused_in_readings_too(server):
    boiling = "(and (in fork1 microwave1) (turned_on microwave1))"
    readings = [{"goal": boiling, "words": "the fork"}, {"goal": "(in mango1 fridge1)", "words": "the mango"}]
    session, _, tape = asked(server, "heat it", readings=readings)
    result = session.run()
    assert result.outcome == "given-up"
    assert "That is not safe" in result.reason
    assert not tape.of("action.started")
