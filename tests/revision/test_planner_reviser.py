"""Replanning: to the same goal from the corrected belief, with what runs taken as done."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from at_home import AtHome

from foretree.planning.incremental import run_to_end
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Solution
from foretree.revision.discrepancy import Discrepancy
from foretree.revision.planner import PlannerReviser, with_ids_gradually
from foretree.revision.revision import NoRevisionError

GOAL = "(in mango1 fridge1)"
GO, TAKE = "move robot1 kitchen table1", "pick robot1 left mango1 table1"
ON, OPEN, PUT = (
    "move robot1 table1 fridge1",
    "open robot1 right fridge1",
    "place_in robot1 left mango1 fridge1",
)


def with_ids(steps, situation):
    return run_to_end(with_ids_gradually(steps, situation))


class Solver:
    """A planner that answers what it is told to answer."""

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
        if isinstance(self.answer, Exception):
            future.set_exception(self.answer)
        elif self.answer is not None:
            future.set_result(self.answer)
        return future


def solved(*lines):
    return Solution("solved", tuple((line.split()[0], tuple(line.split()[1:])) for line in lines))


def asked(home, solver, *steps, **more):
    reviser = PlannerReviser(solver, home.clock, latency=0.2)
    situation = home.situation(GOAL, *steps, **more)
    return situation, reviser.propose(situation)


def test_the_problem_is_what_is_believed_now_and_the_goal_is_the_same():
    home = AtHome()
    home.believe("on mango1 table2")
    solver = Solver(solved())
    situation, _ = asked(home, solver, GO, TAKE, ON, OPEN, PUT)
    (problem,) = solver.problems
    assert problem.goal == situation.goal
    assert ("on", "mango1", "table2") in problem.init
    assert ("on", "mango1", "table1") not in problem.init
    assert problem.functions


def test_what_runs_is_taken_as_done():
    """While it moves to the table, the plan is made from there."""
    home = AtHome()
    running = home.action(GO)
    solver = Solver(solved(TAKE, ON, OPEN, PUT))
    _, pending = asked(home, solver, TAKE, ON, OPEN, PUT, running=[running])
    (problem,) = solver.problems
    assert ("rob_at_node", "robot1", "table1") in problem.init
    assert ("rob_at_node", "robot1", "kitchen") not in problem.init
    home.wait(0.2)
    assert validate(problem, [(a.skill, a.arguments) for a in pending.result().actions]).ok


def test_the_answer_arrives_after_its_latency():
    home = AtHome()
    solver = Solver(solved(GO, TAKE, ON, OPEN, PUT))
    _, pending = asked(home, solver, GO, TAKE, ON, OPEN, PUT)
    assert not pending.ready()
    home.wait(0.1)
    assert not pending.ready()
    home.wait(0.1)
    assert pending.ready()


def test_actions_that_stay_keep_their_ids_and_costs_are_today_s():
    home = AtHome()
    solver = Solver(solved(OPEN, GO, TAKE, PUT))
    situation, pending = asked(home, solver, GO, TAKE, ON, OPEN, PUT)
    home.wait(0.2)
    revision = pending.result()
    ids = {str(action): action.id for action in situation.remaining}
    kept = [action for action in revision.actions if action.id]
    assert all(ids[str(action)] == action.id for action in kept)
    assert revision.by == "planner"
    assert revision.version == situation.beliefs.version
    assert revision.actions[1].cost == situation.remaining[0].cost


def test_ids_are_kept_in_order_and_given_once():
    home = AtHome()
    wander = ("move robot1 kitchen table1", "move robot1 table1 kitchen", "move robot1 kitchen table1")
    situation = home.situation(GOAL, *wander)
    a1, a2, a3 = (action.id for action in situation.remaining)
    steps = [(a.skill, a.arguments) for a in situation.remaining]
    assert [a.id for a in with_ids(steps, situation)] == [a1, a2, a3]
    assert [a.id for a in with_ids(steps[1:], situation)] == [a2, a3]
    assert [a.id for a in with_ids([steps[1], steps[0], steps[1]], situation)] == [a2, a3, ""]
    assert [a.id for a in with_ids([*steps, steps[0]], situation)] == [a1, a2, a3, ""]


def test_it_says_why_and_what_changes():
    home = AtHome()
    home.believe("on mango1 table2")
    first = home.action(TAKE)
    found = Discrepancy("d1", first, "presence", "mango1 is on table1", "mango1 is on table2", 1)
    solver = Solver(solved("move robot1 kitchen table2", "pick robot1 left mango1 table2"))
    _, pending = asked(home, solver, GO, TAKE, discrepancies=(found,))
    home.wait(0.2)
    assert pending.result().why == (
        "mango1 is now on table2; going there first. "
        "Instead of move(robot1, kitchen, table1), pick(robot1, left, mango1, table1): "
        "move(robot1, kitchen, table2), pick(robot1, left, mango1, table2)."
    )


@pytest.mark.parametrize(
    ("solution", "why"),
    [
        (Solution("unsolvable", why="mango1 can never be in fridge1"), "unsolvable: mango1 can never be"),
        (Solution("out-of-limits", why="200000 states"), "out-of-limits: 200000 states"),
        (Solution("unsolvable"), "unsolvable"),
    ],
)
def test_where_there_is_no_plan_there_is_no_revision(solution, why):
    home = AtHome()
    _, pending = asked(home, Solver(solution), GO)
    home.wait(0.2)
    assert pending.ready()
    with pytest.raises(NoRevisionError, match=why):
        pending.result()


def test_a_planner_that_breaks_down_says_so_when_it_is_asked():
    home = AtHome()
    _, pending = asked(home, Solver(RuntimeError("worker died")), GO)
    home.wait(0.2)
    assert pending.ready()
    with pytest.raises(RuntimeError, match="worker died"):
        pending.result()


def test_cancelling_it_cancels_the_search():
    home = AtHome()
    solver = Solver()
    _, pending = asked(home, solver, GO)
    pending.cancel()
    assert solver.futures[0].cancelled()


def test_whoever_wants_to_know_is_told_of_every_solution():
    home = AtHome()
    told = []
    answer = Solution("unsolvable")
    reviser = PlannerReviser(Solver(answer), home.clock, 0.0, 30.0, told.append)
    pending = reviser.propose(home.situation(GOAL, GO))
    with pytest.raises(NoRevisionError):
        pending.result()
    assert told == [answer]


def test_new_actions_have_no_id_yet():
    home = AtHome()
    situation = home.situation(GOAL, GO)
    (action,) = with_ids([("open", ("robot1", "left", "fridge1"))], situation)
    assert action == Action("", "open", ("robot1", "left", "fridge1"), 1)
