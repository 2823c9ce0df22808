"""Whether what an expansion asks for fits the domain: names that are there, and names that must not be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from foretree.errors import suggest
from foretree.planning.expansion._agents import Embodiment
from foretree.planning.expansion._roles import is_typed, role_of, static_traits
from foretree.planning.expansion.added_operators import DOOR_OPEN, MOVE_ROBOT, OPEN_DOOR, push_name
from foretree.planning.expansion.expansion_errors import (
    AlreadyExpandedError,
    ExpansionError,
    ExpansionOptionError,
    NameClashError,
    UnexpandableOperatorError,
)
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.formula_reader import signature
from foretree.planning.pddl.syntax import Domain, Operator
from foretree.world_model.builtin_predicates import (
    CONNECTED,
    HAND_FREE,
    HAS_DOOR,
    HAS_HAND,
    HOLDING,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
)

#: Words in the names of an action and of what it changes that say a robot changes its place.
_WAYS = frozenset(
    {"at", "drive", "go", "goto", "location", "move", "navigate", "position", "robot", "travel", "walk"}
)


def check_not_expanded(domain: Domain) -> None:
    """Refuse a domain in which robots are somewhere or have hands already, or predicates are derived.

    Raises:
        AlreadyExpandedError: it has the predicates that an expansion adds.
        ExpansionError: a derived predicate depends on itself.
    """
    found = [name for name in (ROBOT_AT, OBJECT_AT, HAS_HAND) if name in domain.predicates]
    if found:
        raise AlreadyExpandedError(
            f'The domain "{domain.name}" has been expanded before: it has {" and ".join(found)}. Expand the '
            "domain that it was made from, with all options at once.",
            ("predicate", found[0]),
        )
    derived = sorted({axiom.predicate for axiom in domain.axioms})
    if derived:
        raise ExpansionError(
            f"Derived predicates that depend on themselves cannot be expanded: {', '.join(derived)}.",
            ("predicate", derived[0]),
        )


def check_options(domain: Domain, options: Expansion) -> None:
    """Refuse options that name what the domain does not have.

    Raises:
        ExpansionOptionError: with what would have been valid.
    """
    for name in options.two_handed:
        if name not in domain.operators:
            raise _unknown("two_handed", name, "an action", domain, domain.operators)
    binary = {name: p for name, p in domain.predicates.items() if len(p) == 2}
    for name in options.carry:
        if name not in binary:
            raise _unknown("carry", name, "a predicate of two arguments, thing and support,", domain, binary)
    static = sorted(static_traits(domain))
    typed = is_typed(domain)
    for name in options.mobile:
        if name not in (domain.types if typed else static):
            kind = "a type" if typed else "a unary predicate that never changes"
            raise _unknown("mobile", name, kind, domain, domain.types if typed else static)
    constants = [constant.name for constant in domain.constants]
    for name in options.placeless:
        if name not in (*domain.types, *static, *constants):
            kind = "a type, a unary predicate that never changes, or a constant"
            raise _unknown("placeless", name, kind, domain, [*domain.types, *static, *constants])
    _check_door_open(domain, options)


def check_names(bodies: Embodiment, options: Expansion) -> None:
    """Refuse a domain that uses a name for something else than expansion does.

    Raises:
        NameClashError: with the kind of thing that has the name.
    """
    domain = bodies.domain
    anchors = {anchor.predicate for anchor in (bodies.anchors.hand_free, *bodies.anchors.holding)}
    for name in _predicates(bodies, options):
        if name in domain.predicates and name not in anchors:
            raise _clash("predicate", name, domain)
    for name in _types(bodies, options):
        names, kind = (domain.types, "type") if bodies.kinds.typed else (domain.predicates, "predicate")
        if name in names:
            raise _clash(kind, name, domain)
    for name in _operators(options):
        if name in domain.operators:
            raise _clash("action", name, domain)
    if options.navigates and TRAVEL_COST in domain.functions:
        raise _clash("function", TRAVEL_COST, domain)
    if options.navigates:
        for operator in domain.operators.values():
            _check_stays(bodies, operator, options)


def _check_stays(bodies: Embodiment, operator: Operator, options: Expansion) -> None:
    """Refuse an operator with which the robot itself goes from one place to another."""
    domain, kinds = bodies.domain, bodies.kinds
    robots = {*kinds.among(domain, operator, kinds.robot)}
    types = {parameter.name: parameter.type for parameter in operator.parameters}
    added = [e.literal.atom for e in operator.effects if e.literal.positive]
    gone = [e.literal.atom for e in operator.effects if not e.literal.positive]
    for here, there in product(gone, added):
        if here[0] != there[0] or len(here) != len(there) or bodies.anchors.of(here[0]) is not None:
            continue
        changed = [i for i in range(1, len(here)) if here[i] != there[i]]
        if len(changed) != 1:
            continue
        start, end = here[changed[0]], there[changed[0]]
        others = {term for i, term in enumerate(here[1:], 1) if i != changed[0]}
        if not others <= {*robots, *(t for t in others if role_of([types.get(t, ""), t]) == "robot")}:
            continue
        if not others and _WAYS.isdisjoint(re.split(r"[-_]", f"{operator.name}-{here[0]}")):
            continue
        ends = {types.get(term, "object") for term in (start, end)}
        if any(domain.is_a(end_type, name) for name in options.placeless for end_type in ends):
            continue
        raise UnexpandableOperatorError(
            f'The action "{operator.name}" takes the robot from {start} to {end} by itself: '
            f"({' '.join(here)}) becomes ({' '.join(there)}). In a building an action takes place at one "
            f'node, so this one could never be done; "{MOVE_ROBOT}" is what moves the robot there. Take '
            f'"{operator.name}" and "{here[0]}" out of the domain before expanding it, or add no navigation.',
            ("action", operator.name),
        )


def _predicates(bodies: Embodiment, options: Expansion) -> Iterator[str]:
    yield HAND_FREE
    yield HOLDING
    if bodies.hands:
        yield HAS_HAND
    if options.navigates:
        yield from (ROBOT_AT, OBJECT_AT, CONNECTED)
    if options.doors:
        yield HAS_DOOR
        if options.door_open is None:
            yield DOOR_OPEN


def _types(bodies: Embodiment, options: Expansion) -> Iterator[str]:
    # Robots and hands that a domain calls so are meant.

    if options.navigates:
        yield bodies.kinds.node
    if options.doors:
        yield bodies.kinds.door


def _operators(options: Expansion) -> Iterator[str]:
    if options.navigates:
        yield MOVE_ROBOT
    if options.doors:
        yield OPEN_DOOR
    for kind in options.mobile:
        yield push_name(kind)


def _check_door_open(domain: Domain, options: Expansion) -> None:
    name = options.door_open
    if name is None:
        return
    unary = {n: p for n, p in domain.predicates.items() if len(p) == 1}
    if name not in unary:
        raise _unknown("door_open", name, "a unary predicate", domain, unary)
    if unary[name][0].type != "object":
        raise ExpansionOptionError(
            f'door_open names "{name}", which a door does not fit: {signature(name, unary[name])} takes only '
            f"things of type {unary[name][0].type}. Declare it for every object, or leave door_open out.",
            ("predicate", name),
            "door_open",
        )


def _unknown(option: str, name: str, kind: str, domain: Domain, valid: Iterable[str]) -> ExpansionOptionError:
    return ExpansionOptionError(
        f'{option} names "{name}", which is not {kind} of the domain "{domain.name}". {suggest(name, valid)}',
        option=option,
    )


def _clash(kind: str, name: str, domain: Domain) -> NameClashError:
    return NameClashError(
        f'The {kind} "{name}" of the domain "{domain.name}" has the name that expansion gives to something '
        "of its own: rename it in the domain.",
        (kind, name),
    )
