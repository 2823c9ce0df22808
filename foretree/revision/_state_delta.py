"""Imagined states: what differs from the state that is believed.

Trying out many short changes of one large state must not copy it each time. A state delta shares the facts
it starts from, and finds them by predicate and argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from foretree.planning.semantics.atom_index import AtomIndex
from foretree.world_model.beliefs.facts import Atom


class StateDelta:
    """A state, as what differs from others' facts."""

    __slots__ = ("facts", "key", "minus", "plus")

    def __init__(
        self, facts: AtomIndex, plus: frozenset[Atom] = frozenset(), minus: frozenset[Atom] = frozenset()
    ) -> None:
        self.facts = facts
        self.plus = plus
        self.minus = minus
        #: Equal for equal states over the same facts.
        self.key = (plus, minus)

    def __contains__(self, atom: object) -> bool:
        return atom in self.plus or (atom in self.facts.atoms and atom not in self.minus)

    def after(self, adds: Iterable[Atom], deletes: Iterable[Atom]) -> StateDelta:
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
        return StateDelta(self.facts, frozenset(plus), frozenset(minus))

    def mentions(self, name: str) -> bool:
        """Return whether anything is said of *name*: a true atom that begins with it."""
        return name in self.facts.subjects

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


class UndoableState:
    """A state that is carried along a plan: what an action changes costs no more than that, however long the
    plan is, and can be taken back.

    Args:
        start: the state to begin in.
        wanted: atoms that are watched, each with the value that it is to have.

    Attributes:
        lacking: of what is wanted, the atoms that do not have their value.
        changes: the atoms that have changed their value, one after the other.
    """

    __slots__ = ("_delta", "_facts", "_minus", "_plus", "_wanted", "changes", "lacking")

    def __init__(self, start: StateDelta, wanted: Mapping[Atom, bool]) -> None:
        self._facts = start.facts
        self._plus, self._minus = set(start.plus), set(start.minus)
        self._delta: StateDelta | None = start
        self._wanted = wanted
        self.changes: list[Atom] = []
        self.lacking = {atom for atom, value in wanted.items() if (atom in start) != value}

    def __contains__(self, atom: object) -> bool:
        return atom in self._plus or (atom in self._facts.atoms and atom not in self._minus)

    @property
    def differences(self) -> int:
        """The number of atoms that have another value than in the facts it began from."""
        return len(self._plus) + len(self._minus)

    def delta(self) -> StateDelta:
        """The state as it is now, to be kept; costs as much as it differs from the facts it began from."""
        if self._delta is None:
            self._delta = StateDelta(self._facts, frozenset(self._plus), frozenset(self._minus))
        return self._delta

    def change(self, adds: Collection[Atom], deletes: Collection[Atom]) -> None:
        """Make *deletes* false and then *adds* true."""
        for atom in adds:
            if atom not in self:
                self._flip(atom)
        for atom in deletes:
            if atom in self and atom not in adds:
                self._flip(atom)

    def back_to(self, length: int) -> None:
        """Take back all but the first *length* of the changes."""
        while len(self.changes) > length:
            self._flip(self.changes[-1])
            del self.changes[-2:]

    def _flip(self, atom: Atom) -> None:
        differing = self._minus if atom in self._facts.atoms else self._plus
        differing ^= {atom}
        if atom in self._wanted:
            self.lacking ^= {atom}
        self._delta = None
        self.changes.append(atom)
