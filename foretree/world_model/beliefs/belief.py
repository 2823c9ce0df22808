"""The belief: entities and three-valued facts, versioned, with snapshots that cost nothing.

Facts live in a persistent hash map, so a snapshot is a pointer and a change copies O(log n). The belief
also keeps a journal of which atoms changed their truth, which is how a plan of ten thousand actions finds
out in constant time whether anything it cares about is different from the last tick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from immutables import Map

from foretree.world_model.beliefs.facts import Atom, Entity, Fact, Truth, Vocabulary

#: Changes remembered for :meth:`Belief.changes_since`; older versions count as "anything may have changed".
JOURNAL_LENGTH = 4096


def placement_key(group: str, entity: str) -> Atom:
    """The journal entry for a change of *entity*'s place within an exclusive *group*.

    Such a change also alters atoms that have no fact of their own (they become excluded, or unknown again),
    so a watcher of an atom of a group watches this key too: see :meth:`Snapshot.watch_keys`.
    """
    return (f"group:{group}", entity)


class Snapshot:
    """A belief as it was at one version. Immutable; cheap to take and to keep."""

    __slots__ = ("_entities", "_facts", "_placed", "_true", "version", "vocabulary")

    def __init__(
        self,
        version: int,
        vocabulary: Vocabulary,
        facts: Map[Atom, Fact],
        entities: Map[str, Entity],
        placed: Map[tuple[str, str], Atom],
        true: Map[str, Map[Atom, None]],
    ) -> None:
        self.version = version
        self.vocabulary = vocabulary
        self._facts = facts
        self._entities = entities
        self._placed = placed
        #: The true atoms by predicate.
        self._true = true

    def truth(self, atom: Atom) -> Truth:
        """The truth of *atom*: true, false or unknown."""
        fact = self._facts.get(atom)
        if fact is not None and fact.truth is not Truth.UNKNOWN:
            return fact.truth
        info = self.vocabulary[atom[0]]
        if info.group is not None:
            key = self.vocabulary.group_key(atom)
            if key is not None and key in self._placed:
                return Truth.FALSE
        return Truth.UNKNOWN if fact is not None or info.observable else Truth.FALSE

    def fact(self, atom: Atom) -> Fact | None:
        """The recorded fact about *atom*, if there is one."""
        return self._facts.get(atom)

    def evidence(self, atom: Atom) -> Fact:
        """The fact that decides *atom*'s truth: its own, the one that excludes it, or a blank one."""
        fact = self._facts.get(atom)
        if fact is not None and fact.truth is not Truth.UNKNOWN:
            return fact
        key = self.vocabulary.group_key(atom)
        excluding = None if key is None else self._placed.get(key)
        if excluding is not None:
            other = self._facts[excluding]
            return Fact(atom, Truth.FALSE, other.confidence, other.time, other.source)
        if fact is not None:
            return fact
        if self.vocabulary[atom[0]].observable:
            return Fact(atom, Truth.UNKNOWN, 0.0, 0.0, "none")
        return Fact(atom, Truth.FALSE, 1.0, 0.0, "default")

    def assumed(self, atom: Atom) -> Truth:
        """The truth of *atom*; where nothing is known, what planning assumes, unless it must not."""
        truth = self.truth(atom)
        if truth is not Truth.UNKNOWN:
            return truth
        default = self.vocabulary[atom[0]].default
        return Truth.UNKNOWN if default is None else Truth.TRUE if default else Truth.FALSE

    def presumed(self, atom: Atom, certainty: float) -> Truth:
        """The truth of *atom*; where nothing is known, what is usual, if it is usual with *certainty*."""
        truth = self.truth(atom)
        usual = self.vocabulary[atom[0]].usual
        if truth is not Truth.UNKNOWN or usual is None or max(usual, 1 - usual) < certainty:
            return truth
        return Truth.TRUE if usual > 0.5 else Truth.FALSE

    def watch_keys(self, atom: Atom) -> tuple[Atom, ...]:
        """The journal entries that can mean a change of *atom*'s truth."""
        key = self.vocabulary.group_key(atom)
        return (atom,) if key is None else (atom, placement_key(*key))

    def facts(self) -> Iterator[Fact]:
        """Every recorded fact, in no particular order."""
        return iter(self._facts.values())

    def true_atoms(self) -> Iterator[Atom]:
        """Every atom believed true, in no particular order."""
        return chain.from_iterable(self._true.values())

    def true_of(self, predicate: str) -> Collection[Atom]:
        """Every atom of a predicate that is believed true, in no particular order; the same object as long as
        none of them changes."""
        return self._true.get(predicate, ())

    def placement(self, group: str, entity: str) -> Atom | None:
        """The true atom of an exclusive *group* about *entity*, such as its place; None if unknown."""
        return self._placed.get((group, entity))

    def goes_with(self, one: Atom, other: Atom) -> bool:
        """Return whether two atoms of one exclusive group can be true together."""
        return one[0] == other[0] and self.vocabulary[one[0]].several

    def beside(self, atom: Atom) -> list[Atom]:
        """The true atoms of the same exclusive group that can be true together with *atom*."""
        if not self.vocabulary[atom[0]].several:
            return []
        key = self.vocabulary.group_key(atom)
        return sorted(
            other
            for other in self.true_of(atom[0])
            if other != atom and self.vocabulary.group_key(other) == key
        )

    def placed_without(self, key: tuple[str, str], atom: Atom) -> Map[tuple[str, str], Atom]:
        """The places by group and entity if *atom* were not true."""
        beside = self.beside(atom)
        return self._placed.set(key, beside[0]) if beside else self._placed.delete(key)

    def entity(self, name: str) -> Entity | None:
        """The entity of that name, if it is believed to exist."""
        return self._entities.get(name)

    def entities(self) -> Mapping[str, Entity]:
        """All entities by name, in no particular order."""
        return self._entities


class Belief:
    """The live belief of an agent. Its :class:`Snapshot` has all that can be asked of it.

    Example::

        on = PredicateInfo(kind="place", observable=True, group="rests", shelf_life=600.0)
        belief = Belief(Vocabulary({"on": on, "in": on}))
        belief.tell(("on", "mango1", "table1"), confidence=0.9, time=1.0, source="look")
        before = belief.snapshot()
        belief.tell(("in", "mango1", "fridge1"), time=2.0, source="action")

        belief.truth(("on", "mango1", "table1"))  # Truth.FALSE: it is in the fridge
        before.truth(("on", "mango1", "table1"))  # Truth.TRUE: snapshots never change
        belief.changes_since(before.version)  # the atoms whose truth changed
    """

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._state = Snapshot(0, vocabulary or Vocabulary(), Map(), Map(), Map(), Map())
        self._journal: deque[tuple[int, Atom]] = deque(maxlen=JOURNAL_LENGTH)

    # -- asking ------------------------------------------------------------------------------------
    @property
    def version(self) -> int:
        """Grows with every change; equal versions mean equal beliefs."""
        return self._state.version

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates, and how they are treated."""
        return self._state.vocabulary

    def snapshot(self) -> Snapshot:
        """The belief as it is now; never changes afterwards."""
        return self._state

    def truth(self, atom: Atom) -> Truth:
        """The truth of *atom*: true, false or unknown."""
        return self._state.truth(atom)

    def fact(self, atom: Atom) -> Fact | None:
        """The recorded fact about *atom*, if there is one."""
        return self._state.fact(atom)

    def entity(self, name: str) -> Entity | None:
        """The entity of that name, if it is believed to exist."""
        return self._state.entity(name)

    def entities(self) -> Mapping[str, Entity]:
        """All entities by name."""
        return self._state.entities()

    def changes_since(self, version: int) -> list[Atom] | None:
        """The atoms whose truth changed after *version*; None when that is too long ago to know."""
        journal = self._journal
        if not journal or journal[-1][0] <= version:
            return []
        if len(journal) == JOURNAL_LENGTH and journal[0][0] > version:
            return None
        changed: list[Atom] = []
        for at, atom in reversed(journal):
            if at <= version:
                break
            changed.append(atom)
        changed.reverse()
        return changed

    # -- telling -----------------------------------------------------------------------------------
    def tell(
        self,
        atom: Atom,
        truth: bool | Truth = True,
        *,
        confidence: float = 1.0,
        time: float = 0.0,
        source: str = "told",
    ) -> None:
        """Record that *atom* is true, false or unknown; the newer record replaces the older one.

        A true atom of an exclusive group makes the group's former atom for the same entity false; only of a
        predicate that can be true in several ways do the ways stay true together.
        """
        if truth is True:
            truth = Truth.TRUE
        elif truth is False:
            truth = Truth.FALSE
        state = self._state
        before = state.truth(atom)
        version = state.version + 1
        facts = state._facts
        placed = state._placed
        true = state._true
        key = state.vocabulary.group_key(atom)
        if key is not None:
            former = placed.get(key)
            if truth is Truth.TRUE:
                if former != atom and not (former is not None and state.goes_with(former, atom)):
                    if former is not None:
                        for other in (former, *state.beside(former)):
                            facts = facts.delete(other)
                            true = _without(true, other)
                            self._journal.append((version, other))
                    placed = placed.set(key, atom)
                    self._journal.append((version, placement_key(*key)))
            elif former == atom:
                placed = state.placed_without(key, atom)
                self._journal.append((version, placement_key(*key)))
        facts = facts.set(atom, Fact(atom, truth, confidence, time, source))
        true = _with(true, atom) if truth is Truth.TRUE else _without(true, atom)
        self._advance(facts, state._entities, placed, true)
        if before is not truth:
            self._journal.append((version, atom))

    def retract(self, atoms: Iterable[Atom]) -> None:
        """Forget what was recorded about *atoms*; each falls back to its predicate's default."""
        for atom in atoms:
            state = self._state
            if atom not in state._facts:
                continue
            placed = state._placed
            key = state.vocabulary.group_key(atom)
            version = state.version + 1
            if key is not None and placed.get(key) == atom:
                placed = state.placed_without(key, atom)
                self._journal.append((version, placement_key(*key)))
            true = _without(state._true, atom)
            self._advance(state._facts.delete(atom), state._entities, placed, true)
            self._journal.append((version, atom))

    def refresh(self, facts: Iterable[Fact], entities: Iterable[Entity] = ()) -> None:
        """Record fresh evidence for what is believed already: all in one version, nothing in the journal.

        Raises:
            ValueError: a fact states another truth than the record it replaces; that is for :meth:`tell`.
        """
        state = self._state
        known = state._facts.mutate()
        for fact in facts:
            former = known.get(fact.atom)
            if former is None or former.truth is not fact.truth:
                raise ValueError(f"{fact} would change the truth of {former}.")
            known[fact.atom] = fact
        seen = state._entities.mutate()
        for entity in entities:
            seen[entity.name] = entity
        self._advance(known.finish(), seen.finish(), state._placed, state._true)

    def put_entity(self, entity: Entity) -> None:
        """Add *entity*, or replace the one of the same name."""
        self.refresh((), (entity,))

    def remove_entity(self, name: str) -> None:
        """Stop believing that an entity exists, and forget all facts about it."""
        self.retract(sorted(fact.atom for fact in self._state.facts() if name in fact.atom[1:]))
        state = self._state
        if name in state._entities:
            self._advance(state._facts, state._entities.delete(name), state._placed, state._true)

    def _advance(
        self,
        facts: Map[Atom, Fact],
        entities: Map[str, Entity],
        placed: Map[tuple[str, str], Atom],
        true: Map[str, Map[Atom, None]],
    ) -> None:
        """Go on to the next version."""
        state = self._state
        self._state = Snapshot(state.version + 1, state.vocabulary, facts, entities, placed, true)


def _with(true: Map[str, Map[Atom, None]], atom: Atom) -> Map[str, Map[Atom, None]]:
    alike = true.get(atom[0])
    if alike is None:
        return true.set(atom[0], Map({atom: None}))
    return true if atom in alike else true.set(atom[0], alike.set(atom, None))


def _without(true: Map[str, Map[Atom, None]], atom: Atom) -> Map[str, Map[Atom, None]]:
    alike = true.get(atom[0])
    return true if alike is None or atom not in alike else true.set(atom[0], alike.delete(atom))
