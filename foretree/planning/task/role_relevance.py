"""Selection of the objects that a goal can need, for domains that tell things apart by what they afford.

The goal is regressed through the actions, one literal at a time. What an action takes besides the things of
the literal is looked for among what the initial state has in that role (what the apple lies on), else among
the things of the role's type: those kept already, and a few more, the nearest first. In such a domain, any
two things of a type serve alike, so that a knife and a second one are as good as fifty.

A selection may lack what a plan needs, for example where each of the things chosen is in the way of another.
Where the selected problem has no plan, the whole one is to be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from foretree.planning.pddl.syntax import (
    Exists,
    Formula,
    Literal,
    Operator,
    Problem,
    literals_of,
    types_of,
    walk,
)
from foretree.world_model.beliefs.facts import Atom

#: So many things are kept for a role besides those that are kept anyway.
SPARE = 2
#: So many things that a goal only quantifies over are kept.
_MOST_QUANTIFIED = 6
#: In the place of a term: any object.
_ANY = ""


def select_roles(
    problem: Problem, keep: Iterable[str], rank: Callable[[str], float], places: Collection[str] = ()
) -> Problem:
    """*problem* with the objects that its goal can need.

    Args:
        problem: everything there is.
        keep: what is kept in any case, such as agents and places; these are never chosen for a role.
        rank: the order in which things are chosen, the least first.
        places: the types of places and agents; nothing is chosen for parameters of these.
    """
    kept = _RoleSearch(problem, frozenset(keep), rank, places).run()
    constants = {constant.name for constant in problem.domain.constants}
    known = kept | constants
    return replace(
        problem,
        objects={name: kind for name, kind in problem.objects.items() if name in kept},
        init=frozenset(atom for atom in problem.init if known.issuperset(atom[1:])),
        functions={term: value for term, value in problem.functions.items() if known.issuperset(term[1:])},
    )


class _RoleSearch:
    """The work of one :func:`select_roles`."""

    def __init__(
        self,
        problem: Problem,
        keep: frozenset[str],
        rank: Callable[[str], float],
        places: Collection[str] = (),
    ) -> None:
        self._places = places
        self._problem = problem
        self._domain = problem.domain
        self._given = keep
        self._rank = rank
        self._kept: dict[str, None] = {}
        self._seen: set[Literal] = set()
        self._open: list[Literal] = []
        self._facts: dict[str, list[Atom]] = {}
        for atom in sorted(problem.init):
            self._facts.setdefault(atom[0], []).append(atom)

    def run(self) -> frozenset[str]:
        """The names of all objects to keep."""
        goal = self._problem.goal
        choices = self._quantified(goal)
        for literal in literals_of(goal):
            terms = [choices.get(term, (term,)) for term in literal.atom[1:]]
            for chosen in product(*terms):
                self._keep(chosen)
                self._need((literal.atom[0], *chosen), literal.positive)
        while self._open:
            literal = self._open.pop()
            actions = [
                (operator, binding)
                for operator in self._domain.operators.values()
                for binding in self._achieving(operator, literal)
            ]
            # What is in its role already comes first: an apple is taken from where it is, not from a bag
            # that it could be put into.
            taken = [self._take(operator, binding, ready=True) for operator, binding in actions]
            for operator, binding in () if any(taken) else actions:
                self._take(operator, binding, ready=False)
        return frozenset(self._kept) | self._given

    def _quantified(self, goal: Formula) -> dict[str, Sequence[str]]:
        """The objects to think of for each variable of the goal: all, where it is about all of them."""
        found: dict[str, Sequence[str]] = {}
        for part in walk(goal):
            for variable in getattr(part, "variables", ()):
                names = sorted(self._problem.of_type(variable.type), key=self._order)
                found[variable.name] = names[:_MOST_QUANTIFIED] if isinstance(part, Exists) else names
        return found

    def _keep(self, names: Iterable[str]) -> None:
        self._kept.update(dict.fromkeys(name for name in names if name in self._problem.objects))

    def _need(self, atom: Atom, positive: bool) -> None:
        """Take a literal on, unless it holds or is about nothing in particular."""
        literal = Literal(atom, positive)
        if set(atom[1:]) != {_ANY} and literal not in self._seen and self._holds(atom) is not positive:
            self._seen.add(literal)
            self._open.append(literal)

    def _holds(self, atom: Atom) -> bool:
        return any(_matches(fact, atom) for fact in self._facts.get(atom[0], ()))

    def _achieving(self, operator: Operator, literal: Literal) -> Iterator[dict[str, str]]:
        """The bindings of an operator's parameters with which it makes a literal so."""
        types = types_of(operator.parameters)
        for effect in operator.effects:
            if effect.literal.positive is not literal.positive or effect.literal.atom[0] != literal.atom[0]:
                continue
            binding: dict[str, str] = {}
            for variable, term in zip(effect.literal.atom[1:], literal.atom[1:], strict=True):
                fits = variable in types and (term == _ANY or self._is_a(term, types[variable]))
                if term == _ANY or variable == term:
                    continue
                if not fits or binding.setdefault(variable, term) != term:
                    break
            else:
                yield binding

    def _take(self, operator: Operator, binding: Mapping[str, str], ready: bool) -> bool:
        """Keep what an action takes, and take on what it needs; False if it takes what is not *ready*."""
        needed = list(literals_of(operator.precondition))
        roles: dict[str, Sequence[str]] = {}
        for parameter in operator.parameters:
            if parameter.name in binding:
                roles[parameter.name] = (binding[parameter.name],)
            elif any(self._domain.is_a(parameter.type, place) for place in self._places):
                roles[parameter.name] = (_ANY,)
        for parameter in operator.parameters:
            if parameter.name not in roles:
                chosen = self._fillers(parameter.name, parameter.type, needed, roles, ready)
                if not chosen:
                    return False
                roles[parameter.name] = chosen
        for chosen in roles.values():
            self._keep(chosen)
        for literal in needed:
            for chosen in product(*(roles.get(term, (term,)) for term in literal.atom[1:])):
                self._need((literal.atom[0], *chosen), literal.positive)
        return True

    def _fillers(
        self,
        name: str,
        type_name: str,
        needed: Sequence[Literal],
        roles: Mapping[str, Sequence[str]],
        ready: bool,
    ) -> Sequence[str]:
        """The things to think of for a role: those that are in it, else those that could be."""
        able = self._problem.of_type(type_name)
        for literal in needed:
            terms = [roles.get(term, (_ANY,)) for term in literal.atom[1:]]
            related = name in literal.atom and any(_ANY not in some for some in terms)
            if literal.positive and related:
                found = self._matching((literal.atom[0], *terms), literal.atom.index(name))
                if (chosen := [one for one in able if one in found]) or ready:
                    return chosen
        here = [one for one in able if one in self._kept or one in self._given]
        others = sorted((one for one in able if one not in here), key=self._order)
        return [*here, *others[: max(0, SPARE - len(here))]]

    def _matching(self, pattern: tuple[str | Sequence[str], ...], index: int) -> Collection[str]:
        """The objects at a place of the facts that match a pattern, with several terms in each place."""
        predicate, *terms = pattern
        return {
            fact[index]
            for fact in self._facts.get(str(predicate), ())
            if all(_ANY in some or one in some for some, one in zip(terms, fact[1:], strict=True))
        }

    def _is_a(self, name: str, type_name: str) -> bool:
        return name in self._problem.of_type(type_name)

    def _order(self, name: str) -> tuple[float, str]:
        return self._rank(name), name


def _matches(fact: Atom, pattern: Atom) -> bool:
    return all(wanted in (_ANY, one) for wanted, one in zip(pattern, fact, strict=True))
