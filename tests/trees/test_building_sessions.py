"""Whole sessions on the office floor, with something going wrong that only a building has."""

from __future__ import annotations

from concurrent.futures import wait

from foretree.agent.plan_request import request_plan
from foretree.agent.planning_service import PlanningService
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Options, Wish
from foretree.runs.events import Tape
from foretree.world_model.beliefs.facts import hand_free, holding, robot_at


class Service:
    """The planner, with what it was asked."""

    def __init__(self, context):
        self._real = PlanningService(context.settings)
        self.problems = []

    def learn(self, problem, solution):
        pass

    def submit(self, problem, explain=True):
        self.problems.append(problem)
        return self._real.submit(problem)


def office(goal: str, *faults: str):
    tape = Tape()
    session, world = open_household("office", Wish(goal=goal), Options(faults=faults), recorder=tape)
    return session, world, tape


def planned(session):
    """A plan for the session's goal, and what the planner was asked for it."""
    context = session.context
    service = Service(context)
    pending = request_plan(context, service, session.mission.goal)
    wait([pending.future])
    return pending.result(), service.problems


def hold(session, **things: str):
    """Have the robot believe that it holds something in each hand."""
    robot = session.context.robot.name
    for hand, item in things.items():
        session.context.belief.tell(holding((robot, hand), item))
        session.context.belief.tell(hand_free((robot, hand)), False)


def test_what_is_nowhere_to_be_seen_is_looked_for_at_one_place_after_the_other():
    session, world, tape = office("(in mango1 fridge1)", "after 1: move mango1 on table603")
    result = session.run()
    assert result.reached, result.reason
    assert world.holds(session.mission.goal)
    assert world.illegal == []
    chosen = [event.data for event in tape.of("agent.chose")]
    assert any(data["tool"] == "explore" for data in chosen)


def test_a_pile_that_was_put_under_a_table_is_taken_apart_there():
    goal = "(and (on yellow_block1 table611) (on red_block1 table611))"
    session, world, _ = office(goal, "at 0: move red_block1 under table612")
    result = session.run()
    assert result.reached, result.reason
    assert world.holds(session.mission.goal)
    assert world.illegal == []


def test_full_hands_are_freed_on_this_side_of_a_closed_door():
    session, _, _ = office("(and (on mango1 table603) (on phone1 table603))")
    hold(session, left_hand="mango1", right_hand="phone1")
    session.context.belief.tell(robot_at("robot1", "door603_out"))
    plan, problems = planned(session)
    assert len(problems) == 1, "what is at hand suffices"
    skills = [action.skill for action in plan.actions]
    freed = min(number for number, skill in enumerate(skills) if skill.startswith("put_"))
    assert freed < skills.index("open_door")


def test_a_hand_that_holds_something_of_no_matter_can_be_freed():
    session, _, _ = office("(in mango1 fridge1)")
    hold(session, left_hand="phone1", right_hand="keys1")
    plan, problems = planned(session)
    assert len(problems) == 1, "what is at hand suffices"
    assert any({"phone1", "keys1"} & set(action.arguments) for action in plan.actions)


def test_a_lost_thing_is_no_help_and_another_one_is_taken():
    session, _, _ = office("(sliced mango1)")
    belief = session.context.belief
    plan, _ = planned(session)
    (knife,) = {n for a in plan.actions for n in a.arguments if n.startswith("knife")}
    rests = belief.snapshot().placement("rests", knife)
    belief.tell(rests, False)
    plan, problems = planned(session)
    assert len(problems) == 1, "what is at hand suffices"
    assert not any(knife in action.arguments for action in plan.actions)
