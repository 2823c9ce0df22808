"""The leaf that plans: from belief and goal to a plan, later."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from at_home import AtHome, F, R, S, with_puppet
from py_trees.common import Status

from foretree.agent.mission import NO_PLAN, Mission
from foretree.agent.plan_request import NoPlanError, plan_from_solution, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.behaviours.act import Act
from foretree.behaviours.make_plan import MakePlan
from foretree.planning.pddl.syntax import Literal
from foretree.planning.plan import Plan
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import ProblemError, make_problem

GOAL = "(in mango1 fridge1)"
STEPS = (
    "move robot1 kitchen fridge1",
    "open robot1 left fridge1",
    "move robot1 fridge1 table1",
    "pick robot1 left mango1 table1",
    "move robot1 table1 fridge1",
    "place_in robot1 left mango1 fridge1",
)


def under_way(words):
    """A home where the robot has set out on a move, and is nowhere meanwhile."""
    home = AtHome()
    context, _ = with_puppet(home)
    action = home.action(words)
    act = Act(action, context.catalogue.skills[action.skill], context)
    act.tick_once()
    home.forget("rob_at_node robot1 kitchen")
    return context, home.goal(GOAL), act


def test_a_plan_for_a_robot_on_its_way_begins_where_it_will_be():
    context, goal, _ = under_way("move robot1 kitchen table1")
    assert context.node() is None
    service = Service(solved(*STEPS[3:5], "open robot1 right fridge1", STEPS[5]))
    pending = request_plan(context, service, goal)
    context.clock.sleep_until(1.0)
    plan = pending.result()
    assert ("rob_at_node", "robot1", "table1") in service.problems[0].init
    assert [action.skill for action in plan.actions] == ["pick", "move", "open", "place_in"]


def test_where_there_is_none_from_there_the_reason_says_what_the_robot_is_at():
    context, goal, _ = under_way("move robot1 kitchen table1")
    pending = request_plan(context, Service(Solution("unsolvable", why="No way.")), goal)
    context.clock.sleep_until(1.0)
    with pytest.raises(
        NoPlanError, match=r"No way\. That is for when move\(robot1, kitchen, table1\) is done"
    ):
        pending.result()


def test_what_was_broken_off_and_has_not_ended_yet_is_named_where_there_is_no_plan():
    context, goal, act = under_way("move robot1 kitchen table1")
    act.stop(Status.INVALID)
    pending = request_plan(context, Service(Solution("unsolvable", why="No way.")), goal)
    context.clock.sleep_until(1.0)
    with pytest.raises(
        NoPlanError, match=r"what was broken off: base is held by x-1 \(move\(robot1, kitchen"
    ):
        pending.result()


def solved(*lines):
    return Solution("solved", tuple((line.split()[0], tuple(line.split()[1:])) for line in lines))


class Service:
    """A planning service that answers what it is told to answer."""

    def __init__(self, answer=None):
        self.answer = answer
        self.problems = []
        self.futures = []

    def learn(self, problem, solution):
        pass

    def submit(self, problem, explain=True):
        self.problems.append(problem)
        future: Future = Future()
        self.futures.append(future)
        if self.answer is not None:
            future.set_result(self.answer)
        return future


def planning(answer=None, goal=GOAL, subgoal=None, **settings):
    home = AtHome(**settings)
    mission = Mission(goal=home.goal(goal))
    if subgoal:
        mission.subgoal = home.goal(subgoal)
    service = Service(answer)
    loaded: list[Plan] = []
    leaf = MakePlan(home.context, mission, service, loaded.append, subgoal=subgoal is not None)
    return home, mission, service, loaded, leaf


def tick(home, leaf, times=1):
    for _ in range(times):
        leaf.tick_once()
        home.wait()
    return leaf.status


def test_planning_takes_its_time_and_then_the_plan_is_loaded():
    home, mission, service, loaded, leaf = planning(solved(*STEPS))
    assert tick(home, leaf, 2) is R
    assert loaded == []
    assert leaf.feedback_message == "planning"
    assert tick(home, leaf) is S
    (plan,) = loaded
    assert [a.skill for a in plan.actions] == [step.split()[0] for step in STEPS]
    assert mission.plan is plan
    assert mission.rounds == 1
    assert len(service.problems) == 1
    (event,) = home.tape.of("plan.made")
    assert event.data["by"] == home.context.settings.planner
    assert [a["id"] for a in event.data["actions"]] == [a.id for a in plan.actions]
    assert leaf.feedback_message == f"6 actions, cost {plan.cost}"


def test_a_plan_has_its_order_its_classes_and_its_links():
    home, mission, service, loaded, leaf = planning(solved(*STEPS))
    tick(home, leaf, 3)
    (plan,) = loaded
    ids = {a.skill + str(i): a.id for i, a in enumerate(plan.actions)}
    assert plan.classes == {"mango1": "mango"}
    assert ids["pick3"] in plan.order[ids["move4"]] or ids["pick3"] in plan.order[ids["place_in5"]]
    assert ids["open1"] in plan.order[ids["place_in5"]]
    producers = {producer for producer, literal, consumer in plan.links if consumer == "goal"}
    assert producers == {ids["place_in5"]}


def test_what_was_taken_for_granted_is_in_the_plan():
    home, mission, service, loaded, leaf = planning(solved(*STEPS))
    home.forget("open fridge1")
    tick(home, leaf, 3)
    assumed = {assumption.atom: assumption.value for assumption in loaded[0].assumptions}
    assert assumed == {("open", "fridge1"): False}


def test_every_activation_plans_anew():
    home, mission, service, loaded, leaf = planning(solved(*STEPS))
    tick(home, leaf, 3)
    tick(home, leaf, 3)
    assert len(service.problems) == 2
    assert mission.rounds == 2
    assert loaded[0].actions[0].id != loaded[1].actions[0].id, "ids are not used twice"


def test_there_is_an_end_to_planning_anew():
    home, mission, service, loaded, leaf = planning(solved(*STEPS), rounds=2)
    mission.reason = "It slipped."
    assert [tick(home, leaf, 3) for _ in range(2)] == [S, S]
    assert tick(home, leaf) is F
    assert mission.reason == "planned 2 times. It slipped."
    assert tick(home, leaf) is F
    assert mission.reason == "planned 2 times. It slipped.", "said once"
    assert len(service.problems) == 2


def test_where_there_is_no_plan_the_reason_is_the_solvers():
    home, mission, *_, leaf = planning(Solution("unsolvable", why="mango1 can never be in fridge1."))
    assert tick(home, leaf, 3) is F
    assert mission.reason == leaf.feedback_message == "mango1 can never be in fridge1."


@pytest.mark.parametrize(("discovers", "asked"), [(True, 1), (False, 2)])
def test_in_a_home_to_discover_nobody_plans_twice_from_the_same(discovers, asked):
    home, mission, service, _, leaf = planning(Solution("out-of-limits", why="It is too much."))
    home.context.topological_map = object() if discovers else None

    def fail():
        while tick(home, leaf) is R:
            pass
        assert leaf.status is F
        assert mission.reason == "It is too much."

    fail()
    mission.reason = "Nothing was found."
    fail()
    assert len(service.problems) == asked
    home.believe("open fridge1")
    fail()
    assert len(service.problems) == asked + 1, "that is news"


def test_of_what_is_lost_it_says_that_nobody_knows_where_it_is():
    home, mission, *_, leaf = planning(Solution("unsolvable", why="it cannot be reached"))
    home.forget("on mango1 table1")
    assert tick(home, leaf, 3) is F
    assert mission.reason == "It is not known where to find mango1."


def test_out_of_limits_is_no_proof():
    home, mission, *_, leaf = planning(Solution("out-of-limits", why="200000 states were not enough."))
    assert tick(home, leaf, 3) is F
    assert mission.reason == "200000 states were not enough."


def test_a_plan_that_does_not_hold_is_not_used():
    home, mission, service, loaded, leaf = planning(solved(*STEPS[2:]))
    assert tick(home, leaf, 3) is F
    assert loaded == []
    assert mission.reason.startswith("the planner's answer does not hold: ")


def test_a_goal_about_what_nobody_knows_of_is_not_planned_for():
    home, mission, service, loaded, leaf = planning(solved())
    home.context.belief.remove_entity("mango1")
    assert tick(home, leaf) is F
    assert "mango1" in mission.reason
    assert service.problems == []


def test_what_has_to_be_found_first_is_not_planned_for():
    home, mission, service, loaded, leaf = planning(solved(), goal="(forall (?b - banana) (in ?b fridge1))")
    mission.wanted = ("banana",)
    assert tick(home, leaf) is F
    assert mission.reason == "It is not known where to find a banana."
    assert service.problems == []


def test_a_subgoal_is_planned_for_without_counting():
    home, mission, service, loaded, leaf = planning(
        solved("move robot1 kitchen table2", "inspect robot1 table2"), subgoal="(inspected table2)"
    )
    assert tick(home, leaf, 3) is S
    assert service.problems[0].goal == mission.subgoal
    assert mission.rounds == 0
    assert mission.plan is None


def test_stopping_it_cancels_the_search():
    home, mission, service, loaded, leaf = planning()
    tick(home, leaf)
    leaf.stop(Status.INVALID)
    assert service.futures[0].cancelled()
    assert loaded == []


def test_the_problem_is_the_belief_of_the_moment():
    home, mission, service, loaded, leaf = planning(solved(*STEPS))
    home.believe("on mango1 table2")
    tick(home, leaf)
    assert ("on", "mango1", "table2") in service.problems[0].init


def test_asking_for_a_plan_with_the_real_planner():
    home = AtHome()
    goal = home.goal(GOAL)
    pending = request_plan(home.context, PlanningService(home.context.settings), goal)
    assert not pending.ready()
    home.wait(home.context.settings.planning_latency)
    assert pending.ready()
    plan = pending.result()
    problem = make_problem(
        home.context.catalogue.domain, home.context.belief.snapshot(), goal, home.context.task.functions
    ).problem
    assert validate(problem, [(a.skill, a.arguments) for a in plan.actions]).ok


def test_asking_for_the_impossible():
    home = AtHome()
    with pytest.raises(ProblemError):
        request_plan(home.context, Service(), Literal(("in", "unicorn1", "fridge1")))


def test_a_plan_from_an_invalid_solution_says_which_step():
    home = AtHome()
    context = home.context
    beliefs = context.belief.snapshot()
    made = make_problem(context.catalogue.domain, beliefs, home.goal(GOAL), context.task.functions)
    with pytest.raises(NoPlanError, match="pick robot1 left mango1 table1"):
        plan_from_solution(solved("pick robot1 left mango1 table1"), made, beliefs, context.action_id)


class Terse(Service):
    """A planning service that says why there is no plan only where it is asked to."""

    def __init__(self):
        super().__init__()
        self.explained = []

    def submit(self, problem, explain=True):
        self.explained.append(explain)
        self.answer = Solution("unsolvable", why="mango1 can never be in fridge1." if explain else "")
        return super().submit(problem)


@pytest.mark.parametrize("explain", [True, False])
def test_why_there_is_no_plan_is_said_at_once_or_left_to_be_found_out(explain):
    home = AtHome()
    mission, service = Mission(goal=home.goal(GOAL)), Terse()
    leaf = MakePlan(home.context, mission, service, lambda plan: None, explain=explain)
    assert tick(home, leaf, 3) is F
    if explain:
        assert mission.reason == "mango1 can never be in fridge1."
        assert mission.find_out is None
    else:
        assert set(service.explained) == {False}
        assert mission.reason == leaf.feedback_message == NO_PLAN
        assert mission.find_out().result().why == "mango1 can never be in fridge1."
        assert service.problems[-1] == service.problems[-2], "that very problem is asked about again"
