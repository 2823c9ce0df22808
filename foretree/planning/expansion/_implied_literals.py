"""Literals that are true whenever a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from foretree.planning.pddl.syntax import And, Exists, Formula, Literal, Not, Or
from foretree.world_model.beliefs.facts import Atom

T = TypeVar("T")


def implied(
    formula: Formula,
    reads: Callable[[Literal], Iterable[T]],
    bound: frozenset[str] = frozenset(),
    holds: bool = True,
) -> frozenset[T]:
    """All that *reads* makes of the literals that are true whenever *formula* is.

    What all parts of a disjunction imply is implied, each by literals of its own.

    Args:
        formula: the condition.
        reads: makes something of a literal.
        bound: variables of quantifiers around it; literals about them imply nothing.
        holds: False for the literals that are true whenever *formula* is false.
    """
    match formula:
        case Literal(atom):
            if not bound.isdisjoint(atom[1:]):
                return frozenset()
            return frozenset(reads(formula if holds else ~formula))
        case Not(part):
            return implied(part, reads, bound, not holds)
        case And(parts) | Or(parts):
            found = [implied(part, reads, bound, holds) for part in parts]
            if isinstance(formula, And) == holds:
                return frozenset().union(*found)
            return frozenset.intersection(*found) if found else frozenset()
        case Exists(variables, body) if holds:
            return implied(body, reads, bound | {variable.name for variable in variables}, True)
    return frozenset()


def implied_atoms(formula: Formula) -> frozenset[Atom]:
    """The atoms that are true whenever *formula* is."""
    return implied(formula, lambda literal: (literal.atom,) if literal.positive else ())


def implied_literals(formula: Formula) -> frozenset[Literal]:
    """The literals that are true whenever *formula* is."""
    return implied(formula, lambda literal: (literal,))
