"""The roles of robots and hands, by a domain's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from foretree.planning.pddl.syntax import Domain, Literal, Operator, atoms_of
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.semantics.operator_index import index_of

_ROBOT = frozenset({"robot", "robots", "rob", "agent", "robby", "r"})
_HAND = frozenset({"hand", "hands", "gripper", "grippers", "arm", "arms", "manipulator", "h", "g"})

#: Names of variables that only number them.
_SAYS_NOTHING = re.compile(r"\?(?:[abopvxyz]|arg|obj|object|param|parameter|var|term)?[-_]?\d*")


def static_traits(domain: Domain) -> frozenset[str]:
    """The unary predicates that never change, which an untyped domain has instead of types."""
    changing = index_of(domain).fluents
    return frozenset(n for n, p in domain.predicates.items() if len(p) == 1 and n not in changing)


def traits(operator: Operator, static: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """The *static* traits that *operator* needs of each term."""
    found: dict[str, set[str]] = {}
    for part in conjuncts(operator.precondition):
        if isinstance(part, Literal) and part.positive and part.atom[0] in static:
            found.setdefault(part.atom[1], set()).add(part.atom[0])
    return {term: frozenset(names) for term, names in found.items()}


def role_of(words: Iterable[str]) -> str | None:
    """``robot`` or ``hand`` if one of *words* says so, the first that does; else None."""
    for word in words:
        # "robot_hand" is a hand: the last part says what it is.
        for part in reversed(re.split(r"[-_\d?]+", word)):
            if part in _HAND:
                return "hand"
            if part in _ROBOT:
                return "robot"
    return None


def words_about(domain: Domain, predicate: str, position: int) -> Iterator[str]:
    """The names for the argument of *predicate* at *position*, the most telling first."""
    parameter = domain.predicates[predicate][position]
    if parameter.type != "object":
        yield parameter.type
    static = static_traits(domain)
    for operator in domain.operators.values():
        known = traits(operator, static)
        for atom in _atoms(operator):
            if atom[0] == predicate:
                yield from sorted(known.get(atom[position + 1], ()))
    yield parameter.name
    if _SAYS_NOTHING.fullmatch(parameter.name):
        yield from _agreed(domain, predicate, position)


def _agreed(domain: Domain, predicate: str, position: int) -> Iterator[str]:
    """The operators' names for the argument of *predicate* at *position*, if they mean the same role."""
    names = {
        atom[position + 1]
        for operator in domain.operators.values()
        for atom in _atoms(operator)
        if atom[0] == predicate and atom[position + 1].startswith("?")
    }
    if len({role_of([name]) for name in names}) == 1:
        yield from sorted(names)


def _atoms(operator: Operator) -> Iterator[tuple[str, ...]]:
    yield from atoms_of(operator.precondition)
    for effect in operator.effects:
        yield effect.literal.atom
