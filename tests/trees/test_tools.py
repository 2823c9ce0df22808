"""Tools in whole sessions: what is called, in which order, and what it comes to. Real planner and simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_home import catalogue, shipped

from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.planning.pddl.syntax import And, Exists, Literal, Typed
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.instruction_errors import NoSuchThingError, UnsafeError
from foretree.reasoning.reasoner import LeftOut, Understanding
from foretree.runs.events import Tape


class Scripted:
    """A reasoner that has one answer, or one after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def understand(self, instruction, situation):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def hidden(scene, *places):
    """A shipped scene, of which the agent does not know what is at some furniture."""
    scene = shipped(scene)

    def below(name):
        return below(scene.items[name].place) if name in scene.items else name

    known = tuple(name for name in scene.items if below(name) not in places)
    return replace(scene, known=known, unexplored=places)


def goal(scene, text):
    return parse_goal(text, catalogue().domain, scene.types()).formula


def given(class_name, predicate="given", where="person1"):
    return Exists((Typed("?x", class_name),), Literal((predicate, "?x", where)))


def run(scene, understanding="", words="bring it", **options):
    tape = Tape()
    scripted = understanding if isinstance(understanding, Scripted) else Scripted(understanding)
    session, world = open_household(
        scene,
        Wish(words),
        Options(**options),
        recorder=tape,
        catalogue=catalogue(),
        reasoner=scripted if understanding else None,
    )
    result = session.run()
    tools = [event.data["tool"] for event in tape.of("agent.chose")]
    return result, world, tools, session


def test_what_is_known_takes_one_plan():
    result, _, tools, _ = run(shipped("kitchen"), words="put the mango into the fridge")
    assert result.reached
    assert tools == ["plan"]


def test_what_is_shut_away_is_found_where_it_usually_is():
    result, world, tools, _ = run(hidden("kitchen", "drawer1", "fridge1"), words="bring me the milk")
    assert result.reached
    assert tools == ["explore", "plan"]
    assert world.holds(Literal(("given", "milk1", "person1")))


def test_a_tool_that_no_goal_names_is_searched_for():
    scene = shipped("kitchen")
    knife = replace(scene.items["knife1"], relation="in", place="drawer1")
    scene = replace(
        scene,
        items={**scene.items, "knife1": knife},
        known=tuple(name for name in scene.items if name not in ("knife1", "fork1", "spoon1")),
        unexplored=("drawer1", "cupboard1"),
    )
    result, world, tools, _ = run(scene, words="slice the apple")
    assert result.reached, result.reason
    assert tools == ["explore", "plan"]
    assert world.holds(Literal(("sliced", "apple1")))


def test_another_thing_is_taken_in_place_of_one_that_is_nowhere():
    understood = Understanding(given("whisk"), "give a whisk", ("whisk",))
    result, world, tools, session = run(
        shipped("kitchen"), understood, "bring me a whisk to stir the soup with"
    )
    assert result.reached, result.reason
    assert tools == ["alternative", "plan"]
    assert session.mission.accepted == [("whisk", "spoon1")]
    assert world.holds(Literal(("given", "spoon1", "person1")))


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("bring me an orange", [("orange", "apple1")]),
        ("bring me an orange if there is one", []),
        ("bring me my scarf or something like it", [("scarf", "coat1")]),
        ("bring me my scarf", []),
        # What is only set out is replaced where it is told what for.
        ("put the cake stand on the coffee table", []),
        ("I have baked a pie. Put the cake stand on the coffee table", [("cake_stand", "plate1")]),
        # Nothing is wanted of what is only used.
        ("wipe the table in the kitchen with the cloth", [("cloth", "towel1")]),
    ],
)
def test_words_tell_whether_another_thing_is_wanted(words, taken):
    _, _, _, session = run(shipped("flat"), words=words)
    assert session.mission.accepted == taken


def test_it_is_looked_for_before_another_thing_is_taken():
    understood = Understanding(given("ladle"), "give a ladle", ("ladle",))
    scene = hidden("kitchen", "drawer1")
    result, _, tools, session = run(scene, understood, "bring me a ladle for my soup")
    assert result.reached, result.reason
    assert tools == ["explore", "alternative", "plan"]
    assert session.mission.accepted == [("ladle", "spoon1")]


def test_where_it_hardly_is_is_looked_at_after_what_would_do():
    understood = Understanding(given("ladle"), "give a ladle", ("ladle",))
    result, _, tools, _ = run(hidden("kitchen", "fridge1"), understood, "bring me a ladle for my soup")
    assert result.reached, result.reason
    assert tools == ["alternative", "plan"]


def test_nothing_is_taken_in_place_of_what_a_goal_in_pddl_says():
    tape = Tape()
    wish = Wish(goal="(exists (?x - banana) (given ?x person1))")
    session, _ = open_household(shipped("kitchen"), wish, recorder=tape, catalogue=catalogue())
    result = session.run()
    assert result.outcome == "given-up"
    assert tape.of("agent.chose") == []
    assert "a banana could not be found" in result.reason


@pytest.mark.parametrize(
    ("words", "goal_of_it"),
    [("fold my trousers", given("trousers", "folded", "")), ("put the egg into the sink", None)],
)
def test_a_certain_thing_that_is_to_be_changed_or_put_away_is_not_replaced(words, goal_of_it):
    scene = shipped("flat") if goal_of_it else shipped("kitchen")
    if goal_of_it:
        goal_of_it = Exists((Typed("?x", "trousers"),), Literal(("folded", "?x")))
    else:
        scene = replace(scene, items={n: i for n, i in scene.items.items() if n != "egg1"})
        goal_of_it = given("egg", "in", "sink1")
    result, _, tools, _ = run(scene, Understanding(goal_of_it, "", (goal_of_it.variables[0].type,)), words)
    assert result.outcome == "given-up"
    assert tools == []


def told(scene):
    """A shipped scene, of which the agent knows everything."""
    return replace(shipped(scene), known="everything", unexplored=None)


@pytest.mark.parametrize(
    ("words", "wish", "accepted"),
    [
        ("leave the tablet on the bed", given("tablet", "on", "bed1"), ("tablet", "laptop1")),
        # Another command can be carried out: what is missing is left out.
        ("leave the tablet and the pillow on the bed", None, None),
        # It is said to be somebody's own.
        ("leave my tablet on the bed", given("tablet", "on", "bed1"), None),
    ],
)
def test_a_certain_thing_is_replaced_by_what_is_nearly_the_same_if_that_is_all(words, wish, accepted):
    scene = told("studio")
    wish = wish or And((given("tablet", "on", "bed1"), goal(scene, "(on pillow2 bed1)")))
    _, _, _, session = run(scene, Understanding(wish, "", ("tablet",)), words)
    assert session.mission.accepted == ([accepted] if accepted else [])


def test_of_things_of_one_class_a_clean_one_is_taken():
    understood = Understanding(given("cup"), "", ("cup",))
    result, _, _, session = run(told("studio"), understood, "give me a cup")
    assert result.reached
    assert session.mission.accepted == [("cup", "mug2")]


def test_as_much_is_done_as_can_be_and_the_rest_is_named():
    scene = shipped("kitchen")
    both = And((goal(scene, "(given apple1 person1)"), given("wallet")))
    result, world, tools, _ = run(
        scene, Understanding(both, "", ("wallet",)), "bring me the apple and my wallet"
    )
    assert tools == ["partial"]
    assert result.outcome == "given-up"
    assert "a wallet could not be found" in result.reason
    assert world.holds(Literal(("given", "apple1", "person1")))


def test_what_was_not_understood_is_left_out_and_said():
    scene = shipped("flat")
    left = (LeftOut("mow the lawn", "there is no lawn"),)
    understood = Understanding(goal(scene, "(clean plate1)"), "", left_out=left)
    result, world, tools, _ = run(scene, understood, "wash the plate and mow the lawn")
    assert tools == ["partial"]
    assert result.outcome == "given-up"
    assert "mow the lawn: there is no lawn" in result.reason
    assert world.holds(Literal(("clean", "plate1")))


def test_food_of_another_kind_is_proposed_and_not_taken_unasked():
    scene = shipped("kitchen")
    fruit = ("apple", "mango", "tomato")
    bare = replace(scene, items={n: one for n, one in scene.items.items() if one.class_name not in fruit})
    result, _, tools, session = run(bare, words="bring me a banana")
    assert tools == []
    assert result.outcome == "given-up"
    assert result.reason.startswith("a banana could not be found.")
    assert "What would do, if you say so: bread1 in place of a banana." in result.reason
    assert not session.mission.accepted


def test_fruit_is_taken_in_place_of_fruit():
    result, _, tools, session = run(shipped("kitchen"), words="bring me a banana")
    assert result.reached
    assert tools == ["alternative", "plan"]
    assert session.mission.accepted == [("banana", "mango1")]


def test_a_plan_that_brings_about_a_danger_is_not_begun():
    result, world, tools, session = run(shipped("kitchen"), words="heat the fork")
    assert tools == ["plan"]
    assert result.outcome == "given-up"
    assert "fork1 in a microwave may cause a fire" in result.reason
    assert isinstance(session.mission.refusal, UnsafeError)
    assert world.holds(Literal(("in", "fork1", "drawer1")))


def test_of_two_that_are_wanted_the_one_that_is_there_is_brought():
    scene = shipped("kitchen")
    two = goal(scene, "(at-least 2 (?x - kettle) (given ?x person1))")
    result, world, tools, _ = run(scene, Understanding(two, "", ("kettle",)), "bring me two kettles")
    assert tools == ["partial"]
    assert result.outcome == "given-up"
    assert world.holds(Literal(("given", "kettle1", "person1")))


def test_subgoals_that_exclude_each_other_are_not_chosen_among():
    scene = shipped("kitchen")
    both = goal(scene, "(and (in mango1 fridge1) (in mango1 sink1))")
    result, _, tools, _ = run(scene, Understanding(both, ""))
    assert result.outcome == "given-up"
    assert "partial" not in tools
    assert not result.counts.get("done")


def test_what_fits_no_known_thing_is_looked_for_and_the_instruction_read_anew():
    scene = hidden("studio", "cupboard1")
    result, world, tools, _ = run(scene, words="put the clean mug on the coffee table")
    assert result.reached, result.reason
    assert tools == ["explore", "plan"]
    assert world.holds(Literal(("on", "mug2", "coffee_table1")))


def test_what_fits_nothing_anywhere_is_refused_as_before():
    error = NoSuchThingError("No mug is golden.", ("mug",))
    result, _, tools, session = run(
        hidden("kitchen", "cupboard1"), Scripted(error), "bring me the golden mug"
    )
    assert result.outcome == "given-up"
    assert result.reason == "No mug is golden."
    assert session.mission.refusal is error
    assert tools == ["explore"]


@pytest.mark.parametrize(
    "goal",
    ["(not (turned_on microwave1))", "(not (exists (?a - asset) (turned_on ?a)))", "(not (open fridge1))"],
)
def test_what_was_only_assumed_is_looked_at_before_the_goal_counts_as_reached(goal):
    """In the studio the microwave is on, and the agent was told of no furniture how it is."""
    tape = Tape()
    session, world = open_household("studio", Wish(goal=goal), recorder=tape)
    assert session.run().reached
    assert world.holds(session.mission.goal)
    assert tape.of("action.intent")
