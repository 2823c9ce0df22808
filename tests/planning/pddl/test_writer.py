"""What is written is read back as it was, and other planners read it too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretree.planning.pddl.parser import parse_domain, parse_problem, read_domain, read_problem
from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Cost,
    Count,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Literal,
    Not,
    Operator,
    Or,
    Problem,
    Typed,
)
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.skills.catalogue_file import load_catalogue

CORPUS = Path(__file__).parent
FOLDERS = sorted(path.parent.name for path in CORPUS.glob("*/domain.pddl"))


def task(folder: str) -> Problem:
    domain = read_domain(CORPUS / folder / "domain.pddl")
    return read_problem(CORPUS / folder / "problem.pddl", domain)


# -- random domains and problems ---------------------------------------------------------------------
NAMES = ("a", "b-c", "d_e", "f1", "g", "h")


@st.composite
def types(draw) -> dict[str, str]:
    names = [f"t{index}" for index in range(draw(st.integers(0, 4)))]
    return {name: draw(st.sampled_from(["object", *names[:index]])) for index, name in enumerate(names)}


def typed(draw, names, known: dict[str, str]) -> tuple[Typed, ...]:
    return tuple(Typed(name, draw(st.sampled_from(["object", *known]))) for name in names)


def signatures(draw, prefix: str, known: dict[str, str]) -> dict[str, tuple[Typed, ...]]:
    count = draw(st.integers(1, 3))
    return {
        f"{prefix}{index}": typed(draw, [f"?x{i}" for i in range(draw(st.integers(0, 2)))], known)
        for index in range(count)
    }


def applied(draw, domain: Domain, declared, terms: dict[str, str]):
    """A declared predicate or function over terms of the right types; None when there are none."""
    name = draw(st.sampled_from(sorted(declared)))
    arguments = []
    for parameter in declared[name]:
        fitting = sorted(term for term, found in terms.items() if domain.is_a(found, parameter.type))
        if not fitting:
            return None
        arguments.append(draw(st.sampled_from(fitting)))
    return (name, *arguments)


def formula(draw, domain: Domain, terms: dict[str, str], depth: int = 2, counting: bool = False):
    """A formula as the parser builds it: no conjunction of one part, no negated literal in a Not."""
    kinds = ["literal", "equal"]
    if depth:
        kinds += ["and", "or", "not", "exists", "forall"] + ["count"] * counting
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        atom = applied(draw, domain, domain.predicates, terms)
        return TRUE if atom is None else Literal(atom, draw(st.booleans()))
    if kind == "equal":
        return Equal(*(draw(st.sampled_from(sorted(terms))) for _ in range(2))) if terms else Or((TRUE, TRUE))
    if kind in ("and", "or"):
        count = draw(st.sampled_from([0, 2, 3]))
        parts = tuple(formula(draw, domain, terms, depth - 1, counting) for _ in range(count))
        return And(parts) if kind == "and" else Or(parts)
    if kind == "not":
        part = formula(draw, domain, terms, depth - 1, counting)
        return ~part if isinstance(part, Literal) else Not(part)
    names = ["?q1", "?q2"][: draw(st.integers(1, 1 if kind == "count" else 2))]
    variables = typed(draw, names, domain.types)
    inner = {**terms, **{variable.name: variable.type for variable in variables}}
    body = formula(draw, domain, inner, depth - 1, counting)
    if kind == "count":
        low = draw(st.integers(0, 3))
        at_least, at_most = draw(st.sampled_from([(low, None), (0, low), (low, low)]))
        return Count(variables[0], body, at_least, at_most)
    return Exists(variables, body) if kind == "exists" else Forall(variables, body)


@st.composite
def domains(draw) -> Domain:
    known = draw(types())
    constants = typed(draw, NAMES[: draw(st.integers(0, 2))], known)
    functions = {}
    if draw(st.booleans()):
        functions = {"total-cost": (), **signatures(draw, "cost", known)}
    domain = Domain("d", known, constants, signatures(draw, "p", known), functions, {})
    names = {constant.name: constant.type for constant in constants}
    operators = {}
    for index in range(draw(st.integers(0, 2))):
        parameters = typed(draw, ["?a", "?b"][: draw(st.integers(0, 2))], known)
        terms = {**names, **{p.name: p.type for p in parameters}}
        effects = []
        for _ in range(draw(st.integers(0, 3))):
            variables = typed(draw, ["?e"][: draw(st.integers(0, 1))], known)
            inner = {**terms, **{v.name: v.type for v in variables}}
            atom = applied(draw, domain, domain.predicates, inner)
            if atom is not None:
                condition = draw(st.sampled_from([True, False])) and formula(draw, domain, inner, 1)
                effects.append(Effect(Literal(atom, draw(st.booleans())), condition or TRUE, variables))
        cost = Cost(constant=1)
        if functions:
            function = applied(draw, domain, {k: v for k, v in functions.items() if k != "total-cost"}, terms)
            constant = Cost(constant=draw(st.integers(0, 9)))
            cost = constant if function is None or draw(st.booleans()) else Cost(function=function)
        name = f"act{index}"
        operators[name] = Operator(name, parameters, formula(draw, domain, terms), tuple(effects), cost)
    return Domain("d", known, constants, domain.predicates, functions, operators)


@st.composite
def problems(draw) -> Problem:
    domain = draw(domains())
    objects = {o.name: o.type for o in typed(draw, NAMES[2 : draw(st.integers(2, 6))], domain.types)}
    names = {**{c.name: c.type for c in domain.constants}, **objects}
    atoms = [applied(draw, domain, domain.predicates, names) for _ in range(draw(st.integers(0, 4)))]
    functions = {}
    costs = {name: parameters for name, parameters in domain.functions.items() if name != "total-cost"}
    for _ in range(draw(st.integers(0, 2)) if costs else 0):
        term = applied(draw, domain, costs, names)
        if term is not None:
            functions[term] = draw(st.integers(0, 20))
    goal = formula(draw, domain, names, 3, counting=True)
    minimise = draw(st.booleans()) if domain.functions else True
    init = frozenset(atom for atom in atoms if atom is not None)
    return Problem("p", domain, objects, init, goal, functions, minimise)


@settings(max_examples=150, deadline=None)
@given(problems())
def test_what_is_written_is_read_back_as_it_was(problem):
    domain = parse_domain(write_domain(problem.domain))
    assert domain == problem.domain
    assert parse_problem(write_problem(problem), domain) == problem


def test_a_count_between_two_limits_keeps_both():
    domain = parse_domain("(define (domain d) (:predicates (p ?x)))")
    body = Literal(("p", "?x"))
    goal = Count(Typed("?x"), body, at_least=1, at_most=3)
    text = write_problem(Problem("p", domain, {"a": "object"}, frozenset(), goal))
    assert parse_problem(text, domain).goal == And(
        (Count(Typed("?x"), body, at_least=1), Count(Typed("?x"), body, at_most=3))
    )


def test_the_text_does_not_depend_on_the_order_of_sets():
    first = task("delivery")
    again = Problem(
        first.name, first.domain, first.objects, frozenset(sorted(first.init, reverse=True)), first.goal,
        dict(reversed(first.functions.items())),
    )  # fmt: skip
    assert write_problem(again) == write_problem(first)


def test_costs_of_actions_are_declared_even_when_the_domain_forgot_to():
    domain = Domain("d", predicates={"p": ()}, operators={"a": Operator("a", (), cost=Cost(constant=4))})
    text = write_domain(domain)
    assert parse_domain(text).operators["a"].cost == Cost(constant=4)
    assert ":action-costs" in text


# -- other planners ----------------------------------------------------------------------------------
def translated(domain: Path, problem: Path, folder: Path) -> str:
    """What Fast Downward's translator makes of the files."""
    sas = folder / "output.sas"
    command = [sys.executable, "-m", "fast_downward.translate", "--sas-file", sas, domain, problem]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return sas.read_text()


def written(problem: Problem, folder: Path) -> tuple[Path, Path]:
    domain_path, problem_path = folder / "domain.pddl", folder / "problem.pddl"
    domain_path.write_text(write_domain(problem.domain))
    problem_path.write_text(write_problem(problem))
    return domain_path, problem_path


@pytest.mark.parametrize("folder", FOLDERS)
def test_fast_downward_translates_what_is_written_as_it_does_the_original(folder, tmp_path):
    ours = translated(*written(task(folder), tmp_path), tmp_path)
    original = translated(CORPUS / folder / "domain.pddl", CORPUS / folder / "problem.pddl", tmp_path)
    # The order of facts decides about the order of variables, so compare what both are made of.
    assert sorted(ours.splitlines()) == sorted(original.splitlines())


#: unified-planning warns about its own parser and about names that PDDL lets an action and a predicate share.
of_the_library = pytest.mark.filterwarnings("ignore:.*(parse_string|already defined)")


@pytest.fixture(scope="module")
def household() -> Problem:
    """Every class of thing as a type and every skill as an action, as the agent plans with them."""
    domain = load_catalogue().domain
    objects = {"robot1": "robot", "hand1": "hand", "table1": "table", "fridge1": "fridge", "mango1": "mango"}
    facts = [
        ("rob_at_node", "robot1", "table1"),
        ("rob_has_hand", "robot1", "hand1"),
        ("hand_free", "robot1", "hand1"),
    ]
    facts += [("surface", "table1"), ("on", "mango1", "table1")]
    facts += [("container", "fridge1"), ("openable", "fridge1")]
    facts += [("connected", "table1", "fridge1")]
    travel = {("travel_cost", "table1", "fridge1"): 3}
    return Problem("home", domain, objects, frozenset(facts), Literal(("in", "mango1", "fridge1")), travel)


def test_the_household_is_read_back_as_it_was(household):
    domain = parse_domain(write_domain(household.domain))
    assert domain == household.domain
    assert parse_problem(write_problem(household), domain) == household


def test_fast_downward_translates_the_household(household, tmp_path):
    assert "place_in robot1 hand1 mango1 fridge1" in translated(*written(household, tmp_path), tmp_path)


@of_the_library
def test_unified_planning_reads_the_household(household, tmp_path, monkeypatch):
    io = pytest.importorskip("unified_planning.io")
    from unified_planning.environment import get_environment

    # "open" is a predicate and an action, as PDDL allows.
    monkeypatch.setattr(get_environment(), "error_used_name", False)
    read = io.PDDLReader().parse_problem(*map(str, written(household, tmp_path)))
    assert {action.name for action in read.actions} == set(household.domain.operators)


@of_the_library
@pytest.mark.parametrize("folder", FOLDERS)
def test_unified_planning_reads_what_is_written(folder, tmp_path):
    io = pytest.importorskip("unified_planning.io")
    problem = task(folder)
    read = io.PDDLReader().parse_problem(*map(str, written(problem, tmp_path)))
    assert {action.name for action in read.actions} == set(problem.domain.operators)
    assert {fluent.name for fluent in read.fluents} - {"total-cost"} == {
        *problem.domain.predicates,
        *problem.domain.functions,
    } - {"total-cost"}
    constants = {constant.name for constant in problem.domain.constants}
    assert {o.name for o in read.all_objects} == {*problem.objects, *constants}
