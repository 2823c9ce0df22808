"""Goals that ask for more at once than there is room for."""

from __future__ import annotations

import pytest
from households import kitchen
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import cheapest

from foretree.planning.grounding.capacity_proofs import find_capacity_conflict
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.relaxed_reachability import is_provably_unsolvable
from foretree.planning.grounding.unsolvability import explain_unsolvable
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Limits
from foretree.planning.solvers.fast_downward.solver import FastDownward

DOMAIN = parse_domain(
    """(define (domain hands) (:requirements :adl) (:types hand cup)
    (:predicates (free ?h - hand) (held ?h - hand ?c - cup) (on_table ?c - cup) (reaches ?h - hand ?c - cup))
    (:action pick :parameters (?h - hand ?c - cup)
     :precondition (and (free ?h) (on_table ?c) (reaches ?h ?c))
     :effect (and (held ?h ?c) (not (free ?h)) (not (on_table ?c))))
    (:action put :parameters (?h - hand ?c - cup) :precondition (held ?h ?c)
     :effect (and (free ?h) (on_table ?c) (not (held ?h ?c)))))""",
    "hands.pddl",
)
LEFT, RIGHT = "left", "right"


def holding(reach: list[set[str]]) -> Problem:
    """All cups are to be held, each in one of the hands that reach it."""
    cups = [f"cup{number}" for number in range(len(reach))]
    facts = [f"(on_table {cup})" for cup in cups]
    facts += [
        f"(reaches {hand} {cup})" for cup, hands in zip(cups, reach, strict=True) for hand in sorted(hands)
    ]
    parts = [f"(exists (?h - hand) (and (held ?h {cup}) (reaches ?h {cup})))" for cup in cups]
    return parse_problem(
        f"""(define (problem all) (:domain hands) (:objects {LEFT} {RIGHT} - hand {" ".join(cups)} - cup)
        (:init (free {LEFT}) (free {RIGHT}) {" ".join(facts)}) (:goal (and {" ".join(parts)})))""",
        DOMAIN,
        "all.pddl",
    )


@given(st.lists(st.sets(st.sampled_from([LEFT, RIGHT]), min_size=1), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_there_is_a_crowd_where_there_is_no_plan(reach):
    problem = holding(reach)
    assert (find_capacity_conflict(compile_away(problem)) is not None) == (cheapest(problem) is None)
    assert is_provably_unsolvable(problem) == (cheapest(problem) is None)


def test_only_those_who_are_in_each_others_way_are_a_crowd():
    crowd = find_capacity_conflict(compile_away(holding([{RIGHT}, {LEFT}, {LEFT}])))
    assert crowd is not None
    assert crowd.room == 1
    assert crowd.parts == ((("held", LEFT, "cup1"),), (("held", LEFT, "cup2"),))


def test_it_is_told_in_words():
    assert explain_unsolvable(holding([{LEFT, RIGHT}] * 5)) == (
        "Of these 3 parts of the goal, no more than 2 can be so at once: "
        "(held left cup0) or (held right cup0); (held left cup1) or (held right cup1); "
        "(held left cup2) or (held right cup2)."
    )


@pytest.mark.parametrize("mode", ["satisficing", "optimal"])
def test_nothing_is_searched_for(mode):
    things = ("apple1", "mango1", "mug1")
    parts = " ".join(f"(exists (?h - hand) (holding robot ?h {thing}))" for thing in things)
    with FastDownward() as solver:
        solution = solver.solve(kitchen(f"(and {parts})", seed=3), mode, Limits(expansions=1))
    assert solution.status == "unsolvable"
    assert solution.why.startswith("Of these 3 parts of the goal, no more than 2 can be so at once")
