"""Constraints on the command line: in plans and runs, and what is said about wrong ones."""

from __future__ import annotations

import pytest
from launcher import REPOSITORY, Launcher

FRIDGE = ("--goal", "(in mango1 fridge1)")
SHUT = "(always (not (open fridge1)))"
PDDL = REPOSITORY / "tests" / "planning" / "pddl"


@pytest.fixture(scope="module")
def foretree(tmp_path_factory):
    launcher = Launcher(tmp_path_factory.mktemp("home"))
    yield launcher
    launcher.close()


def test_a_plan_says_what_it_keeps(foretree):
    first = "(sometime-before (open fridge1) (rob_at_node robot1 sink1))"
    job = foretree.run("plan", *FRIDGE, "--constraint", first, "--constraint", "(never-use * mug1)")
    assert job.status == 0, job.err
    assert f"keeps {first}\nkeeps (never-use * mug1)\n" in job.out
    assert job.out.index("sink1") < job.out.index("open(robot1")


def test_a_run_says_and_keeps_it(foretree):
    job = foretree.run("run", "put the mango into the fridge", "--constraint", "(never-use * table2)")
    assert job.status == 0, job.err
    assert "keeps: (never-use * table2)" in job.out


def test_what_is_in_the_way_is_named(foretree):
    job = foretree.run("plan", *FRIDGE, "--constraint", SHUT)
    assert job.status == 1
    assert f"There is no plan that keeps {SHUT}; without that, there would be one (5 actions" in job.err


def test_a_pddl_task_keeps_it_as_well(foretree):
    task = (
        "--domain",
        str(PDDL / "gripper" / "domain.pddl"),
        "--problem",
        str(PDDL / "gripper" / "problem.pddl"),
    )
    job = foretree.run("plan", *task, "--constraint", "(never-use *  left)")
    assert job.status == 0, job.err
    assert "left" not in job.out.partition("tree")[0].replace("(never-use * left)", "")


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        ("(never (open fridge1))", '"never" is no kind of constraint. Valid are (always F)'),
        ("(always (opn fridge1))", "opn"),
        ("(always (not (open frige1)))", "Did you mean fridge1?"),
        ("(never-use opne fridge1)", "Did you mean open?"),
    ],
)
def test_a_mistake_is_told_in_a_paragraph_before_anything_moves(foretree, constraint, says):
    job = foretree.run("run", *FRIDGE, "--constraint", constraint)
    assert job.status == 2
    assert says in " ".join(job.err.split())
    assert "Traceback" not in job.err
