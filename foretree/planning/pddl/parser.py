"""PDDL text in, syntax tree out: domains, problems, and single actions.

What is read: STRIPS with or without types, negative and disjunctive preconditions, ``imply``, equality,
quantifiers, conditional and universal effects, derived predicates, constants, and action costs. Goals may
also count, see :class:`foretree.planning.pddl.syntax.Count`. Names are lower-cased, as PDDL does not tell the
cases apart.

Files are read as other planners read them: what is odd and harmless becomes a warning of the domain or the
problem. Single actions are read strictly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from foretree.config import record_access
from foretree.errors import suggest
from foretree.planning.pddl._initial_state import InitialState
from foretree.planning.pddl._known_costs import with_known_costs
from foretree.planning.pddl._operator_reader import read_operator
from foretree.planning.pddl.errors import (
    DuplicateNameError,
    PddlFileError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.formula_reader import RESERVED, FormulaReader
from foretree.planning.pddl.sexpr import Group, Node, read
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import TOTAL_COST, Domain, Operator, Problem, Typed, types_of
from foretree.planning.pddl.typed_lists import (
    Hierarchy,
    Resolve,
    TypeNames,
    read_typed_list,
    read_types,
    unused_name,
)
from foretree.planning.semantics.axioms import check_axioms, read_axiom

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
    ":derived-predicates",
    ":domain-axioms",
    # Many domains declare these and use nothing beyond a total cost.
    ":fluents",
    ":numeric-fluents",
)
_UNSUPPORTED_REQUIREMENTS = (
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":object-fluents",
    ":time",
)
_DOMAIN_SECTIONS = (
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
)
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
#: Sections that advise planners of old, and say nothing about the problem.
_IDLE_SECTIONS = (":length",)
#: Sections that there may be several of.
_REPEATED = (":action", ":derived")
_UNSUPPORTED_SECTIONS = {
    ":durative-action": "durative actions",
    ":axiom": "axioms in the form of PDDL 1 (write (:derived (predicate ?x) (condition …)))",
    ":constraints": "constraints on the course of a plan",
    ":process": "processes",
    ":event": "events",
}


def read_domain(path: Path | str) -> Domain:
    """The domain in a file; see :func:`parse_domain`."""
    return parse_domain(_text(path), str(path))


def read_problem(path: Path | str, domain: Domain) -> Problem:
    """The problem in a file, without the actions whose cost has no value; see :func:`parse_problem`."""
    return with_known_costs(parse_problem(_text(path), domain, str(path)))


def parse_domain(text: str, source: str = "domain") -> Domain:
    """The domain that *text* defines.

    Args:
        text: ``(define (domain …) …)``.
        source: the file it comes from, for messages.

    Raises:
        PddlError: it does not define a domain; the subclass says what kind of mistake it is.
    """
    origin = Source(source, text, lenient=True)
    name, sections = _definition(origin, "domain", _DOMAIN_SECTIONS)
    by_key = _once(origin, sections)
    nothing = Group(0)
    types = read_types(origin, by_key.get(":types", nothing))
    names = TypeNames(origin, types, growing=True)
    listed = by_key.get(":constants", nothing)
    constants = read_typed_list(origin, listed, 1, names.declared, variables=False)
    predicates = _signatures(origin, by_key.get(":predicates", nothing), names.loose)
    functions = _functions(origin, by_key.get(":functions", nothing), names.loose)
    operators: dict[str, Operator] = {}
    domain = Domain(
        name, types.parents, constants, predicates, functions, operators, further_parents=types.further
    )
    formulas = FormulaReader(origin, domain, {}, names, counting=False)
    rules = [group for key, group in sections if key == ":derived"]
    domain = replace(domain, axioms=tuple(read_axiom(origin, group, formulas, domain) for group in rules))
    places: dict[str, int] = {}
    for key, group in sections:
        if key == ":action":
            operator = read_operator(origin, group, formulas, TOTAL_COST in functions)
            if operator.name in operators:
                operator = _renamed(origin, operator, operators, group.places[1])
            operators[operator.name] = operator
            places[operator.name] = group.at
    check_axioms(origin, domain, [group.at for group in rules], places)
    return replace(domain, warnings=origin.warnings)


def _renamed(source: Source, operator: Operator, known: Mapping[str, Operator], at: int) -> Operator:
    """*operator* with a name of its own."""
    name = unused_name(operator.name, known)
    problem = f'There is already an action called "{operator.name}".'
    source.warn(DuplicateNameError, at, problem, f'In plans this one is called "{name}".')
    return replace(operator, name=name)


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
    names = TypeNames(origin, Hierarchy.of(domain))
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
    origin = Source(source, text, lenient=True)
    name, sections = _definition(origin, "problem", _PROBLEM_SECTIONS)
    by_key = _once(origin, sections)
    _check_domain_name(origin, by_key.get(":domain"), domain)
    names = TypeNames(origin, Hierarchy.of(domain))
    objects = _objects(origin, by_key.get(":objects", Group(0)), domain, names)
    formulas = FormulaReader(origin, domain, objects, names, counting=True)
    initial = InitialState(origin, domain, objects, formulas)
    initial.read(by_key.get(":init", Group(0)))
    if ":goal" not in by_key:
        origin.fail(PddlSyntaxError, 0, "The problem has no goal: add (:goal (and …)).")
    goal_group = by_key[":goal"]
    if len(goal_group.items) != 2:
        origin.fail(PddlSyntaxError, goal_group.at, "A goal is one formula: write (:goal (and (…) (…))).")
    goal = formulas.formula(goal_group.items[1], goal_group.places[1], {})
    if ":metric" in by_key:
        _check_metric(origin, by_key[":metric"], domain)
    minimise = TOTAL_COST not in domain.functions or ":metric" in by_key
    facts = initial.facts(goal)
    return Problem(name, domain, objects, facts, goal, initial.functions, minimise, origin.warnings)


def _objects(source: Source, group: Group, domain: Domain, names: TypeNames) -> dict[str, str]:
    objects: dict[str, str] = {}
    constants = types_of(domain.constants)
    for entry in read_typed_list(source, group, 1, names.declared, variables=False):
        if entry.name in constants:
            at = group.places[group.items.index(entry.name)]
            problem = f'"{entry.name}" is a constant of the domain already: leave it out.'
            if constants[entry.name] != entry.type:
                source.fail(DuplicateNameError, at, problem)
            source.warn(DuplicateNameError, at, problem, "It is one object.")
            continue
        objects[entry.name] = entry.type
    return objects


# -- shared by domains and problems ----------------------------------------------------------------
def _text(path: Path | str) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise PddlFileError(f"Cannot read the PDDL file {path}: {error.strerror or error}.") from error
    record_access(path, content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("latin-1")
        if all(line.partition(";")[0].isascii() for line in text.splitlines()):
            return text
        raise PddlFileError(
            f"Cannot read the PDDL file {path}: it is neither UTF-8 nor, comments left out, ASCII ({error})."
        ) from error


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
    words = title.items if isinstance(title, Group) else []
    if not isinstance(title, Group) or [type(word) for word in words] != [str, str]:
        source.fail(PddlSyntaxError, define.at, f"Expected (define ({kind} name) …).")
    if title.head != kind:
        source.fail(PddlSyntaxError, title.at, f"This defines a {title.head}, where a {kind} is expected.")
    sections = [*zip(define.items[2:], define.places[2:], strict=True)]
    return str(words[1]), [
        found for item, at in sections for found in _section(source, kind, valid, item, at)
    ]


def _section(
    source: Source, kind: str, valid: tuple[str, ...], item: Node, at: int
) -> Iterator[tuple[str, Group]]:
    """A section and its key, if the section means something."""
    key = item.head if isinstance(item, Group) else None
    if not isinstance(item, Group) or key is None:
        problem = f'"{item}" stands where a section should, such as ({valid[-1]} …).'
        source.fail(PddlSyntaxError, at, problem)
    if key in _UNSUPPORTED_SECTIONS:
        source.fail(UnsupportedPddlError, at, f'"{key}": {_UNSUPPORTED_SECTIONS[key]} are not supported.')
    if kind == "problem" and key in _IDLE_SECTIONS:
        source.warn(UnsupportedPddlError, at, f'"{key}" says nothing about the problem.', "It is left out.")
        return
    if key not in valid:
        source.fail(UnknownNameError, at, f'"{key}" is not a section of a {kind}. {suggest(key, valid)}')
    if key == ":requirements":
        _check_requirements(source, item)
    yield key, item


def _once(source: Source, sections: list[tuple[str, Group]]) -> dict[str, Group]:
    by_key: dict[str, Group] = {}
    for key, group in sections:
        if key in by_key and key not in _REPEATED:
            source.fail(
                DuplicateNameError,
                group.at,
                f"There is already a section {key}, at {source.show_place(by_key[key].at)}.",
            )
        by_key[key] = group
    return by_key


def _check_requirements(source: Source, group: Group) -> None:
    """Note which requirements are not met; what is used of them decides."""
    for item, at in group.entries:
        word = str(item)
        if word in _UNSUPPORTED_REQUIREMENTS:
            problem = f'"{word}" is not supported. Supported: {", ".join(_REQUIREMENTS)}.'
            source.warn(UnsupportedPddlError, at, problem, "What does not take it is read.")
        elif word not in _REQUIREMENTS:
            problem = f'"{word}" is not a requirement. {suggest(word, _REQUIREMENTS)}'
            source.warn(UnknownNameError, at, problem, "It is left out.")


# -- domains ---------------------------------------------------------------------------------------
def _signatures(source: Source, group: Group, resolve: Resolve) -> dict[str, tuple[Typed, ...]]:
    declared: dict[str, tuple[Typed, ...]] = {}
    for item, at in group.entries:
        name = item.head if isinstance(item, Group) else None
        if not isinstance(item, Group) or name is None:
            source.fail(PddlSyntaxError, at, f'"{item}" stands where a declaration (name ?x - type) should.')
        if name in RESERVED or name[0] in ":?-":
            source.fail(
                PddlSyntaxError, at, f'"{name}" cannot be declared: PDDL gives it a meaning of its own.'
            )
        if name in declared:
            problem = f'"{name}" is declared twice.'
            source.warn(DuplicateNameError, at, problem, "The last declaration counts.")
        declared[name] = read_typed_list(source, item, 1, resolve, variables=True, repeats=True)
    return declared


def _functions(source: Source, group: Group, resolve: Resolve) -> dict[str, tuple[Typed, ...]]:
    """The declared functions; each may be followed by ``- number``, which is what all of them are."""
    terms = Group(group.at)
    entries = iter([*zip(group.items, group.places, strict=True)])
    for item, at in entries:
        if item == "-":
            kind, _ = next(entries, ("", at))
            if kind != "number":
                problem = f'A function that gives "{kind}": functions give numbers, - number.'
                source.fail(UnsupportedPddlError, at, problem)
        else:
            terms.items.append(item)
            terms.places.append(at)
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
