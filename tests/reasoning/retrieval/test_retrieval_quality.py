"""How well retrieval does on the fifty tasks of the building suite.

``instruction`` of a task was at hand when retrieval was written; ``otherwise``, the same in other words, was written
by somebody else, and its totals were looked at on the way; the others came after everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest
from office import Office, believed, building, catalogue, scene

from foretree.config import find_config
from foretree.planning.pddl.parser import read_domain
from foretree.planning.pddl.syntax import Formula, Problem, constants_of
from foretree.planning.solvers.fast_downward.solver import shared_planner
from foretree.planning.task.problems import make_problem
from foretree.reasoning.retrieval.embedding import EmbeddingRetriever
from foretree.reasoning.retrieval.keyword import KeywordRetriever
from foretree.reasoning.retrieval.missing_nodes import find_missing_nodes
from foretree.reasoning.retrieval.retriever import Retriever
from foretree.regression.planning.factory import scene_at_start, task_vocabulary
from foretree.regression.planning.suite import PlanningSuite
from foretree.regression.planning.suite_file import read_planning_suite

ASSETS = building().assets

#: The wordings, and in how many tasks each may fail to name a place that is needed.
WORDINGS = {"instruction": 0, "otherwise": 1, "open-1": 0, "open-2": 1, "open-3": 0, "frozen-1": 1}

#: So many nodes are kept on average at most, of 31: docs/retrieval.md says how many exactly.
FEW = 4.5


@cache
def suite() -> PlanningSuite:
    return read_planning_suite("building", task_vocabulary)


@dataclass(frozen=True)
class Task:
    """A task with its things where one seed puts them, and everything else scattered."""

    name: str
    wordings: Mapping[str, str]
    goal: Formula
    there: Office
    needed: frozenset[str]

    @property
    def problem(self) -> Problem:
        return self.there.problem(self.goal)


@cache
def tasks() -> tuple[Task, ...]:
    """The tasks. Needed are, at least, the nodes of what the goal names and of what the task is about."""
    found = []
    for trial in suite().only(settings=["dual-arm"], variants=["full"]).trials(seeds=1):
        task = suite().tasks[trial.task]
        start = suite().start(trial, ["lobby", "kitchen", "dock"], ())
        there = believed(scene_at_start(scene(), start))
        named = {*constants_of(task.goal), *start.items}
        needed = frozenset(there.where[name] for name in named if name in there.where)
        wordings = {name: wording.say for name, wording in task.wordings.items()}
        found.append(Task(trial.task, wordings, task.goal, there, needed))
    return tuple(found)


@pytest.mark.parametrize(
    "retriever", [KeywordRetriever(), EmbeddingRetriever()], ids=["keyword", "embedding"]
)
@pytest.mark.parametrize("wording", WORDINGS)
def test_the_words_alone_find_what_is_needed(retriever: Retriever, wording: str) -> None:
    found = [set(retriever.retrieve(task.wordings[wording], task.there.index).nodes) for task in tasks()]
    missed = {task.name: sorted(task.needed - nodes) for task, nodes in zip(tasks(), found, strict=True)}
    missed = {name: nodes for name, nodes in missed.items() if nodes}
    assert len(missed) <= WORDINGS[wording], len(missed)
    assert sum(map(len, found)) / len(found) <= FEW


def kept(task: Task, wording: str) -> set[str]:
    nodes = KeywordRetriever().retrieve(task.wordings[wording], task.there.index).nodes
    more = find_missing_nodes(nodes, task.problem, task.there.where, building().places.distances)
    return {*nodes, *(hit.node for hit in more)}


@pytest.mark.parametrize("wording", WORDINGS)
def test_with_the_goal_nothing_is_missed(wording: str) -> None:
    sizes = []
    for task in tasks():
        nodes = kept(task, wording)
        assert task.needed <= nodes, task.name
        sizes.append(len(nodes))
    assert sum(sizes) / len(sizes) <= FEW
    assert len(ASSETS) == 31


def solved(task: Task, nodes: set[str]) -> bool:
    """Whether there is a plan with what is at *nodes*, for a robot that can reach all of it from one spot.

    The tabletop domain is planned with as it is: without a map, but with all that hands can do.
    """
    ontology = catalogue().ontology
    assert ontology.domain is not None
    base = read_domain(ontology.domain)
    base = replace(base, types={**base.types, **ontology.types()})
    whole = make_problem(base, task.there.beliefs, task.goal, {}).problem
    objects = {name: kind for name, kind in whole.objects.items() if task.there.where.get(name) in nodes}
    init = {atom for atom in whole.init if all(name in objects for name in atom[1:])} | {("hand_empty",)}
    problem = replace(whole, objects=objects, init=frozenset(init))
    return shared_planner().solve(problem, "satisficing").status == "solved"


def some(every: int) -> Iterator[Task]:
    yield from tasks()[::every]


def test_there_is_a_plan_with_what_is_kept() -> None:
    for task in some(every=6):
        assert solved(task, kept(task, "otherwise")), task.name


@pytest.mark.slow
@pytest.mark.parametrize("wording", ["instruction", "otherwise"])
def test_there_is_a_plan_for_every_task_with_what_is_kept(wording: str) -> None:
    for task in tasks():
        assert solved(task, kept(task, wording)), task.name


def test_without_a_node_that_is_needed_there_is_no_plan() -> None:
    task = next(task for task in tasks() if task.name == "cloth-washed")
    nodes = kept(task, "instruction")
    assert solved(task, nodes)
    assert not solved(task, nodes - {"drying_rack1"})


def test_the_suite_is_where_it_should_be() -> None:
    assert find_config("suites", "building").is_file()
    assert len(tasks()) == 50
