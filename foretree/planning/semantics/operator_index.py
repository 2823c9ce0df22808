"""Index of a domain's operators: what they change, which achieve a literal, and what each needs.

All that plans, expands or revises asks this index instead of taking operators apart itself:

    index = index_of(domain)
    "holding" in index.fluents                          # some operator changes it
    for operator, effect in index.achievers("holding", True):
        binding = unify(effect.literal.atom, ("holding", "left", "mug1"))
        index.parts(operator).static                    # conditions that no operator changes
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from foretree.planning._domain_cache import per_domain
from foretree.planning.pddl.syntax import (
    TRUE,
    Domain,
    Effect,
    Formula,
    Literal,
    Operator,
    conditions_of,
    constants_of,
)
from foretree.planning.semantics.evaluation import conjuncts
from foretree.world_model.beliefs.facts import Atom

_NO_BINDING: Mapping[str, str] = MappingProxyType({})


class OperatorParts:
    """One operator, taken apart.

    Attributes:
        operator: the operator.
        conditions: the conjuncts of its precondition.
        literals: those of them that are literals.
        static: those literals over predicates that no operator changes.
    """

    def __init__(self, operator: Operator, fluents: Mapping[str, int]) -> None:
        self.operator = operator
        self.conditions: tuple[Formula, ...] = conjuncts(operator.precondition)
        self.literals = tuple(part for part in self.conditions if isinstance(part, Literal))
        self.static = tuple(part for part in self.literals if part.atom[0] not in fluents)

    @cached_property
    def certain(self) -> frozenset[Literal]:
        """The literals that it makes true whenever it runs."""
        effects = self.operator.effects
        return frozenset(e.literal for e in effects if e.condition == TRUE and not e.variables)

    @cached_property
    def consumed(self) -> tuple[Atom, ...]:
        """The atoms that it needs and deletes."""
        return tuple(part.atom for part in self.literals if part.positive and ~part in self.certain)


class OperatorIndex:
    """The operators of a domain, found by what they change.

    Attributes:
        fluents: the predicates that operators change, with their arities, in the order of the operators.
        named: the objects that the operators' conditions name.
    """

    def __init__(self, domain: Domain) -> None:
        self.fluents: dict[str, int] = {}
        self._achievers: dict[tuple[str, bool], list[tuple[Operator, Effect]]] = {}
        self._parts: dict[str, OperatorParts] = {}
        self.named = frozenset[str]().union(*map(constants_of, conditions_of(domain)))
        for operator in domain.operators.values():
            for effect in operator.effects:
                predicate, *arguments = effect.literal.atom
                self.fluents[predicate] = len(arguments)
                ways = self._achievers.setdefault((predicate, effect.literal.positive), [])
                ways.append((operator, effect))

    def achievers(self, predicate: str, positive: bool) -> Sequence[tuple[Operator, Effect]]:
        """Return the operators that make atoms of *predicate* true, or false, each with the effect."""
        return self._achievers.get((predicate, positive), ())

    def parts(self, operator: Operator) -> OperatorParts:
        """Return an operator of the domain, taken apart."""
        found = self._parts.get(operator.name)
        if found is None:
            found = self._parts[operator.name] = OperatorParts(operator, self.fluents)
        return found


@per_domain
def index_of(domain: Domain) -> OperatorIndex:
    """Return the index of the operators of *domain*, which is made once."""
    return OperatorIndex(domain)


def unify(
    pattern: Sequence[str],
    terms: Sequence[str | None],
    known: Mapping[str, str] = _NO_BINDING,
    allowed: Mapping[str, Container[str]] | None = None,
) -> dict[str, str] | None:
    """Return *known* with the variables of *pattern* bound so that it becomes *terms*; None if it cannot.

    Args:
        pattern: an atom, or its arguments alone, in which variables begin with ``?``.
        terms: names; None or an empty one stands for any.
        known: values of variables that are bound already.
        allowed: the names that each variable may stand for; any, without it.
    """
    binding = dict(known)
    for term, name in zip(pattern, terms, strict=True):
        if not name:
            continue
        if term[0] != "?":
            if term != name:
                return None
        elif binding.setdefault(term, name) != name or (allowed is not None and name not in allowed[term]):
            return None
    return binding
