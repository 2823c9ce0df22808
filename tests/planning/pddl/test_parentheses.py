"""Where a parenthesis that is missing, or one too many, is reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foretree.planning.pddl.errors import PddlError, PddlSyntaxError
from foretree.planning.pddl.parser import parse_domain, parse_problem, read_domain

CORPUS = Path(__file__).parent
FILES = [
    *sorted(CORPUS.glob("*/*.pddl")),
    Path(__file__).parents[3] / "configs" / "domains" / "household.pddl",
]
#: How many changed texts of each file are read.
SAMPLES = 30

DOMAIN = """(define (domain d)
  (:types t)
  (:predicates
    (p ?x - t)
    (q ?x - t))
  (:action a
    :parameters (?x - t)
    :precondition (and
      (p ?x)
      (or (q ?x)
          (not (p ?x))))
    :effect (and (q ?x)
                 (not (p ?x))))
  (:action b
    :parameters (?x - t)
    :effect (p ?x)))
"""


def changed(line: int, old: str, new: str) -> str:
    lines = DOMAIN.splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "old", "new", "place", "says"),
    [
        (2, "(:types t)", "(:types t", "3:3", "(:predicates begins inside (:types of d.pddl:2:3"),
        (4, "- t)", "- t", "5:5", "(q begins inside (p of d.pddl:4:5"),
        (5, "t))", "t)", "6:3", "(:action begins inside (:predicates of d.pddl:3:3"),
        (7, "- t)", "- t", "8:5", ":precondition begins inside (?x of d.pddl:7:17"),
        (9, "(p ?x)", "(p ?x", "9:11", "(p of d.pddl:9:7 is still open, and line 10 begins outside"),
        (11, "))))", ")))", "12:5", ":effect begins inside (and of d.pddl:8:19"),
        (13, "))))", ")))", "14:3", "(:action begins inside (:action of d.pddl:6:3"),
        (16, ")))", "))", "16:19", "1 closing parenthesis is missing after this: (define of d.pddl:1:1"),
        (4, "- t)", "- t))", "5:5", "(q stands outside of any section"),
        (9, "?x)", "?x))", "10:7", "(or stands between the parts of the action"),
        (11, "))))", ")))))", "12:5", ":effect stands outside of any action"),
    ],
)
def test_where_it_is_reported(line, old, new, place, says):
    with pytest.raises(PddlSyntaxError) as caught:
        parse_domain(changed(line, old, new), "d.pddl")
    assert str(caught.value).startswith(f"d.pddl:{place}: ")
    assert says in str(caught.value)


def test_text_at_the_left_margin_is_not_taken_to_be_outside_of_its_section():
    problem = """(define (problem x)
(:domain d)
(:objects a b - t)
(:init
(p a)
(p b)
(q b
)
(:goal (and (q a) (q b)))
)
"""
    with pytest.raises(PddlSyntaxError, match=re.escape("x:9:1: (:goal begins inside (:init of x:4:1")):
        parse_problem(problem, parse_domain(DOMAIN), "x")


def test_a_definition_may_be_indented_further_than_its_sections():
    domain = "    " + DOMAIN.replace("(not (p ?x))))\n    :effect", "(not (p ?x)))\n    :effect")
    with pytest.raises(PddlSyntaxError, match=re.escape("x:12:5: :effect begins inside (and of x:8:19")):
        parse_domain(domain, "x")


@pytest.mark.parametrize("change", ["missing", "too many"])
def test_nearly_every_mistake_is_reported_within_two_lines(change):
    far, total = [], 0
    for path in FILES:
        text = path.read_text()
        places = [
            at
            for at, letter in enumerate(text)
            if letter == ")" and ";" not in text[: at + 1].rpartition("\n")[2]
        ]
        domain = read_domain(path.with_name("domain.pddl")) if path.name == "problem.pddl" else None
        for at in places[:: max(1, len(places) // SAMPLES)]:
            wrong = text[:at] + text[at + 1 :] if change == "missing" else f"{text[:at]}){text[at:]}"
            with pytest.raises(PddlError) as caught:
                parse_domain(wrong) if domain is None else parse_problem(wrong, domain)
            total += 1
            if abs(caught.value.line - text.count("\n", 0, at) - 1) > 2:
                far.append(f"{path.parent.name}/{path.name} at {at}: {caught.value}")
    assert total > 300
    assert len(far) <= total / 20, far
