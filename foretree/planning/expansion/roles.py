"""Who is a robot and who is a hand: what a domain's own words say about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from foretree.planning.semantics import conjuncts
from foretree.planning.syntax import Domain, Literal, Operator, atoms_of

_ROBOT = frozenset({"robot", "robots", "rob", "agent", "robby", "r"})
_HAND = frozenset(
    {"hand", "hands", "gripper", "grippers", "arm", "arms", "manipulator", "effector", "h", "g"}
)


def fluents(domain: Domain) -> frozenset[str]:
    """The predicates that some operator changes."""
    return frozenset(e.literal.atom[0] for o in domain.operators.values() for e in o.effects)


def is_typed(domain: Domain) -> bool:
    """Whether a domain says with types what its arguments are."""
    return bool(domain.types)


def traits(domain: Domain, operator: Operator, term: str) -> frozenset[str]:
    """The unary predicates that never change and that *operator* needs of *term*."""
    changing = fluents(domain)
    return frozenset(
        part.atom[0]
        for part in conjuncts(operator.precondition)
        if isinstance(part, Literal)
        and part.positive
        and part.atom[1:] == (term,)
        and part.atom[0] not in changing
    )


def role_of(words: Iterable[str]) -> str | None:
    """``robot`` or ``hand`` if the first of *words* that says either says so, else None."""
    for word in words:
        parts = [part for part in re.split(r"[-_\d?]+", word) if part]
        # "robot_hand" is a hand: the last part is what it is.
        for part in reversed(parts):
            if part in _HAND:
                return "hand"
            if part in _ROBOT:
                return "robot"
    return None


def words_about(domain: Domain, predicate: str, position: int) -> Iterator[str]:
    """What the domain calls the argument of *predicate* at *position*, the most telling first."""
    parameter = domain.predicates[predicate][position]
    if parameter.type != "object":
        yield parameter.type
    for operator in domain.operators.values():
        for atom in _atoms(operator):
            if atom[0] == predicate:
                yield from sorted(traits(domain, operator, atom[position + 1]))
    yield parameter.name


def _atoms(operator: Operator) -> Iterator[tuple[str, ...]]:
    yield from atoms_of(operator.precondition)
    for effect in operator.effects:
        yield effect.literal.atom
