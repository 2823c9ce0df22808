"""Changed PDDL text is read, or refused in words: nothing else comes of it."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretree.planning.pddl.errors import PddlError
from foretree.planning.pddl.parser import parse_domain, parse_problem, read_domain
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.semantics.axioms import without_axioms

CORPUS = Path(__file__).parent
DERIVED = """(define (domain graph) (:requirements :adl :derived-predicates) (:types node - object hub - node)
  (:constants c - node) (:functions (total-cost) (f ?x ?y - node))
  (:predicates (edge ?x ?y - node) (reach ?x ?y - node) (shut ?x - (either node hub)) (free))
  (:derived (free) (not (exists (?x - node) (shut ?x))))
  (:derived (reach ?x ?y - node) (or (edge ?x ?y) (exists (?z - node) (and (edge ?x ?z) (reach ?z ?y)))))
  (:action shut :parameters (?x - hub) :precondition (and (reach c ?x) (not (= ?x c)))
    :effect (and (when (free) (shut ?x)) (forall (?y) (not (edge ?x ?y))) (increase (total-cost) (f ?x ?x)))))"""
GRAPH = """(define (problem p) (:domain graph) (:objects a b - node h - hub)
  (:init (edge c a) (edge a h) (= (f h h) 2) (not (shut h))) (:goal (imply (free) (at-least 1 (?x - hub) (shut ?x))))
  (:metric minimize (total-cost)))"""
DOMAINS = [
    DERIVED,
    *((CORPUS / name / "domain.pddl").read_text() for name in ("museum", "briefcase", "delivery")),
]
TASKS = [
    (parse_domain(DERIVED), GRAPH),
    *(
        (read_domain(CORPUS / name / "domain.pddl"), (CORPUS / name / "problem.pddl").read_text())
        for name in ("museum", "briefcase", "delivery")
    ),
]
#: Words that mean something somewhere, and some that mean nothing anywhere.
WORDS = [
    "(",
    ")",
    "((",
    "))",
    "?x",
    "?y",
    "-",
    ":",
    ";",
    "=",
    "and",
    "or",
    "not",
    "imply",
    "exists",
    "forall",
    "when",
    "increase",
    "either",
    "at-least",
    "object",
    "number",
    ":action",
    ":derived",
    ":types",
    ":predicates",
    ":init",
    ":goal",
    ":effect",
    ":parameters",
    ":precondition",
    ":metric",
    ":requirements",
    "total-cost",
    "0",
    "1",
    "-1",
    "1.5",
    "1e999",
    "nan",
    "?",
    "-",
    "-x",
    "::",
    "99999999999",
    "\x00",
    "é",
    "\u202e",
]


@st.composite
def changed(draw, texts):
    """A text with a few of its words left out, doubled, exchanged, or put in from elsewhere."""
    words = re.findall(r"[()]|[^\s()]+|\s+", draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 4))):
        if not words:
            break
        at, other = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
        match draw(st.sampled_from(["leave out", "put in", "exchange", "copy", "cut"])):
            case "leave out":
                del words[at : at + draw(st.integers(1, 5))]
            case "put in":
                words[at:at] = [" ", draw(st.sampled_from(WORDS)), " "]
            case "exchange":
                words[at], words[other] = words[other], words[at]
            case "copy":
                words[at:at] = words[other : other + draw(st.integers(1, 30))]
            case "cut":
                del words[max(at, 1) :]
    return "".join(words)


RULES = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@RULES
@given(changed(DOMAINS))
def test_changed_domains(text):
    domain = None
    with suppress(PddlError):
        domain = parse_domain(text, "d.pddl")
    if domain is not None:
        assert parse_domain(write_domain(domain)) == domain


@pytest.mark.parametrize("number", range(len(TASKS)))
def test_changed_problems(number):
    domain, original = TASKS[number]

    @RULES
    @given(changed([original]))
    def check(text):
        task = None
        with suppress(PddlError):
            task = parse_problem(text, domain, "p.pddl")
            without_axioms(task)
            again = write_problem(task)
        if task is not None:
            assert parse_problem(again, domain).goal == task.goal

    check()


@pytest.mark.parametrize(
    "text",
    [
        "(define (domain d) (:predicates (p ?x - :q)))",
        "(define (domain d) (:types a) (:predicates (p ?x - (either :q a))))",
        "(define (domain d) (:types a - ?b))",
    ],
)
def test_a_type_that_nobody_declared_is_a_name_all_the_same(text):
    with pytest.raises(PddlError, match=r'^domain:1:\d+: "[:?][a-z]" is not a name: write [a-z]\.$'):
        parse_domain(text)
