"""PDDL text in, syntax tree out: domains, problems, and single actions.

What is read: STRIPS with or without types, negative and disjunctive preconditions, ``imply``, equality,
quantifiers, conditional and universal effects, constants, and action costs. Goals may also count, see
:class:`foretree.planning.syntax.Count`. Names are lower-cased, as PDDL does not tell the cases apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foretree.errors import suggest
from foretree.planning.formula_reader import RESERVED, FormulaReader
from foretree.planning.operator_reader import read_cost, read_operator
from foretree.planning.pddl_errors import (
    DuplicateNameError,
    PddlFileError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.sexpr import Group, Node, Source, read
from foretree.planning.syntax import TOTAL_COST, Domain, Operator, Problem, Typed
from foretree.planning.typed_lists import Resolve, TypeNames, read_typed_list, read_types
from foretree.world_model.facts import Atom, show_atom

_REQUIREMENTS = (
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":action-costs",
    # Many domains declare these and use nothing beyond a total cost.
    ":fluents",
    ":numeric-fluents",
)
_UNSUPPORTED_REQUIREMENTS = (
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":derived-predicates",
    ":domain-axioms",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":object-fluents",
    ":time",
)
_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":action")
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
_UNSUPPORTED_SECTIONS = {
    ":durative-action": "durative actions",
    ":derived": "derived predicates",
    ":axiom": "derived predicates",
    ":constraints": "constraints on the course of a plan",
    ":process": "processes",
    ":event": "events",
}


def read_domain(path: Path | str) -> Domain:
    """The domain in a file; see :func:`parse_domain`."""
    return parse_domain(_text(path), str(path))


def read_problem(path: Path | str, domain: Domain) -> Problem:
    """The problem in a file; see :func:`parse_problem`."""
    return parse_problem(_text(path), domain, str(path))


def parse_domain(text: str, source: str = "domain") -> Domain:
    """The domain that *text* defines.

    Args:
        text: ``(define (domain …) …)``.
        source: the file it comes from, for messages.

    Raises:
        PddlError: it does not define a domain; the subclass says what kind of mistake it is.
    """
    origin = Source(source, text)
    name, sections = _definition(origin, "domain", _DOMAIN_SECTIONS)
    by_key = _once(origin, sections)
    types = read_types(origin, by_key[":types"]) if ":types" in by_key else {}
    names = TypeNames(origin, types, growing=True)
    constants: tuple[Typed, ...] = ()
    if ":constants" in by_key:
        constants = read_typed_list(origin, by_key[":constants"], 1, names.exact, variables=False)
    predicates = _signatures(origin, by_key[":predicates"], names.loose) if ":predicates" in by_key else {}
    functions = _functions(origin, by_key[":functions"], names.loose) if ":functions" in by_key else {}
    operators: dict[str, Operator] = {}
    domain = Domain(name, types, constants, predicates, functions, operators)
    formulas = FormulaReader(origin, domain, {}, names, counting=False)
    for key, group in sections:
        if key == ":action":
            operator = read_operator(origin, group, formulas, TOTAL_COST in functions)
            if operator.name in operators:
                origin.fail(
                    DuplicateNameError,
                    group.places[1],
                    f'There is already an action called "{operator.name}".',
                )
            operators[operator.name] = operator
    return domain


def parse_operator(text: str, domain: Domain, source: str = "action", line: int = 1) -> Operator:
    """The operator that a single ``(:action …)`` block defines over *domain*.

    Args:
        text: the block.
        domain: declares the types, constants, predicates and functions that it may use.
        source: the file it comes from, for messages.
        line: the line of that file in which the block begins.

    Raises:
        PddlError: it is not an action of this domain; the subclass says what kind of mistake it is.
    """
    origin = Source(source, text, line)
    top = read(origin)
    group = top.items[0] if top.items else None
    if not isinstance(group, Group) or group.head != ":action":
        origin.fail(
            PddlSyntaxError,
            top.places[0] if top.items else 0,
            "Expected one (:action name :parameters (…) …).",
        )
    if len(top.items) > 1:
        origin.fail(
            PddlSyntaxError, top.places[1], "Something follows the action; expected one (:action …) alone."
        )
    names = TypeNames(origin, dict(domain.types))
    formulas = FormulaReader(origin, domain, {}, names, counting=False)
    return read_operator(origin, group, formulas, TOTAL_COST in domain.functions)


def parse_problem(text: str, domain: Domain, source: str = "problem") -> Problem:
    """The problem over *domain* that *text* defines.

    Args:
        text: ``(define (problem …) …)``.
        domain: the domain it names.
        source: the file it comes from, for messages.

    Raises:
        PddlError: it does not define a problem of that domain; the subclass says what kind of mistake it is.
    """
    origin = Source(source, text)
    name, sections = _definition(origin, "problem", _PROBLEM_SECTIONS)
    by_key = _once(origin, sections)
    _check_domain_name(origin, by_key.get(":domain"), domain)
    names = TypeNames(origin, dict(domain.types))
    objects: dict[str, str] = {}
    if ":objects" in by_key:
        group = by_key[":objects"]
        listed = read_typed_list(origin, group, 1, names.exact, variables=False)
        constants = {constant.name for constant in domain.constants}
        for entry in listed:
            if entry.name in constants:
                at = group.places[group.items.index(entry.name)]
                origin.fail(
                    DuplicateNameError,
                    at,
                    f'"{entry.name}" is a constant of the domain already: leave it out.',
                )
            objects[entry.name] = entry.type
    formulas = FormulaReader(origin, domain, objects, names, counting=True)
    init: frozenset[Atom] = frozenset()
    functions: dict[Atom, int] = {}
    if ":init" in by_key:
        init, functions = _Init(origin, domain, objects, formulas).read(by_key[":init"])
    if ":goal" not in by_key:
        origin.fail(PddlSyntaxError, 0, "The problem has no goal: add (:goal (and …)).")
    goal_group = by_key[":goal"]
    if len(goal_group.items) != 2:
        origin.fail(PddlSyntaxError, goal_group.at, "A goal is one formula: write (:goal (and (…) (…))).")
    goal = formulas.formula(goal_group.items[1], goal_group.places[1], {})
    minimise = TOTAL_COST not in domain.functions
    if ":metric" in by_key:
        _check_metric(origin, by_key[":metric"], domain)
        minimise = True
    return Problem(name, domain, objects, init, goal, functions, minimise)


# -- what domains and problems share ---------------------------------------------------------------
def _text(path: Path | str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PddlFileError(f"Cannot read the PDDL file {path}: {reason}.") from error


def _definition(source: Source, kind: str, valid: tuple[str, ...]) -> tuple[str, list[tuple[str, Group]]]:
    """The name and the sections of a ``(define (kind name) …)``."""
    top = read(source, sections_at=1)
    define = top.items[0] if top.items else None
    if not isinstance(define, Group) or define.head != "define":
        at = top.places[0] if top.items else 0
        source.fail(PddlSyntaxError, at, f"Expected (define ({kind} name) …).")
    if len(top.items) > 1:
        source.fail(
            PddlSyntaxError, top.places[1], "Something follows the definition; one file defines one thing."
        )
    title = define.items[1] if len(define.items) > 1 else None
    if (
        not isinstance(title, Group)
        or len(title.items) != 2
        or not all(isinstance(i, str) for i in title.items)
    ):
        source.fail(PddlSyntaxError, define.at, f"Expected (define ({kind} name) …).")
    if title.head != kind:
        source.fail(PddlSyntaxError, title.at, f"This defines a {title.head}, where a {kind} is expected.")
    sections = []
    for item, at in zip(define.items[2:], define.places[2:], strict=True):
        key = item.head if isinstance(item, Group) else None
        if not isinstance(item, Group) or key is None:
            source.fail(
                PddlSyntaxError, at, f'"{item}" stands where a section should, such as ({valid[-1]} …).'
            )
        if key in _UNSUPPORTED_SECTIONS:
            source.fail(UnsupportedPddlError, at, f'"{key}": {_UNSUPPORTED_SECTIONS[key]} are not supported.')
        if key not in valid:
            source.fail(UnknownNameError, at, f'"{key}" is not a section of a {kind}. {suggest(key, valid)}')
        if key == ":requirements":
            _check_requirements(source, item)
        sections.append((key, item))
    return str(title.items[1]), sections


def _once(source: Source, sections: list[tuple[str, Group]]) -> dict[str, Group]:
    by_key: dict[str, Group] = {}
    for key, group in sections:
        if key in by_key and key != ":action":
            source.fail(
                DuplicateNameError,
                group.at,
                f"There is already a section {key}, at {source.show_place(by_key[key].at)}.",
            )
        by_key[key] = group
    return by_key


def _check_requirements(source: Source, group: Group) -> None:
    for item, at in zip(group.items[1:], group.places[1:], strict=True):
        word = str(item)
        if word in _UNSUPPORTED_REQUIREMENTS:
            source.fail(
                UnsupportedPddlError, at, f'"{word}" is not supported. Supported: {", ".join(_REQUIREMENTS)}.'
            )
        if word not in _REQUIREMENTS:
            source.fail(
                UnknownNameError, at, f'"{word}" is not a requirement. {suggest(word, _REQUIREMENTS)}'
            )


# -- domains ---------------------------------------------------------------------------------------
def _signatures(source: Source, group: Group, resolve: Resolve) -> dict[str, tuple[Typed, ...]]:
    declared: dict[str, tuple[Typed, ...]] = {}
    for item, at in zip(group.items[1:], group.places[1:], strict=True):
        name = item.head if isinstance(item, Group) else None
        if not isinstance(item, Group) or name is None:
            source.fail(PddlSyntaxError, at, f'"{item}" stands where a declaration (name ?x - type) should.')
        if name in RESERVED or name[0] in ":?-":
            source.fail(
                PddlSyntaxError, at, f'"{name}" cannot be declared: PDDL gives it a meaning of its own.'
            )
        if name in declared:
            source.fail(DuplicateNameError, at, f'"{name}" is declared twice.')
        declared[name] = read_typed_list(source, item, 1, resolve, variables=True)
    return declared


def _functions(source: Source, group: Group, resolve: Resolve) -> dict[str, tuple[Typed, ...]]:
    """The declared functions; each may be followed by ``- number``, which is what all of them are."""
    terms = Group(group.at)
    terms.items.append(group.items[0])
    terms.places.append(group.places[0])
    index = 1
    while index < len(group.items):
        item, at = group.items[index], group.places[index]
        if item == "-":
            kind: Node = group.items[index + 1] if index + 1 < len(group.items) else ""
            if kind != "number":
                source.fail(
                    UnsupportedPddlError,
                    at,
                    f'A function that gives "{kind}": functions give numbers, - number.',
                )
            index += 2
            continue
        terms.items.append(item)
        terms.places.append(at)
        index += 1
    declared = _signatures(source, terms, resolve)
    if declared.get(TOTAL_COST):
        source.fail(PddlSyntaxError, group.at, f"({TOTAL_COST}) has no parameters.")
    return declared


# -- problems --------------------------------------------------------------------------------------
def _check_domain_name(source: Source, group: Group | None, domain: Domain) -> None:
    if group is None:
        source.fail(PddlSyntaxError, 0, f"The problem names no domain: add (:domain {domain.name}).")
    if group.items[1:] != [domain.name]:
        found = " ".join(map(str, group.items[1:]))
        source.fail(
            UnknownNameError, group.at, f'The problem is for the domain "{found}", not for "{domain.name}".'
        )


def _check_metric(source: Source, group: Group, domain: Domain) -> None:
    what = group.items[2] if len(group.items) == 3 else None
    if group.items[1:2] != ["minimize"] or not isinstance(what, Group) or what.items != [TOTAL_COST]:
        source.fail(
            UnsupportedPddlError,
            group.at,
            f'"{group}": the only metric is (:metric minimize ({TOTAL_COST})).',
        )
    if TOTAL_COST not in domain.functions:
        source.fail(
            UnknownNameError,
            group.at,
            f'The domain "{domain.name}" has no total cost: declare (:functions ({TOTAL_COST})) there, or '
            "leave the metric out.",
        )


class _Init:
    """The initial state: atoms that are true and the values of functions."""

    def __init__(
        self, source: Source, domain: Domain, objects: Mapping[str, str], formulas: FormulaReader
    ) -> None:
        self._source = source
        self._formulas = formulas
        self._domain = domain
        self._true: set[Atom] = set()
        self._false: dict[Atom, int] = {}
        self._functions: dict[Atom, int] = {}
        self._valid = _admissible(domain, objects)

    def read(self, group: Group) -> tuple[frozenset[Atom], dict[Atom, int]]:
        for item, at in zip(group.items[1:], group.places[1:], strict=True):
            if isinstance(item, str):
                self._source.fail(
                    PddlSyntaxError, at, f'"{item}" stands where a fact (predicate object …) should.'
                )
            # Nearly every entry is a well-formed atom: check that in one pass, and go the long way, which
            # knows what to say, only when it is not.
            columns = self._valid.get(item.items[0]) if item.items else None
            if columns is not None and len(columns) == len(item.items) - 1:
                arguments = item.items[1:]
                if all(name in column for name, column in zip(arguments, columns, strict=True)):
                    self._true.add(tuple(item.items))  # type: ignore[arg-type]
                    continue
            self._other(item, at)
        for atom, at in self._false.items():
            if atom in self._true:
                self._source.fail(
                    DuplicateNameError, at, f"{show_atom(atom)} is said to be false here and true elsewhere."
                )
        self._functions.pop((TOTAL_COST,), None)
        return frozenset(self._true), self._functions

    def _other(self, item: Group, at: int) -> None:
        if item.head == "=":
            self._value(item, at)
        elif item.head == "not" and len(item.items) == 2:
            self._false[self._formulas.atom(item.items[1], item.places[1], {})] = at
        elif item.head == "at" and len(item.items) == 3 and isinstance(item.items[2], Group):
            self._source.fail(
                UnsupportedPddlError, at, "Facts that change by themselves at a time are not supported."
            )
        else:
            self._true.add(self._formulas.atom(item, at, {}))

    def _value(self, item: Group, at: int) -> None:
        term = item.items[1] if len(item.items) == 3 else None
        if not isinstance(term, Group) or not isinstance(item.items[2], str):
            self._source.fail(PddlSyntaxError, at, f'"{item}": write (= (function object …) 3).')
        atom = self._formulas.function_term(term, {})
        value = read_cost(self._source, item.items[2], item.places[2])
        if self._functions.setdefault(atom, value) != value:
            self._source.fail(
                DuplicateNameError, at, f"{show_atom(atom)} already has the value {self._functions[atom]}."
            )


def _admissible(domain: Domain, objects: Mapping[str, str]) -> dict[Node, list[frozenset[Node]]]:
    """For each predicate, the objects that may stand in each of its places."""
    everything = {**{constant.name: constant.type for constant in domain.constants}, **objects}
    by_type: dict[str, frozenset[Node]] = {}

    def names(wanted: str) -> frozenset[Node]:
        if wanted not in by_type:
            by_type[wanted] = frozenset(n for n, found in everything.items() if domain.is_a(found, wanted))
        return by_type[wanted]

    return {name: [names(p.type) for p in parameters] for name, parameters in domain.predicates.items()}
