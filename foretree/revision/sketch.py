"""Imagined states: what differs from the state that is believed.

Whoever tries out many short changes of one large state must not copy it each time. A sketch shares the facts
it starts from, and finds them by predicate and argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from foretree.world_model.facts import Atom


class Facts:
    """The atoms of a state, found by predicate and argument. Indexed as far as it is asked for."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        self.atoms = atoms
        self._by_predicate: dict[str, list[Atom]] = {}
        self._sorted: dict[str, list[Atom]] = {}
        self._in_order: set[tuple[str, int, str]] = set()
        self._by_term: dict[tuple[str, int], dict[str, list[Atom]]] = {}

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What the atoms are about: their first terms."""
        return frozenset(atom[1] for atom in self.atoms if len(atom) > 1)

    def of(self, predicate: str) -> list[Atom]:
        """All atoms of *predicate*, sorted."""
        found = self._sorted.get(predicate)
        if found is None:
            found = self._sorted[predicate] = sorted(self._unsorted(predicate))
        return found

    def with_term(self, predicate: str, position: int, term: str) -> list[Atom]:
        """The atoms of *predicate* that have *term* at *position*, sorted."""
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

    def _unsorted(self, predicate: str) -> list[Atom]:
        if not self._by_predicate:
            for atom in self.atoms:
                self._by_predicate.setdefault(atom[0], []).append(atom)
        return self._by_predicate.get(predicate, [])


class Sketch:
    """A state, as what differs from others' facts."""

    __slots__ = ("facts", "key", "minus", "plus")

    def __init__(
        self, facts: Facts, plus: frozenset[Atom] = frozenset(), minus: frozenset[Atom] = frozenset()
    ) -> None:
        self.facts = facts
        self.plus = plus
        self.minus = minus
        #: Equal for equal states over the same facts.
        self.key = (plus, minus)

    def __contains__(self, atom: object) -> bool:
        return atom in self.plus or (atom in self.facts.atoms and atom not in self.minus)

    def after(self, adds: Iterable[Atom], deletes: Iterable[Atom]) -> Sketch:
        """The state in which *deletes* are false and then *adds* are true."""
        atoms = self.facts.atoms
        plus, minus = set(self.plus), set(self.minus)
        for atom in deletes:
            plus.discard(atom)
            if atom in atoms:
                minus.add(atom)
        for atom in adds:
            minus.discard(atom)
            if atom not in atoms:
                plus.add(atom)
        return Sketch(self.facts, frozenset(plus), frozenset(minus))

    def mentions(self, name: str) -> bool:
        """Whether anything is said of *name*: a true atom that begins with it."""
        return name in self.facts.subjects

    def differing(self, other: Sketch) -> frozenset[Atom]:
        """The atoms that are true in one of the two only; both are over the same facts."""
        return (self.plus ^ other.plus) | (self.minus ^ other.minus)

    def matching(self, predicate: str, known: tuple[int, str] | None = None) -> list[Atom]:
        """The atoms of *predicate*; if a position and a term are *known*, those with the term there."""
        facts, minus = self.facts, self.minus
        found = facts.of(predicate) if known is None else facts.with_term(predicate, *known)
        if minus:
            found = [atom for atom in found if atom not in minus]
        added = [
            atom
            for atom in self.plus
            if atom[0] == predicate and (known is None or atom[known[0]] == known[1])
        ]
        return [*found, *sorted(added)] if added else found
