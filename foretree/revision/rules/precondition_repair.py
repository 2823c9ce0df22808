"""Bridging: the few actions that make another one possible.

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

from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Domain,
    Formula,
    Literal,
    Or,
    Typed,
    atoms_of,
    substitute,
)
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction, fired
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import all_literals, conjuncts, evaluate, state_oracle
from foretree.planning.semantics.operator_index import OperatorParts, index_of, unify
from foretree.revision._state_delta import StateDelta
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.facts import Atom, Truth
from foretree.world_model.beliefs.vocabulary import Vocabulary

#: States looked at to find the few actions that make the next one possible.
REPAIR_STATES = 48

Binding: TypeAlias = dict[str, str]
#: The values of an operator's parameters, in their order; None where there is none yet.
_Values: TypeAlias = list[str | None]
#: What tells sketches apart.
_Key: TypeAlias = tuple[frozenset[Atom], frozenset[Atom]]
#: Literals that are wanted, and whether they are to come about by going elsewhere alone.
_Asked: TypeAlias = tuple[tuple[tuple[Atom, bool], ...], bool]
#: An action, not grounded yet.
_Told: TypeAlias = tuple[str, tuple[str, ...]]
#: What an action makes true, and what false.
Changes: TypeAlias = tuple[tuple[Atom, ...], tuple[Atom, ...]]
#: What an action costs, the action, what it makes true, and what false.
_Step: TypeAlias = tuple[int, _Told, tuple[Atom, ...], tuple[Atom, ...]]
#: A state as far as the search is concerned, the same in full, and the actions that lead there.
_Considered: TypeAlias = tuple[StateDelta, StateDelta, tuple[_Told, ...]]
#: A state, and the actions that lead there.
_Reached: TypeAlias = tuple[StateDelta, tuple[_Told, ...]]


class Simulator:
    """Carries out actions in sketches of one state; keeps what came of it.

    Args:
        task: the domain, its objects and its costs.
    """

    def __init__(self, task: PlanTask) -> None:
        self.task = task
        self._parts: dict[_Told, _Parts] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._after: dict[tuple[_Key, str, tuple[str, ...]], StateDelta] = {}

    def named(self, type_name: str) -> frozenset[str]:
        """The objects of a type."""
        names = self._names.get(type_name)
        if names is None:
            names = self._names[type_name] = frozenset(self.task.objects.of_type(type_name))
        return names

    def possible(self, state: Container[Atom], action: GroundAction) -> bool:
        """Whether *action* may be applied."""
        parts = self._taken_apart(action)
        return (
            all(atom in state for atom in parts.needs)
            and not any(atom in state for atom in parts.forbids)
            and all(self.holds(state, formula) for formula in parts.rest)
        )

    def advance(self, sketch: StateDelta, action: GroundAction) -> StateDelta:
        """The state after *action*."""
        key = (sketch.key, action.name, action.arguments)
        following = self._after.get(key)
        if following is None:
            following = self._after[key] = sketch.after(*self.changes(sketch, action))
        return following

    def changes(self, state: Container[Atom], action: GroundAction) -> Changes:
        """What *action* makes true, and what false; what it does both with is true."""
        parts = self._taken_apart(action)
        if parts.unconditional:
            return parts.adds, parts.deletes
        effects = fired(action, state_oracle(state), self.task.objects)
        return (
            tuple(effect.atom for effect in effects if effect.positive),
            tuple(effect.atom for effect in effects if not effect.positive),
        )

    def done(self, state: Container[Atom], action: GroundAction) -> bool:
        """Whether everything that *action* does for certain is so already."""
        parts = self._taken_apart(action)
        return (
            bool(parts.adds or parts.deletes)
            and all(atom in state for atom in parts.adds)
            and not any(atom in state for atom in parts.deletes)
        )

    def holds(self, state: Container[Atom], formula: Formula) -> bool:
        """Whether *formula* is true."""
        return evaluate(formula, state_oracle(state), self.task.objects) is Truth.TRUE

    def lacks(self, state: Container[Atom], action: GroundAction) -> list[Formula]:
        """The conditions of *action* that do not hold."""
        return [part for part in conjuncts(action.precondition) if not self.holds(state, part)]

    def mentions(self, action: GroundAction) -> frozenset[Atom]:
        """What the precondition of *action* speaks of."""
        return self._taken_apart(action).mentions

    def _taken_apart(self, action: GroundAction) -> _Parts:
        key = (action.name, action.arguments)
        parts = self._parts.get(key)
        if parts is None:
            parts = self._parts[key] = _take_apart(action)
        return parts


@dataclass(frozen=True, slots=True)
class _Parts:
    """A ground action, taken apart for quick checks."""

    needs: tuple[Atom, ...]
    forbids: tuple[Atom, ...]
    rest: tuple[Formula, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    unconditional: bool
    mentions: frozenset[Atom]


def _take_apart(action: GroundAction) -> _Parts:
    conditions = conjuncts(action.precondition)
    literals = [part for part in conditions if isinstance(part, Literal)]
    effects = [effect.literal for effect in action.effects if effect.condition == TRUE]
    adds = tuple(effect.atom for effect in effects if effect.positive)
    return _Parts(
        tuple(part.atom for part in literals if part.positive),
        tuple(part.atom for part in literals if not part.positive),
        tuple(part for part in conditions if not isinstance(part, Literal)),
        adds,
        tuple(effect.atom for effect in effects if not effect.positive and effect.atom not in adds),
        len(effects) == len(action.effects),
        frozenset(atoms_of(action.precondition)),
    )


class PreconditionRepair:
    """Finds bridges, from sketches over the same facts.

    Args:
        simulator: carries out what is tried.
        vocabulary: says which atoms exclude each other: on the way to being somewhere, one is elsewhere.
        states: how many states are looked at to find a bridge.
    """

    def __init__(self, simulator: Simulator, vocabulary: Vocabulary, states: int = REPAIR_STATES) -> None:
        self._simulator = simulator
        self._states = states
        self._task = simulator.task
        self._vocabulary = vocabulary
        self._schemas: dict[str, _Schema] = {}
        self._means: dict[_Asked, _Means] = {}
        self._carriers: dict[str, bool] = {}
        self._found: dict[tuple[_Key, str, tuple[str, ...], bool], tuple[GroundAction, ...] | None] = {}

    def find(
        self, sketch: StateDelta, action: GroundAction, *, ways_only: bool = False
    ) -> tuple[GroundAction, ...] | None:
        """The cheapest few actions after which *action* is possible; None if a small search finds none.

        Args:
            sketch: from which state.
            action: what is to become possible.
            ways_only: whether to do nothing but go elsewhere.
        """
        if self._simulator.possible(sketch, action):
            return ()
        key = (sketch.key, action.name, action.arguments, ways_only)
        if key not in self._found:
            self._found[key] = self._search(sketch, action, ways_only)
        return self._found[key]

    def _search(
        self, sketch: StateDelta, action: GroundAction, ways_only: bool
    ) -> tuple[GroundAction, ...] | None:
        lacking = self._simulator.lacks(sketch, action)
        means = self._means_to(missing_literals(lacking, sketch), ways_only)
        if not all(self._within_reach(part, sketch, means) for part in lacking):
            return None
        simple = [part for part in lacking if isinstance(part, Literal)]
        around = self._around if means.moves else self._beside
        for state, following, steps in around(sketch, means):
            if not all((part.atom in state) == part.positive for part in simple):
                continue
            if self._simulator.possible(following, action):
                return tuple(self._task.ground(Action("", name, arguments)) for name, arguments in steps)
        return None

    def _beside(self, sketch: StateDelta, means: _Means) -> Iterator[_Considered]:
        """The states that *means* lead to. What they have nothing to do with stays as it is."""
        plus = frozenset(atom for atom in sketch.plus if atom[0] not in means.predicates)
        minus = frozenset(atom for atom in sketch.minus if atom[0] not in means.predicates)
        for state, steps in means.from_(StateDelta(sketch.facts, sketch.plus - plus, sketch.minus - minus)):
            yield state, StateDelta(sketch.facts, plus | state.plus, minus | state.minus), steps

    def _around(self, sketch: StateDelta, means: _Means) -> Iterator[_Considered]:
        """Where the robot can get. The map seldom changes, so what is found out about it is kept."""
        here = frozenset(atom for predicate in means.supplied for atom in sketch.matching(predicate))
        static = tuple(sorted(means.predicates - means.supplied))
        places = frozenset(atom for predicate in static for atom in sketch.matching(predicate))
        key = (means.asked, places)
        kept = self._task.worked_out.get(key)
        if not isinstance(kept, _Map):
            kept = _Map(
                AtomIndex(places), _Means(means.asked, means.ways, Simulator(self._task), True, self._states)
            )
            self._task.worked_out[key] = kept
        for state, steps in kept.means.from_(StateDelta(kept.facts, here)):
            yield state, sketch.after(state.plus - here, here - state.plus), steps

    def carries(self, name: str) -> bool:
        """Whether an action does nothing but bring the robot elsewhere."""
        carries = self._carriers.get(name)
        if carries is None:
            effects = self._task.domain.operators[name].effects
            vocabulary = self._vocabulary
            carries = self._carriers[name] = bool(effects) and all(
                effect.condition == TRUE
                and vocabulary[effect.literal.atom[0]].kind == "robot"
                and vocabulary.group_key(effect.literal.atom) is not None
                for effect in effects
            )
        return carries

    def _means_to(self, wanted: Iterable[Literal], ways_only: bool) -> _Means:
        """What could bring about what is *wanted*."""
        literals = dict.fromkeys((self._loosened(literal), literal.positive) for literal in wanted)
        key = (tuple(literals), ways_only)
        means = self._means.get(key)
        if means is None:
            ways = {
                (schema.name, effect, tuple(sorted(binding.items()))): _Way(schema, effect, binding)
                for atom, positive in literals
                for schema in self._schemas_for(atom[0], positive)
                if not ways_only or self.carries(schema.name)
                for effect in schema.effects
                if effect.positive == positive
                and effect.atom[0] == atom[0]
                and (binding := unify(effect.atom, atom)) is not None
            }
            moves = all(self.carries(way.schema.name) for way in ways.values())
            means = self._means[key] = _Means(key, list(ways.values()), self._simulator, moves, self._states)
        return means

    def _schemas_for(self, predicate: str, positive: bool) -> Iterator[_Schema]:
        """The operators that may make an atom of *predicate* true, or false."""
        index = index_of(self._task.domain)
        for operator in {o.name: o for o, _ in index.achievers(predicate, positive)}.values():
            schema = self._schemas.get(operator.name)
            if schema is None:
                schema = self._schemas[operator.name] = _Schema(index.parts(operator), self._task.domain)
            yield schema

    def _loosened(self, literal: Literal) -> Atom:
        """Of a place to be at, any place will do as a step on the way."""
        key = self._vocabulary.group_key(literal.atom)
        if key is None or not literal.positive:
            return literal.atom
        return tuple(term if index == 0 or term == key[1] else "" for index, term in enumerate(literal.atom))

    def _within_reach(self, formula: Formula, sketch: StateDelta, means: _Means) -> bool:
        """Whether *formula* could come about, judging each condition by itself."""
        if isinstance(formula, And):
            return all(self._within_reach(part, sketch, means) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self._within_reach(part, sketch, means) for part in formula.parts)
        if not isinstance(formula, Literal):
            return self._simulator.holds(sketch, formula)
        if (formula.atom in sketch) == formula.positive:
            return True
        return any(
            way.effect.positive == formula.positive
            and way.effect.atom[0] == formula.atom[0]
            and unify(way.effect.atom, self._loosened(formula)) == way.binding
            and way.schema.within_reach(sketch, way.binding, means.supplied)
            for way in means.ways
        )


@dataclass(frozen=True, slots=True)
class _Map:
    """What is known about getting from place to place."""

    facts: AtomIndex
    means: _Means


class _Means:
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
        self._steps: dict[_Key, tuple[_Step, ...]] = {}
        self._frontiers: dict[_Key, _Frontier] = {}

    def from_(self, start: StateDelta) -> Iterator[_Reached]:
        """The states that can be reached from *start*, cheapest first: at most :attr:`most`."""
        frontier = self._frontiers.get(start.key)
        if frontier is None:
            frontier = self._frontiers[start.key] = _Frontier(start, self)
        return iter(frontier)

    def steps(self, sketch: StateDelta) -> tuple[_Step, ...]:
        """What can be done in a state: for each action what it costs, and what it changes."""
        steps = self._steps.get(sketch.key)
        if steps is None:
            steps = self._steps[sketch.key] = tuple(self._possible(sketch))
        return steps

    def _possible(self, sketch: StateDelta) -> Iterator[_Step]:
        for way in self.ways:
            schema = way.schema
            for values in schema.joined(sketch, schema.bound(way.binding)):
                for names in self._completed(schema, values) if None in values else (values,):
                    if schema.fits(names, self._simulator) and schema.allows(sketch, names, self._simulator):
                        cost = max(1, schema.cost(names, self._simulator.task))
                        yield (
                            cost,
                            (schema.name, schema.filled(names)),
                            schema.adds(names),
                            schema.deletes(names),
                        )

    def _completed(self, schema: _Schema, values: _Values) -> Iterator[_Values]:
        """Parameters that no positive precondition mentions are bound in every possible way."""
        free = [index for index, value in enumerate(values) if value is None]
        objects = self._simulator.task.objects
        for names in product(*(objects.of_type(schema.parameters[index].type) for index in free)):
            completed = list(values)
            for index, name in zip(free, names, strict=True):
                completed[index] = name
            yield completed


class _Frontier:
    """The states around one, cheapest first; found as far as anybody has asked for them."""

    def __init__(self, start: StateDelta, means: _Means) -> None:
        self._means = means
        # How to get to a state is only carried out when it is its turn: most are never reached.
        self._queue: list[tuple[int, int, object, StateDelta, Changes, tuple[_Told, ...]]]
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
            cost, _, mark, before, (adds, deletes), told = heappop(self._queue)
            if cost > self._cheapest[mark]:
                continue
            self._cost = cost
            self._settled.append((before.after(adds, deletes) if told else before, told))
            return True
        return False

    def _look_beyond(self, current: StateDelta, told: tuple[_Told, ...], cost: int) -> None:
        for price, what, adds, deletes in self._means.steps(current):
            total = cost + price
            mark: object = adds if self._means.moves else current.after(adds, deletes).key
            if total < self._cheapest.get(mark, total + 1):
                self._cheapest[mark] = total
                self._count += 1
                changes = (adds, deletes)
                heappush(self._queue, (total, self._count, mark, current, changes, (*told, what)))


class _Pattern:
    """An atom of a schema, by the places of its parameters: quick to fill in."""

    __slots__ = ("_fill", "predicate", "terms")

    def __init__(self, atom: Atom, places: Mapping[str, int]) -> None:
        self.predicate = atom[0]
        self.terms = tuple((places.get(term, -1), term) for term in atom[1:])
        only_parameters = len(self.terms) > 1 and all(place >= 0 for place, _ in self.terms)
        self._fill = itemgetter(*(place for place, _ in self.terms)) if only_parameters else None

    def filled(self, values: _Values) -> Atom:
        """The atom, with the parameters' values; all must have one."""
        if self._fill is not None:
            return (self.predicate, *self._fill(values))
        return (self.predicate, *[values[place] or "" if place >= 0 else term for place, term in self.terms])

    def known(self, values: _Values) -> tuple[int, str] | None:
        """A position whose term is known, and the term."""
        for position, (place, term) in enumerate(self.terms, 1):
            value = term if place < 0 else values[place]
            if value is not None:
                return position, value
        return None

    def matched(self, atom: Atom, values: _Values) -> _Values | None:
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


class _Schema:
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
        self.predicates = {
            atom[0] for atom in [*positive, *(effect.literal.atom for effect in operator.effects)]
        } | {literal.atom[0] for part in self.other for literal in all_literals(part)}
        self._places = places
        self._positive = [_Pattern(atom, places) for atom in positive]
        self._adds = [_Pattern(effect.atom, places) for effect in self.effects if effect.positive]
        self._deletes = [_Pattern(effect.atom, places) for effect in self.effects if not effect.positive]
        self._checked = [
            (index, parameter.type)
            for index, parameter in enumerate(operator.parameters)
            if not _typed_by(positive, parameter, domain)
        ]
        self._cost = operator.cost.constant
        function = operator.cost.function
        self._function = None if function is None else _Pattern(function, places)

    def bound(self, binding: Binding) -> _Values:
        """The parameters' values, as far as they are bound."""
        return [binding.get(parameter.name) for parameter in self.parameters]

    def filled(self, values: _Values) -> tuple[str, ...]:
        """The values of all parameters; each must have one."""
        return cast("tuple[str, ...]", tuple(values))

    def cost(self, values: _Values, task: PlanTask) -> int:
        if self._function is None:
            return self._cost
        return self._cost + task.functions.get(self._function.filled(values), 0)

    def adds(self, values: _Values) -> tuple[Atom, ...]:
        return tuple([pattern.filled(values) for pattern in self._adds])

    def deletes(self, values: _Values) -> tuple[Atom, ...]:
        return tuple([pattern.filled(values) for pattern in self._deletes])

    def joined(self, sketch: StateDelta, values: _Values) -> list[_Values]:
        """The ways of extending *values* so that all positive preconditions hold."""
        rows = [values]
        for pattern in self._positive:
            rows = [
                extended
                for row in rows
                for atom in sketch.matching(pattern.predicate, pattern.known(row))
                if (extended := pattern.matched(atom, row)) is not None
            ]
        return rows

    def fits(self, values: _Values, simulator: Simulator) -> bool:
        """Whether each value is of its parameter's type, as far as that does not go without saying."""
        return all(values[index] in simulator.named(type_name) for index, type_name in self._checked)

    def allows(self, sketch: StateDelta, values: _Values, simulator: Simulator) -> bool:
        """Whether the other preconditions hold."""
        if not self.other:
            return True
        binding = {name: values[place] or "" for name, place in self._places.items()}
        return all(simulator.holds(sketch, substitute(part, binding)) for part in self.other)

    def within_reach(self, sketch: StateDelta, binding: Binding, supplied: set[str]) -> bool:
        """Whether each positive precondition holds somehow, or is of a kind that can be brought about."""
        values = self.bound(binding)
        return all(
            pattern.predicate in supplied
            or any(
                pattern.matched(atom, values) is not None
                for atom in sketch.matching(pattern.predicate, pattern.known(values))
            )
            for pattern in self._positive
        )


def _typed_by(atoms: Iterable[Atom], parameter: Typed, domain: Domain) -> bool:
    """Whether one of *atoms* only ever holds of things of the parameter's type."""
    return any(
        term == parameter.name and domain.is_a(declared.type, parameter.type)
        for atom in atoms
        for term, declared in zip(atom[1:], domain.predicates.get(atom[0], ()), strict=False)
    )


@dataclass(frozen=True)
class _Way:
    """One effect of an operator that could bring about something wanted."""

    schema: _Schema
    effect: Literal
    binding: Binding


def missing_literals(formulas: Iterable[Formula], state: Container[Atom]) -> Iterator[Literal]:
    """The literals of *formulas* that are false."""
    for formula in formulas:
        for literal in all_literals(formula):
            if (literal.atom in state) != literal.positive:
                yield literal
