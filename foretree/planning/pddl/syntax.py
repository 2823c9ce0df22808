"""The syntax tree of PDDL: formulas, effects, operators, domains, problems.

Variables start with ``?``. A formula without variables is *ground*. Everything is frozen and hashable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from foretree.planning.pddl.errors import PddlWarning
from foretree.world_model.beliefs.facts import Atom

#: A name, or a variable if it starts with ``?``.
Term: TypeAlias = str
#: Replaces variables (or names) by terms.
Binding: TypeAlias = Mapping[Term, Term]

#: A step of a plan: an operator's name and its arguments.
PlanStep: TypeAlias = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Typed:
    """A variable or a name with its type."""

    name: str
    type: str = "object"


#: The function that the costs of actions add up to: the one that a plan can minimise.
TOTAL_COST = "total-cost"


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom, or its negation."""

    atom: Atom
    positive: bool = True

    def __invert__(self) -> Literal:
        return Literal(self.atom, not self.positive)

    def __hash__(self) -> int:
        # Links, threads and needs are looked up by literals all the time: this is half of what it would take.
        return hash(self.atom) if self.positive else ~hash(self.atom)


@dataclass(frozen=True, slots=True)
class Equal:
    """Two terms name the same object."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of a formula that is not an atom."""

    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold. ``And(())`` is true."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds. ``Or(())`` is false."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Exists:
    """Some objects of these types make the body true."""

    variables: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    """All objects of these types make the body true."""

    variables: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Count:
    """The number of objects that make the body true lies in a range.

    Written ``(at-least 2 (?x - pillow) (on ?x sofa1))``, ``(at-most …)`` or ``(exactly …)``.
    """

    variable: Typed
    body: Formula
    at_least: int = 0
    at_most: int | None = None


Formula: TypeAlias = Literal | Equal | Not | And | Or | Exists | Forall | Count

TRUE = And(())
FALSE = Or(())


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: for all *variables*, if *condition* holds, *literal* becomes so."""

    literal: Literal
    condition: Formula = TRUE
    variables: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What an operator adds to the total cost: a number, or the value of a function term."""

    constant: int = 0
    function: Atom | None = None


@dataclass(frozen=True, slots=True)
class Operator:
    """A PDDL action schema; ``place`` is where its text stands, ``file:line``, if it has one."""

    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()
    cost: Cost = Cost(constant=1)
    place: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Axiom:
    """A rule for a derived predicate, which is true of *parameters* wherever *body* is.

    Several rules for one predicate are alternatives.
    """

    predicate: str
    parameters: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Stated:
    """How a problem was stated before conditions took the place of derived predicates.

    Attributes:
        domain: with all its axioms.
        goal: the goal that was stated.
        unfolded: what that goal became.
    """

    domain: Domain
    goal: Formula
    unfolded: Formula


@dataclass(frozen=True)
class Domain:
    """A PDDL domain.

    ``types`` maps each type to its parent, ``further_parents`` those that have several to the others;
    ``predicates`` and ``functions`` map names to their typed parameters. ``axioms`` say when derived
    predicates are true. ``warnings`` tell what was odd about the text that it was read from. ``stated`` is
    what it was made of, where conditions have taken the place of derived predicates.
    """

    name: str
    types: Mapping[str, str] = field(default_factory=dict)
    constants: tuple[Typed, ...] = ()
    predicates: Mapping[str, tuple[Typed, ...]] = field(default_factory=dict)
    functions: Mapping[str, tuple[Typed, ...]] = field(default_factory=dict)
    operators: Mapping[str, Operator] = field(default_factory=dict)
    further_parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    axioms: tuple[Axiom, ...] = ()
    warnings: tuple[PddlWarning, ...] = field(default=(), compare=False, repr=False)
    stated: Stated | None = field(default=None, compare=False, repr=False)

    def is_a(self, type_name: str, ancestor: str) -> bool:
        """Whether *type_name* is *ancestor* or below it. Everything is an ``object``."""
        if ancestor == "object":
            return True
        if self.further_parents:
            return ancestor in self.lineage(type_name)
        seen: str | None = type_name
        while seen is not None and seen != "object":
            if seen == ancestor:
                return True
            seen = self.types.get(seen)
        return False

    def lineage(self, type_name: str) -> tuple[str, ...]:
        """*type_name* and all types above it, the nearest first, without ``object``."""
        return lineage(type_name, self.types, self.further_parents)


@dataclass(frozen=True)
class Problem:
    """A PDDL problem: a complete initial state and a goal."""

    name: str
    domain: Domain
    objects: Mapping[str, str]
    init: frozenset[Atom]
    goal: Formula
    functions: Mapping[Atom, int] = field(default_factory=dict)
    minimise_cost: bool = True
    warnings: tuple[PddlWarning, ...] = field(default=(), compare=False, repr=False)

    def of_type(self, type_name: str) -> tuple[str, ...]:
        """The names of all objects (and constants) of a type, sorted."""
        names = self._names_by_class
        return tuple(sorted({n for t in names if self.domain.is_a(t, type_name) for n in names[t]}))

    @cached_property
    def _names_by_class(self) -> Mapping[str, Sequence[str]]:
        names: dict[str, list[str]] = {}
        for constant in self.domain.constants:
            names.setdefault(constant.type, []).append(constant.name)
        for name, class_name in self.objects.items():
            names.setdefault(class_name, []).append(name)
        return names


def lineage(
    type_name: str, parents: Mapping[str, str], further: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """*type_name* and all types above it, the nearest first, without ``object``."""
    found: dict[str, None] = {}
    level = [type_name]
    while level:
        found.update(dict.fromkeys(level))
        above = [p for name in level for p in (parents.get(name, "object"), *further.get(name, ()))]
        level = [name for name in dict.fromkeys(above) if name not in found and name != "object"]
    found.pop("object", None)
    return tuple(found)


def substitute(formula: Formula, binding: Binding) -> Formula:
    """*formula* with its free terms replaced; variables that a quantifier binds stay."""
    if isinstance(formula, Literal):
        return Literal(substitute_atom(formula.atom, binding), formula.positive)
    if isinstance(formula, Equal):
        return Equal(binding.get(formula.left, formula.left), binding.get(formula.right, formula.right))
    if isinstance(formula, Not):
        return Not(substitute(formula.part, binding))
    if isinstance(formula, And):
        return And(tuple(substitute(part, binding) for part in formula.parts))
    if isinstance(formula, Or):
        return Or(tuple(substitute(part, binding) for part in formula.parts))
    if isinstance(formula, Count):
        inner = {k: v for k, v in binding.items() if k != formula.variable.name}
        return Count(formula.variable, substitute(formula.body, inner), formula.at_least, formula.at_most)
    bound = {variable.name for variable in formula.variables}
    inner = {k: v for k, v in binding.items() if k not in bound}
    return type(formula)(formula.variables, substitute(formula.body, inner))


def substitute_atom(atom: Atom, binding: Binding) -> Atom:
    """*atom* with its terms replaced."""
    return (atom[0], *(binding.get(term, term) for term in atom[1:]))


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Every atom that *formula* mentions, with its variables as they are; repeats are possible."""
    if isinstance(formula, Literal):
        yield formula.atom
    elif isinstance(formula, Not):
        yield from atoms_of(formula.part)
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from atoms_of(part)
    elif isinstance(formula, (Exists, Forall, Count)):
        yield from atoms_of(formula.body)


def constants_of(formula: Formula) -> frozenset[str]:
    """Every object that *formula* names, as opposed to quantifies over."""
    if isinstance(formula, Equal):
        return frozenset(t for t in (formula.left, formula.right) if not t.startswith("?"))
    return frozenset(
        term for atom in atoms_of(formula) for term in atom[1:] if not term.startswith("?")
    ) | _equal_constants(formula)


def _equal_constants(formula: Formula) -> frozenset[str]:
    if isinstance(formula, Equal):
        return constants_of(formula)
    if isinstance(formula, Not):
        return _equal_constants(formula.part)
    if isinstance(formula, (And, Or)):
        return frozenset().union(*(_equal_constants(part) for part in formula.parts))
    if isinstance(formula, (Exists, Forall, Count)):
        return _equal_constants(formula.body)
    return frozenset()


def show(formula: Formula, typed: bool = True) -> str:
    """*formula* as PDDL writes it, on one line; variables have no types unless *typed*."""
    if isinstance(formula, Literal):
        inner = f"({' '.join(formula.atom)})"
        return inner if formula.positive else f"(not {inner})"
    if isinstance(formula, Equal):
        return f"(= {formula.left} {formula.right})"
    if isinstance(formula, Not):
        return f"(not {show(formula.part, typed)})"
    if isinstance(formula, (And, Or)):
        word = "and" if isinstance(formula, And) else "or"
        if len(formula.parts) == 1:
            return show(formula.parts[0], typed)
        return f"({' '.join([word, *(show(part, typed) for part in formula.parts)])})"
    if isinstance(formula, Count):
        variable = f"({_show_variable(formula.variable, typed)})"
        if formula.at_most is None:
            return f"(at-least {formula.at_least} {variable} {show(formula.body, typed)})"
        if formula.at_least == formula.at_most:
            return f"(exactly {formula.at_least} {variable} {show(formula.body, typed)})"
        if formula.at_least > 0:
            lower = Count(formula.variable, formula.body, at_least=formula.at_least)
            upper = Count(formula.variable, formula.body, at_most=formula.at_most)
            return f"(and {show(lower, typed)} {show(upper, typed)})"
        return f"(at-most {formula.at_most} {variable} {show(formula.body, typed)})"
    word = "exists" if isinstance(formula, Exists) else "forall"
    variables = " ".join(_show_variable(variable, typed) for variable in formula.variables)
    return f"({word} ({variables}) {show(formula.body, typed)})"


def _show_variable(variable: Typed, typed: bool) -> str:
    return f"{variable.name} - {variable.type}" if typed else variable.name
