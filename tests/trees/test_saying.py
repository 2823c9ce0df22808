"""What a person says while a session runs: changes, additions, a stop, answers. Real planner and simulation."""

from __future__ import annotations

import threading

import pytest
from at_home import catalogue, shipped
from session_tools import finished, until

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.constraints.constraints import Always, show_constraint
from foretree.planning.pddl.syntax import Exists, Literal, Typed
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.instruction_errors import AmbiguousError
from foretree.reasoning.reasoner import Reading, Understanding
from foretree.runs.events import Tape
from foretree.trees.session import SessionError


def opened(words="put the mango into the fridge", scene="kitchen", reasoner=None, **overrides):
    tape = Tape()
    session, world = open_household(
        shipped(scene),
        Wish(words),
        Options(overrides=overrides),
        recorder=tape,
        catalogue=catalogue(),
        reasoner=reasoner,
    )
    return session, world, tape


def tools(tape):
    return [event.data["tool"] for event in tape.of("agent.chose")]


def started(tape):
    return [event.data["action"]["skill"] for event in tape.of("action.intent")]


def holds(world, *atom):
    return world.holds(Literal(atom))


# -- waiting -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "on"),
    [("wait", "go on"), ("Hold on a moment, please", "ok, you can go on now"), ("pause", "continue!")],
)
def test_nothing_new_begins_until_told_to_go_on(wait, on):
    session, world, tape = opened(time_limit="300")
    until(session, tape, "action.started", 2)
    session.say(wait)
    for _ in range(3500):  # more seconds than it may take otherwise
        session.step()
    assert len(tape.of("action.started")) == 2
    assert not session.context.running(), "what was under way has come to its end"
    session.say("where is the mango?")
    session.step()
    session.step()
    assert tape.of("person.told")[-1].data["text"].startswith("mango1")
    assert session.context.on_hold
    session.say(on)
    assert finished(session).reached
    assert holds(world, "in", "mango1", "fridge1")


def test_who_wants_something_else_has_it_done():
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("wait")
    session.step()
    session.say("put the apple into the fridge")
    assert finished(session).reached
    assert holds(world, "in", "apple1", "fridge1")


def test_to_go_on_without_a_wait_changes_nothing():
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("go on")
    assert finished(session).reached
    assert tape.of("person.told")[0].data["text"] == "I am not waiting for anything."


# -- changing what is wanted --------------------------------------------------------------------------------


def test_what_is_added_is_done_too_and_the_plan_is_revised_not_restarted():
    session, world, tape = opened()
    until(session, tape, "action.started", 2)
    session.say("and put the apple into the fridge")
    result = finished(session)
    assert result.reached, result.reason
    assert holds(world, "in", "mango1", "fridge1")
    assert holds(world, "in", "apple1", "fridge1")
    assert result.counts["revised"] >= 1
    assert "cancelled" not in [event.data["outcome"] for event in tape.of("action.ended")]
    assert started(tape).count("open") == 1, "what was done is not done again"
    assert tape.of("person.said")[0].data == {"words": "and put the apple into the fridge"}
    assert session.mission.said == ["put the mango into the fridge"]


def test_what_was_to_be_kept_to_is_kept_to_when_something_is_added():
    never_shut_away = Always(Literal(("open", "cupboard1"), positive=False))

    class Careful:
        def understand(self, instruction, situation):
            if "cupboard" in instruction:
                goal = Literal(("on", "mango1", "table2"))
                return Understanding(goal, "do that", constraints=(never_shut_away,))
            return Understanding(Literal(("on", "apple1", "table2")), instruction)

    session, world, tape = opened("mango to table2, but never open the cupboard", reasoner=Careful())
    until(session, tape, "action.started", 1)
    session.say("and the apple")
    assert finished(session).reached
    assert session.mission.constraints == (never_shut_away,)
    assert holds(world, "on", "mango1", "table2")
    assert holds(world, "on", "apple1", "table2")


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("keep the drawer shut", "(always (not (open drawer1)))"),
        ("the cupboard must stay closed", "(always (not (open cupboard1)))"),
    ],
)
def test_what_shall_be_kept_so_is_a_rule_and_what_was_begun_goes_on(words, kept):
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say(words)
    result = finished(session)
    assert result.reached, result.reason
    assert holds(world, "in", "mango1", "fridge1")
    assert [show_constraint(one) for one in session.mission.given_constraints] == [kept]


@pytest.mark.parametrize("words", ["shut the fridge afterwards", "after that, shut the fridge"])
def test_what_comes_afterwards_is_done_as_well(words):
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say(words)
    result = finished(session)
    assert result.reached, result.reason
    assert holds(world, "in", "mango1", "fridge1")
    assert not holds(world, "open", "fridge1")


def test_another_instruction_takes_the_place_of_the_first():
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("no, put the apple into the fridge")
    result = finished(session)
    assert result.reached, result.reason
    assert holds(world, "in", "apple1", "fridge1")
    assert not holds(world, "in", "mango1", "fridge1")


def test_a_wish_that_comes_while_it_is_planned_counts():
    session, world, tape = opened()
    until(session, tape, "goal.set")
    session.say("put the apple into the fridge")
    assert finished(session).reached
    assert holds(world, "in", "apple1", "fridge1")
    assert not holds(world, "in", "mango1", "fridge1")


@pytest.mark.parametrize("words", ["Stop!", "never mind", "no, stop", "please stop it"])
def test_stop_ends_it_and_the_robot_stands_still(words):
    session, world, tape = opened()
    until(session, tape, "action.started", 2)
    session.say(words)
    result = finished(session)
    assert result.outcome == "cancelled"
    assert words in result.reason
    assert not session.context.running()
    assert not holds(world, "in", "mango1", "fridge1")


def test_what_is_not_understood_changes_nothing_and_is_answered():
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say("gribble the wumpus")
    assert finished(session).reached
    assert holds(world, "in", "mango1", "fridge1")
    (told,) = tape.of("person.told")
    assert "What was begun goes on." in told.data["text"]


def test_what_cannot_be_reached_any_more_is_given_up_with_the_reason():
    session, world, tape = opened()
    until(session, tape, "action.started", 2)
    session.say("and put the banana into the fridge")
    result = finished(session)
    assert result.outcome == "given-up"
    assert "a banana could not be found" in result.reason
    assert holds(world, "in", "mango1", "fridge1")


def test_words_may_come_from_any_thread():
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    speaker = threading.Thread(target=session.say, args=("and put the apple into the fridge",))
    speaker.start()
    assert finished(session).reached
    speaker.join()
    assert holds(world, "in", "apple1", "fridge1")


def test_nothing_is_heard_when_the_session_is_over():
    session, _, _ = opened()
    finished(session)
    with pytest.raises(SessionError, match="over"):
        session.say("and the apple")


def test_a_tree_that_does_not_listen_says_so(tmp_path):
    agent = tmp_path / "deaf.yaml"
    agent.write_text(
        "agent: deaf\ntree: {sequence: deaf, children: [understand, {sequence: go, children: [make_plan, plan]}]}"
    )
    session, _ = open_household("kitchen", Wish("open the fridge"), Options(agent=str(agent)))
    with pytest.raises(SessionError, match="no node listen"):
        session.say("stop")


# -- being asked --------------------------------------------------------------------------------------------


class TwoReadings:
    """A reasoner for whom "the shelf" may be either; everything else means the mango."""

    def __init__(self, *goals):
        self.goals = goals

    def understand(self, instruction, situation):
        types = {name: entity.best_class for name, entity in situation.beliefs.entities().items()}
        goals = [parse_goal(text, situation.domain, types).formula for text in self.goals]
        if "shelf" not in instruction:
            return Understanding(goals[-1], instruction)
        words = ("the shelf in the living room", "the shelf in the study")
        readings = tuple(map(Reading, goals, words))
        return Understanding(goals[0], instruction, readings=readings)


SHELVES = ("(on remote1 shelf1)", "(on remote1 shelf2)")


def asked(*goals, **overrides):
    found = opened("put the remote on the shelf", "flat", TwoReadings(*(goals or SHELVES)), **overrides)
    found[0].mission.conversation.attended = True
    return found


@pytest.mark.parametrize(
    "answer", ["either", "Any of them.", "I don't mind", "you choose", "it doesn't matter"]
)
def test_any_will_do_where_the_person_says_so(answer):
    session, world, tape = asked()
    until(session, tape, "person.asked")
    session.say(answer)
    assert finished(session).reached
    assert holds(world, "on", "remote1", "shelf1") != holds(world, "on", "remote1", "shelf2")
    assert "the shelf in the" in tape.of("goal.set")[-1].data["how"]


def test_a_person_may_take_time_to_answer():
    session, world, tape = asked(ask_patience="5")
    until(session, tape, "person.asked")
    session.say("wait a moment")
    for _ in range(200):
        session.step()
    assert session.result is None
    session.say("the second")
    assert finished(session).reached
    assert holds(world, "on", "remote1", "shelf2")


@pytest.mark.parametrize(
    ("answer", "shelf"),
    [
        ("the one in the study", "shelf2"),
        ("living room", "shelf1"),
        ("the second one", "shelf2"),
        ("1", "shelf1"),
        ("number two", "shelf2"),
    ],
)
def test_the_answer_says_which_is_meant(answer, shelf):
    session, world, tape = asked()
    until(session, tape, "person.asked")
    assert not tape.of("action.intent"), "nothing is done before"
    question = tape.of("person.asked")[0].data["question"]
    assert question == "Which do you mean: the shelf in the living room or the shelf in the study?"
    session.say(answer)
    assert finished(session).reached
    assert holds(world, "on", "remote1", shelf)
    assert tools(tape) == ["ask", "plan"]


def test_without_an_answer_nothing_is_done():
    session, _, tape = asked(ask_patience="5")
    result = finished(session)
    assert result.outcome == "given-up"
    assert isinstance(session.mission.refusal, AmbiguousError)
    assert "No answer came within 5 s" in result.reason
    assert not tape.of("action.intent")
    assert tools(tape) == ["ask"]


def test_where_nobody_is_there_no_answer_is_waited_for():
    session, _, tape = asked()
    session.mission.conversation.attended = False
    before = session.context.clock.now()
    result = finished(session)
    assert result.outcome == "given-up"
    assert isinstance(session.mission.refusal, AmbiguousError)
    assert "No answer can be given here" in result.reason
    assert session.context.clock.now() - before < 5.0
    assert tools(tape) == ["ask"]
    assert not tape.of("goal.set"), "which goal it is was never known"


def test_neither_means_that_nothing_is_done():
    session, _, tape = asked()
    until(session, tape, "person.asked")
    session.say("neither")
    assert finished(session).outcome == "given-up"
    assert not tape.of("action.intent")


def test_an_instruction_instead_of_an_answer_is_carried_out():
    session, world, tape = asked(*SHELVES, "(on remote1 bed1)")
    until(session, tape, "person.asked")
    session.say("put it onto that bed")
    assert finished(session).reached
    assert holds(world, "on", "remote1", "bed1")


def test_nothing_is_asked_where_all_readings_come_to_the_same_plan():
    session, world, tape = asked("(on remote1 shelf1)", "(and (on remote1 shelf1))")
    assert finished(session).reached
    assert tools(tape) == ["plan"]
    assert not tape.of("person.asked")


class FoldsTrousers:
    """A reasoner for whom all words mean that the trousers are to be folded."""

    def understand(self, instruction, situation):
        goal = Exists((Typed("?x", "trousers"),), Literal(("folded", "?x")))
        return Understanding(goal, instruction, ("trousers",))


@pytest.mark.parametrize(("answer", "folded"), [("yes, please", True), ("no", False)])
def test_an_alternative_that_matters_is_taken_only_if_the_person_accepts_it(answer, folded):
    session, world, tape = opened("fold my trousers", "flat", FoldsTrousers())
    session.mission.conversation.attended = True
    until(session, tape, "person.asked")
    assert "Shall I take shirt" in tape.of("person.asked")[0].data["question"]
    assert not tape.of("action.intent")
    (suggested,) = tape.of("agent.chose")
    thing = suggested.data["why"].split()[1]
    session.say(answer)
    for _ in range(5):
        session.step()
    session.mission.conversation.attended = False
    assert finished(session).reached is folded
    assert holds(world, "folded", thing) is folded
    told = session.mission.accepted if folded else session.mission.declined
    assert told == [("trousers", thing)]
    assert any(("accepted" if folded else "turned down") in one for one in session.mission.remembered())


@pytest.mark.parametrize(("words", "kept"), [("and open the fridge", True), ("open the fridge", False)])
def test_a_replacement_stays_in_what_is_added_to_and_leaves_with_its_goal(words, kept):
    session, _, tape = opened("bring me a banana")
    until(session, tape, "action.started")
    replaced = tape.of("goal.set")[-1].data["replaced"]
    assert all("in place of a banana" in one for one in replaced)
    assert replaced
    session.say(words)
    assert finished(session).reached
    assert tape.of("goal.set")[-1].data.get("replaced", []) == (replaced if kept else [])


# -- said anew, put back, undone ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "said", "how"),
    [
        ("put the apple on table2", "no, in the sink", "put apple1 in sink1"),
        ("put the apple on table2", "not on table2, into the drawer", "put apple1 into drawer1"),
        ("put the apple on table2", "sorry, I meant the bread", "put bread1 on table2"),
        ("put the apple on table2", "no, not the apple but the knife", "put knife1 on table2"),
        ("put the apple on table2", "the bread, not the apple", "put bread1 on table2"),
        ("bring me a spoon", "no, a glass", "bring person1 a glass"),
        ("bring me the bread", "no, on table2", "put bread1 on table2"),
        ("open the microwave", "sorry, the cupboard", "open cupboard1"),
        ("put the bread in the sink", "no, put it back", "put bread1 on counter1"),
        ("put the bread in the sink", "undo that, please", "put bread1 on counter1"),
    ],
)
def test_what_is_said_anew_takes_the_place_of_what_was_said(first, said, how):
    session, _, tape = opened(first)
    until(session, tape, "action.ended", 1)
    session.say(said)
    assert finished(session).reached
    assert [event.data["how"] for event in tape.of("goal.set")][1:] == [how], tape.of("person.told")


def test_what_is_begun_before_stays_wanted_where_what_was_added_is_said_anew():
    session, world, tape = opened("wash the plate")
    until(session, tape, "action.started", 1)
    session.say("and put the bread on table1")
    until(session, tape, "goal.set", 2)
    session.say("no, on table2")
    assert finished(session).reached
    assert holds(world, "clean", "plate1")
    assert holds(world, "on", "bread1", "table2")


@pytest.mark.parametrize("said", ["no, the gryphon", "no, on the shelf", "not the mango, the griffin"])
def test_what_makes_no_sense_in_place_of_what_was_said_changes_nothing(said):
    session, world, tape = opened()
    until(session, tape, "action.started", 1)
    session.say(said)
    assert finished(session).reached
    assert holds(world, "in", "mango1", "fridge1")
    assert tape.of("person.told")[0].data["text"].endswith("What was begun goes on.")


def test_a_rule_is_lifted_while_the_robot_is_at_work():
    session, world, tape = opened("put the fork on table2")
    until(session, tape, "action.started", 1)
    session.say("never open the cupboard")
    session.step()
    session.step()
    assert session.mission.given_constraints
    session.say("it's fine to open the cupboard again")
    assert finished(session).reached
    assert session.mission.given_constraints == session.mission.constraints == ()
    assert tape.of("person.told")[-1].data["text"] == "I no longer keep to (never-use open cupboard1)."
    assert holds(world, "on", "fork1", "table2")
