"""Goals that constraints forbid, by what both say alone: no plan has to be looked for.

Only what is plain is found: a literal that a goal needs and that a constraint says no action makes so, or
that only actions bring about which a constraint forbids. Where nothing is found, a search may still prove
that there is no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from foretree.planning.constraints._lifted_regression import normal_form
from foretree.planning.constraints.compilation import clauses_of
from foretree.planning.constraints.constraints import Always, Constraint, NeverUse
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Exists,
    Formula,
    Literal,
    Operator,
    Or,
    Typed,
    types_of,
)
from foretree.planning.semantics.operator_index import index_of, unify


class Forbidden:
    """Finds out whether constraints forbid a goal.

    Args:
        domain: its operators bring goals about.
        classes: the class of each thing.
        holds: whether a formula is so already.
    """

    def __init__(self, domain: Domain, classes: Mapping[str, str], holds: Callable[[Formula], bool]) -> None:
        self._domain = domain
        self._classes = classes
        self._holds = holds

    def by(self, constraint: Constraint, goal: Formula) -> bool:
        """Return whether nothing brings *goal* about without breaking *constraint*."""
        if isinstance(constraint, Always):
            barred = [
                (~body, types_of(variables))
                for variables, body in clauses_of(normal_form(constraint.formula))
                if isinstance(body, Literal)
            ]
            return self._needs(
                goal, lambda literal, types: any(self._matches(*one, literal, types) for one in barred)
            )
        if isinstance(constraint, NeverUse):
            return self._needs(goal, lambda literal, types: self._takes(constraint, literal, types))
        return False

    def _needs(
        self,
        goal: Formula,
        barred: Callable[[Literal, Mapping[str, str]], bool],
        variables: tuple[Typed, ...] = (),
    ) -> bool:
        """Return whether *goal* needs a literal to become true that is *barred*."""
        match goal:
            case And(parts):
                return any(self._needs(part, barred, variables) for part in parts)
            case Or(parts) if parts:
                return all(self._needs(part, barred, variables) for part in parts)
            case Exists(inner, body):
                return self._needs(body, barred, (*variables, *inner))
            case Count(variable, body, at_least) if at_least:
                return self._needs(body, barred, (*variables, variable))
            case Literal():
                some = Exists(variables, goal) if variables else goal
                return barred(goal, types_of(variables)) and not self._holds(some)
        return False

    def _matches(
        self, pattern: Literal, of: Mapping[str, str], literal: Literal, types: Mapping[str, str]
    ) -> bool:
        """Return whether *literal* is an instance of *pattern*, whose variables are *of* some types."""
        if pattern.positive is not literal.positive or pattern.atom[0] != literal.atom[0]:
            return False
        binding = unify(pattern.atom, literal.atom)
        return binding is not None and all(
            self._is_a(term, of.get(name, "object"), types) for name, term in binding.items()
        )

    def _takes(self, rule: NeverUse, literal: Literal, types: Mapping[str, str]) -> bool:
        """Return whether each operator that may make *literal* so is one that the rule forbids."""
        achievers = index_of(self._domain).achievers(literal.atom[0], literal.positive)
        found = [
            (operator, [*binding.values()])
            for operator, effect in achievers
            if (binding := unify(effect.literal.atom, literal.atom)) is not None
            and self._fits(operator, binding, types)
        ]
        return bool(found) and all(
            rule.action in (None, operator.name) and self._named(rule, terms, types)
            for operator, terms in found
        )

    def _named(self, rule: NeverUse, terms: list[str], types: Mapping[str, str]) -> bool:
        return all(
            any(self._is_a(term, one.type, types) for term in terms)
            if isinstance(one, Typed)
            else one in terms
            for one in rule.objects
        )

    def _fits(self, operator: Operator, binding: Mapping[str, str], types: Mapping[str, str]) -> bool:
        """Return whether the things may stand for the parameters, as far as their classes are known."""
        return all(
            self._may_be(binding[parameter.name], parameter.type, types)
            for parameter in operator.parameters
            if parameter.name in binding
        )

    def _is_a(self, term: str, kind: str, types: Mapping[str, str]) -> bool:
        own = types.get(term) or self._classes.get(term)
        return kind == "object" or (own is not None and self._domain.is_a(own, kind))

    def _may_be(self, term: str, kind: str, types: Mapping[str, str]) -> bool:
        own = types.get(term) or self._classes.get(term)
        return own is None or self._domain.is_a(own, kind) or self._domain.is_a(kind, own)
