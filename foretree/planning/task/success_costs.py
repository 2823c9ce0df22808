"""Costs that make the cheapest plan the one that is most likely to succeed.

A plan succeeds if each of its actions does, with the product of their probabilities. Its most likely success
is where the sum of −log p is least, so an action costs round(100,000 · −log p), besides what it costs
otherwise: a plan may cost 1,000 more to be one per cent likelier to succeed. Where nothing is known of an
action, p is 1, and its own cost decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import log
from typing import Protocol

from foretree.planning.pddl.syntax import Cost, Domain, Operator, Problem, names_by_type
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Atom

#: How much an action costs, times −log p.
SCALE = 100_000
#: No action counts as less likely to succeed than this: something may be wrong with what is known of it.
LEAST = 0.001


class SuccessProbabilities(Protocol):
    """Probabilities of success, as far as they are known."""

    def of_operator(self, name: str) -> float:
        """The probability that actions of an operator do what they should where their conditions hold."""
        ...

    def of_objects(self, atoms: tuple[Atom, ...]) -> float | None:
        """The probability that static facts such as ``(blade knife1)`` hold; None if unknown."""
        ...


def success_cost(probability: float) -> int:
    """The cost that stands for a probability of success."""
    return round(SCALE * -log(min(1.0, max(LEAST, probability))))


def weigh(problem: Problem, probabilities: SuccessProbabilities) -> Problem:
    """The problem with costs by which the cheapest plan is the one that is most likely to succeed.

    What costs the value of a function, as a move does, keeps its cost: it is taken to succeed.
    """
    return _Weighing(problem, probabilities).weighed()


class _Weighing:
    """A problem whose actions get other costs."""

    def __init__(self, problem: Problem, probabilities: SuccessProbabilities) -> None:
        self._problem = problem
        self._probabilities = probabilities
        self._functions: dict[Atom, int] = {}

    def weighed(self) -> Problem:
        domain = self._problem.domain
        operators = {name: self._priced(operator) for name, operator in domain.operators.items()}
        declared = dict(domain.functions)
        for operator in operators.values():
            function = operator.cost.function
            if function is not None and function[0] not in declared:
                kinds = {parameter.name: parameter for parameter in operator.parameters}
                declared[function[0]] = tuple(kinds[name] for name in function[1:])
        return replace(
            self._problem,
            domain=replace(domain, operators=operators, functions=declared),
            functions={**self._problem.functions, **self._functions},
        )

    def _priced(self, operator: Operator) -> Operator:
        if operator.cost.function is not None:
            return operator
        constant = operator.cost.constant + success_cost(self._probabilities.of_operator(operator.name))
        function = self._cost_of_objects(operator)
        return replace(operator, cost=Cost(constant, function))

    def _cost_of_objects(self, operator: Operator) -> Atom | None:
        """The function term that says what the objects of an action add; None if they add nothing."""
        relied_on = _relied_on(self._problem.domain, operator)
        if not relied_on:
            return None
        name = _fresh(f"doubt-{operator.name}", self._problem.domain)
        terms = tuple(dict.fromkeys(atom[1] for atom in relied_on))
        values: dict[Atom, int] = {}
        for things in product(*(self._fitting(operator, term, relied_on) for term in terms)):
            binding = dict(zip(terms, things, strict=True))
            atoms = tuple((atom[0], binding[atom[1]]) for atom in relied_on)
            probability = self._probabilities.of_objects(atoms)
            term: Atom = (name, *things)
            values[term] = 0 if probability is None else success_cost(probability)
        if not any(values.values()):
            return None
        self._functions.update(values)
        return (name, *terms)

    def _fitting(self, operator: Operator, term: str, relied_on: tuple[Atom, ...]) -> list[str]:
        """The objects that a parameter may stand for."""
        kind = next(parameter.type for parameter in operator.parameters if parameter.name == term)
        needed = [predicate for predicate, of in relied_on if of == term]
        init = self._problem.init
        return [
            name
            for name in self._by_type.get(kind, ())
            if all((predicate, name) in init for predicate in needed)
        ]

    @cached_property
    def _by_type(self) -> Mapping[str, tuple[str, ...]]:
        return names_by_type(self._problem.domain, self._problem.objects)


def _relied_on(domain: Domain, operator: Operator) -> tuple[Atom, ...]:
    """The static conditions of an operator, each on one of its parameters."""
    own = {parameter.name for parameter in operator.parameters}
    derived = {axiom.predicate for axiom in domain.axioms}
    return tuple(
        part.atom
        for part in index_of(domain).parts(operator).static
        if part.positive and len(part.atom) == 2 and part.atom[1] in own and part.atom[0] not in derived
    )


def _fresh(name: str, domain: Domain) -> str:
    while name in domain.functions or name in domain.predicates:
        name += "-"
    return name
