"""Relaxed plans: what it takes to bring something about where nothing is ever undone.

Costs are added up over preconditions (Bonet and Geffner, "Planning as heuristic search", 2001), and a plan is
read off from the cheapest operator for each literal, as FF does. What several plans share is in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from foretree.planning.grounding.ground_task import GroundOperator, SignedAtom
from foretree.world_model.beliefs.facts import Atom


@dataclass(frozen=True)
class RelaxedExploration:
    """The literals that can be brought about from one state, and the operators that do it.

    Attributes:
        operators: those of the task.
        init: the atoms that are true in that state.
        support: for each literal that can become so, the operator that makes it so most cheaply.
    """

    operators: Sequence[GroundOperator]
    init: Collection[Atom]
    support: Mapping[SignedAtom, int]

    def plan(self, goal: Iterable[SignedAtom]) -> frozenset[int] | None:
        """The numbers of the operators that bring *goal* about; None if nothing does."""
        found: set[int] = set()
        waiting = list(goal)
        while waiting:
            literal = waiting.pop()
            if (literal[0] in self.init) == literal[1]:
                continue
            number = self.support.get(literal)
            if number is None:
                return None
            if number not in found:
                found.add(number)
                waiting += self.operators[number].precondition
        return frozenset(found)


def explore_relaxed(operators: Sequence[GroundOperator], init: Collection[Atom]) -> RelaxedExploration:
    """Return all that *operators* can bring about from a state, of which *init* lists the true atoms."""
    needing: dict[SignedAtom, list[int]] = {}
    for number, operator in enumerate(operators):
        for literal in dict.fromkeys(operator.precondition):
            needing.setdefault(literal, []).append(number)
    missing = [len(set(operator.precondition)) for operator in operators]
    cost = [operator.cost for operator in operators]
    best: dict[SignedAtom, int] = {}
    support: dict[SignedAtom, int] = {}
    queue: list[tuple[int, int, SignedAtom]] = []

    def run(number: int) -> None:
        price = cost[number]
        for effect in operators[number].effects:
            literal = effect.literal
            if best.get(literal, price + 1) > price and (literal[0] in init) != literal[1]:
                best[literal] = price
                support[literal] = number
                heappush(queue, (price, len(support), literal))

    for literal in needing:
        if (literal[0] in init) == literal[1]:
            heappush(queue, (0, len(queue), literal))
    for number, left in enumerate(missing):
        if not left:
            run(number)
    done: set[SignedAtom] = set()
    while queue:
        price, _, literal = heappop(queue)
        if literal not in done:
            done.add(literal)
            for number in needing.get(literal, ()):
                missing[number] -= 1
                cost[number] += price
                if not missing[number]:
                    run(number)
    return RelaxedExploration(operators, init, support)
