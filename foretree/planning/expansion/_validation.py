"""Checks that a domain has the names that an expansion takes, and none of those that it adds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import product

from foretree.errors import suggest
from foretree.planning.expansion._agents import Embodiment
from foretree.planning.expansion._role_words import role_of, static_traits
from foretree.planning.expansion.added_operators import CLOSE_DOOR, MOVE_ROBOT, OPEN_DOOR, push_name
from foretree.planning.expansion.expansion_errors import (
    AlreadyExpandedError,
    ExpansionError,
    ExpansionOptionError,
    NameClashError,
    UnexpandableOperatorError,
)
from foretree.planning.expansion.options import Expansion
from foretree.planning.pddl.formula_reader import signature
from foretree.planning.pddl.syntax import Domain, Operator, types_of
from foretree.world_model.beliefs.facts import (
    HAND_FREE,
    HAS_HAND,
    HOLDING,
    OBJECT_AT,
    ROBOT_AT,
    TRAVEL_COST,
    Atom,
)

#: Words in the names of an action and of the predicate it changes that say a robot changes its place.
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
    static = sorted(static_traits(domain))
    constants = [constant.name for constant in domain.constants]
    binary = [name for name, parameters in domain.predicates.items() if len(parameters) == 2]
    trait = "a unary predicate that never changes"
    mobile = ("a type", domain.types) if domain.types else (trait, static)
    placeless = [*domain.types, *static, *constants]
    valid: Mapping[str, tuple[str, Collection[str]]] = {
        "two_handed": ("an action", domain.operators),
        "carry": ("a predicate of two arguments, thing and support,", binary),
        "mobile": mobile,
        "placeless": (f"a type, {trait}, or a constant", placeless),
    }
    for option, (kind, names) in valid.items():
        for name in getattr(options, option):
            if name not in names:
                raise _unknown(option, name, kind, domain, names)
    _check_door_open(domain, options)


def check_names(
    embodiment: Embodiment, options: Expansion, kinds: Iterable[str], predicates: Iterable[str]
) -> None:
    """Refuse a domain that uses a name for something else than expansion does.

    Args:
        embodiment: its words for robots and hands.
        options: what is added.
        kinds: the kinds of things of the expanded domain.
        predicates: the predicates that expansion adds.

    Raises:
        NameClashError: with the kind of thing that has the name.
    """
    domain, own = embodiment.domain, embodiment.kinds
    for name in (HAND_FREE, HOLDING, *predicates):
        if name in domain.predicates and embodiment.hand_predicates.of(name) is None:
            raise _clash("predicate", name, domain)
    names, kind = (domain.types, "type") if own.typed else (domain.predicates, "predicate")
    # A domain's own types for robots and hands are meant.
    for name in kinds:
        if name in names and name not in (own.robot, own.hand):
            raise _clash(kind, name, domain)
    added = {MOVE_ROBOT: options.navigates, **dict.fromkeys((OPEN_DOOR, CLOSE_DOOR), options.doors)}
    for name in (*(n for n, wanted in added.items() if wanted), *map(push_name, options.mobile)):
        if name in domain.operators:
            raise _clash("action", name, domain)
    if options.navigates and TRAVEL_COST in domain.functions:
        raise _clash("function", TRAVEL_COST, domain)
    if options.navigates:
        for operator in domain.operators.values():
            _check_stays(embodiment, operator, options)


def _check_stays(embodiment: Embodiment, operator: Operator, options: Expansion) -> None:
    """Refuse an operator with which the robot itself goes from one place to another."""
    effects = [effect.literal for effect in operator.effects]
    for gone, added in product(effects, effects):
        here, there = gone.atom, added.atom
        if gone.positive or not added.positive or here[0] != there[0] or len(here) != len(there):
            continue
        changed = [i for i in range(1, len(here)) if here[i] != there[i]]
        if len(changed) != 1 or not _is_travel(embodiment, operator, here, there, changed[0], options):
            continue
        start, end = here[changed[0]], there[changed[0]]
        raise UnexpandableOperatorError(
            f'The action "{operator.name}" takes the robot from {start} to {end} by itself: '
            f"({' '.join(here)}) becomes ({' '.join(there)}). In a building an action takes place at one "
            f'node, so this one could never be done; "{MOVE_ROBOT}" is what moves the robot there. Take '
            f'"{operator.name}" and "{here[0]}" out of the domain before expanding it, or add no navigation.',
            ("action", operator.name),
        )


def _is_travel(
    embodiment: Embodiment, operator: Operator, here: Atom, there: Atom, changed: int, options: Expansion
) -> bool:
    """True if a robot, and nothing but a robot, changes its place as the argument *changed* does."""
    domain, kinds = embodiment.domain, embodiment.kinds
    types = types_of(operator.parameters)
    others = {term for position, term in enumerate(here) if position not in (0, changed)}
    robots = {*kinds.among(domain, operator, kinds.robot)}
    if embodiment.hand_predicates.of(here[0]) is not None:
        return False
    if any(role_of([types.get(term, ""), term]) != "robot" for term in others - robots):
        return False
    if not others and _WAYS.isdisjoint(re.split(r"[-_]", f"{operator.name}-{here[0]}")):
        return False
    ends = {types.get(atom[changed], "object") for atom in (here, there)}
    return not any(domain.is_a(end, name) for name in options.placeless for end in ends)


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
