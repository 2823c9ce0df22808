"""The kinds of things in an expanded domain: types where the domain has types, else unary predicates."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.planning.expansion.anchors import Anchors
from foretree.planning.expansion.roles import is_typed, traits, words_about
from foretree.planning.syntax import Domain, Formula, Literal, Operator, Typed


@dataclass(frozen=True, slots=True)
class Kinds:
    """What robots, hands, nodes and doors are called in a domain.

    Attributes:
        typed: whether these are types; else they are unary predicates.
        robot: the domain's own name for robots if its anchors speak of them, else ``robot``.
        hand: likewise for hands.
        node: places to stand.
        door: doors.
    """

    typed: bool
    robot: str = "robot"
    hand: str = "hand"
    node: str = "node"
    door: str = "door"

    def variable(self, name: str, kind: str) -> Typed:
        """A variable that stands for things of a kind."""
        return Typed(name, kind) if self.typed else Typed(name)

    def guard(self, name: str, kind: str) -> tuple[Formula, ...]:
        """What a condition must say besides, so that a variable stands for things of a kind."""
        return () if self.typed else (Literal((kind, name)),)

    def is_a(self, domain: Domain, operator: Operator, parameter: Typed, kind: str) -> bool:
        """Whether a parameter of *operator* is of a kind."""
        if self.typed:
            return kind != "object" and domain.is_a(parameter.type, kind)
        return kind in traits(domain, operator, parameter.name)


def find_kinds(domain: Domain, anchors: Anchors | None) -> Kinds:
    """What the kinds are called in *domain*."""
    typed = is_typed(domain)
    if anchors is None:
        return Kinds(typed)
    names = {"robot": "robot", "hand": "hand"}
    for role in names:
        for anchor in (*anchors.holding, anchors.hand_free):
            position = getattr(anchor, role)
            if position is None:
                continue
            if typed:
                names[role] = domain.predicates[anchor.predicate][position].type
            else:
                # Its own parameter is the last resort there, and no predicate.
                first = next(words_about(domain, anchor.predicate, position))
                names[role] = first if first in domain.predicates else role
    return Kinds(typed, **names)


def overlap(domain: Domain, one: str, other: str) -> bool:
    """Whether something can be of both types."""
    return domain.is_a(one, other) or domain.is_a(other, one)
