"""The safety net under retrieval: whatever the goal needs and was not retrieved is added, the nearest first.

An instruction can be worded in more ways than any retriever understands; its goal says what has to be so. So
before planning on a few nodes only, they are completed:

* every thing that the goal names is needed, and with it the node where it is. Of what the goal only
  quantifies over, as many things are needed as it asks for.
* what has to become so takes an action, and the action takes things: something that affords heating, a
  knife. If no retrieved node has them, the nodes where they cost least are added.

The second part looks at actions in a relaxed way: nothing is ever undone, and where a thing is does not
matter, because a robot can bring together whatever is at nodes that it has. What remains is how things
*are*, one thing at a time, and that is small enough to be worked out for a whole building in milliseconds.
Hence what is added is needed for *some* plan in this relaxed sense, and without it, there would be none.
That there is a plan in earnest is for the planner to find out: when it finds none on the completed nodes,
it has to be given all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from typing import TypeAlias

from foretree.planning.semantics import conjuncts, evaluate, negate, state_oracle
from foretree.planning.syntax import (
    And,
    Count,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    Problem,
    Typed,
    constants_of,
    show,
    substitute,
)
from foretree.reasoning.retrieval.retriever import Hit
from foretree.world_model.facts import Truth

#: How one thing is or is not: a unary predicate, whether it holds, and the thing.
_State: TypeAlias = tuple[str, bool, str]
#: The same about any thing.
_Kind: TypeAlias = tuple[str, bool]


def complete(
    nodes: Iterable[str],
    problem: Problem,
    node_of: Mapping[str, str],
    costs: Mapping[str, int] | None = None,
) -> tuple[Hit, ...]:
    """The nodes that *problem* needs besides those that were retrieved.

    Args:
        nodes: those that were retrieved.
        problem: the problem with everything there is in it.
        node_of: where things are, by name; what has no node (a hand, a door) is at hand.
        costs: what it costs the robot to get to a node; without it, all nodes are equally near.
    """
    return _Completion(nodes, problem, node_of, costs or {}).run()


@dataclass(frozen=True, slots=True)
class _Part:
    """What an action asks of the thing that plays one part in it, of that thing alone."""

    candidates: tuple[str, ...]
    states: tuple[_Kind, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """An action that makes something so.

    Attributes:
        action: its name.
        makes: what it makes so.
        arguments: the part that each argument of *makes* plays; None for a constant.
        parts: what the action asks of each part.
    """

    action: str
    makes: _Kind
    arguments: tuple[int | None, ...]
    parts: tuple[_Part, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    """The cheapest things for the parts of an action, and what they cost together."""

    cost: float
    way: _Way
    cast: tuple[str, ...]


class _Completion:
    """The work of one :func:`complete`."""

    def __init__(
        self, nodes: Iterable[str], problem: Problem, node_of: Mapping[str, str], costs: Mapping[str, int]
    ) -> None:
        self.problem = problem
        self.node_of = node_of
        self.costs = costs
        self.kept = set(nodes)
        self.added: list[Hit] = []
        self.truth = state_oracle(problem.init)
        self.ways = _Ways(problem)
        self.chosen: dict[_State, _Choice] | None = None

    def run(self) -> tuple[Hit, ...]:
        for name in sorted(constants_of(self.problem.goal)):
            self._keep(name, f"the goal names {name}")
        self._require(self.problem.goal)
        return tuple(self.added)

    def _keep(self, name: str, why: str) -> None:
        node = self.node_of.get(name)
        if node is not None and node not in self.kept:
            self.kept.add(node)
            self.added.append(Hit(node, why))
            self.chosen = None

    def _price(self, name: str) -> int:
        """What it takes to have a thing: nothing if its node is there already."""
        node = self.node_of.get(name)
        return 0 if node is None or node in self.kept else 1 + self.costs.get(node, 0)

    # -- the goal ----------------------------------------------------------------------------------------
    def _require(self, formula: Formula) -> None:
        """Keep what it takes to make *formula* true."""
        if evaluate(formula, self.truth, self.problem) is Truth.TRUE:
            return
        if isinstance(formula, Literal):
            self._achieve(formula)
        elif isinstance(formula, And):
            for part in formula.parts:
                self._require(part)
        elif isinstance(formula, Or) and formula.parts:
            self._require_named(min(formula.parts, key=self._price_of))
        elif isinstance(formula, Not) and not isinstance(formula.part, (Equal, Count)):
            self._require(negate(formula.part))
        elif isinstance(formula, Exists):
            self._require_named(substitute(formula.body, self._cast(formula.variables, formula.body)))
        elif isinstance(formula, Forall):
            names = [self.problem.of_type(variable.type) for variable in formula.variables]
            for values in product(*names):
                binding = {v.name: name for v, name in zip(formula.variables, values, strict=True)}
                self._require_named(substitute(formula.body, binding))
        elif isinstance(formula, Count):
            self._require_count(formula)

    def _require_named(self, formula: Formula) -> None:
        if evaluate(formula, self.truth, self.problem) is not Truth.TRUE:
            for name in sorted(constants_of(formula)):
                self._keep(name, f"{name} takes part in the goal")
            self._require(formula)

    def _require_count(self, formula: Count) -> None:
        """As many things as shall be so; and those that are so already, where they are too many."""
        variable = formula.variable
        so = [name for name in self.problem.of_type(variable.type) if self._is_so(formula, name)]
        for name in so:
            self._keep(name, f"{name} takes part in the goal")
        missing = formula.at_least - len(so)
        for name in self._nearest(variable, formula.body, but=so)[: max(0, missing)]:
            self._require_named(substitute(formula.body, {variable.name: name}))

    def _is_so(self, formula: Count, name: str) -> bool:
        body = substitute(formula.body, {formula.variable.name: name})
        return evaluate(body, self.truth, self.problem) is Truth.TRUE

    def _cast(self, variables: Sequence[Typed], body: Formula) -> dict[str, str]:
        """A thing for each variable, each another one, the nearest first."""
        cast: dict[str, str] = {}
        for variable in variables:
            nearest = self._nearest(variable, body, but=cast.values())
            if nearest:
                cast[variable.name] = nearest[0]
        return cast

    def _nearest(self, variable: Typed, body: Formula, but: Collection[str]) -> list[str]:
        asked = [literal for literal in _literals(body) if literal.atom[1:] == (variable.name,)]
        names = [
            name
            for name in self.problem.of_type(variable.type)
            if name not in but and all(self.ways.may_be(literal, name) for literal in asked)
        ]
        return sorted(names, key=lambda name: (self._price(name), name))

    def _price_of(self, formula: Formula) -> float:
        return sum(map(self._price, sorted(constants_of(formula))))

    # -- actions -----------------------------------------------------------------------------------------
    def _achieve(self, literal: Literal) -> None:
        """Keep what some action takes that makes *literal* so."""
        self._follow(self._cheapest_for(literal), show(literal), set())

    def _cheapest_for(self, literal: Literal) -> _Choice | None:
        choices = self._choices(literal)
        found: list[_Choice] = []
        for way in self.ways.making((literal.atom[0], literal.positive)):
            fixed = {
                part: name
                for part, name in zip(way.arguments, literal.atom[1:], strict=True)
                if part is not None
            }
            choice = self._fill(way, fixed, choices)
            if choice is not None:
                found.append(choice)
        return min(found, key=lambda choice: choice.cost, default=None)

    def _follow(self, choice: _Choice | None, purpose: str, seen: set[_State]) -> None:
        if choice is None:
            return
        for part, name in zip(choice.way.parts, choice.cast, strict=True):
            self._keep(name, f"{choice.way.action} takes {name}, for {purpose}")
            for predicate, positive in part.states:
                state = (predicate, positive, name)
                if state not in seen and not self._holds(state):
                    seen.add(state)
                    self._follow(self._cheapest_for(Literal((predicate, name), positive)), purpose, seen)

    def _holds(self, state: _State) -> bool:
        predicate, positive, name = state
        return ((predicate, name) in self.problem.init) is positive

    def _choices(self, literal: Literal) -> Mapping[_State, _Choice]:
        """The cheapest way to every state that matters for *literal*, with what is kept by now."""
        chosen: dict[_State, _Choice] = {}
        ways = self.ways.towards((literal.atom[0], literal.positive))
        changed = True
        while changed:
            changed = False
            for way in ways:
                if len(way.arguments) != 1 or way.arguments[0] is None:
                    continue
                changed |= self._improve(way, way.arguments[0], chosen)
        return chosen

    def _improve(self, way: _Way, subject: int, chosen: dict[_State, _Choice]) -> bool:
        """Whether *way* makes something so more cheaply than was known."""
        best = self._best(way, chosen)
        improved = False
        for name in way.parts[subject].candidates:
            state = (*way.makes, name)
            if self._holds(state):
                continue
            choice = self._fill(way, {subject: name}, chosen, best)
            if choice is not None and (state not in chosen or choice.cost < chosen[state].cost):
                chosen[state] = choice
                improved = True
        return improved

    def _fill(
        self,
        way: _Way,
        fixed: Mapping[int, str],
        chosen: Mapping[_State, _Choice],
        best: Sequence[Sequence[tuple[float, str]]] | None = None,
    ) -> _Choice | None:
        """The cheapest cast of an action with some parts given; None when a part cannot be filled."""
        best = best or self._best(way, chosen)
        total, cast = 1.0, []
        for number, part in enumerate(way.parts):
            if number in fixed:
                name = fixed[number]
                cost = self._cost(part, name, chosen) if name in part.candidates else inf
            else:
                others = (one for one in best[number] if one[1] not in fixed.values())
                cost, name = next(others, (inf, ""))
            if cost == inf:
                return None
            total += cost
            cast.append(name)
        return _Choice(total, way, tuple(cast))

    def _best(self, way: _Way, chosen: Mapping[_State, _Choice]) -> list[list[tuple[float, str]]]:
        """For each part the things that play it most cheaply: one more than there can be given parts."""
        few = len(way.arguments) + 1
        return [
            sorted((self._cost(part, name, chosen), name) for name in part.candidates)[:few]
            for part in way.parts
        ]

    def _cost(self, part: _Part, name: str, chosen: Mapping[_State, _Choice]) -> float:
        total: float = self._price(name)
        for predicate, positive in part.states:
            state = (predicate, positive, name)
            if not self._holds(state):
                choice = chosen.get(state)
                total += inf if choice is None else choice.cost
        return total


class _Ways:
    """By which actions things become so, and what these ask of each thing alone."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._changing = {e.literal.atom[0] for o in problem.domain.operators.values() for e in o.effects}
        self._making: dict[_Kind, list[tuple[Operator, Effect]]] = {}
        for operator in problem.domain.operators.values():
            for effect in operator.effects:
                kind = (effect.literal.atom[0], effect.literal.positive)
                self._making.setdefault(kind, []).append((operator, effect))
        self._known: dict[_Kind, tuple[_Way, ...]] = {}
        self._candidates: dict[tuple[str, tuple[Literal, ...]], tuple[str, ...]] = {}

    def making(self, kind: _Kind) -> tuple[_Way, ...]:
        """The actions that make a predicate true, or false."""
        if kind not in self._known:
            ways = (self._way(operator, effect) for operator, effect in self._making.get(kind, ()))
            self._known[kind] = tuple(way for way in ways if all(part.candidates for part in way.parts))
        return self._known[kind]

    def towards(self, kind: _Kind) -> list[_Way]:
        """The actions that make it so, those that make so what these need, and so on."""
        found: list[_Way] = []
        seen, waiting = {kind}, [kind]
        while waiting:
            for way in self.making(waiting.pop(0)):
                found.append(way)
                for needed in (state for part in way.parts for state in part.states):
                    if needed not in seen:
                        seen.add(needed)
                        waiting.append(needed)
        return found

    def may_be(self, literal: Literal, name: str) -> bool:
        """Whether a thing is or may become what a unary literal says of a variable."""
        predicate = literal.atom[0]
        return predicate in self._changing or ((predicate, name) in self._problem.init) is literal.positive

    def _way(self, operator: Operator, effect: Effect) -> _Way:
        parameters = (*operator.parameters, *effect.variables)
        numbers = {parameter.name: number for number, parameter in enumerate(parameters)}
        asked = [*_literals(operator.precondition), *_literals(effect.condition)]
        return _Way(
            operator.name,
            (effect.literal.atom[0], effect.literal.positive),
            tuple(numbers.get(term) for term in effect.literal.atom[1:]),
            tuple(self._part(parameter, asked) for parameter in parameters),
        )

    def _part(self, parameter: Typed, asked: Iterable[Literal]) -> _Part:
        own = [literal for literal in asked if literal.atom[1:] == (parameter.name,)]
        static = tuple(
            Literal((one.atom[0],), one.positive) for one in own if one.atom[0] not in self._changing
        )
        states = ((one.atom[0], one.positive) for one in own if one.atom[0] in self._changing)
        return _Part(self._able(parameter.type, static), tuple(dict.fromkeys(states)))

    def _able(self, type_name: str, static: tuple[Literal, ...]) -> tuple[str, ...]:
        """The things of a type that are, for good, what is asked."""
        key = (type_name, static)
        if key not in self._candidates:
            self._candidates[key] = tuple(
                name
                for name in self._problem.of_type(type_name)
                if all(((one.atom[0], name) in self._problem.init) is one.positive for one in static)
            )
        return self._candidates[key]


def _literals(formula: Formula) -> Iterator[Literal]:
    """The literals that *formula* asks for in any case. What stands in a disjunction is left out."""
    for part in conjuncts(formula):
        if isinstance(part, Literal):
            yield part
        elif isinstance(part, Not) and isinstance(part.part, Literal):
            yield ~part.part
