"""Whole sessions whose plans a language model mends: it saves the day, and the same run comes out again."""

from __future__ import annotations

import json

import pytest
from empty_kitchen import TABLE
from model_server import delays, model_server, refuses
from py_trees.common import Status
from stories import moved_and_shut, moved_to

from foretree.bringup.embedded import open_household, open_pddl
from foretree.bringup.options import Options, Wish
from foretree.bringup.request import Request
from foretree.bringup.resume import reopen_events
from foretree.config import ConfigError
from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.models.endpoint import EndpointError
from foretree.reasoning.models.record_replay import AnswerBook, AnswerBookError
from foretree.regression.language.scripted_model import MODEL, scripted_server
from foretree.runs.events import Tape
from foretree.simulation.grid_homes.goals import is_reached
from foretree.simulation.grid_homes.task_families import make_task
from foretree.trees._node_error import NodeError

pytest.importorskip("openai")

MANGO = Wish("put the mango into the fridge")
IN_FRIDGE = Literal(("in", "mango1", "fridge1"))
MOVED = ("after 1: move mango1 on table2",)
#: It lies elsewhere before it is reached for; what was just opened is shut; it is taken out of the hand.
SURPRISES = [MOVED, ("after 4: close fridge1",), ("after 2: move mango1 on table2",)]
#: Nobody plans twice: what no reviser mends is lost.
ONCE = {"guards": "presence,attribute", "rounds": "1", "attempts": "2"}


@pytest.fixture(autouse=True)
def no_server_in_the_environment(monkeypatch):
    for name in ("URL", "MODEL", "KEY", "RECORD", "REPLAY"):
        monkeypatch.delenv(f"FORETREE_LLM_{name}", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture(scope="module")
def by_rule():
    with scripted_server() as url:
        yield url


def options(url, faults=MOVED, **settings):
    return Options(
        overrides={"revisers": "llm", "llm_url": url, "llm_model": MODEL, **settings}, faults=faults
    )


def carried_out(opts, wish=MANGO, scene="kitchen"):
    tape = Tape()
    session, world = open_household(scene, wish, opts, recorder=tape)
    result = session.run()
    assert not [node.name for node in session.tree.root.iterate() if node.status is Status.RUNNING]
    assert not session.context.executive.alive()
    return result, tape, world


def revisions(tape):
    return [event.data["reviser"] for event in tape.of("revision.made")]


@pytest.mark.parametrize("notation", ["tuples", "triplets"])
@pytest.mark.parametrize("faults", SURPRISES)
def test_a_model_saves_the_day(by_rule, notation, faults):
    result, tape, world = carried_out(options(by_rule, faults, llm_format=notation, **ONCE))
    assert result.reached, result.reason
    assert world.holds(IN_FRIDGE)
    assert [event.data["reviser"] for event in tape.of("revision.asked")] == ["llm"]
    assert revisions(tape) == ["llm"]
    asked = tape.of("run.ended")[0].data["models"]
    assert asked["questions"] == result.spent.questions == len(tape.of("model.answered")) == 1


@pytest.mark.parametrize("faults", SURPRISES)
def test_without_anybody_to_ask_the_day_is_lost(faults):
    """So that the test above means something: each of these surprises is noticed, and is enough."""
    result, tape, world = carried_out(Options(overrides={"revisers": "none", **ONCE}, faults=faults))
    assert len(tape.of("fault.injected")) == 1
    (found,) = tape.of("discrepancy.found")
    assert result.outcome == "given-up"
    assert result.reason == f"{found.data['sentence']} No reviser is set."
    assert not world.holds(IN_FRIDGE)


def test_without_a_surprise_nobody_is_asked(by_rule):
    """Likewise: nothing but the surprise makes the difference."""
    result, tape, _ = carried_out(options(by_rule, (), **ONCE))
    assert result.reached
    assert not tape.of("revision.asked")
    assert not tape.of("model.answered")


@pytest.mark.parametrize("answer", ["Pull the plug!", "(knife, cut)", "Pass", refuses(401), "x" * 10_000])
def test_when_a_model_is_of_no_use_the_chain_goes_on(answer):
    with model_server() as server:
        server.answers = [answer]
        result, tape, _ = carried_out(options(server.url, revisers="llm,planner", improving="0"))
    assert result.reached
    assert revisions(tape) == ["planner"]
    (rejected,) = tape.of("revision.rejected")
    assert rejected.data["reviser"] == "llm"
    assert rejected.data["why"]


def test_an_order_in_an_answer_is_none():
    """A model that has been taken in by somebody else's words can do no more than propose a plan."""
    with model_server() as server:
        server.answers = ["(knife, pick), (bread, cut), (mango, pick), Pass"]
        result, tape, _ = carried_out(options(server.url, revisers="llm,planner", improving="0"))
    assert result.reached
    skills = {event.data["action"]["skill"] for event in tape.of("action.intent")}
    assert "cut" not in skills


def test_rules_are_asked_first_if_they_come_first(by_rule):
    _, tape, _ = carried_out(options(by_rule, revisers="rules,llm,planner", improving="0"))
    assert revisions(tape) == ["rules"]
    assert not tape.of("model.answered")
    assert "models" not in tape.of("run.ended")[0].data


def told(tape):
    """A record without what differs between a run and its replay: where the answers come from."""
    events = []
    for event in tape.events:
        data = json.loads(json.dumps(event.data, default=str))
        if event.kind == "run.started":
            data["config"] = {key: value for key, value in data["config"].items() if key[:4] != "llm_"}
        events.append((event.tick, event.time, event.kind, json.dumps(data)))
    return events


def test_the_same_seed_gives_the_same_run_however_slow_the_server_is():
    runs = []
    for pause in (0.0, 0.4):
        with model_server() as server:
            server.answers = [delays(pause, "(mango, pick), Pass")]
            runs.append(told(carried_out(options(server.url))[1]))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("feedback", ["template", "model"])
def test_a_replay_gives_the_same_run_without_a_server(by_rule, tmp_path, feedback):
    book = tmp_path / "answers.jsonl"
    recorded = carried_out(options(by_rule, llm_record=str(book), llm_feedback=feedback))
    assert recorded[0].reached
    settings = {"revisers": "llm", "llm_replay": str(book), "llm_feedback": feedback}
    replayed = carried_out(Options(overrides=settings, faults=MOVED))
    assert told(replayed[1]) == told(recorded[1])
    assert len(AnswerBook(book)) == (1 if feedback == "template" else 2)


def test_trouble_is_replayed_too(tmp_path):
    book = tmp_path / "answers.jsonl"
    chain = {"revisers": "llm,planner", "improving": "0"}
    with model_server() as server:
        server.answers = [refuses(401)]
        recorded = carried_out(options(server.url, llm_record=str(book), **chain))
    replayed = carried_out(Options(overrides={**chain, "llm_replay": str(book)}, faults=MOVED))
    assert told(replayed[1]) == told(recorded[1])


def test_a_replay_that_goes_another_way_is_an_error(by_rule, tmp_path):
    book = tmp_path / "answers.jsonl"
    carried_out(options(by_rule, llm_record=str(book)))
    settings = {"revisers": "llm,planner", "llm_replay": str(book)}
    result, _, _ = carried_out(Options(overrides=settings, faults=("after 1: move mango1 on counter1",)))
    assert result.outcome == "error"
    assert isinstance(result.error, NodeError)
    assert "has no answer of by-rule to question" in str(result.error)
    assert "llm_record" in str(result.error)


def test_the_environment_can_say_what_is_replayed(by_rule, tmp_path, monkeypatch):
    book = tmp_path / "answers.jsonl"
    carried_out(options(by_rule, llm_record=str(book)))
    monkeypatch.setenv("FORETREE_LLM_REPLAY", str(book))
    assert carried_out(Options(overrides={"revisers": "llm"}, faults=MOVED))[0].reached


def test_a_run_that_is_taken_up_asks_no_model_twice():
    tape = Tape()
    with model_server() as server:
        server.answers = ["(mango, pick), Pass"]
        session, _ = open_household("kitchen", MANGO, options(server.url), recorder=tape)
        while not tape.of("revision.made"):
            session.step()
        for _ in range(5):
            session.step()
        assert len(server.asked) == 1
        rest = Tape()
        taken_up = reopen_events(list(tape.events), rest)
        assert len(server.asked) == 1
        assert taken_up.run().reached
        assert len(server.asked) == 1


def test_a_key_in_the_agents_file_is_never_on_record(by_rule):
    _, tape, _ = carried_out(options(by_rule, llm_key="sk-secret"))
    assert "sk-secret" not in json.dumps([event.data for event in tape.events], default=str)
    assert "llm_key" not in tape.of("run.started")[0].data["config"]


# -- settings that make no sense ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        ({}, EndpointError, "FORETREE_LLM_URL is not set"),
        ({"llm_url": "http://127.0.0.1:9/v1"}, EndpointError, "FORETREE_LLM_MODEL is not set"),
        ({"llm_replay": "nowhere.jsonl"}, ConfigError, "nowhere.jsonl"),
        ({"llm_format": "prose"}, ConfigError, "llm_format: expected 'tuples' or 'triplets', not 'prose'"),
        (
            {"llm_feedback": "gossip"},
            ConfigError,
            "llm_feedback: expected 'template' or 'model', not 'gossip'",
        ),
        ({"llm_latency": "-1"}, ConfigError, "llm_latency: expected a number from 0 on"),
        (
            {"revisers": "oracle"},
            ConfigError,
            "expected 'rules', 'llm' or 'planner', not 'oracle'. For no revisers at all, write none.",
        ),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_begins(settings, error, why):
    with pytest.raises(error, match=why.replace(".", r"\.")):
        Request(MANGO, options=Options(overrides={"revisers": "llm", **settings})).open()


def test_recording_and_replaying_exclude_each_other(tmp_path):
    book = tmp_path / "answers.jsonl"
    book.write_text("")
    settings = {"revisers": "llm", "llm_replay": str(book), "llm_record": str(book)}
    with pytest.raises(AnswerBookError, match="exclude each other"):
        Request(MANGO, options=Options(overrides=settings)).open()


# -- any domain --------------------------------------------------------------------------------------------


def test_a_pddl_task_can_be_mended_by_a_model(tmp_path):
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(
        """(define (domain lights) (:requirements :strips :typing) (:types lamp)
        (:predicates (lit ?x - lamp) (intact ?x - lamp) (done ?x - lamp))
        (:action mend :parameters (?x - lamp) :effect (intact ?x))
        (:action light :parameters (?x - lamp) :precondition (intact ?x) :effect (lit ?x))
        (:action finish :parameters (?x - lamp) :precondition (lit ?x) :effect (done ?x)))"""
    )
    problem.write_text(
        """(define (problem p) (:domain lights) (:objects lamp1 - lamp)
        (:init (intact lamp1)) (:goal (done lamp1)))"""
    )
    tape = Tape()
    with model_server() as server:
        server.answers = ["(lamp, light)"]
        opts = options(server.url, faults=("after 1: clear (lit lamp1)",))
        session, _ = open_pddl(domain, problem, opts, recorder=tape)
        assert session.run().reached
    assert revisions(tape) == ["llm"]


# -- homes of which nobody has told the robot --------------------------------------------------------------

ON_SHELF = make_task("pick_and_place", {"item": "plate", "place": "shelf"})
FETCHED_FROM_TABLE = ["pick_from_surface plate1 table1", "put_on_surface plate1 shelf1"]


def asking(server, **settings):
    """Settings with which one plan is all there is: what no reviser mends is lost."""
    return {"revisers": "llm", "rounds": "1", "llm_url": server.url, "llm_model": "m", **settings}


@pytest.mark.parametrize(
    ("notation", "answer"), [("tuples", "(plate, pick), Pass"), ("triplets", "(pick, plate, table)")]
)
def test_in_a_home_a_model_mends_the_plan_when_a_thing_was_moved(notation, answer):
    with model_server() as server:
        server.answers = [answer]
        story = moved_to(TABLE, **asking(server, llm_format=notation))
    assert story.outcome == "reached"
    assert is_reached(story.home, ON_SHELF)
    assert revisions(story.tape) == ["llm"]
    assert story.told() == FETCHED_FROM_TABLE
    assert story.failed() == []
    (question,) = server.asked
    assert "but plate1 is on table1." in json.loads(question["messages"][-1]["content"])["feedback"]


def test_in_a_home_a_model_is_told_what_different_guards_have_found_and_mends_it_at_once():
    with model_server() as server:
        server.answers = ["(fridge, open)"]
        story = moved_and_shut(**asking(server))
    assert story.outcome == "reached"
    assert is_reached(story.home, make_task("pick_and_place", {"item": "plate", "place": "fridge"}))
    assert revisions(story.tape) == ["llm"]
    assert story.told()[:2] == ["open_container fridge1", "pick_from_surface plate1 table1"]
    assert story.failed() == []
    (question,) = server.asked
    told = json.loads(question["messages"][-1]["content"])
    assert told["guard"] == "presence, attribute"
    assert "but plate1 is on table1." in told["feedback"]
    assert "but fridge1 is not open." in told["feedback"]


def test_in_a_home_without_anybody_to_ask_the_plan_is_lost():
    """So that the tests above mean something."""
    story = moved_to(TABLE, revisers="none", rounds="1")
    assert story.outcome == "given-up"
    assert not is_reached(story.home, ON_SHELF)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("(unicorn, pick), Pass", "there is no class 'unicorn'"),
        ("(table1, pick), Pass", "there is no class 'table1'. Did you mean table"),
        ("(apple, pick), Pass", "no apple is known of"),
        ("(plate, polish), Pass", "there is no action 'polish'"),
        ("Pass", "(shelf, place_on) is not possible when its turn comes"),
        ("Pass, Pass", "it does not reach the goal"),
        ("Go to the table and fetch it!", "the answer is not of the form asked for"),
    ],
)
def test_in_a_home_an_answer_of_no_use_is_refused_and_the_chain_goes_on(answer, why):
    with model_server() as server:
        server.answers = [answer]
        story = moved_to(TABLE, **asking(server, revisers="llm,planner", llm_corrections="0"))
    assert len(server.asked) == 1
    (rejected,) = story.tape.of("revision.rejected")
    assert rejected.data["reviser"] == "llm"
    assert rejected.data["why"].startswith(why)
    assert rejected.data["why"].endswith(f"It said: {answer!r}")
    assert revisions(story.tape) == ["planner"]
    assert story.told() == FETCHED_FROM_TABLE
    assert story.outcome == "reached"
    assert is_reached(story.home, ON_SHELF)


@pytest.mark.parametrize("constraints", [(), ("(at-most-once (open fridge1))",)])
def test_what_a_model_writes_is_not_done_where_a_constraint_forbids_it(by_rule, constraints):
    wish = Wish(goal="(in mango1 fridge1)", constraints=constraints)
    result, tape, _ = carried_out(options(by_rule, SURPRISES[1], **ONCE), wish)
    skills = [event.data["action"]["skill"] for event in tape.of("action.intent")]
    assert skills.count("open") == (1 if constraints else 2)
    assert result.reached == (not constraints)
    assert bool(revisions(tape)) == (not constraints)
