"""Two people who say different things: told so, asked, and neither silently dropped. Real planner and simulation."""

from __future__ import annotations

import pytest
from session_tools import finished, until

from foretree.agent.dialogue.claims import Claim
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import Literal
from foretree.reasoning.instruction_errors import InstructionError
from foretree.runs.events import Tape
from foretree.runs.views.narration import Narrator
from foretree.simulation.household.scene_file import load_scene

SCENE = """
scene: shared
rooms: {kitchen: {from: [0, 0], to: [6, 5]}}
furniture:
  counter1:  {class: counter, room: kitchen, at: [1.0, 4.3]}
  fridge1:   {class: fridge, room: kitchen, at: [3.0, 4.3]}
  table1:    {class: table, room: kitchen, at: [1.2, 2.0]}
  shelf1:    {class: shelf, room: kitchen, at: [5.2, 4.2]}
items:
  mug1:   {class: mug, on: counter1}
  apple1: {class: apple, on: counter1}
  bread1: {class: bread, on: counter1}
people:
  anna: {room: kitchen, at: [4.6, 0.8]}
  ben:  {room: kitchen, at: [2.4, 0.7]}
robot: {at: kitchen}
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenes") / "shared.yaml"
    path.write_text(SCENE)
    return load_scene(path)


@pytest.fixture
def opened(scene):
    def begin(words="put the mug on the table", by="anna", attended=False, **overrides):
        tape = Tape()
        options = Options(overrides=overrides)
        session, world = open_household(scene, Wish(words, by=by), options, recorder=tape)
        session.mission.conversation.attended = attended
        return session, world, tape

    return begin


def holds(world, *atom):
    return world.holds(Literal(atom))


def told(tape):
    narrator = Narrator()
    return [sentence for event in tape.events if (sentence := narrator.tell(event))]


def contradicted(opened, **options):
    """A session in which Ben contradicts what is being done for Anna, up to the question."""
    session, world, tape = opened(**options)
    until(session, tape, "action.started", 1)
    session.say("put the mug on the shelf", by="ben")
    until(session, tape, "person.asked")
    return session, world, tape


def test_both_are_told_and_what_was_asked_first_goes_on(opened):
    session, world, tape = contradicted(opened)
    assert finished(session).reached
    assert holds(world, "on", "mug1", "table1")
    (asked,) = tape.of("person.asked")
    assert 'Anna asks: "put the mug on the table"' in asked.data["question"]
    assert 'Ben asks: "put the mug on the shelf"' in asked.data["question"]
    assert "I keep to what Anna asks for" in asked.data["question"]
    assert tape.of("people.disagree")[0].data == {
        "earlier": ["anna", "put the mug on the table"],
        "later": ["ben", "put the mug on the shelf"],
    }
    assert tape.of("person.said")[0].data["by"] == "ben"
    assert "Nobody has decided, so I have not done what Ben asks for." in told(tape)


@pytest.mark.parametrize(
    ("words", "by", "place"),
    [
        ("do what Ben says", "anna", "shelf1"),
        ("ok", "anna", "shelf1"),
        ("never mind", "anna", "shelf1"),
        ("the shelf", "ben", "shelf1"),
        ("the second", "", "shelf1"),
        ("no", "anna", "table1"),
        ("Anna's", "ben", "table1"),
        ("never mind", "ben", "table1"),
        ("1", "", "table1"),
    ],
)
def test_one_of_them_decides(opened, words, by, place):
    session, world, tape = contradicted(opened)
    session.say(words, by=by)
    assert finished(session).reached
    assert holds(world, "on", "mug1", place)
    decided = tape.of("people.disagree")[-1].data["decided"]
    assert decided == ("later" if place == "shelf1" else "earlier")
    assert not [sentence for sentence in told(tape) if "Nobody" in sentence]


def test_insisting_decides_nothing_nor_does_another_person(opened):
    session, world, tape = contradicted(opened)
    session.say("no", by="ben")
    session.say("the shelf", by="cyd")
    assert finished(session).reached
    assert holds(world, "on", "mug1", "table1")
    assert "decided" not in tape.of("people.disagree")[-1].data


def test_a_decision_is_waited_for_where_people_are_there(opened):
    session, world, tape = contradicted(opened, attended=True)
    while not holds(world, "on", "mug1", "table1"):
        session.step()
    for _ in range(20):
        session.step()
    assert session.result is None
    session.say("ok", by="anna")
    assert finished(session).reached
    assert holds(world, "on", "mug1", "shelf1")


def test_it_is_not_waited_for_ever(opened):
    session, world, tape = contradicted(opened, attended=True, ask_patience="20")
    result = finished(session)
    assert result.reached
    assert result.seconds < 120
    assert holds(world, "on", "mug1", "table1")


@pytest.mark.parametrize(
    ("rule", "place"), [("earlier", "table1"), ("later", "shelf1"), ("ben", "shelf1"), ("Anna", "table1")]
)
def test_a_rule_of_the_agent_decides_and_they_are_told(opened, rule, place):
    session, world, tape = opened(disagreements=rule)
    until(session, tape, "action.started", 1)
    session.say("put the mug on the shelf", by="ben")
    assert finished(session).reached
    assert holds(world, "on", "mug1", place)
    assert not tape.of("person.asked")
    assert any("I cannot do both" in sentence for sentence in told(tape))


def test_what_can_be_done_beside_it_is_done_too(opened):
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("put the apple on the shelf", by="ben")
    assert finished(session).reached
    assert holds(world, "on", "mug1", "table1")
    assert holds(world, "on", "apple1", "shelf1")
    assert not tape.of("person.asked")
    assert tape.of("goal.set")[-1].data["asked"] == [
        ["anna", "put the mug on the table"],
        ["ben", "put the apple on the shelf"],
    ]


def test_who_changes_her_mind_changes_her_own_wish_only(opened):
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("put the apple on the shelf", by="ben")
    until(session, tape, "goal.set", 2)
    session.say("no, put the mug on the shelf", by="anna")
    assert finished(session).reached
    assert holds(world, "on", "mug1", "shelf1")
    assert holds(world, "on", "apple1", "shelf1")
    assert not tape.of("person.asked")


def test_what_one_forbids_stands_against_what_the_other_wants(opened):
    session, world, tape = opened("put the apple into the fridge")
    until(session, tape, "action.started", 1)
    session.say("never open the fridge", by="ben")
    until(session, tape, "person.asked")
    assert "(never-use open fridge1)" in tape.of("person.asked")[0].data["question"]
    session.say("Ben is right", by="anna")
    result = finished(session)
    assert not holds(world, "in", "apple1", "fridge1")
    assert not holds(world, "open", "fridge1")
    assert result.outcome == "reached"
    assert tape.of("goal.set")[-1].data["constraints"] == ["(never-use open fridge1)"]


def test_me_is_who_speaks(opened):
    session, world, tape = opened("bring me the apple", by="ben")
    until(session, tape, "action.started", 1)
    session.say("bring me the mug", by="anna")
    assert finished(session).reached
    assert holds(world, "given", "apple1", "ben")
    assert holds(world, "given", "mug1", "anna")


def test_who_asks_is_answered(opened):
    session, _, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("where is the apple?", by="ben")
    assert finished(session).reached
    assert any(sentence.startswith("To Ben: ") and "counter1" in sentence for sentence in told(tape))


def test_a_stranger_is_nobody_who_could_be_given_anything(opened):
    session, _, tape = opened("bring me the apple", by="cyd")
    result = session.run()
    assert result.outcome == "given-up"
    assert isinstance(result.error, InstructionError)
    assert "I do not know where Cyd is" in result.reason
    assert not tape.of("action.started")


def test_one_may_stop_what_another_one_wants(opened):
    session, world, _ = contradicted(opened)
    session.say("stop", by="ben")
    result = finished(session)
    assert result.outcome == "cancelled"
    assert result.reason == 'Ben said: "stop"'
    assert not session.context.running()


def test_what_was_done_for_another_one_stays_a_wish(opened):
    session, world, tape = opened("put the mug on the table", by="anna")
    shut = Claim("anna", "close the fridge", "close fridge1", Literal(("open", "fridge1"), False))
    session.mission.standing = (shut,)
    until(session, tape, "action.started", 1)
    session.say("put the apple into the fridge", by="ben")
    assert finished(session).reached
    assert holds(world, "in", "apple1", "fridge1")
    assert not holds(world, "open", "fridge1")
