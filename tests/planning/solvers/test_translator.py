"""Problems that Fast Downward's translator takes over, and what comes back."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from dataclasses import replace

import pytest

from foretree.agent.json_codec import plan_json
from foretree.planning.grounding.compilation import CompilationError, compile_away
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.plan import Plan
from foretree.planning.semantics.actions import validate
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.solvers.base import Limits, SolverError
from foretree.planning.solvers.fast_downward import _solve_request as solving
from foretree.planning.solvers.fast_downward import _task_preparation as preparation
from foretree.planning.solvers.fast_downward._search_binary import TooLateError
from foretree.planning.solvers.fast_downward._task_preparation import Surroundings
from foretree.planning.solvers.fast_downward._translator import (
    TranslatedTask,
    can_translate,
    find_translator,
    translate,
)
from foretree.planning.solvers.fast_downward._worker_messages import SolveRequest
from foretree.planning.solvers.fast_downward.solver import find_binary, shared_planner
from foretree.planning.solvers.finite_domain.task import SearchResult
from foretree.planning.work_limit import TooMuchWorkError, WorkLimit

#: Everything is fed that is joined to what is fed; nothing may be switched on that is not.
GRID = """
(define (domain lines)
  (:requirements :adl :derived-predicates)
  (:types node)
  (:predicates (joined ?a ?b - node) (source ?a - node) (fed ?a - node) (open ?a - node))
  (:derived (fed ?a - node) (source ?a))
  (:derived (fed ?a - node) (exists (?b - node) (and (fed ?b) (joined ?b ?a) (not (open ?a)))))
  (:action CLOSE :parameters (?a - node) :precondition (open ?a) :effect (not (open ?a))))
"""
LINE = """
(define (problem line) (:domain lines) (:objects N1 n2 n3 - node)
  (:init (source N1) (joined N1 n2) (joined n2 n3) (open n2) (open n3))
  (:goal (fed n3)))
"""
#: An effect under a condition that would have 2 to the power of twelve alternatives.
MANY = """
(define (domain crates)
  (:requirements :adl)
  (:predicates (a ?x) (b ?x) (ready) (part ?x))
  (:action paint :parameters (?x) :precondition (part ?x) :effect (a ?x))
  (:action mark :parameters (?x) :precondition (and (part ?x) (a ?x)) :effect (b ?x))
  (:action check :parameters ()
   :effect (when (forall (?x) (or (a ?x) (b ?x))) (ready))))
"""
#: A cup affords grasping and pouring, a sink neither, a jug all that a cup does and scooping.
AFFORDANCES = """
(define (domain affordances)
  (:types grasp pour scoop - object cup - grasp cup - pour jug - cup jug - scoop sink)
  (:predicates (held ?x - grasp) (empty ?x - pour) (full ?x))
  (:action take :parameters (?x - grasp) :precondition (full ?x) :effect (held ?x))
  (:action tip :parameters (?x - pour) :precondition (held ?x) :effect (empty ?x))
  (:action dip :parameters (?x - scoop) :effect (full ?x)))
"""
DISHES = """
(define (problem dishes) (:domain affordances) (:objects c - cup j - jug s - sink)
  (:init (full c) (full s)) (:goal (and (empty c) (empty j))))
"""
NAMES = [f"x{number}" for number in range(12)]
CRATES = f"""
(define (problem crates) (:domain crates) (:objects {" ".join(NAMES)})
  (:init {" ".join(f"(part {name})" for name in NAMES)}) (:goal (ready)))
"""


def problem_of(domain, problem):
    return parse_problem(problem, parse_domain(domain))


def never():
    return False


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield reading
    os.close(reading)
    os.close(writing)


def test_types_with_several_parents(pipe):
    problem = problem_of(AFFORDANCES, DISHES)
    task = translate(find_binary(), problem, time.monotonic() + 60, pipe, never)
    wanted = {("take", ("c",)), ("take", ("j",)), ("tip", ("c",)), ("tip", ("j",)), ("dip", ("j",))}
    assert set(task.actions) == wanted
    solution = shared_planner().solve(problem)
    assert (solution.cost, set(solution.steps)) == (5, wanted)


@pytest.mark.parametrize("mode", ["satisficing", "good", "fair", "optimal"])
def test_derived_predicates_that_depend_on_themselves(mode):
    problem = problem_of(GRID, LINE)
    with pytest.raises(CompilationError):
        compile_away(problem)
    solution = shared_planner().solve(problem, mode)
    assert solution.status == "solved"
    assert sorted(arguments for _, arguments in solution.steps) == [("n2",), ("n3",)]
    assert validate(problem, solution.steps).ok
    assert solution.optimal == (mode == "optimal")


def test_a_condition_with_too_many_alternatives():
    problem = problem_of(MANY, CRATES)
    with pytest.raises(CompilationError):
        compile_away(problem)
    solution = shared_planner().solve(problem, "good")
    assert (solution.status, len(solution.steps)) == ("solved", 13)
    assert validate(problem, solution.steps).ok


def test_what_is_out_of_reach_is_unsolvable():
    problem = problem_of(GRID, LINE.replace("(source N1)", ""))
    answer = shared_planner().solve(problem)
    assert answer.status == "unsolvable"
    assert answer.why.startswith("(fed n3) cannot be reached: it needs")


def test_why_what_the_translator_found_out_of_reach_is_told_with_little_work_or_not_at_all(monkeypatch, pipe):
    problem = problem_of(GRID, LINE.replace("(joined N1 n2)", ""))
    job = replace(request(problem), limits=Limits(soon=0))
    why = solving.solve(job, around(pipe, [])).why
    assert "it needs (fed n2) (to derive fed by rule 2)" in why
    assert "(source n2)" in why
    monkeypatch.setattr(preparation, "_WHY_WORK", 10)
    assert "gives no reason" in solving.solve(job, around(pipe, [])).why
    silent = replace(job, limits=Limits(soon=0, explain=False))
    assert solving.solve(silent, around(pipe, [])).why == ""


def test_too_much_work_is_handed_over_and_comes_to_the_same(monkeypatch, pipe):
    """The count of the work decides, so it is the same on every machine."""
    problem = problem_of(MANY.replace("(or (a ?x) (b ?x))", "(a ?x)"), CRATES)
    stages = []
    monkeypatch.setattr(preparation, "_OWN_WORK", 20)
    found = solving.solve(request(problem), around(pipe, stages))
    assert stages[:3] == ["compiling", "translating", "searching"]
    monkeypatch.undo()
    stages.clear()
    own = solving.solve(request(problem), around(pipe, stages))
    assert stages[:3] == ["compiling", "grounding", "searching"]
    assert (found.status, found.cost) == (own.status, own.cost) == ("solved", 13)


#: Things are moved on a ring of places, each place holding one: too many states for a quick search.
SHUNTING = """
(define (domain shunting)
  (:requirements :strips)
  (:predicates (at ?x ?p) (clear ?p) (joined ?p ?q))
  (:action push :parameters (?x ?p ?q) :precondition (and (at ?x ?p) (clear ?q) (joined ?p ?q))
   :effect (and (at ?x ?q) (clear ?p) (not (at ?x ?p)) (not (clear ?q)))))
"""


def shunting(side):
    """A square of tiles, with room for one more, to be turned round."""
    places = [(x, y) for x in range(side) for y in range(side)]
    near = [(p, q) for p in places for q in places if abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1]
    tiles = places[:-1]

    def name(letter, place):
        return f"{letter}{place[0]}{place[1]}"

    at = " ".join(f"(at {name('t', t)} {name('p', t)})" for t in tiles)
    goal = " ".join(
        f"(at {name('t', t)} {name('p', end)})" for t, end in zip(tiles, reversed(tiles), strict=True)
    )
    objects = " ".join([*(name("t", t) for t in tiles), *(name("p", p) for p in places)])
    joined = " ".join(f"(joined {name('p', p)} {name('p', q)})" for p, q in near)
    return f"""(define (problem turned) (:domain shunting) (:objects {objects})
  (:init {at} (clear {name("p", places[-1])}) {joined}) (:goal (and {goal})))"""


def line_of(length):
    """Tiles in a row with a place free, each of which is to move up by one."""
    at = " ".join(f"(at t{place} p{place})" for place in range(length))
    ways = " ".join(f"(joined p{place} p{place + 1})" for place in range(length))
    goal = " ".join(f"(at t{place} p{place + 1})" for place in range(length))
    objects = " ".join([*(f"t{place}" for place in range(length)), *(f"p{p}" for p in range(length + 1))])
    return f"""(define (problem row) (:domain shunting) (:objects {objects})
  (:init {at} (clear p{length}) {ways}) (:goal (and {goal})))"""


@pytest.mark.parametrize(("mode", "quick"), [("satisficing", 0), ("good", 1), ("fair", 1)])
def test_what_others_wrote_is_translated_before_a_search_that_has_no_end(monkeypatch, pipe, mode, quick):
    """Where it is lost then, Fast Downward is lost, too."""
    problem = problem_of(SHUNTING, shunting(3))
    searched = []

    def in_vain(_binary, _configuration, text, *_more):
        searched.append(text)
        return SearchResult("out-of-limits", (), 1, "expansions")

    monkeypatch.setattr(solving, "search", in_vain)
    job = replace(request(problem), mode=mode, limits=Limits(expansions=1000, soon=0))
    solving.solve(job, around(pipe, []))
    theirs = translate(str(find_binary()), problem, time.monotonic() + 300, pipe, never).text
    assert [text == theirs for text in searched] == [False] * quick + [True]
    searched.clear()
    solving.solve(replace(job, limits=Limits(expansions=1000, soon=1000)), around(pipe, []))
    assert searched
    assert theirs not in searched


def test_many_effects_under_conditions_are_handed_over_after_little_work(pipe):
    """Compiling counts them, and so does looking for what excludes what."""
    lamps = range(40)
    switches = "".join(
        f"""(:action press{number} :parameters () :effect (and {
            " ".join(
                f"(forall (?x ?y) (when (row{(number + lamp) % 40} ?x ?y) (and (row{lamp} ?y ?x) "
                f"(not (row{(number + lamp) % 40} ?x ?y)))))"
                for lamp in lamps
            )
        }))"""
        for number in range(1, 9)
    )
    rows = " ".join(f"(row{lamp} ?x ?y)" for lamp in lamps)
    domain = f"(define (domain lamps) (:requirements :adl) (:predicates {rows}) {switches})"
    problem = problem_of(
        domain,
        "(define (problem lit) (:domain lamps) (:objects a b c d e f) (:init (row0 a b)) (:goal (row4 b a)))",
    )
    with pytest.raises(TooMuchWorkError):
        compile_away(problem, WorkLimit(preparation._FOREIGN_WORK))
    stages = []
    job = replace(request(problem), limits=Limits(expansions=10_000, soon=0))
    assert solving.solve(job, around(pipe, stages)).status == "solved"
    assert "grounding" not in stages


def test_a_proof_of_the_translator_is_one(monkeypatch, pipe):
    """Whatever our own grounding has found."""
    problem = problem_of(SHUNTING, shunting(3))
    monkeypatch.setattr(preparation, "translate", lambda *_: TranslatedTask(b"", (), False, False))
    monkeypatch.setattr(solving, "search", lambda *_: SearchResult("out-of-limits", (), 1, "expansions"))
    job = replace(request(problem), limits=Limits(expansions=1_000_000, soon=0, explain=False))
    assert solving.solve(job, around(pipe, [])).status == "unsolvable"


@pytest.mark.parametrize("work", [1, 15_000], ids=["before-grounding", "after-a-quick-search"])
def test_what_the_translator_does_not_take_is_planned_for_without_it(monkeypatch, pipe, work):
    asked = []

    def refusing(_binary, problem, *_more):
        asked.append(problem)
        raise SolverError("no such thing as tea")

    monkeypatch.setattr(solving, "search_small", lambda *_: None)

    monkeypatch.setattr(preparation, "translate", refusing)
    monkeypatch.setattr(preparation, "_FOREIGN_WORK", work)
    monkeypatch.setattr(solving, "_FOREIGN_LEAST", 10_000)
    job = replace(request(problem_of(SHUNTING, line_of(6))), limits=Limits(expansions=100_000, soon=0))
    assert solving.solve(job, around(pipe, [])).status == "solved"
    assert asked == [job.problem]
    with pytest.raises(SolverError, match="tea"):
        solving.solve(replace(job, problem=problem_of(GRID, LINE)), around(pipe, []))


def test_which_parts_exclude_each_other_is_found_out_with_little_work(monkeypatch, pipe):
    """Every search for that starts a program; of a foreign task nobody may wait for that alone."""
    lights = "abcdef"
    toggles = "".join(
        f"(:action {x}{y} :parameters () :precondition (and (off {x}) (off {y}))"
        f" :effect (and (on {x}) (not (off {x})) (not (on {y}))))"
        for x, y in zip(lights, lights[1:] + lights[:1], strict=True)
    )
    problem = problem_of(
        f"(define (domain lights) (:constants {' '.join(lights)}) (:predicates (on ?x) (off ?x)) {toggles})",
        f"""(define (problem all) (:domain lights) (:init {" ".join(f"(off {x})" for x in lights)})
        (:goal (and {" ".join(f"(on {x})" for x in lights)})))""",
    )
    tried = []
    real = solving._Solving._solvable

    def noting(self, work, part):
        answer = real(self, work, part)
        tried.append(answer)
        return answer

    monkeypatch.setattr(solving._Solving, "_solvable", noting)
    job = replace(request(problem), limits=Limits(soon=0))
    assert "exclude each other" in solving.solve(replace(job, limits=Limits()), around(pipe, [])).why
    assert None not in tried
    tried.clear()
    monkeypatch.setattr(preparation, "_WHY_WORK", solving._WHY_SEARCH + 2000)
    assert "all together they are not" in solving.solve(job, around(pipe, [])).why
    assert tried[-1] is None
    assert len(tried) <= 2


def test_without_a_translator_the_work_has_an_end_that_says_where_it_was(monkeypatch, pipe):
    problem = problem_of(MANY.replace("(or (a ?x) (b ?x))", "(a ?x)"), CRATES)
    monkeypatch.setattr(preparation, "find_translator", lambda binary: None)
    monkeypatch.setattr(preparation, "MOST_WORK", 20)
    answer = solving.solve(request(problem), around(pipe, []))
    assert (answer.status, answer.timed) == ("out-of-limits", False)
    assert "compiling, after 20 steps" in answer.why
    assert "Leave out" in answer.why


def test_out_of_time_says_where_what_to_try_and_that_it_may_be_otherwise(monkeypatch, pipe):
    problem = problem_of(GRID, LINE)

    def late(*_arguments):
        raise TooLateError

    monkeypatch.setattr(preparation, "translate", late)
    answer = solving.solve(request(problem), around(pipe, []))
    assert (answer.status, answer.timed) == ("out-of-limits", True)
    assert "while translating" in answer.why
    assert "another run may come to another end" in answer.why


def test_counts_and_names_that_differ_in_case_only_stay_here():
    assert can_translate(problem_of(GRID, LINE))
    counted = problem_of(MANY, CRATES.replace("(ready)", "(at-least 2 (?x) (a ?x))"))
    assert not can_translate(counted)
    problem = problem_of(GRID, LINE)
    assert not can_translate(replace(problem, objects={"n2": "node", "N2": "node"}))


def test_what_the_translator_refuses_is_told(tmp_path, pipe):
    folder = tmp_path / "fast_downward" / "translate"
    folder.mkdir(parents=True)
    (tmp_path / "fast_downward" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "__main__.py").write_text("import sys\nprint('no such thing as tea')\nsys.exit(31)\n")
    with pytest.raises(SolverError, match="exit code 31: no such thing as tea"):
        translate(str(tmp_path / "downward"), problem_of(GRID, LINE), time.monotonic() + 300, pipe, never)


def test_a_build_without_a_translator(tmp_path, pipe):
    assert find_translator(str(tmp_path / "downward")) is None
    with pytest.raises(SolverError, match="no translator"):
        translate(str(tmp_path / "downward"), problem_of(GRID, LINE), time.monotonic() + 300, pipe, never)
    assert find_translator(str(find_binary())) is not None


def request(problem):
    return SolveRequest(1, problem, "good", Limits(expansions=10_000, soon=1000), str(find_binary()))


def around(pipe, stages):
    return Surroundings(
        lambda deadline: nullcontext(), pipe, never, lambda message: stages.append(message.name)
    )


def test_the_planner_tells_the_stage_it_is_in_and_nothing_when_it_is_done():
    planner = shared_planner()
    seen = set()
    future = planner.submit(problem_of(GRID, LINE), "good")
    while not future.done():
        seen.add(planner.stage)
    assert future.result().status == "solved"
    assert planner.stage == ""
    assert seen & {"compiling", "translating", "searching"}


def test_a_plan_that_a_clock_had_a_part_in_says_so(monkeypatch, pipe):
    problem = problem_of(MANY.replace("(or (a ?x) (b ?x))", "(a ?x)"), CRATES)
    real = solving.search
    runs = []

    def slow_at_first(*arguments):
        runs.append(arguments)
        found = real(*arguments)
        return replace(found, status="out-of-limits", why="processor") if len(runs) == 1 else found

    monkeypatch.setattr(solving, "search", slow_at_first)
    solution = solving.solve(request(problem), around(pipe, []))
    assert (solution.status, solution.timed) == ("solved", True)
    plan = Plan(problem.goal, (), timed=solution.timed)
    assert plan_json(plan, "planner")["timed"] is True
    assert "timed" not in plan_json(replace(plan, timed=False), "planner")


def test_no_search_that_estimates_proves_anything_where_predicates_are_derived(monkeypatch, pipe):
    problem = problem_of(GRID, LINE)
    monkeypatch.setattr(solving, "search", lambda *arguments: SearchResult("unsolvable", (), 3))
    answer = solving.solve(request(problem), around(pipe, []))
    assert answer.status == "out-of-limits"
    assert "no proof" in answer.why
    optimal = solving.solve(replace(request(problem), mode="optimal"), around(pipe, []))
    assert optimal.status == "unsolvable"


def test_the_translator_gets_what_was_stated_where_conditions_have_taken_the_place_of_axioms(
    monkeypatch, pipe
):
    """The goal is one of them."""
    named = (
        GRID.replace(":precondition (open ?a)", ":precondition (shut ?a)")
        .replace("(:action CLOSE", "(:derived (shut ?a - node) (open ?a)) (:action CLOSE")
        .replace("(open ?a - node))\n", "(open ?a - node) (shut ?a - node))\n")
    )
    problem = without_axioms(problem_of(named, LINE.replace("(fed n3)", "(and (fed n3) (not (shut n2)))")))
    assert {axiom.predicate for axiom in problem.domain.axioms} == {"fed"}
    asked = []
    real = preparation.translate

    def noting(binary, given, *more):
        asked.append(given)
        return real(binary, given, *more)

    monkeypatch.setattr(preparation, "translate", noting)
    solution = solving.solve(request(problem), around(pipe, []))
    assert (solution.status, len(solution.steps)) == ("solved", 2)
    assert {axiom.predicate for axiom in asked[0].domain.axioms} == {"fed", "shut"}
    assert "shut" in str(asked[0].goal)
    assert "shut" not in str(problem.goal)
    other = replace(problem.domain, operators={})
    assert preparation._as_stated(replace(problem, domain=other)).domain is other
