"""Random small problems, and the truth about them by exhaustive search over the domain's own semantics."""

from __future__ import annotations

import heapq
from dataclasses import replace
from itertools import count, product

from hypothesis import strategies as st

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.ground_task import GroundTask
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.pddl.parser import parse_domain
from foretree.planning.pddl.syntax import (
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
from foretree.planning.semantics.actions import TypedObjects, applicable, apply, instantiate
from foretree.planning.semantics.evaluation import evaluate, state_oracle
from foretree.world_model.beliefs.facts import Truth


def cheapest(problem: Problem, most_states: int = 20_000) -> int | None:
    """The cost of an optimal plan, None if there is none: uniform-cost search over all states."""
    objects = TypedObjects(problem.domain, problem.objects)
    actions = [
        instantiate(operator, arguments, objects, problem.functions)
        for operator in problem.domain.operators.values()
        for arguments in product(*(problem.of_type(p.type) for p in operator.parameters))
    ]
    order = count()
    frontier = [(0, next(order), problem.init)]
    best = {problem.init: 0}
    while frontier:
        cost, _, state = heapq.heappop(frontier)
        if cost > best[state]:
            continue
        if evaluate(problem.goal, state_oracle(state), objects) is Truth.TRUE:
            return cost
        assert len(best) < most_states, "too large for this test"
        for action in actions:
            if applicable(action, state, objects):
                after = apply(action, state, objects)
                price = cost + (action.cost if problem.minimise_cost else 1)
                if price < best.get(after, price + 1):
                    best[after] = price
                    heapq.heappush(frontier, (price, next(order), after))
    return None


def reachable_states(problem: Problem, most: int = 300) -> set[frozenset]:
    """Some states that can be reached, breadth first."""
    objects = TypedObjects(problem.domain, problem.objects)
    actions = [
        instantiate(operator, arguments, objects, problem.functions)
        for operator in problem.domain.operators.values()
        for arguments in product(*(problem.of_type(p.type) for p in operator.parameters))
    ]
    states, new = {problem.init}, [problem.init]
    while new and len(states) < most:
        after = (apply(a, state, objects) for state in new for a in actions if applicable(a, state, objects))
        new = [state for state in dict.fromkeys(after) if state not in states]
        states.update(new)
    return states


def solve_plainly(problem: Problem) -> tuple[int, list] | None:
    """Compile, ground and search the way a solver would, in the plainest way."""
    compiled = compile_away(problem)
    grounding = simplify(ground(compiled.problem))
    for operator in grounding.operators:
        assert len({atom for atom, _ in operator.precondition}) == len(operator.precondition)
    found = _search(grounding)
    if found is None:
        return None
    cost, steps = found
    return cost, list(compiled.restore(steps))


def _search(grounding: GroundTask):
    if not grounding.solvable:
        return None

    def holds(literals, state):
        return all((atom in state) == positive for atom, positive in literals)

    order = count()
    frontier = [(0, next(order), grounding.init, ())]
    best = {grounding.init: 0}
    while frontier:
        cost, _, state, steps = heapq.heappop(frontier)
        if cost > best[state]:
            continue
        if holds(grounding.goal, state):
            return cost, steps
        assert len(best) < 20_000, "too large for this test"
        for operator in grounding.operators:
            if not holds(operator.precondition, state):
                continue
            fired = [e.literal for e in operator.effects if holds(e.condition, state)]
            after = state - {a for a, positive in fired if not positive} | {
                a for a, positive in fired if positive
            }
            price = cost + operator.cost
            if price < best.get(after, price + 1):
                best[after] = price
                frontier_item = (price, next(order), after, (*steps, (operator.name, operator.arguments)))
                heapq.heappush(frontier, frontier_item)
    return None


# -- anything goes -----------------------------------------------------------------------------------------

_TYPES = {"thing": "object", "red": "thing", "blue": "thing"}
_PREDICATES = {
    "p": (Typed("?x", "thing"),),
    "q": (Typed("?x", "thing"),),
    "r": (Typed("?x", "thing"), Typed("?y", "thing")),
    "s": (Typed("?x", "thing"),),  # static
    "flag": (),
}
_OBJECTS = {"a": "red", "b": "blue", "c": "blue"}


def _atoms(draw, terms, fluent_only=False):
    name = draw(st.sampled_from(["p", "q", "r", "flag"] + ([] if fluent_only else ["s"])))
    return (name, *(draw(st.sampled_from(terms)) for _ in _PREDICATES[name]))


@st.composite
def formulas(draw, terms, depth):
    kinds = ["literal"] * 3 + (["and", "or", "not", "exists", "forall", "count", "equal"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        return Literal(_atoms(draw, terms), draw(st.booleans()))
    if kind == "equal":
        return Equal(draw(st.sampled_from(terms)), draw(st.sampled_from(terms)))
    if kind == "not":
        return Not(draw(formulas(terms, depth - 1)))
    if kind in ("and", "or"):
        parts = tuple(draw(st.lists(formulas(terms, depth - 1), min_size=0, max_size=3)))
        return And(parts) if kind == "and" else Or(parts)
    variable = Typed(f"?v{depth}", draw(st.sampled_from(["red", "blue", "thing"])))
    body = draw(formulas([*terms, variable.name], depth - 1))
    if kind == "count":
        low = draw(st.integers(0, 3))
        high = draw(st.one_of(st.none(), st.integers(low, 3)))
        return Count(variable, body, low, high)
    return (Exists if kind == "exists" else Forall)((variable,), body)


@st.composite
def operators(draw, name):
    parameters = tuple(
        Typed(f"?p{i}", draw(st.sampled_from(["red", "blue", "thing"])))
        for i in range(draw(st.integers(0, 2)))
    )
    terms = [p.name for p in parameters] + ["a", "b"]
    effects = []
    for _ in range(draw(st.integers(1, 3))):
        variables = (Typed("?e", "blue"),) if draw(st.integers(0, 4)) == 0 else ()
        inner = terms + [v.name for v in variables]
        condition = draw(formulas(inner, 1)) if draw(st.integers(0, 3)) == 0 else And(())
        effects.append(
            Effect(Literal(_atoms(draw, inner, fluent_only=True), draw(st.booleans())), condition, variables)
        )
    return Operator(
        name,
        parameters,
        draw(formulas(terms, draw(st.integers(0, 2)))),
        tuple(effects),
        Cost(draw(st.integers(0, 3))),
    )


@st.composite
def problems(draw):
    """A random problem over three objects and a dozen atoms."""
    found = {name: draw(operators(name)) for name in ("one", "two", "three", "four")}
    domain = Domain("random", _TYPES, (), _PREDICATES, {}, found)
    ground = [
        (name, *arguments)
        for name, parameters in _PREDICATES.items()
        if name != "r"
        for arguments in product(_OBJECTS, repeat=len(parameters))
    ]
    ground += [("r", "a", "b"), ("r", "b", "c"), ("r", "b", "b")]
    init = frozenset(draw(st.lists(st.sampled_from(ground), max_size=6)))
    goal = And(tuple(draw(st.lists(formulas(["a", "b", "c"], 2), min_size=1, max_size=2))))
    problem = Problem("random", domain, _OBJECTS, init, goal, {}, draw(st.booleans()))
    if evaluate(goal, state_oracle(init), problem) is Truth.TRUE:
        problem = replace(problem, goal=Not(goal))  # else most goals would hold from the start
    return problem


# -- carrying things, and what goes wrong there -------------------------------------------------------------

_CARRYING = parse_domain("""
(define (domain carrying)
  (:requirements :adl :action-costs)
  (:types hand item place)
  (:predicates (free ?h - hand) (holding ?h - hand ?i - item) (at ?i - item ?p - place) (robot ?p - place)
               (wet ?i - item) (tap ?p - place) (shut ?p - place))
  (:functions (total-cost))
  (:action go :parameters (?p ?q - place) :precondition (robot ?p)
    :effect (and (not (robot ?p)) (robot ?q) (increase (total-cost) 2)))
  (:action grab :parameters (?h - hand ?i - item ?p - place)
    :precondition (and (robot ?p) (free ?h) (at ?i ?p) (not (shut ?p)))
    :effect (and (holding ?h ?i) (not (free ?h)) (not (at ?i ?p)) (increase (total-cost) 1)))
  (:action drop :parameters (?h - hand ?i - item ?p - place)
    :precondition (and (robot ?p) (holding ?h ?i) (not (shut ?p)))
    :effect (and (free ?h) (not (holding ?h ?i)) (at ?i ?p) (increase (total-cost) 1)))
  (:action soak :parameters (?h - hand ?i - item ?p - place)
    :precondition (and (robot ?p) (holding ?h ?i) (tap ?p))
    :effect (and (wet ?i) (increase (total-cost) 1)))
  (:action unlock :parameters (?h - hand ?p - place)
    :precondition (and (robot ?p) (free ?h) (shut ?p))
    :effect (and (not (shut ?p)) (increase (total-cost) 1))))
""")


@st.composite
def carrying(draw):
    """A robot that carries things, with parts of its operators missing: invariants hold, or just do not."""
    changed = {}
    for name, operator in _CARRYING.operators.items():
        parts = list(
            operator.precondition.parts
            if isinstance(operator.precondition, And)
            else (operator.precondition,)
        )
        effects = list(operator.effects)
        if draw(st.integers(0, 3)) == 0:
            parts.pop(draw(st.integers(0, len(parts) - 1)))
        if draw(st.integers(0, 3)) == 0:
            effects.pop(draw(st.integers(0, len(effects) - 1)))
        if draw(st.integers(0, 5)) == 0:
            extra = draw(st.sampled_from([("free", "l"), ("wet", "x"), ("shut", "k"), ("holding", "l", "y")]))
            effects.append(Effect(Literal(extra, draw(st.booleans()))))
        changed[name] = Operator(name, operator.parameters, And(tuple(parts)), tuple(effects), operator.cost)
    domain = Domain("carrying", _CARRYING.types, (), _CARRYING.predicates, _CARRYING.functions, changed)
    objects = {"l": "hand", "x": "item", "y": "item", "k": "place", "t": "place"}
    atoms = [("free", "l"), ("holding", "l", "x"), ("holding", "l", "y"), ("at", "x", "k"), ("at", "y", "k")]
    atoms += [("at", "x", "t"), ("shut", "k"), ("shut", "t")]
    init = frozenset(draw(st.lists(st.sampled_from(atoms), max_size=5)))
    if draw(st.booleans()):
        init = frozenset(
            {("free", "l"), ("at", "x", "k"), ("at", "y", "k"), *draw(st.sampled_from([[], [("shut", "k")]]))}
        )
    wishes = [
        Literal(a, v)
        for a in (*atoms, ("wet", "x"), ("wet", "y"), ("robot", "k"))
        for v in (True, True, False)
    ]
    goal = And(tuple(draw(st.lists(st.sampled_from(wishes), min_size=1, max_size=2))))
    return Problem("carrying", domain, objects, init | {("robot", "t"), ("tap", "t")}, goal)
