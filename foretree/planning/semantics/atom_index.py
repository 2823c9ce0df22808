"""Atoms of a state, found by predicate and argument."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from foretree.planning.incremental import Increments, run_to_end
from foretree.planning.semantics.operator_index import unify
from foretree.world_model.beliefs.facts import Atom

#: So many atoms are indexed as one piece of work.
_AT_A_TIME = 500


class AtomIndex:
    """The atoms of a state, found by predicate and argument. Indexed as far as it is asked for."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        self.atoms = atoms
        self._by_predicate: dict[str, list[Atom]] = {}
        self._sorted: dict[str, list[Atom]] = {}
        self._in_order: set[tuple[str, int, str]] = set()
        self._by_term: dict[tuple[str, int], dict[str, list[Atom]]] = {}
        self._has_instance: dict[Atom, bool] = {}

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The first arguments of the atoms."""
        return frozenset(atom[1] for atom in self.atoms if len(atom) > 1)

    def of(self, predicate: str) -> list[Atom]:
        """Return all atoms of *predicate*, sorted."""
        found = self._sorted.get(predicate)
        if found is None:
            found = self._sorted[predicate] = sorted(self._unsorted(predicate))
        return found

    def with_term(self, predicate: str, position: int, term: str) -> list[Atom]:
        """Return the atoms of *predicate* that have *term* at *position*, sorted."""
        key = (predicate, position)
        index = self._by_term.get(key)
        if index is None:
            index = self._by_term[key] = {}
            for atom in self._unsorted(predicate):
                index.setdefault(atom[position], []).append(atom)
        found = index.get(term, [])
        # In a fixed order, so that runs repeat; few of the lists are ever asked for.
        if (predicate, position, term) not in self._in_order:
            self._in_order.add((predicate, position, term))
            found.sort()
        return found

    def candidates(self, pattern: Atom) -> Sequence[Atom]:
        """Return the atoms that may be instances of *pattern* (variables begin with ``?``), sorted."""
        known = [(place, term) for place, term in enumerate(pattern[1:], 1) if term[0] != "?"]
        if len(known) == len(pattern) - 1:
            return (pattern,) if pattern in self.atoms else ()
        if not known:
            return self.of(pattern[0])
        return min((self.with_term(pattern[0], *one) for one in known), key=len)

    def has_instance(self, pattern: Atom) -> bool:
        """True if an atom is an instance of *pattern*."""
        known = self._has_instance.get(pattern)
        if known is None:
            known = any(unify(pattern, atom) is not None for atom in self.candidates(pattern))
            self._has_instance[pattern] = known
        return known

    def indexing(self) -> Increments[None]:
        """Index by predicate, a few atoms at a time."""
        if self._by_predicate:
            return
        found: dict[str, list[Atom]] = {}
        for number, atom in enumerate(self.atoms):
            if number % _AT_A_TIME == 0:
                yield 1
            found.setdefault(atom[0], []).append(atom)
        self._by_predicate = found

    def _unsorted(self, predicate: str) -> list[Atom]:
        run_to_end(self.indexing())
        return self._by_predicate.get(predicate, [])
