"""Normal forms of the formulas of a problem: negation normal form, and disjunctive normal form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import comb
from typing import Any, TypeAlias

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
    Problem,
    Typed,
    substitute,
)
from foretree.planning.semantics.evaluation import bindings, conjuncts
from foretree.planning.semantics.operator_index import index_of
from foretree.planning.work_limit import WorkLimit


@dataclass(frozen=True, slots=True)
class Threshold:
    """At least *number* of the parts hold, where that is neither all nor any of them."""

    number: int
    parts: tuple[NormalForm, ...]


#: Negation normal form: literals, equalities and their negations, And, Or, Exists, and ``Threshold`` anywhere
#: among the parts, which is why the types of the syntax tree cannot say it.
NormalForm: TypeAlias = Any


#: One alternative of a disjunctive normal form: extra parameters and what they have to satisfy.
Alternative: TypeAlias = "tuple[tuple[Typed, ...], tuple[Literal | Equal | Not, ...]]"


class Normalizer:
    """Brings formulas of a problem into negation normal form.

    Args:
        problem: says what is static, and which objects there are.
        work: counts the steps.
    """

    def __init__(self, problem: Problem, work: WorkLimit) -> None:
        self._problem = problem
        self._work = work
        self._fluent = index_of(problem.domain).fluents
        self._fresh = count()

    def normal_form(self, formula: Formula, *, positive: bool = True, keep_exists: bool) -> NormalForm:
        """Return the negation normal form, with everything simplified that the static facts decide.

        Args:
            positive: whether *formula* is to hold, or not to hold.
            keep_exists: keep existential quantifiers instead of expanding them over the objects.
        """
        self._work.spend()
        if isinstance(formula, Literal):
            return self._literal(formula if positive else ~formula)
        if isinstance(formula, Equal):
            if formula.left == formula.right:
                return TRUE if positive else FALSE
            if not formula.left.startswith("?") and not formula.right.startswith("?"):
                return FALSE if positive else TRUE
            return formula if positive else Not(formula)
        if isinstance(formula, Not):
            return self.normal_form(formula.part, positive=not positive, keep_exists=keep_exists)
        if isinstance(formula, (And, Or)):
            parts = (
                self.normal_form(part, positive=positive, keep_exists=keep_exists) for part in formula.parts
            )
            return conjunction(parts) if isinstance(formula, And) == positive else disjunction(parts)
        if isinstance(formula, Count):
            return self._count(formula, positive=positive, keep_exists=keep_exists)
        if isinstance(formula, Exists) == positive and keep_exists:
            return self._exists(formula, positive)
        bodies = (
            self.normal_form(substitute(formula.body, binding), positive=positive, keep_exists=keep_exists)
            for binding in bindings(formula.variables, self._problem)
        )
        return disjunction(bodies) if isinstance(formula, Exists) == positive else conjunction(bodies)

    def _literal(self, literal: Literal) -> NormalForm:
        atom = literal.atom
        if atom[0] in self._fluent or any(term.startswith("?") for term in atom[1:]):
            return literal
        return TRUE if (atom in self._problem.init) == literal.positive else FALSE

    def _exists(self, formula: Exists | Forall, positive: bool) -> NormalForm:
        """An existential whose variables are renamed apart, so that they can become parameters."""
        fresh = tuple(Typed(f"{v.name}-{next(self._fresh)}", v.type) for v in formula.variables)
        renaming = {old.name: new.name for old, new in zip(formula.variables, fresh, strict=True)}
        body = self.normal_form(substitute(formula.body, renaming), positive=positive, keep_exists=True)
        if body == FALSE:
            return FALSE
        return Exists(fresh, body)

    def _count(self, formula: Count, *, positive: bool, keep_exists: bool) -> NormalForm:
        variable, body = formula.variable, formula.body
        if keep_exists and formula.at_most is None and formula.at_least == 1:
            return self.normal_form(Exists((variable,), body), positive=positive, keep_exists=True)
        if keep_exists and formula.at_most == 0 and formula.at_least == 0:
            return self.normal_form(Exists((variable,), body), positive=not positive, keep_exists=True)
        bodies = [substitute(body, {variable.name: name}) for name in self._problem.of_type(variable.type)]
        ayes = [self.normal_form(body, keep_exists=keep_exists) for body in bodies]
        noes = [self.normal_form(body, positive=False, keep_exists=keep_exists) for body in bodies]
        total = len(bodies)
        if positive:
            return conjunction(
                (
                    at_least(formula.at_least, ayes),
                    TRUE if formula.at_most is None else at_least(total - formula.at_most, noes),
                )
            )
        return disjunction(
            (
                at_least(total - formula.at_least + 1, noes),
                FALSE if formula.at_most is None else at_least(formula.at_most + 1, ayes),
            )
        )


def conjunction(parts: Iterable[NormalForm | Formula]) -> And:
    found: dict[NormalForm, None] = {}
    for part in parts:
        if part == FALSE:
            return NEVER
        found.update(dict.fromkeys(conjuncts(part)))
    if FALSE in found or any(isinstance(part, Literal) and ~part in found for part in found):
        return NEVER
    return And(tuple(found))


#: A conjunction that is false: so that a conjunction always comes out as one.
NEVER = And((FALSE,))


def disjunction(parts: Iterable[NormalForm]) -> NormalForm:
    found: dict[NormalForm, None] = {}
    for part in parts:
        if isinstance(part, And) and len(part.parts) == 1:
            part = part.parts[0]
        if part == TRUE:
            return TRUE
        found.update(dict.fromkeys(part.parts if isinstance(part, Or) else (part,)))
    if any(isinstance(part, Literal) and ~part in found for part in found):
        return TRUE
    return next(iter(found)) if len(found) == 1 else Or(tuple(found))


def at_least(number: int, parts: Sequence[NormalForm]) -> NormalForm:
    certain = sum(part == TRUE for part in parts)
    open_parts = tuple(part for part in parts if part not in (TRUE, FALSE, NEVER))
    number -= certain
    if number <= 0:
        return TRUE
    if number > len(open_parts):
        return FALSE
    if number == len(open_parts):
        return conjunction(open_parts)
    if number == 1:
        return disjunction(open_parts)
    return Threshold(number, open_parts)


def dnf(formula: NormalForm, most: int) -> list[Alternative] | None:
    """Return the disjunctive normal form; None when it would have more than *most* alternatives."""
    if isinstance(formula, (Literal, Equal, Not)):
        return [((), (formula,))]
    if isinstance(formula, Exists):
        inner = dnf(formula.body, most)
        return inner and [(formula.variables + extra, literals) for extra, literals in inner]
    if isinstance(formula, Threshold):
        if comb(len(formula.parts), formula.number) > most:
            return None
        choices = combinations(formula.parts, formula.number)
        return dnf(disjunction(conjunction(choice) for choice in choices), most)
    if isinstance(formula, Or):
        return _dnf_of_disjunction(formula.parts, most)
    return _dnf_of_conjunction(formula.parts, most)


def _dnf_of_disjunction(parts: Iterable[NormalForm], most: int) -> list[Alternative] | None:
    result: list[Alternative] = []
    for part in parts:
        inner = dnf(part, most)
        if inner is None or len(result) + len(inner) > most:
            return None
        result.extend(inner)
    return result


def _dnf_of_conjunction(parts: Iterable[NormalForm], most: int) -> list[Alternative] | None:
    result: list[Alternative] = [((), ())]
    for part in parts:
        inner = dnf(part, most)
        if inner is None or len(result) * len(inner) > most:
            return None
        combined = ((a[0] + b[0], a[1] + b[1]) for a in result for b in inner)
        result = [(extra, tuple(dict.fromkeys(literals))) for extra, literals in combined]
    return [
        option for option in result if not any(isinstance(p, Literal) and ~p in option[1] for p in option[1])
    ]
