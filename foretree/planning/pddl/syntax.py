"""The syntax tree of PDDL: formulas, effects, operators, domains, problems.

Variables start with ``?``. A formula without variables is *ground*. Everything is frozen and hashable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
        # Literals are looked up all the time: this takes half the time of the generated method.
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

    Written ``(at-least 2 (?x - pillow) (on ?x sofa1))``, ``(at-most …)`` or ``(exactly …)``. Only goals
    may count.
    """

    variable: Typed
    body: Formula
    at_least: int = 0
    at_most: int | None = None

    @property
    def variables(self) -> tuple[Typed, ...]:
        """The variable, as quantifiers have theirs."""
        return (self.variable,)


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
    """The cost that an operator adds to the total: a number, or the value of a function term."""

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

    @property
    def conditions(self) -> tuple[Formula, ...]:
        """The precondition, and the conditions of all effects."""
        return (self.precondition, *[effect.condition for effect in self.effects])


@dataclass(frozen=True, slots=True)
class Axiom:
    """A rule for a derived predicate, which is true of *parameters* wherever *body* is.

    Several rules for one predicate are alternatives.
    """

    predicate: str
    parameters: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class OriginalTask:
    """A domain and a goal as they were before conditions took the place of derived predicates.

    Attributes:
        domain: with all its axioms.
        goal: the goal that was stated.
        unfolded: the goal after the replacement.
    """

    domain: Domain
    goal: Formula
    unfolded: Formula


@dataclass(frozen=True)
class Domain:
    """A PDDL domain.

    ``types`` maps each type to its parent, ``further_parents`` types with several parents to the others;
    ``predicates`` and ``functions`` map names to their typed parameters. ``axioms`` say when derived
    predicates are true. ``warnings`` are about the text that it was read from. ``stated`` is the original,
    where conditions have taken the place of derived predicates.
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
    stated: OriginalTask | None = field(default=None, compare=False, repr=False)

    def is_a(self, type_name: str, ancestor: str) -> bool:
        """True if *type_name* is *ancestor* or below it. Everything is an ``object``."""
        if ancestor == "object":
            return True
        if self.further_parents:
            return ancestor in self._above(type_name)
        seen: str | None = type_name
        while seen is not None and seen != ancestor and seen != "object":
            seen = self.types.get(seen)
        return seen == ancestor

    def lineage(self, type_name: str) -> tuple[str, ...]:
        """*type_name* and all types above it, the nearest first, without ``object``."""
        return tuple(self._above(type_name))

    def _above(self, type_name: str) -> Mapping[str, None]:
        found = self._lineages.get(type_name)
        if found is None:
            above = lineage(type_name, self.types, self.further_parents)
            found = self._lineages[type_name] = dict.fromkeys(above)
        return found

    @cached_property
    def _lineages(self) -> dict[str, Mapping[str, None]]:
        """The lineages that were asked for: with several parents, each takes a search."""
        return {}


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
        return self._names_by_type.get(type_name, ())

    @cached_property
    def _names_by_type(self) -> Mapping[str, tuple[str, ...]]:
        return names_by_type(self.domain, self.objects)


def names_by_type(domain: Domain, objects: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """For each type the names of its objects, constants included, sorted."""
    types = {**types_of(domain.constants), **objects}
    lineages = {name: domain.lineage(name) for name in dict.fromkeys(types.values())}
    found = {"object": sorted(types)}
    for name in found["object"]:
        for above in lineages[types[name]]:
            found.setdefault(above, []).append(name)
    return {type_name: tuple(names) for type_name, names in found.items()}


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


def conditions_of(domain: Domain) -> Iterator[Formula]:
    """Every precondition, condition of an effect, and body of an axiom in *domain*."""
    for operator in domain.operators.values():
        yield from operator.conditions
    yield from (axiom.body for axiom in domain.axioms)


def types_of(variables: Iterable[Typed]) -> dict[str, str]:
    """The type of each variable or name."""
    return {variable.name: variable.type for variable in variables}


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly within *formula*."""
    if isinstance(formula, (Literal, Equal)):
        return ()
    if isinstance(formula, (And, Or)):
        return formula.parts
    return (formula.part,) if isinstance(formula, Not) else (formula.body,)


def rebuild(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """*formula* with each of the formulas directly within it changed."""
    if isinstance(formula, (Literal, Equal)):
        return formula
    if isinstance(formula, (And, Or)):
        return type(formula)(tuple([change(part) for part in formula.parts]))
    if isinstance(formula, Not):
        return Not(change(formula.part))
    return replace(formula, body=change(formula.body))


def walk(formula: Formula) -> Iterator[Formula]:
    """*formula* and every formula within it, from left to right, the outer one first."""
    yield formula
    for part in parts_of(formula):
        yield from walk(part)


def literals_of(formula: Formula, positive: bool = True) -> Iterator[Literal]:
    """Every literal in *formula*, negated where an odd number of negations is around it."""
    if isinstance(formula, Literal):
        yield formula if positive else ~formula
    else:
        for part in parts_of(formula):
            yield from literals_of(part, positive is not isinstance(formula, Not))


def substitute(formula: Formula, binding: Binding) -> Formula:
    """*formula* with its free terms replaced; variables that a quantifier binds stay."""
    if isinstance(formula, Literal):
        return Literal(substitute_atom(formula.atom, binding), formula.positive)
    if isinstance(formula, Equal):
        return Equal(binding.get(formula.left, formula.left), binding.get(formula.right, formula.right))
    if isinstance(formula, (Exists, Forall, Count)):
        bound = types_of(formula.variables)
        binding = {k: v for k, v in binding.items() if k not in bound}
    return rebuild(formula, lambda part: substitute(part, binding))


def substitute_atom(atom: Atom, binding: Binding) -> Atom:
    """*atom* with its terms replaced."""
    return (atom[0], *[binding.get(term, term) for term in atom[1:]])


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Every atom that *formula* mentions, with its variables as they are; repeats are possible."""
    return (part.atom for part in walk(formula) if isinstance(part, Literal))


def terms_of(formula: Formula) -> Iterator[Term]:
    """Every variable and name that *formula* mentions; repeats are possible."""
    for part in walk(formula):
        if isinstance(part, Literal):
            yield from part.atom[1:]
        elif isinstance(part, Equal):
            yield from (part.left, part.right)


def variables_in(formula: Formula) -> Iterator[Typed]:
    """Every variable that a quantifier or a count in *formula* binds; repeats are possible."""
    for part in walk(formula):
        if isinstance(part, (Exists, Forall, Count)):
            yield from part.variables


def constants_of(formula: Formula) -> frozenset[str]:
    """Every object that *formula* names, as opposed to quantifies over."""
    return frozenset([term for term in terms_of(formula) if not term.startswith("?")])


def show(formula: Formula, typed: bool = True) -> str:
    """*formula* as PDDL writes it, on one line; variables have no types unless *typed*."""
    if isinstance(formula, Literal):
        inner = f"({' '.join(formula.atom)})"
        return inner if formula.positive else f"(not {inner})"
    if isinstance(formula, Equal):
        return f"(= {formula.left} {formula.right})"
    parts = [show(part, typed) for part in parts_of(formula)]
    if isinstance(formula, Not):
        return f"(not {parts[0]})"
    if isinstance(formula, (And, Or)):
        word = "and" if isinstance(formula, And) else "or"
        return parts[0] if len(parts) == 1 else f"({' '.join([word, *parts])})"
    variables = " ".join(f"{v.name} - {v.type}" if typed else v.name for v in formula.variables)
    rest = f"({variables}) {parts[0]})"
    if not isinstance(formula, Count):
        return f"({'exists' if isinstance(formula, Exists) else 'forall'} {rest}"
    if formula.at_most is None:
        return f"(at-least {formula.at_least} {rest}"
    if formula.at_least == formula.at_most:
        return f"(exactly {formula.at_least} {rest}"
    if formula.at_least > 0:
        return f"(and (at-least {formula.at_least} {rest} (at-most {formula.at_most} {rest})"
    return f"(at-most {formula.at_most} {rest}"
