"""Imagined states: what differs from the state that is believed.

Whoever tries out many short changes of one large state must not copy it each time. A sketch shares the facts
it starts from, and finds them by predicate and argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from foretree.world_model.facts import Atom


class Facts:
    """The atoms of a state, found by predicate and argument. Indexed as far as it is asked for."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        self.atoms = atoms
        self._by_predicate: dict[str, list[Atom]] | None = None
        self._by_term: dict[tuple[str, int], dict[str, list[Atom]]] = {}

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What the atoms are about: their first terms."""
        return frozenset(atom[1] for atom in self.atoms if len(atom) > 1)

    def of(self, predicate: str) -> list[Atom]:
        """All atoms of *predicate*, sorted."""
        if self._by_predicate is None:
            self._by_predicate = {}
            for atom in sorted(self.atoms):
                self._by_predicate.setdefault(atom[0], []).append(atom)
        return self._by_predicate.get(predicate, [])

    def with_term(self, predicate: str, position: int, term: str) -> list[Atom]:
        """The atoms of *predicate* that have *term* at *position*, sorted."""
        key = (predicate, position)
        index = self._by_term.get(key)
        if index is None:
            index = self._by_term[key] = {}
            for atom in self.of(predicate):
                index.setdefault(atom[position], []).append(atom)
        return index.get(term, [])


class Sketch:
    """A state, as what differs from others' facts."""

    __slots__ = ("facts", "minus", "plus")

    def __init__(
        self, facts: Facts, plus: frozenset[Atom] = frozenset(), minus: frozenset[Atom] = frozenset()
    ) -> None:
        self.facts = facts
        self.plus = plus
        self.minus = minus

    def __contains__(self, atom: object) -> bool:
        return atom in self.plus or (atom in self.facts.atoms and atom not in self.minus)

    @property
    def key(self) -> tuple[frozenset[Atom], frozenset[Atom]]:
        """Equal for equal states over the same facts."""
        return (self.plus, self.minus)

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

    def matching(self, pattern: Atom, binding: dict[str, str]) -> Iterator[Atom]:
        """The atoms of the pattern's predicate that may agree with what is bound of its terms."""
        predicate = pattern[0]
        found = None
        for position, term in enumerate(pattern[1:], 1):
            value = binding.get(term) if term.startswith("?") else term
            if value is not None:
                found = self.facts.with_term(predicate, position, value)
                break
        for atom in self.facts.of(predicate) if found is None else found:
            if atom not in self.minus:
                yield atom
        if self.plus:
            for atom in sorted(self.plus):
                if atom[0] == predicate:
                    yield atom
