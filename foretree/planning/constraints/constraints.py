"""Constraints on the way: what has to hold of all of a plan, not only of its end.

The names are those of PDDL 3 where it has one: always, sometime, sometime-before, at-most-once. What is so
already does not count: a window that stands open breaks no ``always`` that it be closed, but opening it does.
So a constraint never asks for anything by itself, except for the steps of :class:`InOrder`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import Count, Domain, Formula, Typed, atoms_of, show, walk


class ConstraintError(ForetreeError):
    """A constraint says what cannot be kept to, or names what the domain does not have."""


@dataclass(frozen=True, slots=True)
class Always:
    """No action makes *formula* false, PDDL's ``(always …)``.

    Each clause of the formula counts for itself, and for each object that it quantifies over. An action that
    makes a literal of a clause false has to leave the clause true by another one.
    """

    formula: Formula


@dataclass(frozen=True, slots=True)
class NeverUse:
    """No action of this name (None: no action whatever) has all of *objects* among its arguments.

    An object is a name, or a typed variable for any object of the type.
    """

    action: str | None
    objects: tuple[str | Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Before:
    """No action makes *then* true until *first* has been true, PDDL's ``(sometime-before then first)``."""

    first: Formula
    then: Formula


@dataclass(frozen=True, slots=True)
class InOrder:
    """Each of *steps* is true at some time, none earlier than the one before; of one: ``(sometime …)``."""

    steps: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class AtMostOnce:
    """Once *formula* has been true, no action makes it true again, PDDL's ``(at-most-once …)``."""

    formula: Formula


Constraint: TypeAlias = Always | NeverUse | Before | InOrder | AtMostOnce


def formulas_of(constraint: Constraint) -> tuple[Formula, ...]:
    """The formulas of *constraint*."""
    if isinstance(constraint, (Always, AtMostOnce)):
        return (constraint.formula,)
    if isinstance(constraint, Before):
        return (constraint.first, constraint.then)
    return constraint.steps if isinstance(constraint, InOrder) else ()


def show_constraint(constraint: Constraint) -> str:
    """*constraint* as text that :func:`~foretree.planning.constraints.reader.parse_constraint` reads."""
    parts = [show(formula) for formula in formulas_of(constraint)]
    if isinstance(constraint, Always):
        return f"(always {parts[0]})"
    if isinstance(constraint, AtMostOnce):
        return f"(at-most-once {parts[0]})"
    if isinstance(constraint, Before):
        return f"(sometime-before {parts[1]} {parts[0]})"
    if isinstance(constraint, InOrder):
        return f"({'sometime' if len(parts) == 1 else 'sequence'} {' '.join(parts)})"
    variables = [term for term in constraint.objects if isinstance(term, Typed)]
    names = [term.name if isinstance(term, Typed) else term for term in constraint.objects]
    said = f"({' '.join(['never-use', constraint.action or '*', *names])})"
    for variable in reversed(variables):
        said = f"(forall ({variable.name} - {variable.type}) {said})"
    return said


def describe_constraint(constraint: Constraint) -> str:
    """*constraint* in words: "(not (open drawer1)) is never made false", say."""
    parts = [show(formula, typed=False) for formula in formulas_of(constraint)]
    if isinstance(constraint, Always):
        return f"{parts[0]} is never made false"
    if isinstance(constraint, AtMostOnce):
        return f"{parts[0]} becomes true at most once"
    if isinstance(constraint, Before):
        return f"{parts[0]} comes before {parts[1]}"
    if isinstance(constraint, InOrder):
        return f"{', then '.join(parts)} at some time"
    names = [f"any {term.type}" if isinstance(term, Typed) else term for term in constraint.objects]
    said = f"no {constraint.action}" if constraint.action else "no action"
    return f"{said} with {' and '.join(names)}" if names else f"{said} at all"


def named_by(constraint: Constraint) -> Iterator[str]:
    """Yield the objects that *constraint* names; repeats are possible."""
    if isinstance(constraint, NeverUse):
        yield from (term for term in constraint.objects if isinstance(term, str))
    for formula in formulas_of(constraint):
        for atom in atoms_of(formula):
            yield from (term for term in atom[1:] if not term.startswith("?"))


def check_constraint(constraint: Constraint, domain: Domain) -> None:
    """Check that *constraint* can be kept to in *domain*.

    Raises:
        ConstraintError: it names what the domain does not have, counts, or is about a derived predicate.
    """
    said = f"The constraint {show_constraint(constraint)}"
    if isinstance(constraint, NeverUse):
        action = constraint.action
        if action is None and not constraint.objects:
            raise ConstraintError(f"{said} forbids every action. Name an action, an object, or both.")
        if action is not None and action not in domain.operators:
            raise ConstraintError(
                f'{said} names the action "{action}", which the domain {domain.name} does not have. '
                f"{suggest(action, domain.operators)}"
            )
    if isinstance(constraint, InOrder) and not constraint.steps:
        raise ConstraintError("A sequence without steps is no constraint: write (sequence FIRST THEN …).")
    derived = {axiom.predicate for axiom in domain.axioms}
    for formula in formulas_of(constraint):
        if any(isinstance(part, Count) for part in walk(formula)):
            raise ConstraintError(f"{said} counts, which only goals may. Name the objects, or use forall.")
        for atom in atoms_of(formula):
            if atom[0] in derived:
                raise ConstraintError(
                    f"{said} is about {atom[0]}, which is derived from other facts: say it with those."
                )
            if atom[0] not in domain.predicates:
                raise ConstraintError(
                    f"{said} is about {atom[0]}, which is no predicate of the domain {domain.name}. "
                    f"{suggest(atom[0], domain.predicates)}"
                )
