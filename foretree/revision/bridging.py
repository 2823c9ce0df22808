"""Bridging: the few actions that make another one possible.

A small cheapest-first search. Only what can bring about what is missing is tried, so it is over at once where
there is nothing to find; what was found is kept for the next time that the same is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias

from foretree.planning.plan import Action
from foretree.planning.semantics import GroundAction, conjuncts, evaluate, fired, state_oracle
from foretree.planning.syntax import (
    TRUE,
    And,
    Effect,
    Formula,
    Literal,
    Operator,
    Or,
    substitute,
    substitute_atom,
)
from foretree.revision.sketch import Sketch
from foretree.revision.task import Task
from foretree.world_model.facts import Atom, Truth
from foretree.world_model.vocabulary import Vocabulary

#: States looked at to find the few actions that make the next one possible.
BRIDGE_STATES = 48

Binding: TypeAlias = dict[str, str]
#: What a bridge was searched for: an action from a state, as far as the search can tell states apart.
_Question: TypeAlias = tuple[str, tuple[str, ...], frozenset[Atom], frozenset[Atom]]


class Simulator:
    """Carries out actions in sketches of a state.

    Args:
        task: the domain, its objects and its costs.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self._parts: dict[tuple[str, tuple[str, ...]], _Parts] = {}

    def possible(self, sketch: Sketch, action: GroundAction) -> bool:
        """Whether *action* may be applied."""
        parts = self._taken_apart(action)
        return (
            all(atom in sketch for atom in parts.needs)
            and not any(atom in sketch for atom in parts.forbids)
            and all(self.holds(sketch, formula) for formula in parts.rest)
        )

    def advance(self, sketch: Sketch, action: GroundAction) -> Sketch:
        """The state after *action*."""
        parts = self._taken_apart(action)
        if parts.unconditional:
            return sketch.after(parts.adds, parts.deletes)
        effects = fired(action, state_oracle(sketch), self.task.objects)
        return sketch.after(
            [effect.atom for effect in effects if effect.positive],
            [effect.atom for effect in effects if not effect.positive],
        )

    def done(self, sketch: Sketch, action: GroundAction) -> bool:
        """Whether everything that *action* does for certain is so already."""
        parts = self._taken_apart(action)
        return (
            bool(parts.adds or parts.deletes)
            and all(atom in sketch for atom in parts.adds)
            and not any(atom in sketch for atom in parts.deletes)
        )

    def holds(self, sketch: Sketch, formula: Formula) -> bool:
        """Whether *formula* is true."""
        return evaluate(formula, state_oracle(sketch), self.task.objects) is Truth.TRUE

    def lacks(self, sketch: Sketch, action: GroundAction) -> list[Formula]:
        """The conditions of *action* that do not hold."""
        return [part for part in conjuncts(action.precondition) if not self.holds(sketch, part)]

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
    )


class Bridges:
    """Finds bridges, from sketches over the same facts.

    Args:
        simulator: carries out what is tried.
        vocabulary: says which atoms exclude each other: on the way to being somewhere, one is elsewhere.
    """

    def __init__(self, simulator: Simulator, vocabulary: Vocabulary) -> None:
        self._simulator = simulator
        self._task = simulator.task
        self._vocabulary = vocabulary
        self._known: dict[_Question, tuple[GroundAction, ...] | None] = {}
        self._schemas = [_Schema(operator) for operator in self._task.domain.operators.values()]
        self._of_type: dict[str, frozenset[str]] = {}

    def find(self, sketch: Sketch, action: GroundAction) -> tuple[GroundAction, ...] | None:
        """The cheapest few actions after which *action* is possible; None if a small search finds none."""
        if self._simulator.possible(sketch, action):
            return ()
        lacking = self._simulator.lacks(sketch, action)
        wanted = tuple(dict.fromkeys(missing_literals(lacking, sketch)))
        ways = self._ways(wanted)
        supplied = {way.effect.atom[0] for way in ways}
        if not all(self._within_reach(part, sketch, ways, supplied) for part in lacking):
            return None
        relevant = {literal.atom[0] for part in conjuncts(action.precondition) for literal in _all(part)}
        for way in ways:
            relevant |= way.schema.predicates
        question = (
            action.name,
            action.arguments,
            frozenset(atom for atom in sketch.plus if atom[0] in relevant),
            frozenset(atom for atom in sketch.minus if atom[0] in relevant),
        )
        if question not in self._known:
            self._known[question] = self._search(sketch, action, ways)
        return self._known[question]

    def _search(
        self, sketch: Sketch, action: GroundAction, ways: Sequence[_Way]
    ) -> tuple[GroundAction, ...] | None:
        queue: list[tuple[int, int, Sketch, tuple[tuple[str, tuple[str, ...]], ...]]] = [(0, 0, sketch, ())]
        cheapest = {sketch.key: 0}
        count = 0
        for _ in range(BRIDGE_STATES):
            if not queue:
                return None
            cost, _, current, steps = heappop(queue)
            if self._simulator.possible(current, action):
                return tuple(self._task.ground(Action("", name, arguments)) for name, arguments in steps)
            if cost > cheapest[current.key]:
                continue
            for schema, binding in self._instances(current, ways):
                following = schema.after(current, binding)
                total = cost + max(1, schema.cost(binding, self._task))
                if total < cheapest.get(following.key, total + 1):
                    cheapest[following.key] = total
                    count += 1
                    heappush(
                        queue, (total, count, following, (*steps, (schema.name, schema.values(binding))))
                    )
        return None

    def _ways(self, wanted: Iterable[Literal]) -> list[_Way]:
        """How each wanted literal could come about: an effect, with what is bound by it."""
        ways: dict[tuple[str, Literal, tuple[tuple[str, str], ...]], _Way] = {}
        for literal in wanted:
            for schema in self._schemas:
                for effect in schema.effects:
                    if effect.positive != literal.positive or effect.atom[0] != literal.atom[0]:
                        continue
                    binding = _unified(effect.atom, self._loosened(literal), {})
                    if binding is not None:
                        key = (schema.name, effect, tuple(sorted(binding.items())))
                        ways.setdefault(key, _Way(schema, effect, binding))
        return list(ways.values())

    def _loosened(self, literal: Literal) -> Atom:
        """Of a place to be at, any place will do as a step on the way."""
        key = self._vocabulary.group_key(literal.atom)
        if key is None or not literal.positive:
            return literal.atom
        return tuple(term if index == 0 or term == key[1] else "" for index, term in enumerate(literal.atom))

    def _within_reach(
        self, formula: Formula, sketch: Sketch, ways: Sequence[_Way], supplied: set[str]
    ) -> bool:
        """Whether *formula* could come about, judging each condition by itself."""
        if isinstance(formula, And):
            return all(self._within_reach(part, sketch, ways, supplied) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self._within_reach(part, sketch, ways, supplied) for part in formula.parts)
        if not isinstance(formula, Literal):
            return self._simulator.holds(sketch, formula)
        if (formula.atom in sketch) == formula.positive:
            return True
        return any(
            way.effect.positive == formula.positive
            and way.effect.atom[0] == formula.atom[0]
            and _unified(way.effect.atom, self._loosened(formula), {}) == way.binding
            and way.schema.within_reach(sketch, way.binding, supplied)
            for way in ways
        )

    def _instances(self, sketch: Sketch, ways: Sequence[_Way]) -> Iterator[tuple[_Schema, Binding]]:
        for way in ways:
            schema = way.schema
            for binding in self._completed(schema, schema.joined(sketch, dict(way.binding), 0)):
                if all(binding[p.name] in self._named(p.type) for p in schema.parameters) and schema.allows(
                    sketch, binding, self._simulator
                ):
                    yield schema, binding

    def _completed(self, schema: _Schema, bindings: Iterable[Binding]) -> Iterator[Binding]:
        """Parameters that no positive precondition mentions are bound in every possible way."""
        for binding in bindings:
            free = next((p for p in schema.parameters if p.name not in binding), None)
            if free is None:
                yield binding
            else:
                names = self._task.objects.of_type(free.type)
                yield from self._completed(schema, ({**binding, free.name: name} for name in names))

    def _named(self, type_name: str) -> frozenset[str]:
        names = self._of_type.get(type_name)
        if names is None:
            names = self._of_type[type_name] = frozenset(self._task.objects.of_type(type_name))
        return names


class _Schema:
    """An operator, taken apart."""

    def __init__(self, operator: Operator) -> None:
        conditions = conjuncts(operator.precondition)
        self.name = operator.name
        self.parameters = operator.parameters
        self.operator = operator
        self.positive = [p.atom for p in conditions if isinstance(p, Literal) and p.positive]
        self.other = [p for p in conditions if not (isinstance(p, Literal) and p.positive)]
        # What happens only sometimes, or to everything at once, is not what one does to get on.
        certain = [e for e in operator.effects if e.condition == TRUE and not e.variables]
        self.effects = [effect.literal for effect in certain] if self._is_plain(operator.effects) else []
        self.predicates = {
            atom[0] for atom in [*self.positive, *(e.literal.atom for e in operator.effects)]
        } | {literal.atom[0] for part in self.other for literal in _all(part)}

    @staticmethod
    def _is_plain(effects: Iterable[Effect]) -> bool:
        return all(effect.condition == TRUE and not effect.variables for effect in effects)

    def values(self, binding: Binding) -> tuple[str, ...]:
        return tuple(binding[parameter.name] for parameter in self.parameters)

    def cost(self, binding: Binding, task: Task) -> int:
        cost = self.operator.cost
        if cost.function is None:
            return cost.constant
        return cost.constant + task.functions.get(substitute_atom(cost.function, binding), 0)

    def after(self, sketch: Sketch, binding: Binding) -> Sketch:
        changes = [(substitute_atom(effect.atom, binding), effect.positive) for effect in self.effects]
        return sketch.after(
            [atom for atom, positive in changes if positive],
            [atom for atom, positive in changes if not positive],
        )

    def joined(self, sketch: Sketch, binding: Binding, depth: int) -> Iterator[Binding]:
        """The ways of extending *binding* so that all positive preconditions hold."""
        if depth == len(self.positive):
            yield binding
            return
        pattern = self.positive[depth]
        if all(term in binding or not term.startswith("?") for term in pattern[1:]):
            if substitute_atom(pattern, binding) in sketch:
                yield from self.joined(sketch, binding, depth + 1)
            return
        for atom in sketch.matching(pattern, binding):
            extended = _unified(pattern, atom, binding)
            if extended is not None:
                yield from self.joined(sketch, extended, depth + 1)

    def allows(self, sketch: Sketch, binding: Binding, simulator: Simulator) -> bool:
        return all(simulator.holds(sketch, substitute(part, binding)) for part in self.other)

    def within_reach(self, sketch: Sketch, binding: Binding, supplied: set[str]) -> bool:
        """Whether each positive precondition holds somehow, or is of a kind that can be brought about."""
        return all(
            pattern[0] in supplied
            or any(_unified(pattern, atom, binding) is not None for atom in sketch.matching(pattern, binding))
            for pattern in self.positive
        )


@dataclass(frozen=True)
class _Way:
    """One effect of an operator that could bring about something wanted."""

    schema: _Schema
    effect: Literal
    binding: Binding


def _unified(pattern: Atom, atom: Atom, binding: Binding) -> Binding | None:
    """*binding*, extended so that *pattern* becomes *atom*; an empty term of the atom stands for anything."""
    extended = dict(binding)
    for term, value in zip(pattern[1:], atom[1:], strict=True):
        if not value:
            continue
        if not term.startswith("?"):
            if term != value:
                return None
        elif extended.setdefault(term, value) != value:
            return None
    return extended


def missing_literals(formulas: Iterable[Formula], sketch: Sketch) -> Iterator[Literal]:
    """The literals of *formulas* that are false."""
    for formula in formulas:
        for literal in _all(formula):
            if (literal.atom in sketch) != literal.positive:
                yield literal


def _all(formula: Formula) -> Iterator[Literal]:
    """The literals of a conjunction or disjunction."""
    if isinstance(formula, Literal):
        yield formula
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from _all(part)
