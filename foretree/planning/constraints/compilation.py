"""Constraints compiled into a domain: each operator needs what no constraint forbids.

A constraint that always has to hold becomes a precondition of the operators that may break it, in words of
the state before them (regression). What has happened is remembered by a fact of its own, which the operators
that make it happen make true, and no operator makes false. So all that works with a domain keeps the
constraints: search, relevance, validation, guards, partial order and revisions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from foretree.planning.constraints._lifted_regression import after, all_of, any_of, becomes, made, normal_form
from foretree.planning.constraints.constraints import (
    Always,
    AtMostOnce,
    Before,
    Constraint,
    InOrder,
    NeverUse,
    check_constraint,
    formulas_of,
)
from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Operator,
    Or,
    Typed,
    substitute,
    variables_in,
)
from foretree.planning.semantics.evaluation import conjunction, negate
from foretree.world_model.beliefs.facts import Atom

#: A part of a constraint, for all objects of some types.
_Clause: TypeAlias = tuple[tuple[Typed, ...], Formula]


@dataclass(frozen=True, slots=True)
class Memory:
    """A fact that says that *formula* has been true, and not before the fact *since*, if there is one.

    It is *lasting* if it counts that an action was said to make it true, whatever is seen afterwards.
    """

    atom: Atom
    formula: Formula
    since: Atom | None = None
    lasting: bool = False


@dataclass(frozen=True)
class ConstrainedDomain:
    """A domain whose operators keep constraints.

    Attributes:
        domain: with preconditions and effects for the constraints.
        constraints: what they keep.
        memories: what is remembered as soon as it is true, each after the one that it follows.
        required: what a goal needs in addition.
    """

    domain: Domain
    constraints: tuple[Constraint, ...] = ()
    memories: tuple[Memory, ...] = ()
    required: Formula = TRUE


def constrain(
    domain: Domain,
    constraints: Sequence[Constraint],
    left_out: Collection[int] = (),
    single: Collection[str] = (),
) -> ConstrainedDomain:
    """*domain* with operators that keep *constraints*.

    Args:
        domain: what they are compiled into.
        constraints: what is to be kept.
        left_out: which of them not to keep, all else being as if they were.
        single: predicates that are true of no subject in two ways at once, as being somewhere is: conditions
            become simpler by that.

    Raises:
        ConstraintError: a constraint cannot be kept to in this domain.
    """
    if not constraints:
        return ConstrainedDomain(domain)
    for constraint in constraints:
        check_constraint(constraint, domain)
    fresh = _Names(domain)
    every = [_Kept(constraint, fresh, domain, single) for constraint in constraints]
    kept = [one for number, one in enumerate(every) if number not in left_out]
    operators = {name: _restricted(operator, kept) for name, operator in domain.operators.items()}
    memories = tuple(memory for one in kept for memory in one.memories)
    remembered = [atom for one in kept for atom in one.remembered]
    predicates = {**domain.predicates, **{atom[0]: () for atom in remembered}}
    return ConstrainedDomain(
        replace(domain, operators=operators, predicates=predicates, stated=None),
        tuple(constraints),
        memories,
        conjunction(*(Literal(one.memories[-1].atom) for one in kept if isinstance(one.of, InOrder))),
    )


def _restricted(operator: Operator, kept: Iterable[_Kept]) -> Operator:
    """*operator* with the conditions and effects that keep the constraints."""
    needs = [need for one in kept for need in one.conditions(operator) if need != TRUE]
    effects = [effect for one in kept for effect in one.effects(operator)]
    if not needs and not effects:
        return operator
    precondition = conjunction(operator.precondition, *needs) if needs else operator.precondition
    return replace(operator, precondition=precondition, effects=(*operator.effects, *effects))


class _Names:
    """Names that a domain does not use yet."""

    def __init__(self, domain: Domain) -> None:
        parameters = {p.name for operator in domain.operators.values() for p in operator.parameters}
        bound = {
            variable.name
            for operator in domain.operators.values()
            for effect in operator.effects
            for variable in effect.variables
        }
        self._taken = {*domain.predicates, *parameters, *bound}

    def new(self, stem: str) -> str:
        """A name that begins with *stem*."""
        name = next(f"{stem}{number}" for number in count(1) if f"{stem}{number}" not in self._taken)
        self._taken.add(name)
        return name


class _Kept:
    """One constraint, as conditions and effects of operators.

    Attributes:
        memories: what has been true, each after the one that it follows.
        remembered: all facts that are remembered for it.
    """

    def __init__(
        self, constraint: Constraint, names: _Names, domain: Domain, single: Collection[str]
    ) -> None:
        self.of = constraint
        self._single = single
        self._domain = domain
        self._formulas = tuple(normal_form(_renamed(formula, names)) for formula in formulas_of(constraint))
        self.memories: tuple[Memory, ...] = ()
        self.remembered: tuple[Atom, ...] = ()
        if isinstance(constraint, InOrder):
            self.remembered = tuple((names.new("has-held-"),) for _ in self._formulas)
            since = (None, *self.remembered)
            self.memories = tuple(map(Memory, self.remembered, self._formulas, since))
        elif isinstance(constraint, (AtMostOnce, Before)):
            self.remembered = ((names.new("has-held-"),),)
            once = isinstance(constraint, AtMostOnce)
            self.memories = (Memory(self.remembered[0], self._formulas[0], lasting=once),)

    def conditions(self, operator: Operator) -> Iterator[Formula]:
        """Condition that *operator* needs so that it does not break the constraint."""
        if isinstance(self.of, NeverUse):
            yield self._unused(operator, self.of)
        elif isinstance(self.of, Always):
            for clause in clauses_of(self._formulas[0]):
                yield _preserved(operator, clause, self._single)
        elif isinstance(self.of, Before):
            first, then = self._formulas
            for clause in clauses_of(normal_form(negate(then))):
                yield any_of(_preserved(operator, clause, self._single), first, Literal(self.remembered[0]))
        elif isinstance(self.of, AtMostOnce):
            formula, again = self._formulas[0], Literal(self.remembered[0], False)
            comes = becomes(operator, formula)
            if comes != FALSE:
                yield any_of(negate(comes), negate(after(operator, formula)), formula, again)

    def effects(self, operator: Operator) -> Iterator[Effect]:
        """Effects by which *operator* is remembered."""
        if isinstance(self.of, Before):
            # As long as it is true, that needs no memory, and can be looked at.
            formula = self._formulas[0]
            ends = becomes(operator, normal_form(negate(formula)))
            if ends != FALSE:
                yield Effect(Literal(self.remembered[0]), all_of(ends, formula))
            return
        before: Formula = FALSE
        for memory in self.memories:
            comes = becomes(operator, memory.formula)
            since = TRUE if memory.since is None else Literal(memory.since)
            if comes != FALSE and not isinstance(memory.formula, Literal):
                comes = after(operator, memory.formula)
            now = any_of(all_of(since, comes), all_of(before, after(operator, memory.formula)))
            if now != FALSE:
                yield Effect(Literal(memory.atom), now)
            before = now

    def _unused(self, operator: Operator, pattern: NeverUse) -> Formula:
        if pattern.action is not None and pattern.action != operator.name:
            return TRUE
        return any_of(*(self._absent(term, operator.parameters) for term in pattern.objects))

    def _absent(self, term: str | Typed, parameters: Iterable[Typed]) -> Formula:
        """*term* is none of *parameters*."""
        if isinstance(term, str):
            return all_of(*(negate(Equal(parameter.name, term)) for parameter in parameters))
        apart = []
        for parameter in parameters:
            if self._domain.is_a(parameter.type, term.type):
                return FALSE
            if self._may_share(parameter.type, term.type):
                variable = Typed(f"{parameter.name}-other", term.type)
                apart.append(Forall((variable,), negate(Equal(parameter.name, variable.name))))
        return all_of(*apart)

    def _may_share(self, one: str, other: str) -> bool:
        """Return whether an object may be of both types."""
        domain = self._domain
        types = {*domain.types, "object"}
        return any(domain.is_a(name, one) and domain.is_a(name, other) for name in types)


def _renamed(formula: Formula, names: _Names) -> Formula:
    """*formula* with bound variables that no operator has."""
    new: Mapping[str, str] = {
        name: names.new(f"{name}-") for name in dict.fromkeys(v.name for v in variables_in(formula))
    }

    def rename(part: Formula) -> Formula:
        if isinstance(part, (Exists, Forall)):
            variables = tuple(Typed(new[v.name], v.type) for v in part.variables)
            bound = {v.name: new[v.name] for v in part.variables}
            return type(part)(variables, rename(substitute(part.body, bound)))
        if isinstance(part, (And, Or)):
            return type(part)(tuple(rename(inner) for inner in part.parts))
        return part

    return rename(normal_form(formula))


def clauses_of(formula: Formula, variables: tuple[Typed, ...] = ()) -> Iterator[_Clause]:
    """Yield the parts of *formula*, which is in normal form, that have to hold each for itself."""
    if isinstance(formula, And):
        for part in formula.parts:
            yield from clauses_of(part, variables)
    elif isinstance(formula, Forall):
        yield from clauses_of(formula.body, (*variables, *formula.variables))
    else:
        yield variables, formula


def _preserved(operator: Operator, clause: _Clause, single: Collection[str]) -> Formula:
    """Condition under which *operator* does not make *clause* false."""
    variables, body = clause
    parts = body.parts if isinstance(body, Or) else (body,)
    needs = []
    for part in parts:
        if isinstance(part, Literal):
            lost = made(operator, ~part)
            left = [other for other in parts if other != part]
        else:
            lost, left = becomes(operator, normal_form(negate(part))), [*parts]
        if lost != FALSE:
            needs.append(any_of(negate(lost), *(after(operator, other, single) for other in left)))
    found = all_of(*needs)
    return found if not variables or found in (TRUE, FALSE) else Forall(variables, found)
