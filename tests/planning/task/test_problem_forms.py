"""Which forms of a problem a session tries."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from floors import DOMAIN, goals, nodes_of, random_floor
from tabletops import ROW, problem_of, things

from foretree.planning.pddl.syntax import Cost, Domain
from foretree.planning.task import problem_forms
from foretree.planning.task.goals import parse_goal
from foretree.planning.task.problem_forms import ProblemForms, WholeProblem
from foretree.world_model.maps.compressed_map import CompressedMap
from foretree.world_model.maps.places import PlaceGraph


def test_the_compressed_form_with_all_nodes_that_anything_is_known_of():
    rng = random.Random(1)
    floor = random_floor(rng, size=12)
    problem = floor.problem(goals(floor, rng))
    overview = ProblemForms(DOMAIN, floor.places)
    (form,) = overview.forms(problem)
    assert overview.why_not == ""
    assert set(nodes_of(floor, floor.stands)) <= set(form.problem.objects)
    assert len(form.problem.objects) < len(problem.objects)


def test_first_with_the_nodes_that_are_said_to_matter_then_with_all():
    floor = random_floor(random.Random(1), size=12)
    floor.stands = {"table0": "n1", "table1": "n5", "table2": "n9"}
    floor.lies = {"cup0": "table0", "cup1": "table2"}
    problem = floor.problem("(on cup0 table1)")
    overview = ProblemForms(DOMAIN, floor.places, rests=["on"])
    some, everything = overview.forms(problem, keep=nodes_of(floor, ["table1"]))
    assert {"table0", "table1", "cup0"} <= set(some.problem.objects)
    assert not {"cup1", "n9"} & set(some.problem.objects)
    assert everything.problem == overview.forms(problem)[0].problem


def test_with_the_things_that_matter_first_unless_it_is_turned_off():
    whole = problem_of({"mango1": ("on", "table1"), "cup1": ("on", "table2")}, "(on mango1 couch1)")
    places = PlaceGraph()
    for number, name in enumerate(ROW):
        places.add(name, (number, 0.0, 0.0), room="hall")
    for one, other in pairwise(ROW):
        places.connect(one, other, cost=10)
    some, everything = ProblemForms(whole.domain, places).forms(whole)
    assert things(some.problem) == {"mango1"}
    assert things(everything.problem) == {"mango1", "cup1"}
    (all_at_once,) = ProblemForms(whole.domain, places, selecting=False).forms(whole)
    assert all_at_once.problem == everything.problem


def test_a_problem_of_a_map_that_has_changed_since_is_taken_whole():
    """Why there was no plan is found out later, when a robot may know its map better."""
    whole = problem_of({"mango1": ("on", "table1")}, "(on mango1 couch1)")
    places = PlaceGraph()
    for number, name in enumerate(ROW):
        places.add(name, (number, 0.0, 0.0), room="hall")
    for one, other in pairwise(ROW):
        places.connect(one, other, cost=10)
    forms = ProblemForms(whole.domain, places)
    assert len(forms.forms(whole)) == 2
    [here] = [atom[-1] for atom in whole.init if atom[0] == "rob_at_node"]
    places.remove(here)
    (form,) = forms.forms(whole)
    assert isinstance(form, WholeProblem)


def test_the_form_with_all_nodes_is_made_when_somebody_wants_it(monkeypatch):
    floor = random_floor(random.Random(1), size=12)
    made = []
    monkeypatch.setattr(
        ProblemForms, "_everything", lambda overview, problem, places: made.append(1) or WholeProblem(problem)
    )
    problem = floor.problem("(on cup0 table1)")
    _, everything = ProblemForms(DOMAIN, floor.places, rests=["on"]).forms(
        problem, keep=nodes_of(floor, ["table1"])
    )
    assert not made
    assert everything.problem is problem
    assert everything.refine([("wait", ())]) == (("wait", ()),)
    assert len(made) == 1


def test_what_cannot_be_compressed_is_solved_as_it_is():
    floor = random_floor(random.Random(1))
    problem = floor.problem("(on cup0 table1)")
    assert ProblemForms(Domain("nothing"), floor.places).forms(problem) == (WholeProblem(problem),)
    assert "nothing has no navigation" in ProblemForms(Domain("nothing"), floor.places).why_not
    other_cost = replace(DOMAIN.operators["move_robot"], cost=Cost(1))
    unusual = replace(DOMAIN, operators={**DOMAIN.operators, "move_robot": other_cost})
    overview = ProblemForms(unusual, floor.places)
    assert overview.forms(problem) == (WholeProblem(problem),)
    assert "its cost is another one" in overview.why_not


def test_a_goal_about_the_map_is_solved_as_it_is():
    floor = random_floor(random.Random(1))
    problem = floor.problem("(on cup0 table1)")
    goal = parse_goal("(connected n1 n2)", DOMAIN, problem.objects).formula
    problem = replace(problem, goal=goal)
    assert ProblemForms(DOMAIN, floor.places).forms(problem) == (WholeProblem(problem),)


def test_a_whole_problem_keeps_its_steps():
    floor = random_floor(random.Random(1))
    form = WholeProblem(floor.problem("(on cup0 table1)"))
    assert form.refine([("move_robot", ["robot1", "n1", "n2"])]) == (("move_robot", ("robot1", "n1", "n2")),)


def test_a_map_is_laid_out_once_for_all_sessions_that_begin_the_same(monkeypatch):
    monkeypatch.setattr(CompressedMap, "_make_roadmap", _counted(CompressedMap._make_roadmap, laid := []))
    monkeypatch.setattr(problem_forms, "_layouts", {})  # as many as are kept may be there from other tests
    floor = random_floor(random.Random(2), size=12)
    problem = floor.problem("(on cup0 table1)")
    floor.stands = {"table0": "n1", "table1": "n5", "table2": "n9"}
    other = floor.problem("(on cup0 table1)")
    forms = [ProblemForms(DOMAIN, floor.places).forms(each) for each in (problem, problem, other, problem)]
    assert forms[0][0].problem == forms[1][0].problem == forms[3][0].problem != forms[2][0].problem
    assert len(laid) <= 2


def _counted(method, calls):
    def counting(*arguments):
        calls.append(arguments)
        return method(*arguments)

    return counting
