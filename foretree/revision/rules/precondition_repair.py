"""Repair of preconditions: the few actions that make another one possible.

A small cheapest-first search. Only what can bring about what is missing is tried, so it is over at once where
there is nothing to find; what was found is kept for the next time that the same is missing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product
from operator import itemgetter
from typing import TypeAlias, cast

from foretree.planning.pddl.syntax import TRUE, And, Domain, Formula, Literal, Operator, Or, Typed, substitute
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import all_literals
from foretree.planning.semantics.operator_index import OperatorParts, index_of, unify
from foretree.revision._simulator import (
    ActionKey,
    AddsAndDeletes,
    Simulator,
    StateDelta,
    StateKey,
    only_moves_robot,
)
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.facts import Atom, Vocabulary

Binding: TypeAlias = dict[str, str]

#: The values of an operator's parameters, in their order; None where there is none yet.
Values: TypeAlias = list[str | None]

#: States looked at to find the few actions that make the next one possible.
REPAIR_STATES = 48
#: Literals that are wanted, and whether they are to come about by going elsewhere alone.
_Asked: TypeAlias = tuple[tuple[tuple[Atom, bool], ...], bool]
#: What an action costs, the action, and what it changes.
_Step: TypeAlias = tuple[int, ActionKey, AddsAndDeletes]
#: A state as far as the search is concerned, the same in full, and the actions that lead there.
_Considered: TypeAlias = tuple[StateDelta, StateDelta, tuple[ActionKey, ...]]
#: A state, and the actions that lead there.
_Reached: TypeAlias = tuple[StateDelta, tuple[ActionKey, ...]]


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
    """An operator, taken apart.

    Attributes:
        predicates: all that it has to do with.
    """

    def __init__(self, parts: OperatorParts, domain: Domain) -> None:
        operator = parts.operator
        positive = [part.atom for part in parts.literals if part.positive]
        places = self._places = {p.name: index for index, p in enumerate(operator.parameters)}
        self.name = operator.name
        self.parameters = operator.parameters
        # What happens only sometimes, or to everything at once, is not what one does to get on.
        self.effects = [effect.literal for effect in operator.effects] if _is_plain(operator) else []
        self.other = [p for p in parts.conditions if not (isinstance(p, Literal) and p.positive)]
        self.predicates = {literal.atom[0] for part in parts.conditions for literal in all_literals(part)}
        self.predicates |= {effect.literal.atom[0] for effect in operator.effects}
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

    def cost(self, values: Values, task: PlanTask) -> int:
        """The cost of the action whose parameters have these values."""
        if self._function is None:
            return self._cost
        return self._cost + task.functions.get(self._function.filled(values), 0)

    def changes(self, values: Values) -> AddsAndDeletes:
        """The atoms that the action makes true, and those that it makes false."""
        return (
            tuple([pattern.filled(values) for pattern in self._adds]),
            tuple([pattern.filled(values) for pattern in self._deletes]),
        )

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


def _is_plain(operator: Operator) -> bool:
    """Return whether all effects of *operator* happen whenever it is carried out, each to one atom."""
    return all(effect.condition == TRUE and not effect.variables for effect in operator.effects)


def _typed_by(atoms: Iterable[Atom], parameter: Typed, domain: Domain) -> bool:
    """Return whether one of *atoms* only ever holds of things of the parameter's type."""
    return any(
        term == parameter.name and domain.is_a(declared.type, parameter.type)
        for atom in atoms
        for term, declared in zip(atom[1:], domain.predicates.get(atom[0], ()), strict=False)
    )


class PreconditionRepair:
    """Finds repairs, from deltas over the same facts.

    Args:
        simulator: carries out what is tried.
        vocabulary: says which atoms exclude each other: on the way to being somewhere, one is elsewhere.
        states: how many states are looked at to find a repair.
    """

    def __init__(self, simulator: Simulator, vocabulary: Vocabulary, states: int = REPAIR_STATES) -> None:
        self._simulator = simulator
        self._states = states
        self._task = simulator.task
        self._vocabulary = vocabulary
        self._schemas: dict[str, OperatorJoin] = {}
        self._means: dict[_Asked, _Achievers] = {}
        self._movers: dict[str, bool] = {}
        self._found: dict[tuple[StateKey, str, tuple[str, ...], bool], tuple[GroundAction, ...] | None] = {}

    def find(
        self, delta: StateDelta, action: GroundAction, *, ways_only: bool = False
    ) -> tuple[GroundAction, ...] | None:
        """The cheapest few actions after which *action* is possible; None if a small search finds none.

        Args:
            delta: from which state.
            action: what is to become possible.
            ways_only: whether to do nothing but go elsewhere.
        """
        if self._simulator.possible(delta, action):
            return ()
        key = (delta.key, action.name, action.arguments, ways_only)
        if key not in self._found:
            self._found[key] = self._search(delta, action, ways_only)
        return self._found[key]

    def _search(
        self, delta: StateDelta, action: GroundAction, ways_only: bool
    ) -> tuple[GroundAction, ...] | None:
        lacking = self._simulator.lacks(delta, action)
        means = self._achievers_of(missing_literals(lacking, delta), ways_only)
        if not all(self._within_reach(part, delta, means) for part in lacking):
            return None
        simple = [part for part in lacking if isinstance(part, Literal)]
        around = self._by_moving if means.moves else self._without_moving
        for state, following, steps in around(delta, means):
            if not all((part.atom in state) == part.positive for part in simple):
                continue
            if self._simulator.possible(following, action):
                return tuple(self._task.ground(Action("", name, arguments)) for name, arguments in steps)
        return None

    def _without_moving(self, delta: StateDelta, means: _Achievers) -> Iterator[_Considered]:
        """The states that *means* lead to. What they have nothing to do with stays as it is."""
        plus = frozenset(atom for atom in delta.plus if atom[0] not in means.predicates)
        minus = frozenset(atom for atom in delta.minus if atom[0] not in means.predicates)
        for state, steps in means.states_from(
            StateDelta(delta.facts, delta.plus - plus, delta.minus - minus)
        ):
            yield state, StateDelta(delta.facts, plus | state.plus, minus | state.minus), steps

    def _by_moving(self, delta: StateDelta, means: _Achievers) -> Iterator[_Considered]:
        """Yield the states the robot can get to. The map seldom changes, so what is found is kept."""
        here = frozenset(atom for predicate in means.supplied for atom in delta.matching(predicate))
        static = tuple(sorted(means.predicates - means.supplied))
        places = frozenset(atom for predicate in static for atom in delta.matching(predicate))
        key = (means.asked, places)
        kept = self._task.worked_out.get(key)
        if kept is None:
            movers = _Achievers(means.asked, means.ways, Simulator(self._task), True, self._states)
            kept = self._task.worked_out[key] = AtomIndex(places), movers
        facts, known = kept
        for state, steps in known.states_from(StateDelta(facts, here)):
            yield state, delta.after(state.plus - here, here - state.plus), steps

    def moves_robot(self, name: str) -> bool:
        """Return whether an action does nothing but bring the robot elsewhere."""
        moves_robot = self._movers.get(name)
        if moves_robot is None:
            effects = self._task.domain.operators[name].effects
            moves_robot = self._movers[name] = only_moves_robot(effects, self._vocabulary)
        return moves_robot

    def _achievers_of(self, wanted: Iterable[Literal], ways_only: bool) -> _Achievers:
        """Return the operators that could bring about what is *wanted*."""
        literals = dict.fromkeys((self._with_any_place(literal), literal.positive) for literal in wanted)
        key = (tuple(literals), ways_only)
        means = self._means.get(key)
        if means is None:
            ways = {
                (schema.name, effect, tuple(sorted(binding.items()))): _Way(schema, effect, binding)
                for atom, positive in literals
                for schema in self._schemas_for(atom[0], positive)
                if not ways_only or self.moves_robot(schema.name)
                for effect in schema.effects
                if effect.positive == positive
                and effect.atom[0] == atom[0]
                and (binding := unify(effect.atom, atom)) is not None
            }
            moves = all(self.moves_robot(way.schema.name) for way in ways.values())
            means = self._means[key] = _Achievers(
                key, list(ways.values()), self._simulator, moves, self._states
            )
        return means

    def _schemas_for(self, predicate: str, positive: bool) -> Iterator[OperatorJoin]:
        """The operators that may make an atom of *predicate* true, or false."""
        index = index_of(self._task.domain)
        for operator in {o.name: o for o, _ in index.achievers(predicate, positive)}.values():
            schema = self._schemas.get(operator.name)
            if schema is None:
                schema = self._schemas[operator.name] = OperatorJoin(index.parts(operator), self._task.domain)
            yield schema

    def _with_any_place(self, literal: Literal) -> Atom:
        """Return the atom without the place to be at: any place will do as a step on the way."""
        key = self._vocabulary.group_key(literal.atom)
        if key is None or not literal.positive:
            return literal.atom
        return tuple(term if index == 0 or term == key[1] else "" for index, term in enumerate(literal.atom))

    def _within_reach(self, formula: Formula, delta: StateDelta, means: _Achievers) -> bool:
        """Return whether *formula* could come about, judging each condition by itself."""
        if isinstance(formula, And):
            return all(self._within_reach(part, delta, means) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self._within_reach(part, delta, means) for part in formula.parts)
        if not isinstance(formula, Literal):
            return self._simulator.holds(delta, formula)
        if (formula.atom in delta) == formula.positive:
            return True
        return any(
            way.effect.positive == formula.positive
            and way.effect.atom[0] == formula.atom[0]
            and unify(way.effect.atom, self._with_any_place(formula)) == way.binding
            and way.schema.within_reach(delta, way.binding, means.supplied)
            for way in means.ways
        )


class _Achievers:
    """A few ways of changing something, and where they lead.

    States are told apart only by what the ways have to do with, so what was found from one state is of use in
    all others that are like it.

    Attributes:
        asked: what they were asked for: what is wanted, and whether by going elsewhere alone.
        ways: effects that are of use.
        supplied: the predicates that they bring about.
        predicates: all that they have to do with.
        moves: whether all that they do is to bring the robot elsewhere: it is somewhere else after each.
        most: how many states are looked at from any one.
    """

    def __init__(
        self, asked: _Asked, ways: Sequence[_Way], simulator: Simulator, moves: bool, most: int
    ) -> None:
        self.asked = asked
        self.most = most
        self.ways = ways
        self.moves = moves
        self.supplied = {way.effect.atom[0] for way in ways}
        self.predicates = {predicate for way in ways for predicate in way.schema.predicates}
        self._simulator = simulator
        self._steps: dict[StateKey, tuple[_Step, ...]] = {}
        self._frontiers: dict[StateKey, _Frontier] = {}

    def states_from(self, start: StateDelta) -> Iterator[_Reached]:
        """The states that can be reached from *start*, cheapest first: at most :attr:`most`."""
        frontier = self._frontiers.get(start.key)
        if frontier is None:
            frontier = self._frontiers[start.key] = _Frontier(start, self)
        return iter(frontier)

    def steps(self, delta: StateDelta) -> tuple[_Step, ...]:
        """Yield what can be done in a state: for each action what it costs, and what it changes."""
        steps = self._steps.get(delta.key)
        if steps is None:
            steps = self._steps[delta.key] = tuple(self._possible(delta))
        return steps

    def _possible(self, delta: StateDelta) -> Iterator[_Step]:
        for way in self.ways:
            schema = way.schema
            for values in schema.joined(delta, schema.bound(way.binding)):
                for names in self._completed(schema, values) if None in values else (values,):
                    if schema.fits(names, self._simulator) and schema.allows(delta, names, self._simulator):
                        cost = max(1, schema.cost(names, self._simulator.task))
                        arguments = cast("tuple[str, ...]", tuple(names))
                        yield cost, (schema.name, arguments), schema.changes(names)

    def _completed(self, schema: OperatorJoin, values: Values) -> Iterator[Values]:
        """Parameters that no positive precondition mentions are bound in every possible way."""
        free = [index for index, value in enumerate(values) if value is None]
        objects = self._simulator.task.objects
        for names in product(*(objects.of_type(schema.parameters[index].type) for index in free)):
            completed = list(values)
            for index, name in zip(free, names, strict=True):
                completed[index] = name
            yield completed


class _Frontier:
    """The states around one, cheapest first; found as far as they have been asked for."""

    def __init__(self, start: StateDelta, means: _Achievers) -> None:
        self._means = means
        # How to get to a state is only carried out when it is its turn: most are never reached.
        self._queue: list[tuple[int, int, object, StateDelta, AddsAndDeletes, tuple[ActionKey, ...]]]
        self._queue = [(0, 0, start.key, start, ((), ()), ())]
        self._cheapest: dict[object, int] = {start.key: 0}
        self._count = 0
        self._cost = 0
        self._settled: list[_Reached] = []

    def __iter__(self) -> Iterator[_Reached]:
        for index in range(self._means.most):
            if index == len(self._settled) and not self._settle():
                return
            yield self._settled[index]

    def _settle(self) -> bool:
        if self._settled:
            self._look_beyond(*self._settled[-1], self._cost)
        while self._queue:
            cost, _, mark, before, changes, told = heappop(self._queue)
            if cost > self._cheapest[mark]:
                continue
            self._cost = cost
            self._settled.append((before.after(*changes) if told else before, told))
            return True
        return False

    def _look_beyond(self, current: StateDelta, told: tuple[ActionKey, ...], cost: int) -> None:
        for price, what, changes in self._means.steps(current):
            total = cost + price
            mark: object = changes[0] if self._means.moves else current.after(*changes).key
            if total < self._cheapest.get(mark, total + 1):
                self._cheapest[mark] = total
                self._count += 1
                heappush(self._queue, (total, self._count, mark, current, changes, (*told, what)))


@dataclass(frozen=True)
class _Way:
    """One effect of an operator that could bring about something wanted."""

    schema: OperatorJoin
    effect: Literal
    binding: Binding


def missing_literals(formulas: Iterable[Formula], state: Container[Atom]) -> Iterator[Literal]:
    """The literals of *formulas* that are false."""
    for formula in formulas:
        for literal in all_literals(formula):
            if (literal.atom in state) != literal.positive:
                yield literal
