"""Relevance for a goal: the things that it needs, and their nodes; the nearest first.

In a building there is more than any search can consider, and most of it has nothing to do with the goal. What
has is found here, starting from the nodes that are known to matter (because an instruction speaks of them,
say):

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

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from foretree.planning.pddl.syntax import (
    And,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Problem,
    Typed,
    constants_of,
    show,
    substitute,
)
from foretree.planning.semantics.evaluation import (
    bindings,
    conjuncts,
    evaluate,
    literals_of,
    negate,
    state_oracle,
    witness,
)
from foretree.planning.task._achiever_requirements import (
    AchieverAnalysis,
    AchieverRequirements,
    RoleRequirement,
)
from foretree.world_model.beliefs.facts import Truth

#: As many actions one after the other, each for the next, are thought of. For sugar in a drink it takes four.
_DEEPEST = 8
#: What a way costs of which nothing is known: the same as any other such way.
_UNKNOWN_WAY = 1_000


@dataclass(frozen=True)
class Relevance:
    """The things and nodes that a goal needs.

    Attributes:
        nodes: those that were not known to matter, each with the reason why it does.
        things: what takes part, wherever it is.
        in_the_way: of these, what is in a state that has to end first: what keeps it so may matter.
    """

    nodes: Mapping[str, str]
    things: frozenset[str]
    in_the_way: frozenset[str]


def find_relevant(
    problem: Problem,
    node_of: Mapping[str, str],
    distances: Callable[[str], Mapping[str, int]] | None = None,
    nodes: Iterable[str] = (),
    *,
    alternatives: bool = False,
) -> Relevance:
    """Return what *problem* needs.

    Args:
        problem: the problem with everything there is in it.
        node_of: where things are, by name; what has no node (a hand, a door) is at hand.
        distances: what it costs to get from a node to others, as
            :meth:`~foretree.world_model.maps.places.PlaceGraph.distances` says it; without it, all are
            equally near.
        nodes: those that are known to matter.
        alternatives: think not only of the cheapest kind of action that brings something about, but of every
            kind for which other things are ready as they are.
    """
    return _Search(nodes, problem, node_of, distances, alternatives).run()


def possible_supports(problem: Problem, predicate: str) -> tuple[str, ...]:
    """Everything that some action can make another thing be so at: ``on`` has all that things are put on."""
    found: dict[str, None] = {}
    for way in AchieverAnalysis(problem).making((predicate, True)):
        last = way.arguments[-1]
        if last is not None:
            found.update(dict.fromkeys(way.parts[last].able))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The cheapest things for the parts of an action, and what they cost together."""

    cost: float
    way: AchieverRequirements
    chosen: tuple[str, ...]


class _Search:
    """The work of one :func:`find_relevant`."""

    def __init__(
        self,
        nodes: Iterable[str],
        problem: Problem,
        node_of: Mapping[str, str],
        distances: Callable[[str], Mapping[str, int]] | None,
        alternatives: bool,
    ) -> None:
        self.problem = problem
        self.node_of = node_of
        self.distances = distances
        self.kept: set[str] = set()
        #: How far each node is from the nearest one that is kept.
        self.way: dict[str, int] = {}
        for node in nodes:
            self._keep_node(node)
        self.alternatives = alternatives
        self.followed: set[Literal] = set()
        #: What the goal asks and is so already. It has to be so in the end, whatever is done in between.
        self.so_already: set[Literal] = set()
        self.added: dict[str, str] = {}
        self.things: set[str] = set()
        self.in_the_way: set[str] = set()
        self.truth = state_oracle(problem.init)
        self.ways = AchieverAnalysis(problem)
        self.unmet: dict[tuple[RoleRequirement, str], list[Literal]] = {}
        # These hold for what is kept by now.
        self.cheapest: dict[tuple[Literal, int], _Choice | None] = {}
        self.candidates: dict[RoleRequirement, list[tuple[int, int, str]]] = {}
        self.fillers: dict[tuple[RoleRequirement, int, frozenset[str]], tuple[float, str]] = {}

    def run(self) -> Relevance:
        for part in conjuncts(self.problem.goal):
            # Of alternatives, one will do.
            for name in () if isinstance(part, Or) else sorted(constants_of(part)):
                self._keep(name, f"the goal names {name}")
        self._require(self.problem.goal)
        return Relevance(self.added, frozenset(self.things), frozenset(self.in_the_way))

    def _keep(self, name: str, why: str) -> None:
        self.things.add(name)
        node = self.node_of.get(name)
        if node is not None and node not in self.kept:
            self._keep_node(node)
            self.added[node] = why
            self.cheapest.clear()
            self.candidates.clear()
            self.fillers.clear()

    def _keep_node(self, node: str) -> None:
        self.kept.add(node)
        if self.distances is not None:
            for other, cost in self.distances(node).items():
                self.way[other] = min(cost, self.way.get(other, cost))

    def _price(self, name: str) -> int:
        """Return the price of a thing: nothing if its node is there already, else the way there."""
        node = self.node_of.get(name)
        return 0 if node is None or node in self.kept else 1 + self.way.get(node, _UNKNOWN_WAY)

    # -- the goal ----------------------------------------------------------------------------------------
    def _require(self, formula: Formula) -> None:
        """Keep what it takes to make *formula* true, or what it is true by."""
        if isinstance(formula, And):
            self._require_all(formula.parts)
        elif isinstance(formula, Count):
            self._require_count(formula)
        elif isinstance(formula, Not) and isinstance(formula.part, Count):
            self._keep_all(self._satisfying(formula.part))
        elif self._is_so(formula):
            if isinstance(formula, (Exists, Or)):
                for literal in sorted(witness(formula, self.truth, self.problem), key=show):
                    self._keep_all(literal.atom[1:])
        elif isinstance(formula, Literal):
            self._follow(formula, _DEEPEST, show(formula))
        elif isinstance(formula, Or) and formula.parts:
            self._require_named(
                min(formula.parts, key=lambda part: sum(map(self._price, constants_of(part))))
            )
        elif isinstance(formula, Not) and not isinstance(formula.part, Equal):
            self._require(negate(formula.part))
        elif isinstance(formula, Exists):
            self._require_named(substitute(formula.body, self._choose(formula.variables, formula.body)))
        elif isinstance(formula, Forall):
            for binding in bindings(formula.variables, self.problem):
                self._require_named(substitute(formula.body, binding))

    def _require_all(self, parts: Sequence[Formula]) -> None:
        self.so_already.update(part for part in parts if isinstance(part, Literal) and self._is_so(part))
        for part in parts:
            self._require(part)

    def _is_so(self, formula: Formula) -> bool:
        """Return whether *formula* holds initially."""
        return evaluate(formula, self.truth, self.problem) is Truth.TRUE

    def _require_named(self, formula: Formula) -> None:
        if not self._is_so(formula):
            self._keep_all(sorted(constants_of(formula)))
            self._require(formula)

    def _require_count(self, formula: Count) -> None:
        """Keep as many things as shall be so; where they must not be too many, all that are so already."""
        so = self._satisfying(formula)
        if formula.at_most is None:
            so = so[: formula.at_least]
        self._keep_all(so)
        variable = formula.variable
        while len(so) < formula.at_least and (nearest := self._nearest(variable, formula.body, but=so)):
            so.append(nearest)
            self._require_named(substitute(formula.body, {variable.name: nearest}))

    def _satisfying(self, formula: Count) -> list[str]:
        """The things of which what is counted is true now, the nearest first."""
        name = formula.variable.name
        return [
            thing
            for thing in self._by_price(self.problem.of_type(formula.variable.type))
            if self._is_so(substitute(formula.body, {name: thing}))
        ]

    def _keep_all(self, names: Iterable[str]) -> None:
        for name in names:
            self._keep(name, f"{name} takes part in the goal")

    def _choose(self, variables: Sequence[Typed], body: Formula) -> dict[str, str]:
        """A thing for each variable, each another one, the nearest first."""
        chosen: dict[str, str] = {}
        for variable in variables:
            nearest = self._nearest(variable, body, but=chosen.values())
            if nearest is not None:
                chosen[variable.name] = nearest
        return chosen

    def _nearest(self, variable: Typed, body: Formula, but: Collection[str]) -> str | None:
        """The nearest thing that can serve; where none can, as far as one can see, the nearest of all."""
        asked = [literal for literal in literals_of(body) if literal.atom[1:] == (variable.name,)]
        names = self._by_price(
            name
            for name in self.problem.of_type(variable.type)
            if name not in but and all(self.ways.may_be(literal, name) for literal in asked)
        )
        serving = (name for name in names if self._can_be(substitute(body, {variable.name: name})))
        return next(serving, names[0] if names else None)

    def _can_be(self, body: Formula) -> bool:
        """Return whether what *body* asks of named things is so, or some chain of actions makes it so."""
        return all(
            (literal.atom in self.problem.init) is literal.positive
            or self._cheapest(literal, _DEEPEST) is not None
            for literal in literals_of(body)
            if all(term[0] != "?" for term in literal.atom[1:])
        )

    def _by_price(self, names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: (self._price(name), name))

    # -- actions -----------------------------------------------------------------------------------------
    def _follow(self, literal: Literal, depth: int, purpose: str) -> None:
        """Keep what the cheapest chain of actions takes that makes *literal* so."""
        if depth == 0 or literal in self.followed:
            return
        self.followed.add(literal)
        for choice in self._choices(literal, depth):
            for part, name in zip(choice.way.parts, choice.chosen, strict=True):
                self._keep(name, f"{choice.way.action} takes {name}, for {purpose}")
                for state in self._unmet(part, name):
                    if not state.positive:
                        self.in_the_way.add(name)
                    self._follow(state, depth - 1, purpose)
            for number, (predicate, positive) in choice.way.besides:
                undone = Literal((predicate, choice.chosen[number]), not positive)
                if undone in self.so_already:
                    self._follow(undone, depth - 1, purpose)

    def _choices(self, literal: Literal, depth: int) -> list[_Choice]:
        """The actions to think of for making *literal* so."""
        cheapest = self._cheapest(literal, depth)
        if cheapest is None:
            return []
        found = [cheapest]
        for way, given in self.ways.to(literal) if self.alternatives else ():
            choice = self._fill(way, given, depth, inf)
            if choice is not None and choice != cheapest and self._is_ready(choice, literal):
                found.append(choice)
        return found

    def _is_ready(self, choice: _Choice, literal: Literal) -> bool:
        """Return whether what an action takes besides what it is about is as it has to be."""
        return not any(
            state.positive
            for part, name in zip(choice.way.parts, choice.chosen, strict=True)
            if name not in literal.atom
            for state in self._unmet(part, name)
        )

    def _cheapest(self, literal: Literal, depth: int) -> _Choice | None:
        """The cheapest way to make *literal* so with at most *depth* actions one after the other."""
        key = (literal, depth)
        if depth == 0 or key in self.cheapest:
            return self.cheapest.get(key)
        best: _Choice | None = None
        for way, given in self.ways.to(literal):
            choice = self._fill(way, given, depth, inf if best is None else best.cost)
            if choice is not None:
                best = choice
        self.cheapest[key] = best
        return best

    def _fill(
        self, way: AchieverRequirements, given: Mapping[int, str], depth: int, limit: float
    ) -> _Choice | None:
        """The cheapest things for the parts of a way that are not *given*; None if not below *limit*."""
        total = 1.0
        chosen = [given.get(number, "") for number in range(len(way.parts))]
        for number, name in given.items():
            total += self._cost(way.parts[number], name, depth, limit - total)
            if total >= limit:
                return None
        for number, part in enumerate(way.parts):
            if number not in given and total < limit:
                cost, chosen[number] = self._filler(part, given.values(), depth)
                total += cost
        return _Choice(total, way, tuple(chosen)) if total < limit else None

    def _filler(self, part: RoleRequirement, but: Collection[str], depth: int) -> tuple[float, str]:
        """The thing that fills a role most cheaply, and at what cost; infinite if none does."""
        # The best of all stays the best when others are ruled out: most questions have one answer.
        out: frozenset[str] = frozenset()
        while (best := self._best_filler(part, depth, out))[1] in but:
            out |= {best[1]}
        return best

    def _best_filler(self, part: RoleRequirement, depth: int, but: frozenset[str]) -> tuple[float, str]:
        key = (part, depth, but)
        if key not in self.fillers:
            best, filler = inf, ""
            for price, unmet, name in self._candidates(part):
                if price + unmet >= best:
                    if price >= best:
                        break
                elif name not in but and (cost := self._cost(part, name, depth, best)) < best:
                    best, filler = cost, name
            self.fillers[key] = (best, filler)
        return self.fillers[key]

    def _candidates(self, part: RoleRequirement) -> list[tuple[int, int, str]]:
        """The things that can play a part: what they cost, how many states are amiss; the cheapest first."""
        if part not in self.candidates:
            self.candidates[part] = sorted(
                (self._price(name), len(unmet), name)
                for name in part.able
                if all(map(self.ways.to, unmet := self._unmet(part, name)))
            )
        return self.candidates[part]

    def _cost(self, part: RoleRequirement, name: str, depth: int, limit: float) -> float:
        total: float = self._price(name)
        for state in self._unmet(part, name):
            if total >= limit:
                return inf
            choice = self._cheapest(state, depth - 1)
            total += inf if choice is None else choice.cost
        return total

    def _unmet(self, part: RoleRequirement, name: str) -> list[Literal]:
        """The states of a thing that still have to be brought about for it to play a part."""
        key = (part, name)
        if key not in self.unmet:
            self.unmet[key] = [
                Literal((predicate, name), positive)
                for predicate, positive in part.states
                if ((predicate, name) in self.problem.init) is not positive
            ]
        return self.unmet[key]
