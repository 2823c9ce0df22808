"""Goals that can never be, whatever there is: a thing in itself, or things that rest on each other in a ring.

Nothing short of a search through everything shows that they have no plan, unless one asks how they could come
about last. Take literals of the goal that do not all hold initially. If they ever do, there is an action
after which they do for the first time. It makes at least one of them true; the others it makes true as well,
or they held before. So if every operator that makes one of them true needs something that excludes one of the
others (see :mod:`foretree.planning.grounding.mutex_groups`), or deletes it, or needs things that exclude each
other, or does not fit the things at all, they never hold together. Putting the bowl into the box needs the
box to stand somewhere, hence not in the bowl.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from foretree.planning.grounding.mutex_groups import find_mutex_groups
from foretree.planning.pddl.syntax import (
    TRUE,
    Equal,
    Literal,
    Not,
    Operator,
    Problem,
    show,
    substitute_atom,
    types_of,
)
from foretree.planning.semantics.evaluation import literals_of
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.world_model.beliefs.facts import Atom

#: Longer rings are not looked for.
_LONGEST_RING = 8


def explain_cyclic_goal(problem: Problem) -> str | None:
    """Explain why the goal of a compiled problem can never be, if it asks for a ring; None says nothing."""
    rings = _rings([literal.atom for literal in literals_of(problem.goal) if literal.positive])
    if not rings:
        return None
    ways = _Ways(problem)
    for ring in rings:
        if not problem.init.issuperset(ring) and not ways.lead_to(ring):
            shown = " and ".join(show(Literal(atom)) for atom in ring)
            if len(ring) == 1:
                return (
                    f"{shown} can never be: no action brings {ring[0][1]} into this relation to itself. "
                    "Name another thing in one of the two places."
                )
            return (
                f"{shown} can never be together: whichever of them is brought about last, another one would "
                "have to end for it. Leave one of them out."
            )
    return None


def _rings(atoms: Sequence[Atom]) -> list[tuple[Atom, ...]]:
    """Return those of *atoms* about two things that lead from a thing back to it; the smallest first."""
    after: dict[str, list[Atom]] = {}
    for atom in atoms:
        if len(atom) == 3:
            after.setdefault(atom[1], []).append(atom)
    rings: list[tuple[Atom, ...]] = []

    def follow(path: tuple[Atom, ...]) -> None:
        first, last = path[0][1], path[-1][2]
        if last == first:
            rings.append(path)
        # Each ring is found from its first thing alone.
        elif len(path) < _LONGEST_RING and last > first and last not in {atom[1] for atom in path}:
            for atom in after.get(last, ()):
                follow((*path, atom))

    for name in sorted(after):
        for atom in after[name]:
            follow((atom,))
    return sorted(rings, key=len)


class _Ways:
    """Achievers of ground atoms, as far as the operators alone tell."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._index = index_of(problem.domain)
        self._mutexes = find_mutex_groups(problem)

    def lead_to(self, atoms: Sequence[Atom]) -> bool:
        """Return whether an action might make the last of *atoms* true, so that all of them hold."""
        return any(
            self._may(operator, binding, [other for other in atoms if other != atom])
            for atom in atoms
            for operator, effect in self._index.achievers(atom[0], True)
            if (binding := unify(effect.literal.atom, atom, allowed=self._members(operator))) is not None
        )

    def _members(self, operator: Operator) -> Mapping[str, Sequence[str]]:
        """The objects that each parameter of *operator* may stand for."""
        return {parameter.name: self._problem.of_type(parameter.type) for parameter in operator.parameters}

    def _may(self, operator: Operator, binding: Mapping[str, str], others: Sequence[Atom]) -> bool:
        """Return whether *operator* might be done with *binding*, so that *others* hold afterwards."""
        types = types_of(operator.parameters)
        parts = self._index.parts(operator)
        if any(self._is_unequal(part, binding) for part in parts.conditions):
            return False
        literals = [Literal(substitute_atom(part.atom, binding), part.positive) for part in parts.literals]
        if any(map(self._is_refuted, literals)):
            return False
        needed = [literal.atom for literal in literals if literal.positive]
        if any(self._exclude(one, other, types) for one, other in combinations(needed, 2)):
            return False
        made = [
            (Literal(substitute_atom(e.literal.atom, binding), e.literal.positive), e.condition == TRUE)
            for e in operator.effects
        ]
        return not any(
            (Literal(other, False), True) in made or any(self._exclude(a, other, types) for a in needed)
            for other in others
            if not any(literal.positive and self._may_be(literal.atom, other, types) for literal, _ in made)
        )

    def _is_refuted(self, literal: Literal) -> bool:
        """Return whether *literal* is static and false."""
        atom = literal.atom
        if atom[0] in self._index.fluents or any(term.startswith("?") for term in atom):
            return False
        return (atom in self._problem.init) != literal.positive

    def _is_unequal(self, part: object, binding: Mapping[str, str]) -> bool:
        """Return whether *part* asks that two things differ that are the same one."""
        if not isinstance(part, Not) or not isinstance(part.part, Equal):
            return False
        left, right = (binding.get(term, term) for term in (part.part.left, part.part.right))
        return left == right

    def _may_be(self, one: Atom, other: Atom, types: Mapping[str, str]) -> bool:
        """Return whether two atoms, in which parameters may be left open, may be the same one."""
        return one[0] == other[0] and all(
            self._fit(a, b, types) and self._fit(b, a, types) for a, b in zip(one[1:], other[1:], strict=True)
        )

    def _fit(self, term: str, name: str, types: Mapping[str, str]) -> bool:
        if term.startswith("?"):
            return name.startswith("?") or term not in types or name in self._problem.of_type(types[term])
        return name.startswith("?") or term == name

    def _exclude(self, one: Atom, other: Atom, types: Mapping[str, str]) -> bool:
        """Return whether the two, in which parameters may be left open, never hold at once."""
        shared = set(self._mutexes.rooms(one)).intersection(self._mutexes.rooms(other))
        known = any(not any(term.startswith("?") for term in thing) for _, thing in shared)
        return known and not self._may_be(one, other, types)
