"""The kinds of things in an expanded domain: types where the domain has types, else unary predicates."""

from __future__ import annotations

from dataclasses import dataclass

from foretree.planning.expansion._hand_predicates import HandPredicates
from foretree.planning.expansion._roles import is_typed, role_of, static_traits, traits, words_about
from foretree.planning.pddl.syntax import Domain, Formula, Literal, Operator, Typed


@dataclass(frozen=True, slots=True)
class Kinds:
    """What robots, hands, nodes and doors are called in a domain.

    Attributes:
        typed: whether these are types; else they are unary predicates.
        robot: the domain's own name for robots if its anchors speak of them, else ``robot``.
        hand: likewise for hands.
        node: places to stand.
        door: doors.
        static: the domain's unary predicates that never change.
    """

    typed: bool
    robot: str = "robot"
    hand: str = "hand"
    node: str = "node"
    door: str = "door"
    static: frozenset[str] = frozenset()

    def variable(self, name: str, kind: str) -> Typed:
        """A variable that stands for things of a kind."""
        return Typed(name, kind) if self.typed else Typed(name)

    def guard(self, name: str, kind: str) -> tuple[Formula, ...]:
        """What a condition must say besides, so that a variable stands for things of a kind."""
        return () if self.typed else (Literal((kind, name)),)

    def among(self, domain: Domain, operator: Operator, kind: str) -> list[str]:
        """The parameters of *operator* that are of a kind."""
        if self.typed:
            of_kind = [p for p in operator.parameters if kind != "object" and domain.is_a(p.type, kind)]
            return [parameter.name for parameter in of_kind]
        known = traits(operator, self.static)
        return [p.name for p in operator.parameters if kind in known.get(p.name, ())]


def find_kinds(domain: Domain, anchors: HandPredicates) -> Kinds:
    """What the kinds are called in *domain*."""
    typed, static = is_typed(domain), static_traits(domain)
    names = {"robot": "robot", "hand": "hand"}
    for role in names:
        for anchor in (*anchors.holding, anchors.hand_free):
            position = getattr(anchor, role)
            if position is None:
                continue
            if typed:
                names[role] = domain.predicates[anchor.predicate][position].type
            else:
                words = words_about(domain, anchor.predicate, position)
                own = (word for word in words if word in domain.predicates and role_of([word]) == role)
                names[role] = next(own, role)
    return Kinds(typed, names["robot"], names["hand"], static=static)


def overlap(domain: Domain, one: str, other: str) -> bool:
    """Whether something can be of both types."""
    return domain.is_a(one, other) or domain.is_a(other, one)
