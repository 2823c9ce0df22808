"""The initial state of a problem: the section ``(:init …)``, without facts that cannot matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import contains
from typing import TypeGuard

from foretree.planning.pddl._operator_reader import read_cost
from foretree.planning.pddl.errors import (
    ArgumentTypeError,
    DuplicateNameError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.formula_reader import FormulaReader
from foretree.planning.pddl.sexpr import Group, Node
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import (
    TOTAL_COST,
    Count,
    Domain,
    Exists,
    Forall,
    Formula,
    Literal,
    parts_of,
    types_of,
)
from foretree.world_model.beliefs.facts import Atom, show_atom


class InitialState:
    """Atoms that are true and the values of functions.

    Args:
        source: the text that they come from.
        domain: declares the predicates and the functions.
        objects: the problem's objects with their types.
        formulas: reads what is not a plain fact.

    Attributes:
        functions: the values of functions, the total cost left out.
    """

    def __init__(
        self,
        source: Source,
        domain: Domain,
        objects: Mapping[str, str],
        formulas: FormulaReader,
    ) -> None:
        self.functions: dict[Atom, int] = {}
        self._source = source
        self._formulas = formulas
        self._domain = domain
        self._types = {**types_of(domain.constants), **objects}
        self._true: set[Atom] = set()
        self._false: dict[Atom, int] = {}
        self._misfits: dict[Atom, tuple[int, str]] = {}
        self._derived = {axiom.predicate for axiom in domain.axioms}

    def read(self, group: Group) -> None:
        """Take in the section ``(:init …)``.

        Raises:
            PddlError: it does not say what it should; see its subclasses.
        """
        valid = self._admissible()
        for item, at in group.entries:
            if isinstance(item, str):
                self._source.fail(
                    PddlSyntaxError, at, f'"{item}" stands where a fact (predicate object …) should.'
                )
            # Nearly every entry is a well-formed atom: check that in one pass, and go the long way, which
            # knows what to say, only when it is not.
            columns = valid.get(item.items[0]) if item.items else None
            if columns is not None and _is_atom(item.items, columns):
                self._true.add(tuple(item.items))
            else:
                self._other(item, at)
        for atom, at in self._false.items():
            if atom in self._true or atom in self._misfits:
                self._source.fail(
                    DuplicateNameError, at, f"{show_atom(atom)} is said to be false here and true elsewhere."
                )
        self.functions.pop((TOTAL_COST,), None)

    def facts(self, goal: Formula) -> frozenset[Atom]:
        """All facts that a condition of the domain or the *goal* could ask for.

        Facts whose arguments are of a wrong type are left out unless a condition takes those types there;
        then they count, as they do for other planners.
        """
        if self._misfits:
            patterns = set(_patterns(self._domain, goal))
            for atom, (at, problem) in self._misfits.items():
                if any(self._matches(pattern, atom) for pattern in patterns):
                    self._true.add(atom)
                    read_as = "The fact counts all the same, as a condition takes it."
                else:
                    read_as = "No condition can ever ask for this fact: it is left out."
                self._source.warn(ArgumentTypeError, at, problem, read_as)
        return frozenset(self._true)

    def _matches(self, pattern: Atom, atom: Atom) -> bool:
        return len(pattern) == len(atom) and all(
            self._domain.is_a(self._types[name], wanted[1:]) if wanted[0] == "?" else name == wanted
            for wanted, name in zip(pattern, atom, strict=True)
        )

    def _other(self, item: Group, at: int) -> None:
        if item.head == "=":
            self._value(item, at)
        elif item.head == "not" and len(item.items) == 2:
            inner = item.items[1]
            if isinstance(inner, str):
                self._formulas.atom(inner, item.places[1], {})
            else:
                self._false[self._formulas.fact(inner, item.places[1])[0]] = at
        elif item.head == "at" and len(item.items) == 3 and isinstance(item.items[2], Group):
            self._source.fail(
                UnsupportedPddlError, at, "Facts that change by themselves at a time are not supported."
            )
        else:
            atom, problem = self._formulas.fact(item, at)
            if atom[0] in self._derived:
                says = f'"{atom[0]}" is derived: its rules alone say what it is true of.'
                self._source.warn(PddlSyntaxError, at, says, "The fact is left out.")
            elif problem is None:
                self._true.add(atom)
            else:
                self._misfits.setdefault(atom, (at, problem))

    def _value(self, item: Group, at: int) -> None:
        term = item.items[1] if len(item.items) == 3 else None
        if isinstance(term, str) and isinstance(item.items[2], str):
            term = Group(item.places[1])
            term.items, term.places = [item.items[1]], [item.places[1]]
        if not isinstance(term, Group) or not isinstance(item.items[2], str):
            self._source.fail(PddlSyntaxError, at, f'"{item}": write (= (function object …) 3).')
        if term.head is not None and term.head not in self._domain.functions:
            says = f'"{term.head}" is not a function of the domain {self._domain.name}.'
            self._source.warn(UnknownNameError, term.places[0], says, "Its value is left out.")
            return
        atom = self._formulas.function_term(term, {})
        value = read_cost(self._source, item.items[2], item.places[2])
        if self.functions.setdefault(atom, value) != value:
            self._source.fail(
                DuplicateNameError, at, f"{show_atom(atom)} already has the value {self.functions[atom]}."
            )

    def _admissible(self) -> dict[Node, list[frozenset[Node]]]:
        """For each predicate, the objects that may stand in each of its places."""

        @cache
        def names(wanted: str) -> frozenset[Node]:
            return frozenset(n for n, found in self._types.items() if self._domain.is_a(found, wanted))

        return {
            name: [names(p.type) for p in parameters]
            for name, parameters in self._domain.predicates.items()
            if name not in self._derived
        }


def _is_atom(items: Sequence[Node], columns: Sequence[frozenset[Node]]) -> TypeGuard[Sequence[str]]:
    """True if a predicate is followed by names that may stand in its places."""
    return len(columns) == len(items) - 1 and all(map(contains, columns, items[1:]))


def _patterns(domain: Domain, goal: Formula) -> Iterator[Atom]:
    """The atoms that conditions ask for; in the place of each variable stands ``?`` and its type."""
    for operator in domain.operators.values():
        scope = types_of(operator.parameters)
        yield from _asked(operator.precondition, scope)
        for effect in operator.effects:
            yield from _asked(effect.condition, {**scope, **types_of(effect.variables)})
    for axiom in domain.axioms:
        yield from _asked(axiom.body, types_of(axiom.parameters))
    yield from _asked(goal, {})


def _asked(formula: Formula, scope: Mapping[str, str]) -> Iterator[Atom]:
    if isinstance(formula, Literal):
        yield (formula.atom[0], *(f"?{scope[t]}" if t in scope else t for t in formula.atom[1:]))
    if isinstance(formula, (Exists, Forall, Count)):
        scope = {**scope, **types_of(formula.variables)}
    for part in parts_of(formula):
        yield from _asked(part, scope)
