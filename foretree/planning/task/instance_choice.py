"""Choice of instances for a goal that asks for some of many things: three of fifty mugs.

A search that has all of them looks at each of them in each state. So they are chosen before it: those whose
relaxed plans cost least together, where what two plans share, such as the way to a room, counts once. A
relaxed plan knows nothing of the way back, nor of hands that are full. So once there is a plan, things are
chosen again by what they cost at the start and what they cost where that plan ends, and the cheaper plan is
taken.

Things of which the same is known are interchangeable, so that one of them stands for all: that there are more
things at the same places makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb

from foretree.planning.grounding.compilation import compile_away
from foretree.planning.grounding.ground_task import GroundTask
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.relaxed_reachability import without_unusable_operators
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Formula,
    Literal,
    Or,
    PlanStep,
    Problem,
    constants_of,
    substitute,
)
from foretree.planning.semantics.actions import apply, instantiate
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.task._relaxed_plans import explore_relaxed
from foretree.planning.work_limit import WorkLimit
from foretree.world_model.beliefs.facts import Atom

#: Where there are no more choices than these, a search goes through them by itself.
_FEW = 10_000


@dataclass(frozen=True, slots=True)
class _Kind:
    """Interchangeable things.

    Attributes:
        names: the things.
        shared: what the relaxed plans for one of them have in common with those for others: for each state
            that was looked at, the numbers of operators.
        own: what the rest of these plans costs.
    """

    names: tuple[str, ...]
    shared: frozenset[tuple[int, int]]
    own: int


class InstanceChoice:
    """A goal's choice among many things.

    Args:
        problem: what is planned for.
        count: the part of its goal that asks for some of many things.
        work: counts the steps.

    Raises:
        TooMuchWorkError: there are more of them than allowed.
        TooManyActionsError: there are more actions than may be looked at.
    """

    def __init__(self, problem: Problem, count: Count, work: WorkLimit, actions: int | None = None) -> None:
        self._problem, self._count = problem, count
        self._rest = tuple(part for part in conjuncts(problem.goal) if part is not count)
        self._members = _interchangeable(problem, count)
        self._bodies = [self._of(names[0]) for names in self._members]
        compiled = compile_away(
            without_unusable_operators(replace(problem, goal=And((*self._rest, Or(tuple(self._bodies)))))),
            work,
        )
        self._grounding: GroundTask = ground(compiled.problem, most=actions, work=work)
        self._states = [explore_relaxed(self._grounding.operators, problem.init | self._grounding.init)]

    def problem(self) -> Problem | None:
        """The problem with those things that cost least by now; None if there are not as many."""
        chosen = self._cheapest()
        if len(chosen) < self._count.at_least:
            return None
        return replace(self._problem, goal=And((*self._rest, *map(self._of, sorted(chosen)))))

    def learn(self, steps: Sequence[PlanStep]) -> None:
        """Choose by what things cost where a plan ends, too."""
        problem = self._problem
        state = problem.init
        for name, arguments in steps:
            state = apply(instantiate(problem.domain.operators[name], arguments, problem), state, problem)
        things = frozenset(name for names in self._members for name in names)
        moved = {atom for atom in state if things.isdisjoint(atom[1:])}
        moved |= {atom for atom in problem.init if not things.isdisjoint(atom[1:])}
        init = self._grounding.init
        self._states.append(explore_relaxed(self._grounding.operators, moved | (init - problem.init)))

    def _of(self, name: str) -> Formula:
        return substitute(self._count.body, {self._count.variable.name: name})

    def _cheapest(self) -> list[str]:
        """The things that cost least together, one after the other."""
        left = list(self._kinds())
        cost = [operator.cost for operator in self._grounding.operators]
        chosen: list[str] = []
        have = _operators_of(self._plans(self._rest))

        def price(number: int) -> tuple[int, int, int]:
            kind = left[number]
            more = sum(cost[operator] for _, operator in kind.shared - have)
            return kind.own + more, kind.own + sum(cost[operator] for _, operator in kind.shared), number

        while left and len(chosen) < self._count.at_least:
            best = min(range(len(left)), key=price)
            kind = left[best]
            chosen.append(kind.names[0])
            have |= kind.shared
            left[best : best + 1] = [replace(kind, names=kind.names[1:])] if kind.names[1:] else []
        return chosen

    def _plans(self, parts: Iterable[Formula]) -> list[frozenset[int] | None]:
        """The relaxed plan for some parts of a goal from each state; None where nothing brings them about."""
        goal = [(part.atom, part.positive) for part in parts if isinstance(part, Literal)]
        return [state.plan(goal) for state in self._states]

    def _kinds(self) -> Iterator[_Kind]:
        operators = self._grounding.operators
        for names, body in zip(self._members, self._bodies, strict=True):
            plans = self._plans(conjuncts(body))
            if None not in plans:
                used = _operators_of(plans)
                mine = {o for o in used if len(names) > 1 and names[0] in operators[o[1]].arguments}
                yield _Kind(names, used - mine, sum(operators[number].cost for _, number in mine))


def _operators_of(plans: Sequence[frozenset[int] | None]) -> frozenset[tuple[int, int]]:
    """The operators that plans from several states take: the numbers of states and of operators."""
    return frozenset((number, operator) for number, plan in enumerate(plans) for operator in plan or ())


def find_instance_choice(problem: Problem) -> Count | None:
    """The part of the goal of *problem* that asks for some of many things, if there is one such part."""
    counts = [part for part in conjuncts(problem.goal) if isinstance(part, Count)]
    if len(counts) != 1 or problem.domain.axioms:
        return None
    count = counts[0]
    many = comb(len(problem.of_type(count.variable.type)), count.at_least) > _FEW
    plain = all(isinstance(part, Literal) for part in conjuncts(count.body))
    return count if many and plain and count.at_most is None else None


def _interchangeable(problem: Problem, count: Count) -> list[tuple[str, ...]]:
    """The things that are counted, those together of which the same is known."""
    named = constants_of(problem.goal) | {constant.name for constant in problem.domain.constants}
    things = problem.of_type(count.variable.type)
    known: dict[str, set[object]] = {name: {name} if name in named else set() for name in things}
    values: Mapping[Atom, int] = problem.functions
    for atom, value in (*((atom, None) for atom in problem.init), *values.items()):
        for name in known.keys() & atom[1:]:
            known[name].add((tuple("" if term == name else term for term in atom), value))
    kinds: dict[tuple[str, frozenset[object]], list[str]] = {}
    for name in things:
        type_name = problem.objects.get(name, "")
        kinds.setdefault((type_name, frozenset(known[name])), []).append(name)
    return [tuple(names) for names in kinds.values()]
