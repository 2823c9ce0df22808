"""Formulas and atoms: from s-expressions to the syntax tree, with every name and type checked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import NoReturn

from foretree.errors import suggest
from foretree.planning.pddl.errors import (
    ArgumentTypeError,
    ArityError,
    PddlSyntaxError,
    UnboundVariableError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.sexpr import Group, Node
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Typed,
    types_of,
)
from foretree.planning.pddl.typed_lists import TypeNames, read_typed_list
from foretree.world_model.beliefs.facts import Atom

#: Variables that are bound where something is read, with their types.
Scope = Mapping[str, str]

COUNTERS = ("at-least", "at-most", "exactly")
#: Words that begin a formula or an effect and therefore cannot be predicates.
RESERVED = frozenset(
    {"and", "or", "not", "imply", "exists", "forall", "when", "=", "increase", "either", *COUNTERS}
)
_NUMERIC = frozenset(
    {"<", "<=", ">", ">=", "assign", "decrease", "scale-up", "scale-down", "+", "-", "*", "/"}
)
_MOST_LISTED = 12


def signature(name: str, parameters: tuple[Typed, ...]) -> str:
    """A predicate or function as its declaration writes it: ``(on ?item - item ?place - asset)``."""
    return f"({' '.join([name, *(f'{p.name} - {p.type}' for p in parameters)])})"


def suggest_signature(word: str, declared: Mapping[str, tuple[Typed, ...]]) -> str:
    """Say which predicates or functions would have been valid instead of *word*, with their parameters."""
    near = difflib.get_close_matches(word, sorted(declared), n=3, cutoff=0.6)
    if near:
        return f"Did you mean {' or '.join(signature(name, declared[name]) for name in near)}?"
    if not declared:
        return "None is declared."
    shown = ", ".join(signature(name, declared[name]) for name in sorted(declared)[:_MOST_LISTED])
    more = len(declared) - _MOST_LISTED
    return f"Valid: {shown}" + (f" and {more} more." if more > 0 else ".")


class FormulaReader:
    """Reads formulas and atoms over a domain's predicates.

    Args:
        source: the text that the groups come from.
        domain: its types, constants, predicates and functions are the valid ones.
        objects: further objects that may be named, with their types.
        types: the types that quantifiers may name.
        counting: whether ``at-least``, ``at-most`` and ``exactly`` are allowed, as they are in goals.
    """

    def __init__(
        self,
        source: Source,
        domain: Domain,
        objects: Mapping[str, str],
        types: TypeNames,
        *,
        counting: bool,
    ) -> None:
        self._source = source
        self._domain = domain
        self._names = {**types_of(domain.constants), **objects}
        self._types = types
        self._counting = counting
        self._admissible: dict[tuple[str, str, bool], bool] = {}

    def formula(self, node: Node, at: int, scope: Scope) -> Formula:
        """The formula that *node* stands for.

        Raises:
            PddlError: the text does not say what it should; see its subclasses.
        """
        if isinstance(node, str):
            self._source.fail(
                PddlSyntaxError,
                at,
                f'"{node}" stands where a formula should: write it in parentheses, ({node} …).',
            )
        if not node.items:
            return And(())
        head = self._head(node)
        match head:
            case "and" | "or":
                parts = tuple(self._parts(node, scope))
                if len(parts) == 1:
                    return parts[0]
                return And(parts) if head == "and" else Or(parts)
            case "not":
                self.expect(node, 1, "(not (predicate …))")
                return negated(self.formula(node.items[1], node.places[1], scope))
            case "imply":
                self.expect(node, 2, "(imply (if …) (then …))")
                premise, conclusion = self._parts(node, scope)
                return Or((negated(premise), conclusion))
            case "exists" | "forall":
                self.expect(node, 2, f"({head} (?x - type) (body …))")
                variables = self.variables(node.items[1], node.places[1])
                body = self.formula(node.items[2], node.places[2], {**scope, **types_of(variables)})
                kind = Exists if head == "exists" else Forall
                return kind(variables, body) if variables else body
            case "=":
                return self._equality(node, scope)
            case "at-least" | "at-most" | "exactly":
                return self._count(node, head, scope)
            case _:
                return Literal(self.atom(node, at, scope))

    def variables(self, node: Node, at: int) -> tuple[Typed, ...]:
        """The typed variables of a parameter list or a quantifier."""
        if isinstance(node, str):
            self._source.fail(
                PddlSyntaxError,
                at,
                f'"{node}" stands where a list of variables should: write ({node} - type).',
            )
        return read_typed_list(self._source, node, 0, self._types.exact, variables=True)

    def atom(self, node: Node, at: int, scope: Scope, misfits: list[str] | None = None) -> Atom:
        """The atom that *node* stands for, its predicate and arguments checked.

        Arguments of a wrong type are added to *misfits*, if that is given, in place of being noted.
        """
        if isinstance(node, str) or not node.items:
            self._source.fail(PddlSyntaxError, at, f'"{node}" stands where (predicate argument …) should.')
        head = self._head(node)
        parameters = self._domain.predicates.get(head)
        if parameters is None:
            self._no_predicate(head, node.places[0])
        return self._applied(node, parameters, scope, misfits)

    def fact(self, node: Group, at: int) -> tuple[Atom, str | None]:
        """A ground atom, and which of its arguments is of a wrong type, if one is."""
        misfits: list[str] = []
        atom = self.atom(node, at, {}, misfits)
        return atom, misfits[0] if misfits else None

    def function_term(self, node: Group, scope: Scope) -> Atom:
        """The function term that *node* stands for, its function and arguments checked."""
        head = self._head(node)
        parameters = self._domain.functions.get(head)
        if parameters is None:
            self._source.fail(
                UnknownNameError,
                node.places[0],
                f'"{head}" is not a function. {suggest_signature(head, self._domain.functions)}',
            )
        return self._applied(node, parameters, scope)

    # -- the forms ---------------------------------------------------------------------------------
    def _parts(self, group: Group, scope: Scope) -> list[Formula]:
        return [self.formula(item, place, scope) for item, place in group.entries]

    def _equality(self, group: Group, scope: Scope) -> Formula:
        self.expect(group, 2, "(= ?a ?b)")
        terms = []
        for item, place in group.entries:
            if isinstance(item, Group) or (item[0].isdigit() and item not in self._names):
                self._source.fail(
                    UnsupportedPddlError,
                    place,
                    f'"{item}" compares a number: conditions are about atoms, and numbers are only costs.',
                )
            self._type_of(item, place, scope, "object")
            terms.append(item)
        return Equal(*terms)

    def _count(self, group: Group, head: str, scope: Scope) -> Formula:
        if not self._counting:
            self._source.fail(
                UnsupportedPddlError, group.at, f'"{head}" counts, which goals may do and actions may not.'
            )
        shape = f"({head} 2 (?x - type) (body …))"
        self.expect(group, 3, shape)
        number = group.items[1]
        if isinstance(number, Group) or not (number.isascii() and number.isdigit()):
            self._source.fail(
                PddlSyntaxError, group.places[1], f'"{number}" stands where a number should: write {shape}.'
            )
        variables = self.variables(group.items[2], group.places[2])
        if len(variables) != 1:
            self._source.fail(
                PddlSyntaxError,
                group.places[2],
                f'"{head}" counts over one variable, not {len(variables)}: write {shape}.',
            )
        body = self.formula(group.items[3], group.places[3], {**scope, **types_of(variables)})
        limit = int(number)
        at_most = None if head == "at-least" else limit
        return Count(variables[0], body, 0 if head == "at-most" else limit, at_most)

    # -- checks ------------------------------------------------------------------------------------
    def _head(self, group: Group) -> str:
        if group.head is None:
            first = group.places[0] if group.places else group.at
            self._source.fail(
                PddlSyntaxError,
                first,
                f'"{group}" should begin with a word, such as and, not or a predicate.',
            )
        return group.head

    def expect(self, group: Group, count: int, shape: str) -> None:
        """Refuse a group with more or fewer than *count* parts.

        Raises:
            PddlSyntaxError: it has; the message shows the right *shape*.
        """
        found = len(group.items) - 1
        if found != count:
            at = group.places[count + 1] if found > count else group.at
            self._source.fail(
                PddlSyntaxError,
                at,
                f'"{group.head}" takes {_number(count, "part")}, found {found}: write {shape}.',
            )

    def _no_predicate(self, head: str, at: int) -> NoReturn:
        if head in _NUMERIC:
            self._source.fail(
                UnsupportedPddlError,
                at,
                f'"{head}" is about numbers: conditions and effects are about atoms, and numbers are only '
                "costs, (increase (total-cost) …).",
            )
        if head == "preference":
            self._source.fail(
                UnsupportedPddlError, at, "Preferences are not supported: a goal is to be reached."
            )
        if head in RESERVED:
            self._source.fail(PddlSyntaxError, at, f'"{head}" cannot stand here: an atom is expected.')
        self._source.fail(
            UnknownNameError,
            at,
            f'"{head}" is not a predicate. {suggest_signature(head, self._domain.predicates)}',
        )

    def _applied(
        self,
        group: Group,
        parameters: tuple[Typed, ...],
        scope: Scope,
        misfits: list[str] | None = None,
    ) -> Atom:
        head = str(group.head)
        found = len(group.items) - 1
        if found != len(parameters):
            at = group.places[len(parameters) + 1] if found > len(parameters) else group.at
            self._source.fail(
                ArityError,
                at,
                f'"{group}" has {_number(found, "argument")}; {signature(head, parameters)} takes '
                f"{len(parameters)}.",
            )
        atom = [head]
        for index, parameter in enumerate(parameters, start=1):
            item, place = group.items[index], group.places[index]
            if isinstance(item, Group):
                self._source.fail(
                    PddlSyntaxError, place, f'"{item}" stands where an object or a variable should.'
                )
            found_type = self._type_of(item, place, scope, parameter.type)
            if not self._fits(found_type, parameter.type, item[0] == "?"):
                problem = (
                    f'"{item}" is of type {found_type}, and {signature(head, parameters)} takes '
                    f"{_an(parameter.type)} there. {self._suggest_term(item, parameter.type, scope)}"
                )
                if misfits is None:
                    self._source.warn(ArgumentTypeError, place, problem, "It is read as it stands.")
                else:
                    misfits.append(problem)
            atom.append(item)
        return tuple(atom)

    def _type_of(self, term: str, at: int, scope: Scope, wanted: str) -> str:
        if term[0] == "?":
            if term not in scope:
                bound = f"Bound here: {', '.join(scope)}." if scope else "No variable is bound here."
                self._source.fail(UnboundVariableError, at, f'Nothing binds the variable "{term}". {bound}')
            return scope[term]
        if term not in self._names:
            kind = "object" if wanted == "object" else f"object ({_an(wanted)} is expected here)"
            self._source.fail(
                UnknownNameError,
                at,
                f'"{term}" is not a known {kind}. {self._suggest_term(term, wanted, scope)}',
            )
        return self._names[term]

    def _fits(self, found: str, wanted: str, variable: bool) -> bool:
        # A variable may range over more than the predicate takes: the atom is then false of the rest.
        key = (found, wanted, variable)
        if key not in self._admissible:
            is_a = self._domain.is_a
            self._admissible[key] = is_a(found, wanted) or (variable and is_a(wanted, found))
        return self._admissible[key]

    def _suggest_term(self, word: str, wanted: str, scope: Scope) -> str:
        candidates = {**self._names, **scope}
        return suggest(word, [name for name, found in candidates.items() if self._fits(found, wanted, False)])


def negated(formula: Formula) -> Formula:
    """The negation of *formula*, folded into it where it is a literal."""
    return ~formula if isinstance(formula, Literal) else Not(formula)


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _an(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
