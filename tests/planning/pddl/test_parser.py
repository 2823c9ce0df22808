"""What the parser reads, and what it says about what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest
from effort import growth

from foretree.planning.pddl.errors import (
    ArgumentTypeError,
    ArityError,
    DuplicateNameError,
    PddlError,
    PddlFileError,
    PddlSyntaxError,
    UnboundVariableError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.parser import (
    parse_domain,
    parse_operator,
    parse_problem,
    read_domain,
    read_problem,
)
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Cost,
    Count,
    Effect,
    Equal,
    Exists,
    Forall,
    Literal,
    Not,
    Or,
    Typed,
)
from foretree.planning.pddl.writer import write_domain

CORPUS = Path(__file__).parent
HOUSEHOLD = Path(__file__).parents[3] / "configs" / "domains" / "household.pddl"

KITCHEN = """(define (domain kitchen)
  (:requirements :strips :typing)
  (:types item place - object mug - item asset robot - place)
  (:constants sink - asset)
  (:predicates (on ?i - item ?p - asset) (held ?i - item) (clean ?i - item) (done))
  (:functions (total-cost) - number (far ?a ?b - place))
  %s)
"""


def kitchen(action: str = ""):
    return parse_domain(KITCHEN % action, "kitchen.pddl")


def problem(body: str):
    return parse_problem(f"(define (problem p) (:domain kitchen)\n{body})", kitchen(), "p.pddl")


def pick(precondition: str = "()", effect: str = "()", parameters: str = "?i - item ?p - asset"):
    text = f"(:action pick :parameters ({parameters})\n:precondition {precondition}\n:effect {effect})"
    return parse_operator(text, kitchen(), "pick.yaml", line=4)


# -- what is read ----------------------------------------------------------------------------------
@pytest.mark.parametrize("folder", sorted(path.parent.name for path in CORPUS.glob("*/domain.pddl")))
def test_the_corpus_is_read(folder):
    domain = read_domain(CORPUS / folder / "domain.pddl")
    task = read_problem(CORPUS / folder / "problem.pddl", domain)
    assert domain.operators
    assert task.init
    assert task.goal != TRUE


def test_the_household_is_read():
    domain = read_domain(HOUSEHOLD)
    assert domain.predicates["on"] == (Typed("?item", "item"), Typed("?place", "asset"))
    assert domain.is_a("person", "node")
    assert domain.functions["total-cost"] == ()


def test_a_domain_in_full():
    domain = kitchen(
        """(:action Pick :parameters (?I - item ?p - asset)
             :precondition (and (on ?i ?P) (not (held ?i)))
             :effect (and (held ?i) (not (on ?i ?p)) (increase (total-cost) (far ?p sink))))"""
    )
    assert domain.types == {
        "item": "object",
        "place": "object",
        "mug": "item",
        "asset": "place",
        "robot": "place",
    }
    assert domain.constants == (Typed("sink", "asset"),)
    operator = domain.operators["pick"]
    assert operator.parameters == (Typed("?i", "item"), Typed("?p", "asset"))
    assert operator.precondition == And(
        (Literal(("on", "?i", "?p")), Literal(("held", "?i"), positive=False))
    )
    assert operator.effects == (
        Effect(Literal(("held", "?i"))),
        Effect(Literal(("on", "?i", "?p"), positive=False)),
    )
    assert operator.cost == Cost(function=("far", "?p", "sink"))


def test_a_parent_type_need_not_be_declared_itself():
    domain = parse_domain("(define (domain d) (:types mug cup - item) (:predicates (p ?x - item)))")
    assert domain.types == {"mug": "item", "cup": "item", "item": "object"}


def test_untyped_variables_are_objects():
    domain = parse_domain("(define (domain d) (:predicates (p ?x ?y)))")
    assert domain.predicates == {"p": (Typed("?x"), Typed("?y"))}


def test_every_form_of_condition():
    domain = read_domain(CORPUS / "museum" / "domain.pddl")
    lock_up = domain.operators["lock-up"].precondition
    guards = Exists((Typed("?g", "guard"),), And((Literal(("in", "?g", "?r")), Literal(("keyholder", "?g")))))
    others = Forall(
        (Typed("?other", "room"),),
        Or((Not(Not(Equal("?other", "?r"))), Literal(("closed", "?other")))),
    )
    assert lock_up == And((Literal(("locked",), positive=False), guards, others))


def test_conditional_and_universal_effects_are_flattened():
    effects = read_domain(CORPUS / "briefcase" / "domain.pddl").operators["carry"].effects
    each = (Typed("?x", "portable"),)
    inside = Literal(("in", "?x"))
    assert effects == (
        Effect(Literal(("is-at", "?to"))),
        Effect(Literal(("is-at", "?from"), positive=False)),
        Effect(Literal(("at", "?x", "?to")), inside, each),
        Effect(Literal(("at", "?x", "?from"), positive=False), inside, each),
    )


def test_variables_of_nested_effects_are_joined():
    (effect,) = pick(effect="(forall (?a - item) (forall (?b - asset) (not (on ?a ?b))))").effects
    assert effect.variables == (Typed("?a", "item"), Typed("?b", "asset"))


def test_conditions_of_nested_effects_are_joined():
    effect = pick(effect="(when (held ?i) (when (clean ?i) (done)))").effects[0]
    assert effect.condition == And((Literal(("held", "?i")), Literal(("clean", "?i"))))


def test_what_an_action_without_a_cost_costs():
    assert pick().cost == Cost(constant=0)
    free = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    assert free.operators["a"].cost == Cost(constant=1)


def test_a_constant_cost():
    assert pick(effect="(increase (total-cost) 7)").cost == Cost(constant=7)
    assert pick(effect="(increase (total-cost) 7.0)").cost == Cost(constant=7)


def test_a_problem_in_full():
    task = problem(
        """(:objects cup1 - mug T1 t2 - asset)
        (:init (on cup1 t1) (not (held cup1)) (= (far t1 sink) 3) (= (total-cost) 0)) ; a comment ( here
        (:goal (at-least 1 (?m - mug) (on ?m sink)))
        (:metric minimize (total-cost))"""
    )
    assert task.objects == {"cup1": "mug", "t1": "asset", "t2": "asset"}
    assert task.init == {("on", "cup1", "t1")}
    assert task.functions == {("far", "t1", "sink"): 3}
    assert task.goal == Count(Typed("?m", "mug"), Literal(("on", "?m", "sink")), at_least=1)
    assert task.minimise_cost
    assert task.of_type("place") == ("sink", "t1", "t2")


def test_without_a_metric_costs_do_not_count():
    assert not problem("(:goal (done))").minimise_cost


def test_single_and_empty_conjunctions():
    assert pick("(and (held ?i))").precondition == Literal(("held", "?i"))
    assert pick("(and)").precondition == TRUE
    assert pick("()").precondition == TRUE


# -- (either …) ------------------------------------------------------------------------------------
def test_either_in_a_predicate_takes_the_nearest_common_type():
    domain = parse_domain(
        """(define (domain d) (:types a b - top c d - other)
             (:predicates (p ?x - (either a b)) (q ?x - (either a c))))"""
    )
    assert domain.predicates["p"][0].type == "top"
    assert domain.predicates["q"][0].type == "object"


def test_either_in_a_parameter_becomes_a_type_of_its_own():
    domain = parse_domain(
        """(define (domain d) (:types a b c - top) (:predicates (p ?x - top))
             (:action one :parameters (?x - (either b a)) :effect (p ?x))
             (:action two :parameters (?x - (either a b)) :effect (p ?x)))"""
    )
    assert domain.operators["one"].parameters == (Typed("?x", "a-or-b"),)
    assert domain.operators["two"].parameters == (Typed("?x", "a-or-b"),)
    assert domain.is_a("a", "a-or-b")
    assert domain.is_a("b", "top")
    assert not domain.is_a("c", "a-or-b")


def test_an_either_of_a_type_and_one_below_it_is_the_upper_one():
    assert pick(parameters="?i - (either mug item)").parameters == (Typed("?i", "item"),)
    assert pick(parameters="?i - (either mug object)").parameters == (Typed("?i", "object"),)


def test_an_either_of_types_of_different_parents_is_below_neither():
    domain = parse_domain(
        """(define (domain d) (:types a - x b - y c - x) (:predicates (p ?x))
             (:action one :parameters (?x - (either a b)) :effect (p ?x)))"""
    )
    union = domain.operators["one"].parameters[0].type
    for member, parent in (("a", "x"), ("b", "y")):
        assert domain.is_a(member, union)
        assert domain.is_a(member, parent)
    assert not domain.is_a("c", union)
    assert not domain.is_a("x", union)
    assert not domain.is_a(union, "x")


def test_an_either_in_a_problem_needs_a_type_to_stand_for_it():
    with pytest.raises(UnsupportedPddlError, match=r"declare one in \(:types"):
        problem("(:objects a - (either mug robot)) (:goal (done))")


# -- mistakes: (what is wrong, kind, line:column, a part of the message) ---------------------------
DOMAIN_MISTAKES = [
    ("(define (domain d)\n  (:predicates (p)", PddlSyntaxError, "2:3", "2 closing parentheses are missing"),
    ("(define (domain d)\n (:predicates (p)\n (:action a))", PddlSyntaxError, "3:2", "missing before it"),
    ("(define (domain d))\n)", PddlSyntaxError, "2:1", "closes nothing"),
    ("", PddlSyntaxError, "1:1", "Expected (define (domain name) …)"),
    ("(define (problem d))", PddlSyntaxError, "1:9", "defines a problem"),
    ("(define (domain d) (:predicate (p)))", UnknownNameError, "1:20", "Did you mean :predicates"),
    ("(define (domain d) (:durative-action a))", UnsupportedPddlError, "1:20", "durative actions"),
    ("(define (domain d) (:axiom :vars () :context (p)))", UnsupportedPddlError, "1:20", "write (:derived"),
    ("(define (domain d) (:types a) (:types b))", DuplicateNameError, "1:31", "already a section :types"),
    ("(define (domain d) (:types a - (or b c)))", PddlSyntaxError, "1:32", "(either name name"),
    ("(define (domain d) (:types a - (either b (c))))", PddlSyntaxError, "1:42", "without groups"),
    ("(define (domain d) (:types a - b b - a))", PddlSyntaxError, "1:20", "above themselves: a - b - a"),
    (
        "(define (domain d) (:types a - b a - c c - a))",
        PddlSyntaxError,
        "1:20",
        "above themselves: a - c - a",
    ),
    ("(define (domain d) (:types a -))", PddlSyntaxError, "1:30", "type is missing"),
    ("(define (domain d) (:types mug) (:constants m - mag))", UnknownNameError, "1:49", "mean mug?"),
    ("(define (domain d) (:predicates (p x)))", PddlSyntaxError, "1:36", "write ?x"),
    ("(define (domain d) (:predicates (and ?x)))", PddlSyntaxError, "1:33", "meaning of its own"),
    ("(define (domain d) (:constants ?c))", PddlSyntaxError, "1:32", "write c"),
    ("(define (domain d) (:functions (f) - object))", UnsupportedPddlError, "1:36", "give numbers"),
    ("(define (domain d) (:action :effect (p)))", PddlSyntaxError, "1:20", "has no name"),
]


@pytest.mark.parametrize(("text", "kind", "place", "says"), DOMAIN_MISTAKES)
def test_mistakes_in_a_domain(text, kind, place, says):
    with pytest.raises(PddlError) as caught:
        parse_domain(text, "d.pddl")
    assert type(caught.value) is kind
    message = str(caught.value)
    assert message.startswith(f"d.pddl:{place}: ")
    assert says in message
    assert "\n" not in message


ACTION_MISTAKES = [
    ({"precondition": "(hold ?i)"}, UnknownNameError, "5:16", "Did you mean (held ?i - item)?"),
    ({"precondition": "(on ?i)"}, ArityError, "5:15", "takes 2"),
    ({"precondition": "(on ?i ?p ?p)"}, ArityError, "5:25", "has 3 arguments"),
    ({"precondition": "(on ?p ?i)"}, ArgumentTypeError, "5:19", "takes an item there. Valid: ?i."),
    ({"precondition": "(held sink)"}, ArgumentTypeError, "5:21", '"sink" is of type asset'),
    ({"precondition": "(held ?q)"}, UnboundVariableError, "5:21", "Bound here: ?i, ?p"),
    ({"precondition": "(on ?i snk)"}, UnknownNameError, "5:22", "Did you mean sink?"),
    ({"precondition": "held"}, PddlSyntaxError, "5:1", "not followed by something in parentheses"),
    ({"precondition": "(not held)"}, PddlSyntaxError, "5:20", "write it in parentheses"),
    ({"precondition": "(not (held ?i) (done))"}, PddlSyntaxError, "5:30", "takes 1 part, found 2"),
    ({"precondition": "(imply (done))"}, PddlSyntaxError, "5:15", "takes 2 parts, found 1"),
    ({"precondition": "(exists ?x (done))"}, PddlSyntaxError, "5:23", "write (?x - type)"),
    ({"precondition": "(exists (?x - cup) (done))"}, UnknownNameError, "5:29", "is not a type"),
    ({"precondition": "(>= (total-cost) 3)"}, UnsupportedPddlError, "5:16", "about numbers"),
    ({"precondition": "(= (total-cost) 3)"}, UnsupportedPddlError, "5:18", "compares a number"),
    ({"precondition": "(at-least 2 (?x - item) (held ?x))"}, UnsupportedPddlError, "5:15", "goals may do"),
    ({"precondition": "((held ?i))"}, PddlSyntaxError, "5:16", "should begin with a word"),
    ({"effect": "(or (done) (held ?i))"}, PddlSyntaxError, "6:9", "cannot be an effect"),
    ({"effect": "(decrease (total-cost) 1)"}, UnsupportedPddlError, "6:9", "changes a number"),
    ({"effect": "(increase (far ?p ?p) 1)"}, UnsupportedPddlError, "6:9", "only number that actions change"),
    ({"effect": "(increase (total-cost) 1.5)"}, UnsupportedPddlError, "6:32", "whole numbers"),
    ({"effect": "(increase (total-cost) -1)"}, UnsupportedPddlError, "6:32", "from 0 on"),
    ({"effect": "(increase (total-cost) lots)"}, PddlSyntaxError, "6:32", "where a number should"),
    ({"effect": "(increase (total-cost) (fare ?p ?p))"}, UnknownNameError, "6:33", "Did you mean (far"),
    ({"effect": "(when (done) (increase (total-cost) 1))"}, UnsupportedPddlError, "6:22", "depend"),
    (
        {"effect": "(and (increase (total-cost) 1) (increase (total-cost) 1))"},
        DuplicateNameError,
        "6:40",
        "twice",
    ),
    ({"effect": "(forall (?i - item) (held ?i))"}, DuplicateNameError, "6:17", "name of its own"),
    ({"parameters": "?i ?i"}, DuplicateNameError, "4:31", "occurs twice"),
]


@pytest.mark.parametrize(("parts", "kind", "place", "says"), ACTION_MISTAKES)
def test_mistakes_in_an_action(parts, kind, place, says):
    with pytest.raises(PddlError) as caught:
        pick(**parts)
    assert type(caught.value) is kind
    message = str(caught.value)
    assert message.startswith(f"pick.yaml:{place}: ")
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(on a b)", "Expected one (:action"),
        ("(:action a :effect (done)) (:action b)", "Something follows"),
        ("(:action a :effects (done))", "Did you mean :effect?"),
        ("(:action a :duration (= ?d 1))", "durative"),
        ("(:action a :effect (done) :effect (done))", "given twice"),
    ],
)
def test_mistakes_around_an_action(text, says):
    with pytest.raises(PddlError) as caught:
        parse_operator(text, kitchen())
    assert says in str(caught.value)


PROBLEM_MISTAKES = [
    ("(:objects a - cup) (:goal (done))", UnknownNameError, "2:15", "is not a type"),
    ("(:objects a - mug a - robot) (:goal (done))", DuplicateNameError, "2:19", "occurs twice"),
    ("(:objects sink - mug) (:goal (done))", DuplicateNameError, "2:11", "constant of the domain"),
    ("(:init (on sink)) (:goal (done))", ArityError, "2:8", "takes 2"),
    ("(:init (clean m)) (:goal (done))", UnknownNameError, "2:15", "an item is expected here"),
    ("(:init (done) (not (done))) (:goal (done))", DuplicateNameError, "2:15", "true elsewhere"),
    ("(:init (= (far sink sink) 1) (= (far sink sink) 2)) (:goal (done))", DuplicateNameError, "2:30", "1"),
    ("(:init (at 5 (done))) (:goal (done))", UnsupportedPddlError, "2:8", "change by themselves"),
    ("(:init done) (:goal (done))", PddlSyntaxError, "2:8", "where a fact"),
    ("(:init (or (done) (done))) (:goal (done))", PddlSyntaxError, "2:9", "an atom is expected"),
    ("(:init)", PddlSyntaxError, "1:1", "has no goal"),
    ("(:goal (done) (done))", PddlSyntaxError, "2:1", "A goal is one formula"),
    ("(:goal (done)) (:metric maximize (total-cost))", UnsupportedPddlError, "2:16", "only metric"),
    ("(:goal (at-least many (?m - mug) (held ?m)))", PddlSyntaxError, "2:18", "where a number should"),
    ("(:goal (exactly 1 (?m ?n - mug) (held ?m)))", PddlSyntaxError, "2:19", "one variable"),
    ("(:goal (preference a (done)))", UnsupportedPddlError, "2:9", "Preferences"),
]


@pytest.mark.parametrize(("body", "kind", "place", "says"), PROBLEM_MISTAKES)
def test_mistakes_in_a_problem(body, kind, place, says):
    with pytest.raises(PddlError) as caught:
        problem(body)
    assert type(caught.value) is kind
    message = str(caught.value)
    assert message.startswith(f"p.pddl:{place}: ")
    assert says in message


# -- oddities, which other planners read, too: (what is odd, line:column, a part of the warning) ----
DOMAIN_ODDITIES = [
    ("(:requirements :typo)", "1:35", "not a requirement. Did you mean :typing? It is left out."),
    ("(:requirements :preferences)", "1:35", "not supported"),
    ("(:types mug) (:predicates (p ?x - mag))", "1:54", "mean mug? Nothing is of this type."),
    ("(:predicates (p ?x) (p))", "1:40", '"p" is declared twice. The last declaration counts.'),
    ("(:predicates (p ?x ?x))", "1:39", "occurs twice"),
    ("(:types a b - b)", "1:30", 'The type "b" is put below itself.'),
    ("(:types - object a)", "1:28", "no name before this dash"),
    ("(:constants c c)", "1:34", "It is one object."),
    (
        "(:predicates (p)) (:action a :effect (p)) (:action a :effect (not (p)))",
        "1:71",
        'In plans this one is called "a-2".',
    ),
    (
        "(:types a b) (:predicates (p ?x - a)) (:action s :parameters (?x - b) :effect (p ?x))",
        "1:101",
        '"?x" is of type b, and (p ?x - a) takes an a there. There are none. It is read as it stands.',
    ),
    (
        "(:predicates (p ?x)) (:action s :parameters (?x) :effect (forall (?x) (p ?x)))",
        "1:85",
        "give this variable a name of its own",
    ),
]


@pytest.mark.parametrize(("body", "place", "says"), DOMAIN_ODDITIES)
def test_oddities_of_a_domain_are_warnings(body, place, says):
    (warning,) = parse_domain(f"(define (domain d) {body})", "d.pddl").warnings
    assert str(warning).startswith(f"d.pddl:{place}: ")
    assert says in str(warning)


PROBLEM_ODDITIES = [
    ("(:objects a a - mug) (:goal (done))", "2:13", "It is one object."),
    ("(:objects sink - asset) (:goal (done))", "2:11", "constant of the domain already"),
    ("(:objects m - mug) (:init (on sink m)) (:goal (done))", "2:27", "takes an item there. Valid: m."),
    ("(:init (= (fare sink) 2)) (:goal (done))", "2:12", "Its value is left out."),
    ("(:length (:serial 3)) (:goal (done))", "2:1", "says nothing about the problem"),
    ("(:goal (held sink))", "2:14", "is of type asset"),
    ("(:goal (exists (?x - mag) (held ?x)))", "2:22", "Nothing is of this type."),
]


@pytest.mark.parametrize(("body", "place", "says"), PROBLEM_ODDITIES)
def test_oddities_of_a_problem_are_warnings(body, place, says):
    warning = problem(body).warnings[0]
    assert str(warning).startswith(f"p.pddl:{place}: ")
    assert says in str(warning)


def test_what_is_as_it_should_be_brings_no_warning():
    for folder in (path.parent for path in CORPUS.glob("*/domain.pddl")):
        domain = read_domain(folder / "domain.pddl")
        assert not domain.warnings
        assert not read_problem(folder / "problem.pddl", domain).warnings


def test_a_variable_may_follow_a_word_without_a_blank():
    domain = parse_domain(
        """(define (domain d) (:predicates (at?x?y))
             (:action a :parameters (?x?y) :precondition (and(at?x ?y)) :effect (not(at ?x?y))))"""
    )
    assert domain.predicates["at"] == (Typed("?x"), Typed("?y"))
    assert domain.operators["a"].precondition == Literal(("at", "?x", "?y"))


def test_a_parameter_named_twice_is_two_places():
    assert len(parse_domain("(define (domain d) (:predicates (p ?x ?x)))").predicates["p"]) == 2


def test_a_type_may_have_several_parents():
    domain = parse_domain("(define (domain d) (:types a b - object c - a c - b d - c a - object))")
    assert all(domain.is_a("d", above) for above in "abcd")
    assert not domain.is_a("a", "b")
    assert domain.lineage("d") == ("d", "c", "a", "b")
    task = parse_problem("(define (problem p) (:domain d) (:objects o - d) (:goal (and)))", domain)
    assert task.of_type("a") == task.of_type("b") == ("o",)


def test_a_type_below_either_of_several_is_below_each():
    domain = parse_domain("(define (domain d) (:types a b - object c - (either a b) d - c))")
    assert domain.lineage("d") == ("d", "c", "a", "b")
    (warning,) = domain.warnings
    assert "1:45" in str(warning)
    assert "below each" in str(warning)


def test_several_parents_are_written_and_read_again():
    domain = parse_domain(
        "(define (domain d) (:types cup - (either grasp pour) pour - hold) (:predicates (p ?x - cup)))"
    )
    again = parse_domain(write_domain(domain))
    assert [again.is_a("cup", above) for above in ("grasp", "pour", "hold")] == [True] * 3
    assert again.types == domain.types
    assert again.further_parents == domain.further_parents


def test_a_type_below_object_and_another_one_is_below_that_one():
    domain = parse_domain("(define (domain d) (:types area surface - object area crate - surface))")
    assert domain.types == {"area": "surface", "surface": "object", "crate": "surface"}
    assert not domain.further_parents


def test_an_inner_variable_of_the_same_name_is_another_one():
    (effect,) = (
        parse_domain(
            """(define (domain d) (:types t) (:predicates (p ?x) (q ?x))
             (:action a :parameters (?x - t) :effect (when (q ?x) (forall (?x) (when (q ?x) (p ?x))))))"""
        )
        .operators["a"]
        .effects
    )
    assert effect == Effect(
        Literal(("p", "?x-2")), And((Literal(("q", "?x")), Literal(("q", "?x-2")))), (Typed("?x-2"),)
    )


def test_a_file_in_an_old_encoding_is_read_if_only_comments_are_odd(tmp_path):
    file = tmp_path / "d.pddl"
    file.write_bytes(b"; caf\xe9\n(define (domain d))")
    assert read_domain(file).name == "d"
    file.write_bytes(b"(define (domain caf\xe9))")
    with pytest.raises(PddlFileError, match="neither UTF-8 nor"):
        read_domain(file)


def test_a_problem_of_another_domain_is_refused():
    with pytest.raises(UnknownNameError, match='for the domain "garden", not for "kitchen"'):
        parse_problem("(define (problem p) (:domain garden) (:goal (done)))", kitchen())


def test_a_variable_may_range_over_more_than_the_predicate_takes():
    assert pick("(forall (?x - object) (imply (held ?x) (clean ?x)))").precondition != TRUE


def test_text_nested_too_deep_is_refused_rather_than_exhausting_the_stack():
    with pytest.raises(PddlSyntaxError, match="nested deeper"):
        pick("(not " * 5000 + "(done)" + ")" * 5000)


def test_a_missing_file_is_one_line():
    with pytest.raises(PddlFileError, match=r"Cannot read the PDDL file nowhere\.pddl: No such file"):
        read_domain("nowhere.pddl")


def test_errors_survive_a_process_boundary():
    import pickle

    with pytest.raises(PddlError) as caught:
        pick("(hold ?i)")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert (copy.line, copy.column) == (5, 16)


def test_reading_takes_as_long_as_the_text_is():
    domain = read_domain(CORPUS / "delivery" / "domain.pddl")

    def read(size):
        places = [f"place{i}" for i in range(size)]
        roads = [f"(road {a} {b}) (= (distance {a} {b}) 4)" for a in places for b in places[:5] if a != b]
        text = "\n".join(
            [
                "(define (problem big) (:domain delivery)",
                f"(:objects {' '.join(places)} - place letter - parcel)",
                "(:init",
                *roads,
                ") (:goal (at letter place1)) (:metric minimize (total-cost)))",
            ]
        )
        assert text.count("\n") > 4.9 * size
        parse_problem(text, domain)

    assert growth(read, 50, 400) < 8 * 2.5


def test_the_places_of_many_lines_are_found_in_as_much_more_time_as_they_are_more():
    def find(lines: int) -> None:
        source = Source("d", "(p ?x)\n" * lines)
        for at in range(0, len(source.text), 7):
            source.place(at)

    assert growth(find, 1000, 20_000, rounds=3) < 100  # 20, and 400 where each counts all lines before


def test_a_place_counts_lines_and_columns_from_one():
    source = Source("d", "ab\n\ncd", line=5)
    assert [source.place(at) for at in (0, 2, 3, 4, 6)] == [(5, 1), (5, 3), (6, 1), (7, 1), (7, 3)]
