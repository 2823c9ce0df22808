"""Relaxed reachability: a quick proof that no plan leads to a goal.

Each thing is looked at by itself: what could ever be said of it, whatever is said of the others? An action
may be done as soon as for each of its parts there is something of which all may be said that the action asks
of that part, and nothing is ever undone. That is far more than can be done in truth, so what is out of reach
even so is out of reach. A cup that is nowhere cannot be taken, hence not be put anywhere; to know that, no
action has to be grounded. Nor has it to know that three cups cannot be held in two hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from typing import TypeAlias

from foretree.planning._domain_cache import per_domain
from foretree.planning.pddl.syntax import (
    And,
    Count,
    Domain,
    Effect,
    Exists,
    Formula,
    Literal,
    Operator,
    Or,
    Problem,
    Typed,
)
from foretree.planning.semantics.actions import TypedObjects
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.semantics.operator_index import OperatorParts, index_of
from foretree.world_model.beliefs.facts import Atom

#: As many ways of meeting a condition are told apart.
_MOST_CASES = 64

#: What can be said of a thing: a predicate, and at which place of it the thing stands.
_Slot: TypeAlias = tuple[str, int]
_NOTHING: frozenset[_Slot] = frozenset()


def is_relaxed_unreachable(problem: Problem) -> bool:
    """Return whether it is certain, at a glance, that *problem* has no plan; False says nothing."""
    return not _RelaxedState(problem).leads_to(problem.goal)


def is_provably_unsolvable(problem: Problem) -> bool:
    """Return whether it is certain that *problem* has no plan, by more proofs; False says nothing."""
    if is_relaxed_unreachable(problem):
        return True
    # Only a planner's process needs these otherwise, so that a session does not load them at its start.
    from foretree.planning.grounding.capacity_proofs import find_capacity_conflict
    from foretree.planning.grounding.compilation import compile_away

    return find_capacity_conflict(compile_away(without_unusable_operators(problem))) is not None


@dataclass(frozen=True, slots=True)
class _Part:
    """One part in an action, whatever fills it.

    Attributes:
        name: of the parameter, or of the thing that is meant.
        type: of what can fill it; None where a certain thing is meant.
        asked: what has to be said of the thing that fills it.
        given: what can be said of that thing afterwards.
    """

    name: str
    type: str | None
    asked: frozenset[_Slot]
    given: frozenset[_Slot]


@dataclass(frozen=True, slots=True)
class _Role:
    """A part in an action, and the things that can fill it."""

    candidates: Sequence[str]
    part: _Part


@dataclass(frozen=True, slots=True)
class _Subgoal:
    """Atoms that have to hold together.

    Attributes:
        variables: of what type the things are that its variables stand for, and how many it takes at least.
    """

    atoms: tuple[Atom, ...] = ()
    variables: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def joined_with(self, other: _Subgoal) -> _Subgoal:
        """Both of them."""
        return _Subgoal(self.atoms + other.atoms, {**self.variables, **other.variables})


class _RelaxedState:
    """The facts about each thing of a problem that may come to hold, sooner or later."""

    def __init__(self, problem: Problem) -> None:
        self._objects = TypedObjects(problem.domain, problem.objects)
        self._said: dict[str, set[_Slot]] = {}
        for atom in problem.init:
            self._add_fact(atom)
        self._acts = [
            tuple(
                _Role((part.name,) if part.type is None else self._objects.of_type(part.type), part)
                for part in parts
            )
            for parts in _acts(problem.domain)
        ]

    def leads_to(self, goal: Formula) -> bool:
        """Return whether *goal* could come about; True if in doubt."""
        subgoals = _subgoals(goal)
        news = True
        while news:
            if any(map(self._may_be_met, subgoals)):
                return True
            # What an action gives to those who can fill its parts now, it gives to others when they can.
            news = False
            for roles in self._acts:
                news = self._act(roles) or news
        return False

    def _may_be_met(self, subgoal: _Subgoal) -> bool:
        """Return whether there are enough things for each variable, and all may be said of what is named."""
        sayings = _by_term(subgoal.atoms)
        for name, (type_name, least) in subgoal.variables.items():
            asked, names = sayings.pop(name, set()), self._objects.of_type(type_name)
            if sum(asked <= self._said.get(name, _NOTHING) for name in names) < least:
                return False
        return all(asked <= self._said.get(name, _NOTHING) for name, asked in sayings.items())

    def _add_fact(self, atom: Atom) -> None:
        for place, name in enumerate(atom[1:]):
            self._said.setdefault(name, set()).add((atom[0], place))

    def _act(self, roles: Iterable[_Role]) -> bool:
        """Do an action with all that can fill a role in it; whether that says anything new."""
        said = self._said
        filled: list[tuple[_Role, list[str]]] = []
        for role in roles:
            candidates = [name for name in role.candidates if role.part.asked <= said.get(name, _NOTHING)]
            if not candidates:
                return False
            filled.append((role, candidates))
        news = False
        for role, candidates in filled:
            for name in candidates if role.part.given else ():
                of_it = said.setdefault(name, set())
                if not role.part.given <= of_it:
                    of_it |= role.part.given
                    news = True
        return news


@per_domain
def _acts(domain: Domain) -> tuple[tuple[_Part, ...], ...]:
    """The parts in each way to do an action, or to derive something."""
    actions = [
        _parts((*operator.parameters, *effects[0].variables), atoms, [e.literal.atom for e in effects])
        for operator in domain.operators.values()
        for condition, effects in _together(operator)
        for atoms in _cases(And((operator.precondition, condition)))
    ]
    derivations = [
        _parts(axiom.parameters, atoms, [(axiom.predicate, *(p.name for p in axiom.parameters))])
        for axiom in domain.axioms
        for atoms in _cases(axiom.body)
    ]
    return (*actions, *derivations)


def _parts(parameters: Iterable[Typed], atoms: Iterable[Atom], effects: Iterable[Atom]) -> tuple[_Part, ...]:
    asked, given = _by_term(atoms), _by_term(effects)
    types: dict[str, str | None] = {parameter.name: parameter.type for parameter in parameters}
    types.update((name, None) for name in sorted({*asked, *given} - set(types)))
    return tuple(
        _Part(name, kind, frozenset(asked.get(name, ())), frozenset(given.get(name, ())))
        for name, kind in types.items()
    )


def _together(operator: Operator) -> Iterator[tuple[Formula, list[Effect]]]:
    """Yield the positive effects of an operator, grouped by their condition."""
    found: list[tuple[Formula, list[Effect]]] = []
    for effect in operator.effects:
        if not effect.literal.positive:
            continue
        for condition, effects in found:
            if condition == effect.condition and effects[0].variables == effect.variables:
                effects.append(effect)
                break
        else:
            found.append((effect.condition, [effect]))
    yield from found


def _cases(formula: Formula) -> list[tuple[Atom, ...]]:
    """Return the atoms that *formula* needs, for each of the ways in which it may hold."""
    if isinstance(formula, Literal):
        return [(formula.atom,)] if formula.positive else [()]
    if isinstance(formula, Or):
        return [case for part in formula.parts for case in _cases(part)]
    cases: list[tuple[Atom, ...]] = [()]
    for part in conjuncts(formula):
        # A conjunction of nothing but itself is of a kind that says nothing here.
        more = _cases(part) if isinstance(part, (Literal, Or)) else [()]
        if len(cases) * len(more) <= _MOST_CASES:
            cases = [(*case, *other) for case in cases for other in more]
    return cases


def _subgoals(goal: Formula) -> list[_Subgoal]:
    """Return the subgoals that *goal* needs, for each of the ways in which it may hold."""
    numbers = count()

    def subgoals(formula: Formula, renamed: Mapping[str, str]) -> list[_Subgoal]:
        if isinstance(formula, Literal) and formula.positive:
            return [_Subgoal((tuple(renamed.get(term, term) for term in formula.atom),))]
        if isinstance(formula, Or):
            found = [subgoal for part in formula.parts for subgoal in subgoals(part, renamed)]
            return found if len(found) <= _MOST_CASES else [_Subgoal()]
        if isinstance(formula, And):
            together = [_Subgoal()]
            for part in formula.parts:
                more = subgoals(part, renamed)
                if len(together) * len(more) <= _MOST_CASES:
                    together = [one.joined_with(other) for one in together for other in more]
            return together
        if isinstance(formula, Exists):
            return quantified(formula.variables, formula.body, renamed, 1)
        if isinstance(formula, Count) and formula.at_least:
            return quantified((formula.variable,), formula.body, renamed, formula.at_least)
        return [_Subgoal()]

    def quantified(
        variables: Sequence[Typed], body: Formula, renamed: Mapping[str, str], least: int
    ) -> list[_Subgoal]:
        # Variables of the same name may be in several parts, and below each other.
        fresh = {variable.name: f"{variable.name}#{next(numbers)}" for variable in variables}
        inner = subgoals(body, {**renamed, **fresh})
        # Of several ways, some things may meet one, and others another.
        asked = {fresh[v.name]: (v.type, least if len(inner) == 1 else 1) for v in variables}
        return [_Subgoal(subgoal.atoms, {**asked, **subgoal.variables}) for subgoal in inner]

    return subgoals(goal, {})


def _by_term(atoms: Iterable[Atom]) -> dict[str, set[_Slot]]:
    """Return the slots of *atoms* in which each term stands."""
    found: dict[str, set[_Slot]] = {}
    for atom in atoms:
        for place, term in enumerate(atom[1:]):
            found.setdefault(term, set()).add((atom[0], place))
    return found


def without_unusable_operators(problem: Problem) -> Problem:
    """*problem* without the operators that can never be used for want of objects.

    An object fits a parameter if it is of its type, and is for good what the precondition asks of it alone.
    No plan contains an operator that has a parameter which nothing fits, so all plans stay what they are.
    In a small problem over a large domain, compiling operators that no object fits is most of the work.
    """
    domain = problem.domain
    index = index_of(domain)
    said: dict[str, set[str]] = {}
    for atom in problem.init:
        if len(atom) == 2 and atom[0] not in index.fluents:
            said.setdefault(atom[0], set()).add(atom[1])
    of_type = cache(lambda name: frozenset(problem.of_type(name)))
    operators = {
        name: operator
        for name, operator in domain.operators.items()
        if _is_usable(index.parts(operator), of_type, said)
    }
    return replace(problem, domain=replace(domain, operators=operators))


def _is_usable(
    parts: OperatorParts, of_type: Callable[[str], frozenset[str]], said: Mapping[str, set[str]]
) -> bool:
    """Return whether an object fits each parameter."""
    fitting = {parameter.name: of_type(parameter.type) for parameter in parts.operator.parameters}
    for part in parts.static:
        if len(part.atom) == 2 and part.atom[1] in fitting:
            predicate, term = part.atom
            those = said.get(predicate, set())
            fitting[term] = fitting[term] & those if part.positive else fitting[term] - those
    return all(fitting.values())
