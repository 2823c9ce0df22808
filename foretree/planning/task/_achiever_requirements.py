"""Requirements of the operators that achieve something, for each of their arguments alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from foretree.planning.pddl.syntax import Effect, Literal, Operator, Problem, Typed
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import literals_of
from foretree.planning.semantics.operator_index import index_of

#: A predicate, and whether it is to hold.
SignedPredicate: TypeAlias = tuple[str, bool]


@dataclass(frozen=True, slots=True, eq=False)
class RoleRequirement:
    """Requirements of an action on the thing in one of its roles, on that thing alone.

    Equal requirements share one object, so that what is found out about it is found out once.

    Attributes:
        able: the things that are, for good, what is asked.
        states: what else they have to be.
    """

    able: tuple[str, ...]
    states: tuple[SignedPredicate, ...]


@dataclass(frozen=True, slots=True)
class AchieverRequirements:
    """An action that makes something so, and its requirements.

    Attributes:
        action: its name.
        makes: what it makes so.
        arguments: the part that each argument of *makes* plays; None for a constant.
        parts: what the action asks of each part.
        ties: what it asks of several parts together, for good: a predicate, and the parts that are its
            arguments.
        besides: what else it makes so of one part alone.
    """

    action: str
    makes: SignedPredicate
    arguments: tuple[int | None, ...]
    parts: tuple[RoleRequirement, ...]
    ties: tuple[tuple[str, tuple[int, ...]], ...] = ()
    besides: tuple[tuple[int, SignedPredicate], ...] = ()


class AchieverAnalysis:
    """Achievers of literals, and their requirements on each thing alone."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._index = index_of(problem.domain)
        self._facts = AtomIndex(problem.init)
        self._known: dict[SignedPredicate, tuple[AchieverRequirements, ...]] = {}
        self._to: dict[Literal, tuple[tuple[AchieverRequirements, Mapping[int, str]], ...]] = {}
        self._parts: dict[tuple[str, tuple[Literal, ...], tuple[SignedPredicate, ...]], RoleRequirement] = {}

    def making(self, kind: SignedPredicate) -> tuple[AchieverRequirements, ...]:
        """Return the actions that make a predicate true, or false."""
        if kind not in self._known:
            ways = (self._way(operator, effect) for operator, effect in self._index.achievers(*kind))
            self._known[kind] = tuple(way for way in ways if all(part.able for part in way.parts))
        return self._known[kind]

    def to(self, literal: Literal) -> tuple[tuple[AchieverRequirements, Mapping[int, str]], ...]:
        """Return the actions that can make *literal* so, each with the things it fixes in roles."""
        if literal not in self._to:
            found = []
            for way in self.making((literal.atom[0], literal.positive)):
                terms = zip(way.arguments, literal.atom[1:], strict=True)
                given = self._with_ties(way, {part: name for part, name in terms if part is not None})
                if given is not None and all(name in way.parts[part].able for part, name in given.items()):
                    found.append((way, given))
            self._to[literal] = tuple(found)
        return self._to[literal]

    def _with_ties(self, way: AchieverRequirements, given: dict[int, str]) -> dict[int, str] | None:
        """*given* with what is tied to it, where there is just one such thing; None if there is nothing.

        A tie of which nothing is told at all is left for the planner to find out about.
        """
        for predicate, parts in way.ties:
            told = [(place, given[part]) for place, part in enumerate(parts, 1) if part in given]
            if told and self._facts.of(predicate):
                atoms = set.intersection(*(set(self._facts.with_term(predicate, *one)) for one in told))
                if not atoms:
                    return None
                if len(atoms) == 1:
                    given = {**given, **dict(zip(parts, next(iter(atoms))[1:], strict=True))}
        return given

    def may_be(self, literal: Literal, name: str) -> bool:
        """Return whether a thing is or may become what a unary literal says of a variable."""
        predicate = literal.atom[0]
        return (
            predicate in self._index.fluents or ((predicate, name) in self._problem.init) is literal.positive
        )

    def _way(self, operator: Operator, effect: Effect) -> AchieverRequirements:
        parameters = (*operator.parameters, *effect.variables)
        numbers = {parameter.name: number for number, parameter in enumerate(parameters)}
        asked = [*self._index.parts(operator).literals, *literals_of(effect.condition)]
        return AchieverRequirements(
            operator.name,
            (effect.literal.atom[0], effect.literal.positive),
            tuple(numbers.get(term) for term in effect.literal.atom[1:]),
            tuple(self._part(parameter, asked) for parameter in parameters),
            tuple(
                (one.atom[0], tuple(numbers[term] for term in one.atom[1:]))
                for one in asked
                if one.positive
                and len(one.atom) > 2
                and one.atom[0] not in self._index.fluents
                and all(term in numbers for term in one.atom[1:])
            ),
            tuple(
                (numbers[other.literal.atom[1]], (other.literal.atom[0], other.literal.positive))
                for other in operator.effects
                if other is not effect and len(other.literal.atom) == 2 and other.literal.atom[1] in numbers
            ),
        )

    def _part(self, parameter: Typed, literals: Iterable[Literal]) -> RoleRequirement:
        own = [literal for literal in literals if literal.atom[1:] == (parameter.name,)]
        static = tuple(
            Literal((one.atom[0],), one.positive) for one in own if one.atom[0] not in self._index.fluents
        )
        states = ((one.atom[0], one.positive) for one in own if one.atom[0] in self._index.fluents)
        asked = (parameter.type, static, tuple(dict.fromkeys(states)))
        if asked not in self._parts:
            able = tuple(
                name
                for name in self._problem.of_type(parameter.type)
                if all(((one.atom[0], name) in self._problem.init) is one.positive for one in static)
            )
            self._parts[asked] = RoleRequirement(able, asked[-1])
        return self._parts[asked]
