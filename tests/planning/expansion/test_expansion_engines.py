"""Expanded domains are read by other planners, and solved by ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from expansions import NAMES, base_problem, in_a_building, told
from hypothesis import HealthCheck, given, settings
from random_bases import tasks
from random_tasks import cheapest

from foretree.planning.expansion.expand import expand
from foretree.planning.expansion.options import Expansion
from foretree.planning.expansion.problem_expansion import expand_problem
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Domain, Problem
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.fast_downward.solver import FastDownward

EVERYTHING = Expansion(navigation=True, doors=True, hands=2, costs=True)
TWO_HANDED = {"tray": Expansion(two_handed=("lift_tray", "put_tray"))}

#: unified-planning warns about its own parser and about names that PDDL lets an action and a predicate share.
of_the_library = pytest.mark.filterwarnings("ignore:.*(parse_string|already defined)")


def everything(name: str) -> Problem:
    options = EVERYTHING | told(name) | TWO_HANDED.get(name, Expansion())
    problem = base_problem(name)
    return expand_problem(problem, domain := expand(problem.domain, options), in_a_building(domain, problem))


def written(problem: Problem, folder: Path) -> tuple[Path, Path]:
    files = folder / "domain.pddl", folder / "problem.pddl"
    files[0].write_text(write_domain(problem.domain))
    files[1].write_text(write_problem(problem))
    return files


def check_read_back(problem: Problem) -> None:
    domain = parse_domain(write_domain(problem.domain))
    assert problem.domain == domain
    assert parse_problem(write_problem(problem), problem.domain) == problem


def translate(problem: Problem, folder: Path) -> None:
    """Have Fast Downward translate it, in a process of its own."""
    command = [sys.executable, "-m", "fast_downward.translate", "--sas-file", folder / "output.sas"]
    done = subprocess.run(
        [*command, *written(problem, folder)], capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def read_elsewhere(problem: Problem, folder: Path) -> None:
    """Have unified-planning read it."""
    io = pytest.importorskip("unified_planning.io")
    read = io.PDDLReader().parse_problem(*map(str, written(problem, folder)))
    assert {action.name for action in read.actions} == set(problem.domain.operators)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read_back_as_it_was(name):
    check_read_back(everything(name))


@pytest.mark.parametrize("name", NAMES)
def test_fast_downward_translates_the_corpus(name, tmp_path):
    translate(everything(name), tmp_path)


@of_the_library
@pytest.mark.parametrize("name", NAMES)
def test_unified_planning_reads_the_corpus(name, tmp_path, monkeypatch):
    pytest.importorskip("unified_planning")
    from unified_planning.environment import get_environment

    # An action and a predicate may have the same name, as PDDL allows.
    monkeypatch.setattr(get_environment(), "error_used_name", False)
    read_elsewhere(everything(name), tmp_path)


def grown(task) -> Problem:
    problem, options, _ = task
    domain = expand(problem.domain, options | Expansion(doors=True))
    return expand_problem(problem, domain, in_a_building(domain, problem))


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(task=tasks())
def test_fast_downward_translates_random_domains(task, tmp_path_factory):
    translate(grown(task), tmp_path_factory.mktemp("random"))


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(task=tasks())
def test_fast_downward_translates_many_random_domains(task, tmp_path_factory):
    translate(grown(task), tmp_path_factory.mktemp("random"))


@of_the_library
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(task=tasks())
def test_unified_planning_reads_random_domains(task, tmp_path_factory):
    read_elsewhere(grown(task), tmp_path_factory.mktemp("random"))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(task=tasks())
def test_random_domains_are_read_back_as_they_were(task):
    check_read_back(grown(task))


# -- solving -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def planner():
    planner = FastDownward()
    yield planner
    planner.close()


@pytest.mark.parametrize("name", ["blocks", "crew", "painting", "workshop"])
def test_one_node_costs_what_the_tabletop_costs(name, planner):
    problem = base_problem(name)
    domain = expand(problem.domain, Expansion(navigation=True, costs=True) | told(name))
    found = planner.solve(expand_problem(problem, domain), "optimal")
    assert found.status == "solved"
    assert found.cost == cheapest(problem)


@pytest.mark.parametrize("name", NAMES)
def test_goals_are_reached_in_a_building(name, planner):
    problem = everything(name)
    found = planner.solve(problem, "satisficing")
    assert found.status == "solved", found.why
    assert validate(problem, found.steps).ok


def test_a_domain_goes_to_a_worker_without_the_one_it_was_made_from():
    domain = everything("blocks").domain
    sent = pickle.loads(pickle.dumps(domain))
    assert type(sent) is Domain
    assert sent == domain
    assert replace(domain, name="other") != domain
