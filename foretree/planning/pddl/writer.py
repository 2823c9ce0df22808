"""Domains and problems as PDDL text, which the parser reads back as the same thing.

Standard features are written so that other planners accept them. Counting goals have Foretree's own notation,
for people: an engine gets a compiled problem that has none left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from foretree.planning.pddl.syntax import (
    TOTAL_COST,
    TRUE,
    And,
    Axiom,
    Cost,
    Domain,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    Problem,
    Typed,
    conditions_of,
    show,
    walk,
)


def write_domain(domain: Domain) -> str:
    """*domain* as ``(define (domain …) …)``."""
    costs, typed = _counts_cost(domain), _has_types(domain)
    lines = [f"(define (domain {domain.name})", f"  (:requirements {' '.join(_requirements(domain))})"]
    lines += _section(":types", _by_parent(domain))
    lines += _section(":constants", _typed_lines(domain.constants, typed))
    lines += _section(":predicates", _signatures(domain.predicates, typed))
    functions = {name: parameters for name, parameters in domain.functions.items() if name != TOTAL_COST}
    if costs:
        functions = {TOTAL_COST: (), **functions}
    lines += _section(":functions", (f"{line} - number" for line in _signatures(functions, typed)))
    for axiom in domain.axioms:
        lines += _axiom(axiom, typed)
    for operator in domain.operators.values():
        lines += _operator(operator, costs, typed)
    return "\n".join(lines) + ")\n"


def write_problem(problem: Problem) -> str:
    """*problem* as ``(define (problem …) …)``."""
    costs, typed = _counts_cost(problem.domain), _has_types(problem.domain)
    objects = [Typed(name, type_name) for name, type_name in problem.objects.items()]
    lines = [f"(define (problem {problem.name})", f"  (:domain {problem.domain.name})"]
    lines += _section(":objects", _typed_lines(objects, typed))
    facts = [f"({' '.join(atom)})" for atom in sorted(problem.init)]
    if costs:
        facts.append(f"(= ({TOTAL_COST}) 0)")
        facts += [f"(= ({' '.join(atom)}) {value})" for atom, value in sorted(problem.functions.items())]
    lines += ["  (:init", *(f"    {fact}" for fact in facts)]
    lines[-1] += ")"
    lines += [f"  (:goal {_condition(problem.goal, 9, typed)})"]
    if costs and problem.minimise_cost:
        lines += [f"  (:metric minimize ({TOTAL_COST}))"]
    return "\n".join(lines) + ")\n"


def _counts_cost(domain: Domain) -> bool:
    return TOTAL_COST in domain.functions or any(
        o.cost != Cost(constant=1) for o in domain.operators.values()
    )


def _has_types(domain: Domain) -> bool:
    return bool(domain.types) or any(constant.type != "object" for constant in domain.constants)


# -- parts -----------------------------------------------------------------------------------------
def _section(key: str, lines: Iterable[str]) -> list[str]:
    body = [f"    {line}" for line in lines]
    if not body:
        return []
    body[-1] += ")"
    return [f"  ({key}", *body]


def _by_parent(domain: Domain) -> Iterator[str]:
    pairs = [*domain.types.items()]
    pairs += [(name, parent) for name, parents in domain.further_parents.items() for parent in parents]
    for parent in dict.fromkeys(above for _, above in pairs):
        yield f"{' '.join(name for name, above in pairs if above == parent)} - {parent}"


def _typed_lines(names: Iterable[Typed], typed: bool) -> Iterator[str]:
    """The *names* by type; without their types, which are then all ``object``, unless *typed*."""
    for type_name, group in groupby(names, key=lambda entry: entry.type):
        listed = " ".join(entry.name for entry in group)
        yield f"{listed} - {type_name}" if typed else listed


def _list(names: Iterable[Typed], typed: bool) -> str:
    return " ".join(_typed_lines(names, typed))


def _signatures(declared: Mapping[str, tuple[Typed, ...]], typed: bool) -> Iterator[str]:
    for name, parameters in declared.items():
        yield f"({name} {_list(parameters, typed)})" if parameters else f"({name})"


def _axiom(axiom: Axiom, typed: bool) -> list[str]:
    head = " ".join([axiom.predicate, *_typed_lines(axiom.parameters, typed)])
    return [f"  (:derived ({head})", f"    {_condition(axiom.body, 4, typed)})"]


def _operator(operator: Operator, costs: bool, typed: bool) -> list[str]:
    lines = [f"  (:action {operator.name}", f"    :parameters ({_list(operator.parameters, typed)})"]
    if operator.precondition != TRUE:
        lines.append(f"    :precondition {_condition(operator.precondition, 18, typed)}")
    effects = [_effect(effect, typed) for effect in operator.effects]
    if costs and operator.cost != Cost():
        effects.append(f"(increase ({TOTAL_COST}) {_cost(operator.cost)})")
    lines.append(f"    :effect {_joined('and', effects, 12)})")
    return lines


def _effect(effect: Effect, typed: bool) -> str:
    text = show(effect.literal)
    if effect.condition != TRUE:
        text = f"(when {show(effect.condition, typed)} {text})"
    if effect.variables:
        text = f"(forall ({_list(effect.variables, typed)}) {text})"
    return text


def _cost(cost: Cost) -> str:
    return str(cost.constant) if cost.function is None else f"({' '.join(cost.function)})"


def _condition(formula: Formula, indent: int, typed: bool) -> str:
    if isinstance(formula, (And, Or)) and len(formula.parts) > 1:
        parts = [show(part, typed) for part in formula.parts]
        return _joined("and" if isinstance(formula, And) else "or", parts, indent)
    return show(formula, typed)


def _joined(word: str, parts: Iterable[str], indent: int) -> str:
    """``(word part part)`` with one part per line."""
    separator = "\n" + " " * (indent + len(word) + 2)
    return f"({word} {separator.join(parts)})" if (parts := list(parts)) else f"({word})"


# -- requirements ----------------------------------------------------------------------------------
def _requirements(domain: Domain) -> list[str]:
    """The requirements of a domain; those of goals do not count."""
    effects = [effect for operator in domain.operators.values() for effect in operator.effects]
    needed = {
        ":strips": True,
        ":typing": _has_types(domain),
        ":conditional-effects": any(effect.condition != TRUE or effect.variables for effect in effects),
        ":derived-predicates": bool(domain.axioms),
        ":action-costs": _counts_cost(domain),
        **{need: True for condition in conditions_of(domain) for need in _needs(condition)},
    }
    return [requirement for requirement in _ORDER if needed.get(requirement)]


_ORDER = (
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
)


_FEATURES = {
    Equal: ":equality",
    Not: ":negative-preconditions",
    Or: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}


def _needs(formula: Formula) -> Iterator[str]:
    for part in walk(formula):
        if type(part) in _FEATURES:
            yield _FEATURES[type(part)]
        elif isinstance(part, Literal) and not part.positive:
            yield ":negative-preconditions"
        if isinstance(part, Not) and not isinstance(part.part, Equal):
            yield ":disjunctive-preconditions"  # a negated conjunction is one
