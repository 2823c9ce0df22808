"""Tasks with derived predicates, planned and carried out like any other."""

from __future__ import annotations

import pytest

from foretree.bringup.embedded import open_pddl
from foretree.bringup.options import Options
from foretree.bringup.preview import preview

STACKS = """(define (domain stacks) (:types block)
  (:predicates (on ?x ?y - block) (table ?x - block) (clear ?x - block) (above ?x ?y - block))
  (:derived (clear ?x - block) (not (exists (?y - block) (on ?y ?x))))
  %s
  (:action put :parameters (?x ?y - block) :precondition (and (clear ?x) (clear ?y) (table ?x) (not (= ?x ?y)))
    :effect (and (on ?x ?y) (not (table ?x)))))"""
ABOVE = """(:derived (above ?x ?y - block)
    (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))"""
DIRECTLY = "(:derived (above ?x ?y - block) (on ?x ?y))"


def stacks(folder, rules: str, goal: str, faults=()):
    (folder / "d.pddl").write_text(STACKS % rules)
    (folder / "p.pddl").write_text(
        f"""(define (problem p) (:domain stacks) (:objects a b c - block)
              (:init (table a) (table b) (table c)) (:goal {goal}))"""
    )
    return open_pddl(folder / "d.pddl", folder / "p.pddl", Options(faults=tuple(faults)))


@pytest.mark.parametrize("rules", [ABOVE, DIRECTLY], ids=["recursive", "plain"])
def test_a_task_is_planned_and_carried_out(rules, tmp_path):
    goal = "(and (above a b) (above b c))"
    session, world = stacks(tmp_path, rules, goal)
    outline = preview(session)
    assert outline.index("put(b, c)") < outline.index("put(a, b)")
    result = session.run()
    assert result.reached
    assert world.holds(session.mission.goal)
    assert not world.illegal


def test_what_is_derived_anew_is_noticed(tmp_path):
    """Somebody puts a block down on the way: the plan is made anew from what follows then."""
    session, world = stacks(
        tmp_path, ABOVE, "(above a c)", ["after 1: set (table b)", "after 1: clear (on b c)"]
    )
    result = session.run()
    assert result.reached
    assert world.holds(session.mission.goal)
