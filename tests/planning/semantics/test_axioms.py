"""Derived predicates: read, checked, and done without."""

from __future__ import annotations

import pytest

from foretree.planning.grounding.compilation import CompilationError, compile_away
from foretree.planning.pddl.errors import ArityError, PddlSyntaxError, UnboundVariableError, UnknownNameError
from foretree.planning.pddl.parser import parse_domain, parse_problem
from foretree.planning.pddl.syntax import Exists, Literal, Typed
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.semantics.actions import TypedObjects, validate
from foretree.planning.semantics.axioms import recursive_predicates, strata, without_axioms
from foretree.planning.semantics.evaluation import evaluate, state_oracle
from foretree.world_model.beliefs.facts import Truth

BLOCKS = """(define (domain stacks) (:types block)
  (:predicates (on ?x ?y - block) (table ?x - block) (clear ?x - block) (above ?x ?y - block) (covered ?x - block))
  (:derived (covered ?x - block) (exists (?y - block) (on ?y ?x)))
  (:derived (clear ?x - block) (not (covered ?x)))
  (:derived (above ?x ?y - block) (on ?x ?y))
  (:derived (above ?x ?y - block) (exists (?z - block) (and (on ?x ?z) (above ?z ?y))))
  (:action put :parameters (?x ?y - block) :precondition (and (clear ?x) (clear ?y) (table ?x) (not (= ?x ?y)))
    :effect (and (on ?x ?y) (not (table ?x)))))"""


def stacks(goal: str):
    text = f"""(define (problem p) (:domain stacks) (:objects a b c - block)
                 (:init (table a) (table b) (table c)) (:goal {goal}))"""
    return parse_problem(text, parse_domain(BLOCKS))


def test_rules_are_read_and_written():
    domain = parse_domain(BLOCKS)
    assert [axiom.predicate for axiom in domain.axioms] == ["covered", "clear", "above", "above"]
    assert domain.axioms[0].body == Exists((Typed("?y", "block"),), Literal(("on", "?y", "?x")))
    assert parse_domain(write_domain(domain)) == domain
    assert ":derived-predicates" in write_domain(domain)


def test_the_order_of_evaluation():
    domain = parse_domain(BLOCKS)
    order = strata(domain.axioms)
    assert order.index(("covered",)) < order.index(("clear",))
    assert recursive_predicates(domain.axioms) == {"above"}


def test_an_untyped_head_takes_the_types_of_the_declaration():
    domain = parse_domain("(define (domain d) (:types t) (:predicates (p ?x - t)) (:derived (p ?x) (and)))")
    assert domain.axioms[0].parameters == (Typed("?x", "t"),)


def test_plans_are_checked_by_what_is_derived():
    task = stacks("(above a c)")
    assert validate(task, [("put", ("b", "c")), ("put", ("a", "b"))]).ok
    assert not validate(task, [("put", ("b", "c"))]).ok
    refused = validate(task, [("put", ("b", "c")), ("put", ("a", "c"))])
    assert refused.step == 1
    assert "(clear c)" in refused.reason


def test_names_for_conditions_are_put_in_their_places():
    task = without_axioms(stacks("(clear a)"))
    assert not task.domain.axioms
    assert {axiom.predicate for axiom in without_axioms(stacks("(above a b)")).domain.axioms} == {"above"}
    assert "clear" not in task.domain.predicates
    for state in (task.init, task.init | {("on", "b", "a")}):
        objects = TypedObjects(task.domain, task.objects)
        free = ("on", "b", "a") not in state
        assert evaluate(task.goal, state_oracle(state), objects) is (Truth.TRUE if free else Truth.FALSE)


def test_arguments_are_not_caught_by_the_quantifiers_of_a_rule():
    text = """(define (domain d) (:predicates (r ?x ?y) (p ?x) (done))
      (:derived (p ?x) (exists (?y) (r ?x ?y)))
      (:action a :parameters (?y) :precondition (p ?y) :effect (done)))"""
    task = "(define (problem p) (:domain d) (:objects o1 o2) (:init (r o1 o2)) (:goal (done)))"
    plain = without_axioms(parse_problem(task, parse_domain(text)))
    assert validate(plain, [("a", ("o1",))]).ok
    assert not validate(plain, [("a", ("o2",))]).ok


def test_a_rule_holds_only_of_the_types_that_it_is_for():
    text = """(define (domain d) (:types cup plate) (:predicates (fit ?x) (seen ?x))
      (:derived (fit ?x - cup) (and))
      (:action a :parameters (?x) :precondition (fit ?x) :effect (seen ?x)))"""
    task = "(define (problem p) (:domain d) (:objects c - cup q - plate) (:goal (seen c)))"
    task = parse_problem(task, parse_domain(text))
    for one in (task, without_axioms(task)):
        assert validate(one, [("a", ("c",))]).ok
        assert not validate(one, [("a", ("q",))]).ok


def test_compilation_leaves_no_axioms():
    compiled = compile_away(stacks("(and (on a b) (not (clear b)))")).problem
    assert not compiled.domain.axioms
    assert parse_problem(write_problem(compiled), parse_domain(write_domain(compiled.domain)))


def test_compilation_says_which_predicates_depend_on_themselves():
    with pytest.raises(CompilationError, match="above"):
        compile_away(
            parse_problem(
                "(define (problem p) (:domain stacks) (:objects a b - block) (:goal (above a b)))",
                parse_domain(BLOCKS),
            )
        )


MISTAKES = [
    ("(:derived (q ?x) (r ?x))", UnknownNameError, "1:70", "not among the (:predicates"),
    ("(:derived (p) (r ?x))", ArityError, "1:70", "for 0 arguments here, and declared with 1"),
    ("(:derived (p ?x) (r ?y))", UnboundVariableError, "1:80", "Bound here: ?x"),
    ("(:derived (p ?x))", PddlSyntaxError, "1:60", "Write (:derived"),
    ("(:derived (and ?x) (r ?x))", PddlSyntaxError, "1:60", "Write (:derived"),
    ("(:derived (p ?x) (not (p ?x)))", PddlSyntaxError, "1:60", "depends on its own negation"),
    ("(:derived (p ?x) (imply (p ?x) (r ?x)))", PddlSyntaxError, "1:60", "depends on its own negation"),
    (
        "(:derived (p ?x) (r ?x)) (:action a :parameters (?x) :effect (p ?x))",
        PddlSyntaxError,
        "1:85",
        'The action "a" changes "p"',
    ),
]


@pytest.mark.parametrize(("body", "kind", "place", "says"), MISTAKES)
def test_mistakes_in_rules(body, kind, place, says):
    with pytest.raises(kind) as caught:
        parse_domain(f"(define (domain some-name) (:predicates (p ?x) (r ?x)    ) {body})", "d.pddl")
    assert str(caught.value).startswith(f"d.pddl:{place}: ")
    assert says in str(caught.value)


def test_a_negation_round_two_predicates_is_refused():
    text = """(define (domain d) (:predicates (p) (q) (r))
      (:derived (p) (or (q) (r))) (:derived (q) (not (p))))"""
    with pytest.raises(PddlSyntaxError, match="depends on its own negation"):
        parse_domain(text)
