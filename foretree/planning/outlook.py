"""Whether a goal has any outlook at all: a quick proof that nothing one can do leads there.

Each thing is looked at by itself: what could ever be said of it, whatever is said of the others? An action
may be done as soon as for each of its parts there is something of which all may be said that the action asks
of that part, and nothing is ever undone. That is far more than can be done in truth, so what is out of reach
even so is out of reach. A cup that is nowhere cannot be taken, hence not be put anywhere; to know that, no
action has to be grounded. Nor has it to know that three cups cannot be held in two hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foretree.planning.semantics import TypedObjects, conjuncts
from foretree.planning.syntax import (
    And,
    Count,
    Effect,
    Exists,
    Formula,
    Literal,
    Operator,
    Or,
    Problem,
    Typed,
)
from foretree.world_model.facts import Atom

#: As many ways of meeting a condition are told apart.
_MOST_CASES = 64

#: What can be said of a thing: a predicate, and at which place of it the thing stands.
_Saying: TypeAlias = tuple[str, int]


def out_of_reach(problem: Problem) -> bool:
    """Whether it is certain that *problem* has no plan; False says nothing."""
    if not _Outlook(problem).may_hold(problem.goal):
        return True
    # Only a planner's process needs these otherwise, so that a session does not load them at its start.
    from foretree.planning.casting import with_a_cast
    from foretree.planning.compilation import compile_away
    from foretree.planning.crowding import find_crowd

    return find_crowd(compile_away(with_a_cast(problem))) is not None


@dataclass(frozen=True, slots=True)
class _Role:
    """One part in an action.

    Attributes:
        players: the things of its type.
        asked: what has to be said of the thing that plays it.
        given: what can be said of that thing afterwards.
    """

    players: Sequence[str]
    asked: frozenset[_Saying]
    given: frozenset[_Saying]


class _Outlook:
    """What may be said of each thing of a problem, sooner or later."""

    def __init__(self, problem: Problem) -> None:
        self._objects = TypedObjects(problem.domain, problem.objects)
        self._said: dict[str, set[_Saying]] = {}
        for atom in problem.init:
            self._say(atom)
        acts = [
            tuple(self._roles(operator, atoms, effects))
            for operator in problem.domain.operators.values()
            for condition, effects in _together(operator)
            for atoms in _cases(And((operator.precondition, condition)))
        ]
        news = True
        while news:
            # What an action gives to those who can play its parts now, it gives to others when they can.
            news = False
            for roles in acts:
                news = self._act(roles) or news

    def may_hold(self, formula: Formula) -> bool:
        """Whether *formula* could come about; True if in doubt."""
        if isinstance(formula, Literal):
            return not formula.positive or self._may_all([formula.atom], {})
        if isinstance(formula, And):
            return all(map(self.may_hold, formula.parts))
        if isinstance(formula, Or):
            return any(map(self.may_hold, formula.parts))
        if isinstance(formula, Exists):
            return self._may_be_so(formula.variables, formula.body)
        if isinstance(formula, Count) and formula.at_least > 0:
            return self._may_be_so((formula.variable,), formula.body)
        return True

    def _may_be_so(self, variables: Sequence[Typed], body: Formula) -> bool:
        types = {variable.name: variable.type for variable in variables}
        return any(self._may_all(atoms, types) for atoms in _cases(body))

    def _may_all(self, atoms: Sequence[Atom], variables: Mapping[str, str]) -> bool:
        """Whether there is something for each variable, and all may be said of what is named."""
        for term, sayings in _by_term(atoms).items():
            names = self._objects.of_type(variables[term]) if term in variables else (term,)
            if not any(sayings <= self._said.get(name, set()) for name in names):
                return False
        return True

    def _say(self, atom: Atom) -> None:
        for place, name in enumerate(atom[1:]):
            self._said.setdefault(name, set()).add((atom[0], place))

    def _roles(self, operator: Operator, atoms: Iterable[Atom], effects: Sequence[Effect]) -> Iterator[_Role]:
        asked = _by_term(atoms)
        given = _by_term(effect.literal.atom for effect in effects)
        for parameter in (*operator.parameters, *effects[0].variables):
            name = parameter.name
            players = self._objects.of_type(parameter.type)
            yield _Role(players, frozenset(asked.pop(name, ())), frozenset(given.pop(name, ())))
        for constant in sorted({*asked, *given}):
            yield _Role((constant,), frozenset(asked.get(constant, ())), frozenset(given.get(constant, ())))

    def _act(self, roles: Iterable[_Role]) -> bool:
        """Do an action with all that can play a part in it; whether that says anything new."""
        said = self._said
        cast: list[tuple[_Role, list[str]]] = []
        for role in roles:
            players = [name for name in role.players if role.asked <= said.get(name, set())]
            if not players:
                return False
            cast.append((role, players))
        news = False
        for role, players in cast:
            for name in players if role.given else ():
                of_it = said.setdefault(name, set())
                if not role.given <= of_it:
                    of_it |= role.given
                    news = True
        return news


def _together(operator: Operator) -> Iterator[tuple[Formula, list[Effect]]]:
    """What an operator adds, by the condition under which it does so."""
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
    """What has to be so for *formula*, at least, in each of the ways in which it may be so."""
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


def _by_term(atoms: Iterable[Atom]) -> dict[str, set[_Saying]]:
    """What *atoms* say of each term."""
    found: dict[str, set[_Saying]] = {}
    for atom in atoms:
        for place, term in enumerate(atom[1:]):
            found.setdefault(term, set()).add((atom[0], place))
    return found
