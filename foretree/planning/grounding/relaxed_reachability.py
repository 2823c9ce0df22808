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
    Exists,
    Formula,
    Literal,
    Or,
    Problem,
    Typed,
    substitute_atom,
)
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
class _Role:
    """A role in an action, a rule or a goal, whatever fills it.

    Attributes:
        name: of the variable, or of the thing that is meant.
        type: of what can fill it; None where a certain thing is meant.
        asked: what has to be said of the things that fill it.
        given: what can be said of these things afterwards.
        least: how many things it takes.
    """

    name: str
    type: str | None
    asked: frozenset[_Slot]
    given: frozenset[_Slot]
    least: int


#: Roles, each with the things that are of its type.
_Cast: TypeAlias = Sequence[tuple[_Role, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class _Case:
    """Atoms that have to hold together.

    Attributes:
        variables: of what type the things are that its variables stand for, and how many it takes at least.
    """

    atoms: tuple[Atom, ...] = ()
    variables: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def roles(self, parameters: Iterable[Typed] = (), effects: Iterable[Atom] = ()) -> tuple[_Role, ...]:
        """The roles in what has these *parameters* and *effects*, and happens in this case."""
        asked, given = _by_term(self.atoms), _by_term(effects)
        kinds: dict[str, tuple[str | None, int]] = {p.name: (p.type, 1) for p in parameters}
        kinds.update(self.variables)
        kinds.update((name, (None, 1)) for name in sorted({*asked, *given} - kinds.keys()))
        return tuple(
            _Role(name, kind, frozenset(asked.get(name, ())), frozenset(given.get(name, ())), least)
            for name, (kind, least) in kinds.items()
        )


class _RelaxedState:
    """The facts about each thing of a problem that may come to hold, sooner or later."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._said: dict[str, set[_Slot]] = _by_term(problem.init)

    def leads_to(self, goal: Formula) -> bool:
        """Return whether *goal* could come about; True if in doubt."""
        goals = [self._cast(case.roles()) for case in _cases(goal)]
        acts = [self._cast(roles) for roles in _acts(self._problem.domain)]
        while all(self._fill(cast) is None for cast in goals):
            # What an action gives to those who can fill its roles now, it gives to others when they can.
            news = [self._act(cast) for cast in acts]
            if not any(news):
                return False
        return True

    def _cast(self, roles: Iterable[_Role]) -> _Cast:
        of_type = self._problem.of_type
        return [(role, (role.name,) if role.type is None else of_type(role.type)) for role in roles]

    def _fill(self, cast: _Cast) -> _Cast | None:
        """The things that can fill each role by now; None if they are too few."""
        filled = []
        for role, names in cast:
            fitting = [name for name in names if role.asked <= self._said.get(name, _NOTHING)]
            if len(fitting) < role.least:
                return None
            filled.append((role, fitting))
        return filled

    def _act(self, cast: _Cast) -> bool:
        """Do an action with all that can fill a role in it; whether that says anything new."""
        news = False
        for role, names in self._fill(cast) or ():
            for name in names if role.given else ():
                of_it = self._said.setdefault(name, set())
                news = news or not role.given <= of_it
                of_it |= role.given
        return news


@per_domain
def _acts(domain: Domain) -> tuple[tuple[_Role, ...], ...]:
    """The roles in each way to do an action, or to derive something."""
    acts = [
        case.roles(axiom.parameters, [(axiom.predicate, *(p.name for p in axiom.parameters))])
        for axiom in domain.axioms
        for case in _cases(axiom.body)
    ]
    for operator in domain.operators.values():
        together: dict[tuple[Formula, tuple[Typed, ...]], list[Atom]] = {}
        for effect in operator.effects:
            if effect.literal.positive:
                together.setdefault((effect.condition, effect.variables), []).append(effect.literal.atom)
        acts += [
            case.roles((*operator.parameters, *variables), atoms)
            for (condition, variables), atoms in together.items()
            for case in _cases(And((operator.precondition, condition)))
        ]
    return tuple(acts)


def _cases(formula: Formula) -> list[_Case]:
    """Return what *formula* needs, for each of the ways in which it may hold."""
    return _renamed_cases(formula, {}, count())


def _renamed_cases(formula: Formula, names: Mapping[str, str], numbers: Iterator[int]) -> list[_Case]:
    match formula:
        case Literal(atom, True):
            return [_Case((substitute_atom(atom, names),))]
        case Or(parts):
            found = [case for part in parts for case in _renamed_cases(part, names, numbers)]
            return found if len(found) <= _MOST_CASES else [_Case()]
        case And(parts):
            together = [_Case()]
            for part in parts:
                more = _renamed_cases(part, names, numbers)
                if len(together) * len(more) <= _MOST_CASES:
                    together = [
                        _Case(one.atoms + other.atoms, {**one.variables, **other.variables})
                        for one in together
                        for other in more
                    ]
            return together
        case Exists() | Count() if not isinstance(formula, Count) or formula.at_least:
            # Variables of the same name may be in several parts, and below each other.
            fresh = {variable.name: f"{variable.name}#{next(numbers)}" for variable in formula.variables}
            inner = _renamed_cases(formula.body, {**names, **fresh}, numbers)
            # Of several ways, some things may meet one, and others another.
            least = formula.at_least if isinstance(formula, Count) and len(inner) == 1 else 1
            asked = {fresh[variable.name]: (variable.type, least) for variable in formula.variables}
            return [_Case(case.atoms, {**asked, **case.variables}) for case in inner]
    return [_Case()]


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
