"""Operators prepared for joins with the atoms of a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import TypeAlias, cast

from foretree.planning.pddl.syntax import TRUE, Domain, Literal, Typed, substitute
from foretree.planning.semantics.evaluation import all_literals
from foretree.planning.semantics.operator_index import OperatorParts
from foretree.revision._simulator import Simulator, StateDelta
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.facts import Atom

Binding: TypeAlias = dict[str, str]

#: The values of an operator's parameters, in their order; None where there is none yet.
Values: TypeAlias = list[str | None]


class AtomTemplate:
    """An atom of a schema, by the places of its parameters: quick to fill in."""

    __slots__ = ("_fill", "predicate", "terms")

    def __init__(self, atom: Atom, places: Mapping[str, int]) -> None:
        self.predicate = atom[0]
        self.terms = tuple((places.get(term, -1), term) for term in atom[1:])
        only_parameters = len(self.terms) > 1 and all(place >= 0 for place, _ in self.terms)
        self._fill = itemgetter(*(place for place, _ in self.terms)) if only_parameters else None

    def filled(self, values: Values) -> Atom:
        """The atom, with the parameters' values; all must have one."""
        if self._fill is not None:
            return (self.predicate, *self._fill(values))
        return (self.predicate, *[values[place] or "" if place >= 0 else term for place, term in self.terms])

    def known(self, values: Values) -> tuple[int, str] | None:
        """A position whose term is known, and the term."""
        for position, (place, term) in enumerate(self.terms, 1):
            value = term if place < 0 else values[place]
            if value is not None:
                return position, value
        return None

    def matched(self, atom: Atom, values: Values) -> Values | None:
        """*values*, extended so that the pattern becomes *atom*."""
        extended = values
        for (place, term), value in zip(self.terms, atom[1:], strict=True):
            known = term if place < 0 else extended[place]
            if known is None:
                if extended is values:
                    extended = list(values)
                extended[place] = value
            elif known != value:
                return None
        return extended


class OperatorJoin:
    """An operator, taken apart."""

    def __init__(self, parts: OperatorParts, domain: Domain) -> None:
        operator = parts.operator
        positive = [part.atom for part in parts.literals if part.positive]
        places = {parameter.name: index for index, parameter in enumerate(operator.parameters)}
        plain = all(effect.condition == TRUE and not effect.variables for effect in operator.effects)
        self.name = operator.name
        self.parameters = operator.parameters
        # What happens only sometimes, or to everything at once, is not what one does to get on.
        self.effects = [effect.literal for effect in operator.effects] if plain else []
        self.other = [p for p in parts.conditions if not (isinstance(p, Literal) and p.positive)]
        self.predicates = _predicates(parts)
        self._places = places
        self._positive = [AtomTemplate(atom, places) for atom in positive]
        self._adds = [AtomTemplate(effect.atom, places) for effect in self.effects if effect.positive]
        self._deletes = [AtomTemplate(effect.atom, places) for effect in self.effects if not effect.positive]
        self._checked = [
            (index, parameter.type)
            for index, parameter in enumerate(operator.parameters)
            if not _typed_by(positive, parameter, domain)
        ]
        self._cost = operator.cost.constant
        function = operator.cost.function
        self._function = None if function is None else AtomTemplate(function, places)

    def bound(self, binding: Binding) -> Values:
        """The parameters' values, as far as they are bound."""
        return [binding.get(parameter.name) for parameter in self.parameters]

    def filled(self, values: Values) -> tuple[str, ...]:
        """The values of all parameters; each must have one."""
        return cast("tuple[str, ...]", tuple(values))

    def cost(self, values: Values, task: PlanTask) -> int:
        if self._function is None:
            return self._cost
        return self._cost + task.functions.get(self._function.filled(values), 0)

    def adds(self, values: Values) -> tuple[Atom, ...]:
        return tuple([pattern.filled(values) for pattern in self._adds])

    def deletes(self, values: Values) -> tuple[Atom, ...]:
        return tuple([pattern.filled(values) for pattern in self._deletes])

    def joined(self, delta: StateDelta, values: Values) -> list[Values]:
        """The ways of extending *values* so that all positive preconditions hold."""
        rows = [values]
        for pattern in self._positive:
            rows = [
                extended
                for row in rows
                for atom in delta.matching(pattern.predicate, pattern.known(row))
                if (extended := pattern.matched(atom, row)) is not None
            ]
        return rows

    def fits(self, values: Values, simulator: Simulator) -> bool:
        """Return whether each value is of its parameter's type, as far as that does not go without saying."""
        return all(values[index] in simulator.named(type_name) for index, type_name in self._checked)

    def allows(self, delta: StateDelta, values: Values, simulator: Simulator) -> bool:
        """Return whether the other preconditions hold."""
        if not self.other:
            return True
        binding = {name: values[place] or "" for name, place in self._places.items()}
        return all(simulator.holds(delta, substitute(part, binding)) for part in self.other)

    def within_reach(self, delta: StateDelta, binding: Binding, supplied: set[str]) -> bool:
        """Return whether each positive precondition holds somehow, or can be brought about."""
        values = self.bound(binding)
        return all(
            pattern.predicate in supplied
            or any(
                pattern.matched(atom, values) is not None
                for atom in delta.matching(pattern.predicate, pattern.known(values))
            )
            for pattern in self._positive
        )


def _predicates(parts: OperatorParts) -> set[str]:
    """Return all predicates that an operator has to do with."""
    effects = (effect.literal.atom[0] for effect in parts.operator.effects)
    return {*effects, *(literal.atom[0] for part in parts.conditions for literal in all_literals(part))}


def _typed_by(atoms: Iterable[Atom], parameter: Typed, domain: Domain) -> bool:
    """Return whether one of *atoms* only ever holds of things of the parameter's type."""
    return any(
        term == parameter.name and domain.is_a(declared.type, parameter.type)
        for atom in atoms
        for term, declared in zip(atom[1:], domain.predicates.get(atom[0], ()), strict=False)
    )
