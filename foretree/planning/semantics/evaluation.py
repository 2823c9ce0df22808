"""Formulas, evaluated in a state or in a belief."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import product
from typing import Protocol

from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    substitute,
)
from foretree.world_model.beliefs.facts import Atom, Truth

#: Maps an atom to its truth in a state, a belief, or the world.
Oracle = Callable[[Atom], Truth]


class Objects(Protocol):
    """The objects that there are, by type."""

    def of_type(self, type_name: str) -> Sequence[str]:
        """The names of all objects of a type, in a fixed order."""
        ...


def state_oracle(state: Container[Atom]) -> Oracle:
    """A state seen as an oracle: what is absent is false."""
    return lambda atom: Truth.TRUE if atom in state else Truth.FALSE


def evaluate(formula: Formula, truth: Oracle, objects: Objects) -> Truth:
    """The truth of *formula* in Kleene's three-valued logic."""
    if isinstance(formula, Literal):
        value = truth(formula.atom)
        return value if formula.positive else ~value
    if isinstance(formula, And):
        return _all(evaluate(part, truth, objects) for part in formula.parts)
    if isinstance(formula, Or):
        return ~_all(~evaluate(part, truth, objects) for part in formula.parts)
    if isinstance(formula, Not):
        return ~evaluate(formula.part, truth, objects)
    if isinstance(formula, Equal):
        return Truth.TRUE if formula.left == formula.right else Truth.FALSE
    values = (evaluate(body, truth, objects) for body in _instances(formula, objects))
    if isinstance(formula, Count):
        return _count(formula, [*values])
    return _all(values) if isinstance(formula, Forall) else ~_all(~value for value in values)


def _count(formula: Count, values: Sequence[Truth]) -> Truth:
    least = values.count(Truth.TRUE)
    most = least + values.count(Truth.UNKNOWN)
    limit = len(values) if formula.at_most is None else formula.at_most
    if most < formula.at_least or least > limit:
        return Truth.FALSE
    return Truth.TRUE if least >= formula.at_least and most <= limit else Truth.UNKNOWN


def _all(values: Iterable[Truth]) -> Truth:
    result = Truth.TRUE
    for value in values:
        if value is Truth.FALSE:
            return Truth.FALSE
        if value is Truth.UNKNOWN:
            result = Truth.UNKNOWN
    return result


def bindings(variables: Sequence[Typed], objects: Objects) -> Iterable[dict[str, str]]:
    """Every way to put objects of the right types for *variables*."""
    names = [variable.name for variable in variables]
    for values in product(*(objects.of_type(variable.type) for variable in variables)):
        yield dict(zip(names, values, strict=True))


def _instances(formula: Exists | Forall | Count, objects: Objects) -> Iterable[Formula]:
    return (substitute(formula.body, binding) for binding in bindings(formula.variables, objects))


def ground(formula: Formula, objects: Objects) -> Formula:
    """*formula* with its quantifiers expanded over the known objects.

    A ``Count`` stays as it is: expanding it would name every combination of objects.
    """
    if isinstance(formula, (Literal, Count)):
        return formula
    if isinstance(formula, Equal):
        return TRUE if formula.left == formula.right else FALSE
    if isinstance(formula, Not):
        return Not(ground(formula.part, objects))
    if isinstance(formula, (And, Or)):
        kind = type(formula)
        parts: list[Formula] = []
        for part in formula.parts:
            grounded = ground(part, objects)
            if grounded == (FALSE if kind is And else TRUE):
                return grounded
            if isinstance(grounded, kind):
                parts.extend(grounded.parts)
            else:
                parts.append(grounded)
        return parts[0] if len(parts) == 1 else kind(tuple(parts))
    bodies = tuple(_instances(formula, objects))
    return ground(And(bodies) if isinstance(formula, Forall) else Or(bodies), objects)


def negate(formula: Formula) -> Formula:
    """The negation of *formula*, pushed down to its literals."""
    if isinstance(formula, Literal):
        return ~formula
    if isinstance(formula, Not):
        return formula.part
    if isinstance(formula, (And, Or)):
        dual = Or if isinstance(formula, And) else And
        return dual(tuple([negate(part) for part in formula.parts]))
    if isinstance(formula, (Exists, Forall)):
        quantifier = Forall if isinstance(formula, Exists) else Exists
        return quantifier(formula.variables, negate(formula.body))
    return Not(formula)


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The parts of a formula that all have to hold."""
    if isinstance(formula, And):
        return tuple(inner for part in formula.parts for inner in conjuncts(part))
    return (formula,)


def literals_of(formula: Formula) -> tuple[Literal, ...]:
    """Return the literals that have to hold in any case: those among the conjuncts."""
    return tuple([part for part in conjuncts(formula) if isinstance(part, Literal)])


def all_literals(formula: Formula) -> Iterator[Literal]:
    """Yield the literals of a formula of conjunctions and disjunctions."""
    if isinstance(formula, Literal):
        yield formula
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from all_literals(part)


def conjunction(*parts: Formula) -> Formula:
    """All of *parts*, without nested conjunctions and without repeats."""
    leaves = tuple(dict.fromkeys(leaf for part in parts for leaf in conjuncts(part)))
    return leaves[0] if len(leaves) == 1 else And(leaves)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Any of *parts*, without repeats."""
    found = tuple(dict.fromkeys(parts))
    return found[0] if len(found) == 1 else Or(found)


def witness(formula: Formula, truth: Oracle, objects: Objects) -> frozenset[Literal]:
    """Literals that are true now and together imply *formula*, which must be true now.

    A disjunction contributes the first of its parts that holds, a count the first objects that suffice:
    one sufficient reason, not all of them.
    """
    found: set[Literal] = set()
    _witness(formula, truth, objects, found)
    return frozenset(found)


def _witness(formula: Formula, truth: Oracle, objects: Objects, found: set[Literal]) -> None:
    if isinstance(formula, Literal):
        found.add(formula)
    elif isinstance(formula, (And, Forall)):
        for part in formula.parts if isinstance(formula, And) else _instances(formula, objects):
            _witness(part, truth, objects, found)
    elif isinstance(formula, (Or, Exists)):
        for part in formula.parts if isinstance(formula, Or) else _instances(formula, objects):
            if evaluate(part, truth, objects) is Truth.TRUE:
                _witness(part, truth, objects, found)
                return
        raise ValueError("a witness was asked for a formula that is not true")
    elif isinstance(formula, Not):
        inner = negate(formula.part)
        if isinstance(inner, Not):  # only counts and equalities resist negation
            if isinstance(inner.part, Count):
                _witness_count(inner.part, truth, objects, found, negated=True)
            return
        _witness(inner, truth, objects, found)
    elif isinstance(formula, Count):
        _witness_count(formula, truth, objects, found, negated=False)


def _witness_count(
    formula: Count, truth: Oracle, objects: Objects, found: set[Literal], *, negated: bool
) -> None:
    """Add all that a negated count, or one bounded from above, depends on; else the first that suffice."""
    needed = formula.at_least
    for body in _instances(formula, objects):
        if evaluate(body, truth, objects) is Truth.TRUE:
            if needed > 0 or negated or formula.at_most is not None:
                _witness(body, truth, objects, found)
                needed -= 1
        elif negated or formula.at_most is not None:
            _witness(negate(body), truth, objects, found)
