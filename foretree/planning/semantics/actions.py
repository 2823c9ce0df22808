"""Actions and plans: grounding operators, applying them, and validating plans.

This is the independent simulator that every plan has to pass before it is used. It shares no code with any
solver or compilation: it works on the domain as the user wrote it.

Two kinds of world are asked the same questions: a *state* (a set of atoms; what is absent is false) and a
*belief* (three-valued). Both come in as a function from atoms to truth values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from foretree.errors import ForetreeError, suggest
from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Domain,
    Effect,
    Formula,
    Literal,
    Operator,
    Problem,
    names_by_type,
    show,
    substitute,
    substitute_atom,
    types_of,
)
from foretree.planning.semantics.derivation import Derivation
from foretree.planning.semantics.evaluation import (
    Objects,
    Oracle,
    bindings,
    conjuncts,
    evaluate,
    ground,
    state_oracle,
)
from foretree.world_model.beliefs.facts import Atom, Truth


class SemanticsError(ForetreeError):
    """An action names an operator or arguments that the domain does not have."""


class TypedObjects:
    """Objects by type, from a plain mapping of names to types."""

    def __init__(self, domain: Domain, objects: Mapping[str, str]) -> None:
        self._domain = domain
        self._objects = objects

    def of_type(self, type_name: str) -> Sequence[str]:
        """The names of all objects of a type, sorted."""
        return self._names_by_type.get(type_name, ())

    @cached_property
    def _names_by_type(self) -> Mapping[str, tuple[str, ...]]:
        return names_by_type(self._domain, self._objects)

    @cached_property
    def derivation(self) -> Derivation | None:
        """The derived predicates over these objects; None where the domain derives nothing."""
        return Derivation(self._domain, self) if self._domain.axioms else None

    def close(self, state: frozenset[Atom]) -> frozenset[Atom]:
        """*state* with all that is derived in it, and with nothing derived that does not follow."""
        return state if self.derivation is None else self.derivation.close(state)


class StripsForm(NamedTuple):
    """The literals of an action that has no other preconditions and no conditional effects."""

    preconditions: frozenset[Literal]
    sorted_preconditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]


@dataclass(frozen=True)
class GroundAction:
    """An operator with its arguments filled in and its quantifiers expanded."""

    name: str
    arguments: tuple[str, ...]
    precondition: Formula
    effects: tuple[Effect, ...]
    cost: int

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"

    @cached_property
    def strips(self) -> StripsForm | None:
        """Its literals, if it is nothing but literals, as most actions are."""
        parts = self.precondition.parts if isinstance(self.precondition, And) else (self.precondition,)
        needs = frozenset([part for part in parts if isinstance(part, Literal)])
        if not all(isinstance(part, Literal) for part in parts) or any(
            e.condition != TRUE for e in self.effects
        ):
            return None
        in_order = tuple(sorted(needs, key=lambda need: (need.atom, need.positive)))
        return StripsForm(needs, in_order, _without_overridden([e.literal for e in self.effects]))


def _without_overridden(literals: Sequence[Literal]) -> tuple[Literal, ...]:
    """*literals* without the deletions of atoms that are added, too: an addition wins."""
    added = {literal.atom for literal in literals if literal.positive}
    return tuple([literal for literal in literals if literal.positive or literal.atom not in added])


def step_cost(operator: Operator, arguments: Sequence[str], functions: Mapping[Atom, int] | None) -> int:
    """The cost that an action adds to the total."""
    cost = operator.cost
    if cost.function is None:
        return cost.constant
    binding = {p.name: a for p, a in zip(operator.parameters, arguments, strict=True)}
    return cost.constant + (functions or {}).get(substitute_atom(cost.function, binding), 0)


def instantiate(
    operator: Operator,
    arguments: Sequence[str],
    objects: Objects,
    functions: Mapping[Atom, int] | None = None,
) -> GroundAction:
    """*operator* applied to *arguments*.

    Raises:
        SemanticsError: the number of arguments is wrong.
    """
    if len(arguments) != len(operator.parameters):
        signature = " ".join(f"{p.name} - {p.type}" for p in operator.parameters)
        raise SemanticsError(
            f"{operator.name} takes {len(operator.parameters)} arguments ({signature}), "
            f"not {len(arguments)}: {' '.join(arguments)}."
        )
    binding = {p.name: a for p, a in zip(operator.parameters, arguments, strict=True)}
    effects: list[Effect] = []
    for effect in operator.effects:
        for inner in bindings(effect.variables, objects):
            both = {**binding, **inner}
            literal = Literal(substitute_atom(effect.literal.atom, both), effect.literal.positive)
            condition = effect.condition
            if condition != TRUE:
                condition = ground(substitute(condition, both), objects)
                if condition == FALSE:
                    continue
            effects.append(Effect(literal, condition))
    cost = step_cost(operator, arguments, functions)
    precondition = ground(substitute(operator.precondition, binding), objects)
    return GroundAction(operator.name, tuple(arguments), precondition, tuple(effects), cost)


def fired(action: GroundAction, truth: Oracle, objects: Objects) -> tuple[Literal, ...]:
    """The effects that *action* has where its conditions hold; an addition wins over a deletion."""
    literals = [
        effect.literal
        for effect in action.effects
        if effect.condition is TRUE or evaluate(effect.condition, truth, objects) is Truth.TRUE
    ]
    return _without_overridden(literals)


def applicable(action: GroundAction, state: Collection[Atom], objects: Objects) -> bool:
    """True if *action* may be applied in *state*."""
    return evaluate(action.precondition, state_oracle(state), objects) is Truth.TRUE


def apply(action: GroundAction, state: frozenset[Atom], objects: Objects) -> frozenset[Atom]:
    """The state after *action*. It does not check the precondition: see :func:`applicable`.

    Where the domain has derived predicates, *state* is closed, and the result is to be closed again.
    """
    effects = fired(action, state_oracle(state), objects)
    deleted = {literal.atom for literal in effects if not literal.positive}
    return (state - deleted) | {literal.atom for literal in effects if literal.positive}


def explain_misfit(
    domain: Domain, operator: Operator, arguments: Sequence[str], types: Mapping[str, str]
) -> str | None:
    """The reason why *arguments* do not fit the operator's parameters; None if they do."""
    if len(arguments) != len(operator.parameters):
        return f"{operator.name} takes {len(operator.parameters)} arguments, not {len(arguments)}"
    for parameter, argument in zip(operator.parameters, arguments, strict=True):
        if argument not in types:
            return f"there is no object {argument}"
        if not domain.is_a(types[argument], parameter.type):
            return f"{argument} is a {types[argument]}, but {parameter.name} must be a {parameter.type}"
    return None


# -- plans -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of validating a plan.

    ``step`` is the index of the first step that cannot be taken, or None if the goal is what fails.
    """

    ok: bool
    cost: int = 0
    reason: str = ""
    step: int | None = None


def validate(problem: Problem, steps: Sequence[tuple[str, Sequence[str]]]) -> Validation:
    """Carry out *steps* from the initial state by the domain's own semantics, and check the goal."""
    domain = problem.domain
    types = {**types_of(domain.constants), **problem.objects}
    objects = TypedObjects(domain, problem.objects)
    # One state that is changed, not one after the other: there may be thousands of steps and of facts.
    state = set(problem.init)
    cost = 0
    for index, (name, arguments) in enumerate(steps):
        operator = domain.operators.get(name)
        if operator is None:
            return Validation(
                False, cost, f"there is no action {name}. {suggest(name, domain.operators)}", index
            )
        misfit = explain_misfit(domain, operator, arguments, types)
        if misfit is not None:
            return Validation(False, cost, misfit, index)
        truth = state_oracle(objects.close(frozenset(state)) if domain.axioms else state)
        binding = {p.name: a for p, a in zip(operator.parameters, arguments, strict=True)}
        if evaluate(substitute(operator.precondition, binding), truth, objects) is not Truth.TRUE:
            return Validation(False, cost, _unmet(operator, arguments, truth, objects), index)
        added: set[Atom] = set()
        deleted: set[Atom] = set()
        for literal in _happening(operator, binding, truth, objects):
            (added if literal.positive else deleted).add(literal.atom)
        state -= deleted
        state |= added
        cost += step_cost(operator, arguments, problem.functions)
    truth = state_oracle(objects.close(frozenset(state)))
    if evaluate(problem.goal, truth, objects) is not Truth.TRUE:
        return Validation(False, cost, "the goal does not hold at the end")
    return Validation(True, cost)


def _happening(
    operator: Operator, binding: Mapping[str, str], truth: Oracle, objects: Objects
) -> Iterator[Literal]:
    """The effects of an operator whose conditions hold; none is spelled out that does not happen."""
    for effect in operator.effects:
        for inner in bindings(effect.variables, objects) if effect.variables else ({},):
            both = {**binding, **inner} if inner else binding
            condition = effect.condition
            if condition == TRUE or evaluate(substitute(condition, both), truth, objects) is Truth.TRUE:
                yield Literal(substitute_atom(effect.literal.atom, both), effect.literal.positive)


def _unmet(operator: Operator, arguments: Sequence[str], truth: Oracle, objects: Objects) -> str:
    """The first precondition of an action that does not hold."""
    action = instantiate(operator, arguments, objects)
    part = next(p for p in conjuncts(action.precondition) if evaluate(p, truth, objects) is not Truth.TRUE)
    return f"{action} needs {show(part)}, which is false by then"
