"""Simulation of actions in imagined states: what differs from the state that is believed.

Trying out many short changes of one large state must not copy it each time. A state delta shares the facts
it starts from, and finds them by predicate and argument. The simulator keeps what came of each action.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import TypeAlias

from foretree.planning.pddl.syntax import TRUE, Effect, Formula, Literal, atoms_of
from foretree.planning.semantics.actions import GroundAction, fired
from foretree.planning.semantics.atom_index import AtomIndex
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.facts import Atom, Truth, Vocabulary


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


#: What tells deltas apart.
StateKey: TypeAlias = tuple[frozenset[Atom], frozenset[Atom]]

#: An action, not grounded yet.
ActionKey: TypeAlias = tuple[str, tuple[str, ...]]

#: What an action makes true, and what false.
AddsAndDeletes: TypeAlias = tuple[tuple[Atom, ...], tuple[Atom, ...]]


def only_moves_robot(effects: Sequence[Effect], vocabulary: Vocabulary) -> bool:
    """Return whether an action with these effects does nothing but bring the robot elsewhere."""
    return bool(effects) and all(
        effect.condition == TRUE
        and vocabulary[effect.literal.atom[0]].kind == "robot"
        and vocabulary.group_key(effect.literal.atom) is not None
        for effect in effects
    )


class Simulator:
    """Carries out actions in deltas of one state; keeps what came of it.

    Args:
        task: the domain, its objects and its costs.
    """

    def __init__(self, task: PlanTask) -> None:
        self.task = task
        self._parts: dict[ActionKey, _Parts] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._after: dict[tuple[StateKey, str, tuple[str, ...]], StateDelta] = {}

    def named(self, type_name: str) -> frozenset[str]:
        """The objects of a type."""
        names = self._names.get(type_name)
        if names is None:
            names = self._names[type_name] = frozenset(self.task.objects.of_type(type_name))
        return names

    def possible(self, state: Container[Atom], action: GroundAction) -> bool:
        """Return whether *action* may be applied."""
        parts = self._taken_apart(action)
        return (
            all(atom in state for atom in parts.needs)
            and not any(atom in state for atom in parts.forbids)
            and all(self.holds(state, formula) for formula in parts.rest)
        )

    def advance(self, delta: StateDelta, action: GroundAction) -> StateDelta:
        """The state after *action*."""
        key = (delta.key, action.name, action.arguments)
        following = self._after.get(key)
        if following is None:
            following = self._after[key] = delta.after(*self.changes(delta, action))
        return following

    def changes(self, state: Container[Atom], action: GroundAction) -> AddsAndDeletes:
        """Return the atoms that *action* makes true, and false; one that it makes both is true."""
        parts = self._taken_apart(action)
        if parts.unconditional:
            return parts.adds, parts.deletes
        effects = fired(action, state_oracle(state), self.task.objects)
        return (
            tuple(effect.atom for effect in effects if effect.positive),
            tuple(effect.atom for effect in effects if not effect.positive),
        )

    def done(self, state: Container[Atom], action: GroundAction) -> bool:
        """Return whether everything that *action* does for certain is so already."""
        parts = self._taken_apart(action)
        return (
            bool(parts.adds or parts.deletes)
            and all(atom in state for atom in parts.adds)
            and not any(atom in state for atom in parts.deletes)
        )

    def holds(self, state: Container[Atom], formula: Formula) -> bool:
        """Return whether *formula* is true."""
        return evaluate(formula, state_oracle(state), self.task.objects) is Truth.TRUE

    def lacks(self, state: Container[Atom], action: GroundAction) -> list[Formula]:
        """The conditions of *action* that do not hold."""
        return [part for part in conjuncts(action.precondition) if not self.holds(state, part)]

    def mentions(self, action: GroundAction) -> frozenset[Atom]:
        """Return the atoms in the precondition of *action*."""
        return self._taken_apart(action).mentions

    def _taken_apart(self, action: GroundAction) -> _Parts:
        key = (action.name, action.arguments)
        parts = self._parts.get(key)
        if parts is None:
            parts = self._parts[key] = _Parts(action)
        return parts


class _Parts:
    """A ground action, taken apart for quick checks."""

    __slots__ = ("adds", "deletes", "forbids", "mentions", "needs", "rest", "unconditional")

    def __init__(self, action: GroundAction) -> None:
        conditions = conjuncts(action.precondition)
        literals = [part for part in conditions if isinstance(part, Literal)]
        effects = [effect.literal for effect in action.effects if effect.condition == TRUE]
        adds = self.adds = tuple(one.atom for one in effects if one.positive)
        self.deletes = tuple(one.atom for one in effects if not one.positive and one.atom not in adds)
        self.needs = tuple(part.atom for part in literals if part.positive)
        self.forbids = tuple(part.atom for part in literals if not part.positive)
        self.rest = tuple(part for part in conditions if not isinstance(part, Literal))
        self.unconditional = len(effects) == len(action.effects)
        self.mentions = frozenset(atoms_of(action.precondition))
