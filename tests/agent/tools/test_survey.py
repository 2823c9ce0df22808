"""The survey of the tools: no tool may be chosen where it cannot help, whatever chooses."""

from __future__ import annotations

import pytest
from at_home import AtHome, house
from py_trees.behaviours import Failure, Success
from py_trees.common import Status

from foretree.agent.dialogue.instruction_reader import InstructionReader
from foretree.agent.discovery.place_search import PlaceSearch
from foretree.agent.mission import Mission
from foretree.agent.planning_service import PlanningService
from foretree.agent.tools.chooser import RuleChooser
from foretree.agent.tools.survey import ToolSurvey
from foretree.behaviours.choose_tool import ChooseTool
from foretree.clock import Deferred
from foretree.planning.pddl.syntax import And, Exists, Literal, Typed
from foretree.reasoning.reasoner import LeftOut, Reading


@pytest.fixture
def home():
    return AtHome(house())


def given(class_name):
    return Exists((Typed("?x", class_name),), Literal(("given", "?x", "person1")))


def surveyed(home, mission, failed=()):
    survey = ToolSurvey(home.context, mission, PlaceSearch(home.context, mission))
    return survey.situation(failed)


def helping(home, mission, failed=()):
    return set(surveyed(home, mission, failed).can_help) - {"stop"}


def test_what_can_be_reached_can_only_be_planned_for(home):
    assert helping(home, Mission("x", goal=home.goal("(on mug1 table2)"))) == {"plan"}


def test_planning_cannot_help_before_the_needed_things_are_known(home):
    situation = surveyed(home, Mission("bring me a banana", goal=given("banana"), wanted=("banana",)))
    assert "plan" not in situation.can_help
    assert "where to find a banana" in situation.why_not["plan"]


def test_planning_cannot_help_without_a_tool_and_the_tool_is_what_is_missing(home):
    home.context.belief.remove_entity("knife1")
    situation = surveyed(home, Mission("slice the apple", goal=home.goal("(sliced apple1)")))
    assert "plan" not in situation.can_help
    assert situation.missing == ("a knife",)


def test_exploring_cannot_help_where_all_is_explored(home):
    mission = Mission("bring me a banana", goal=given("banana"), wanted=("banana",))
    assert surveyed(home, mission).why_not["explore"] == "no place is left to look at"
    home.context.tracker.covered_at.clear()
    assert "explore" in helping(home, mission)


def test_an_alternative_cannot_help_for_what_is_there(home):
    mission = Mission("bring me an apple", goal=given("apple"), wanted=("apple",))
    assert "alternative" not in helping(home, mission)
    home.context.belief.remove_entity("apple1")
    assert "alternative" in helping(home, mission)


def test_an_alternative_that_was_turned_down_is_not_suggested_again(home):
    home.context.belief.remove_entity("apple1")
    mission = Mission("bring me an apple", goal=given("apple"), wanted=("apple",))
    mission.declined.append(("apple", "mango1"))
    assert "alternative" not in helping(home, mission)


def test_the_same_part_cannot_be_done_twice(home):
    both = And((home.goal("(on mug1 table2)"), given("wallet")))
    mission = Mission("the mug and my wallet", goal=both, wanted=("wallet",))
    assert "partial" in helping(home, mission)
    mission.parts.append(home.goal("(on mug1 table2)"))
    assert "partial" not in helping(home, mission)


def test_a_part_cannot_help_where_the_whole_can_be_reached(home):
    whole = home.goal("(and (on mug1 table2) (in mango1 fridge1))")
    assert "partial" not in helping(home, Mission("x", goal=whole))


def test_the_whole_is_not_planned_for_where_something_was_left_out(home):
    left = (LeftOut("mow the lawn", "there is none"),)
    mission = Mission("x", goal=home.goal("(on mug1 table2)"), left_out=left)
    assert helping(home, mission) == {"partial"}


def test_only_asking_helps_where_it_is_not_clear_what_is_meant(home):
    first, second = home.goal("(on mug1 table2)"), home.goal("(on mango1 table2)")
    mission = Mission("x", goal=first, readings=(Reading(first, "mug1"), Reading(second, "mango1")))
    assert helping(home, mission) == {"ask"}
    mission.readings = ()
    assert "ask" not in helping(home, mission)


def test_a_tool_that_came_to_nothing_is_not_chosen_again_before_anything_has_changed(home):
    mission = Mission("x", goal=home.goal("(on mug1 table2)"))
    assert "plan" not in helping(home, mission, failed={"plan"})


# -- whatever chooses ---------------------------------------------------------------------------------------


class Stubborn:
    """A chooser that always wants the same tool."""

    def __init__(self, tool):
        self.tool = tool

    def choose(self, situation):
        self.situation = situation
        return self.tool


def choosing(home, mission, chooser, tools=None):
    if tools is None:
        tools = {name: Success(name) for name in ("plan", "partial", "explore", "alternative", "ask")}
        tools["stop"] = Failure("stop")
    survey = ToolSurvey(home.context, mission, PlaceSearch(home.context, mission))
    reader = InstructionReader(home.context, mission, None)
    service = PlanningService(home.context.settings)
    return tools, ChooseTool(
        home.context, mission, survey, tools, reader, service, lambda goal, why: False, chooser
    )


@pytest.mark.parametrize("tool", ["partial", "explore", "alternative", "ask", "juggle"])
def test_a_choice_that_cannot_help_is_not_followed(home, tool):
    mission = Mission("x", goal=home.goal("(on mug1 table2)"))
    tools, node = choosing(home, mission, Stubborn(tool))
    node.tick_once()
    assert node.status is Status.SUCCESS
    assert [name for name, leaf in tools.items() if leaf.status is Status.SUCCESS] == ["plan"]
    (event,) = home.tape.of("log")
    assert f"The tool {tool} was chosen, but cannot help" in event.data["text"]


def test_a_choice_that_can_help_is_followed(home):
    home.context.tracker.covered_at.clear()
    mission = Mission("bring me a banana", goal=given("banana"), wanted=("banana",))
    tools, node = choosing(home, mission, Stubborn("alternative"))
    node.tick_once()
    assert tools["alternative"].status is Status.SUCCESS
    assert RuleChooser().choose(surveyed(home, mission)) == "explore"


def test_a_choice_may_take_its_time(home):
    class Thinking:
        def choose(self, situation):
            from concurrent.futures import Future

            future = Future()
            future.set_result("plan")
            return Deferred(future, home.clock, 0.5)

    mission = Mission("x", goal=home.goal("(on mug1 table2)"))
    tools, node = choosing(home, mission, Thinking())
    node.tick_once()
    assert node.status is Status.RUNNING
    home.clock.sleep_until(home.clock.now() + 0.6)
    node.tick_once()
    assert tools["plan"].status is Status.SUCCESS


def test_it_ends_when_no_tool_gets_anything_done(home):
    mission = Mission("x", goal=home.goal("(on mug1 table2)"))
    tools = {name: Failure(name) for name in ("plan", "partial", "explore", "alternative", "ask", "stop")}
    _, node = choosing(home, mission, Stubborn("plan"), tools)
    node.tick_once()
    assert node.status is Status.FAILURE
