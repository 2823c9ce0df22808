"""A session plans on the compressed map, carries out way-points, and plans anew when a door is found closed."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest
from at_home import AtHome, S, house, with_puppet

from foretree.agent.mission import NO_PLAN
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.planning.pddl.syntax import TRUE, Domain, Problem
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.revision.planner import PlannerReviser
from foretree.revision.rules.reviser import RuleReviser
from foretree.trees.plan_node import PlanNode

GOAL = "(on apple1 table1)"


class Service:
    """Answers with what it is told, or asks the real planner, and remembers what it was asked."""

    def __init__(self, home, *answers):
        self.answers = list(answers)
        self.problems = []
        self.explained = []
        self.real = PlanningService(home.context.settings)

    def learn(self, problem, solution):
        pass

    def submit(self, problem, explain=True):
        self.problems.append(problem)
        self.explained.append(explain)
        if not self.answers:
            return self.real.submit(problem, explain=explain)
        future: Future = Future()
        future.set_result(self.answers.pop(0))
        return future


def asked(home, service, goal=GOAL, **manner):
    pending = request_plan(home.context, service, home.goal(goal), **manner)
    pending.future.exception(timeout=120)
    home.wait(home.context.settings.planning_latency)
    return pending


def moves(actions):
    return [action.arguments[2] for action in actions if action.skill == "move"]


def test_the_solver_gets_the_nodes_that_matter_and_the_plan_has_the_waypoints():
    home = AtHome()
    service = Service(home)
    plan = asked(home, service).result()
    (problem,) = service.problems
    sides = {node for edge in home.context.places.door_edges("door1") for node in (edge.one, edge.other)}
    assert not sides <= set(problem.objects)
    assert "hall" not in problem.objects  # the middle of the room
    assert sides <= set(moves(plan.actions))


def test_without_compression_the_solver_gets_the_whole_map():
    home = AtHome()
    with_puppet(home, compress=False)
    service = Service(home)
    plan = asked(home, service).result()
    (problem,) = service.problems
    assert {place.name for place in home.context.places.places()} <= set(problem.objects)
    with_puppet(home, compress=True)
    assert asked(home, Service(home)).result().cost == plan.cost


def test_if_the_nodes_that_matter_do_not_suffice_all_are_taken():
    home = AtHome()
    home.context.task.keep = frozenset(("table1",))
    service = Service(home, Solution("unsolvable"))
    plan = asked(home, service).result()
    some, everything = service.problems
    assert "microwave1" not in some.objects
    assert {"apple1", "table3", "table1"} <= set(some.objects)
    assert "microwave1" in everything.objects
    assert plan.actions
    assert service.explained == [False, True], "why some do not suffice is of no interest"


def test_where_all_of_them_would_not_suffice_those_that_matter_say_why():
    home = AtHome()
    home.context.task.keep = frozenset(("table1",))
    home.context.belief.tell(("on", "knife1", "table1"), False, time=home.clock.now(), source="look")
    service = Service(home)
    with pytest.raises(NoPlanError, match="cannot be reached"):
        asked(home, service, "(sliced apple1)").result()
    some, again = service.problems
    assert some == again
    assert service.explained == [False, True]


def test_where_it_is_certain_that_all_of_them_would_not_suffice_they_are_not_tried():
    home = AtHome()
    home.context.belief.tell(("on", "knife1", "table1"), False, time=home.clock.now(), source="look")
    service = Service(home)
    with pytest.raises(NoPlanError, match="cannot be reached"):
        asked(home, service, "(sliced apple1)").result()
    assert len(service.problems) == 1


def test_what_plainly_cannot_be_is_planned_for_only_to_find_out_why():
    home = AtHome()
    home.context.task.keep = frozenset(("table1",))
    home.context.belief.tell(("on", "knife1", "table1"), False, time=home.clock.now(), source="look")
    service = Service(home)
    goal = "(sliced apple1)"
    with pytest.raises(NoPlanError, match="cannot be reached") as explained:
        asked(home, service, goal).result()
    service = Service(home)
    with pytest.raises(NoPlanError, match=NO_PLAN) as unexplained:
        asked(home, service, goal, explain=False).result()
    assert service.problems == []
    assert unexplained.value.find_out is not None
    assert unexplained.value.find_out().result().why == str(explained.value)
    assert service.problems


def test_nobody_plans_for_what_nobody_knows_the_whereabouts_of():
    home = AtHome()
    home.context.belief.tell(("on", "apple1", "table3"), False, time=home.clock.now(), source="look")
    service = Service(home)
    with pytest.raises(NoPlanError, match="It is not known where to find apple1"):
        asked(home, service).result()
    assert service.problems == []


def test_a_plan_with_the_nodes_that_matter_is_taken():
    home = AtHome()
    home.context.task.keep = frozenset(("table1",))
    service = Service(home)
    assert asked(home, service).result().actions
    assert len(service.problems) == 1


@pytest.mark.parametrize("compress", [True, False])
def test_a_door_found_closed_on_the_way_is_opened_and_the_goal_reached(compress):
    home = AtHome(house())
    service = PlanningService(home.context.settings)
    if not compress:
        home.context.task._overview = None
    home.context.revisers = (RuleReviser(), PlannerReviser(service, home.clock, latency=0.2))
    plan = asked(home, Service(home)).result()
    node = PlanNode(home.context, plan)
    home.until(node, "action.ended")
    home.do("close door1")
    assert home.run(node) is S
    assert home.holds(GOAL)
    assert any(skill.startswith("open_door") for skill in home.told())
    assert any("connected" in sentence or "door1" in sentence for _, sentence in home.found())


def test_what_has_too_many_actions_is_not_tried_in_another_way():
    home = AtHome()
    with_puppet(home, actions=20, compress=False)
    asked_for = []

    class Counting:
        def submit(self, problem, mode, limits):
            asked_for.append(mode)
            return shared_planner().submit(problem, mode, limits)

    service = PlanningService(home.context.settings)
    service._solver = Counting()
    with pytest.raises(NoPlanError, match="more than the 20 actions"):
        asked(home, service).result()
    assert asked_for == ["good"]


@pytest.mark.parametrize(
    ("plans", "mode"), [("first", "satisficing"), ("good", "good"), ("fair", "fair"), ("optimal", "optimal")]
)
def test_one_question_asks_for_plans_as_the_settings_want_them(plans, mode):
    home = AtHome()
    asked_for = []

    class GivingUp:
        def submit(self, problem, mode, limits):
            asked_for.append((mode, limits.expansions, limits.soon))
            answer = Future()
            answer.set_result(Solution("out-of-limits", expanded=1))
            return answer

    service = PlanningService(replace(home.context.settings, plans=plans))
    service._solver = GivingUp()
    service.submit(Problem("any", Domain("any"), {}, frozenset(), TRUE)).result()
    assert asked_for == [(mode, home.context.settings.expansions, home.context.settings.good_expansions)]
