"""``foretree plan --pddl --compressed``: what is really solved, so that others can check it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from foretree.bringup.options import Options, Wish
from foretree.bringup.preview import preview
from foretree.bringup.request import Request
from foretree.cli import app
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.solvers.base import Limits
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.regression.pddl._contest import find_driver

CLAIM = re.compile(r"^; The plan that was found costs (\d+); no plan is cheaper\.$", re.MULTILINE)


def compressed(goal: str, scene: str = "office", **overrides: str) -> str:
    options = Options(overrides={"plans": "optimal", **overrides})
    return preview(Request(Wish(goal=goal), scene, options).open()[0], "compressed")


def parts(text: str) -> tuple[str, str]:
    at = text.index("(define (problem")
    return text[:at], text[at:]


def test_it_is_smaller_and_its_best_plan_costs_the_same():
    text = compressed("(hung_on hat1 drying_rack1)")
    claimed = int(CLAIM.search(text).group(1))
    before, after = re.search(r"in place of (\d+) objects .*: (\d+) objects", text).groups()
    assert int(after) < int(before) / 5
    domain, problem = parts(text)
    task = parse_problem(problem, parse_domain(domain))
    assert len(task.objects) == int(after)
    found = shared_planner().solve(task, "optimal", Limits(expansions=100_000))
    assert (found.cost, found.optimal) == (claimed, True)


def test_a_goal_that_counts_is_written_without_counting():
    text = compressed("(at-least 2 (?m - mug) (on ?m table1))", "kitchen")
    assert "actions that cost nothing judge" in text
    domain, problem = parts(text)
    assert "at-least" not in text
    task = parse_problem(problem, parse_domain(domain))
    assert compile_away(task).problem.goal == task.goal


def test_that_there_is_no_plan_is_said_beside_the_problem():
    assert "; No plan was found: " in compressed("(sliced mug1)", "kitchen")


def test_on_the_command_line():
    run = CliRunner().invoke(app, ["plan", "--goal", "(on mug1 table1)", "--pddl", "--compressed"])
    assert run.exit_code == 0
    assert "(define (problem" in run.output
    refused = CliRunner().invoke(app, ["plan", "--goal", "(on mug1 table1)", "--compressed"])
    assert "--compressed says which problem --pddl prints" in str(refused.exception)


#: Tasks of the office, of two to about twelve actions, also with disjunctive, quantified and counting goals.
GOALS = (
    "(hung_on hat1 drying_rack1)",
    "(folded shirt1)",
    "(not (turned_on lamp2))",
    "(in newspaper1 trash_bin1)",
    "(sliced bread1)",
    "(in mango1 fridge1)",
    "(under bag1 table611)",
    "(and (on phone1 table606) (on wallet1 table602))",
    "(and (hung_on coat1 drying_rack1) (hung_on scarf1 drying_rack1))",
    "(and (in juice1 fridge1) (not (open fridge1)) (on milk1 kitchen_table2))",
    "(and (wiped kitchen_table1) (wiped kitchen_table2))",
    "(and (on laptop1 meeting_table1) (turned_on laptop1))",
    "(and (in shirt1 washing_machine1) (in sock1 washing_machine1))",
    "(on scissors1 table605)",
    "(and (on pen1 table610) (on pen2 table610))",
    "(or (on book3 table601) (on keys1 table612))",
    "(exists (?m - mug) (on ?m meeting_table1))",
    "(and (at-least 2 (?p - pillow) (on ?p table614)))",
    "(and (clean apple1) (on apple1 plate1))",
    "(and (on red_block1 table612) (on yellow_block1 table612))",
)


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_plain_fast_downward_finds_the_same_cost(goal, tmp_path):
    text = compressed(goal)
    claimed = int(CLAIM.search(text).group(1))
    for name, part in zip(("d.pddl", "p.pddl"), parts(text), strict=True):
        (tmp_path / name).write_text(part)
    plan = tmp_path / "found.plan"
    command = [sys.executable, str(find_driver()), "--plan-file", str(plan), "d.pddl", "p.pddl"]
    for search in (
        "astar(lmcut())",
        "astar(blind())",
    ):  # the first takes neither axioms nor conditions of effects
        done = subprocess.run([*command, "--search", search], cwd=tmp_path, capture_output=True, text=True)
        if done.returncode != 34:
            break
    assert done.returncode == 0, done.stdout[-500:]
    assert int(re.search(r"^; cost = (\d+)", plan.read_text(), re.MULTILINE).group(1)) == claimed
