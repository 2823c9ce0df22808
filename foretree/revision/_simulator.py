"""Simulation of ground actions in state deltas, with what came of them kept."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foretree.planning.pddl.syntax import TRUE, Effect, Formula, Literal, atoms_of
from foretree.planning.semantics.actions import GroundAction, GroundEffect, fired
from foretree.planning.semantics.evaluation import conjuncts, evaluate, state_oracle
from foretree.revision._state_delta import StateDelta
from foretree.revision.plan_task import PlanTask
from foretree.world_model.beliefs.facts import Atom, Truth, Vocabulary

#: What tells deltas apart.
StateKey: TypeAlias = tuple[frozenset[Atom], frozenset[Atom]]

#: An action, not grounded yet.
ActionKey: TypeAlias = tuple[str, tuple[str, ...]]

#: What an action makes true, and what false.
AddsAndDeletes: TypeAlias = tuple[tuple[Atom, ...], tuple[Atom, ...]]


def only_moves_robot(effects: Sequence[Effect | GroundEffect], vocabulary: Vocabulary) -> bool:
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
            parts = self._parts[key] = _take_apart(action)
        return parts


@dataclass(frozen=True, slots=True)
class _Parts:
    """A ground action, taken apart for quick checks."""

    needs: tuple[Atom, ...]
    forbids: tuple[Atom, ...]
    rest: tuple[Formula, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    unconditional: bool
    mentions: frozenset[Atom]


def _take_apart(action: GroundAction) -> _Parts:
    conditions = conjuncts(action.precondition)
    literals = [part for part in conditions if isinstance(part, Literal)]
    effects = [effect.literal for effect in action.effects if effect.condition == TRUE]
    adds = tuple(effect.atom for effect in effects if effect.positive)
    return _Parts(
        tuple(part.atom for part in literals if part.positive),
        tuple(part.atom for part in literals if not part.positive),
        tuple(part for part in conditions if not isinstance(part, Literal)),
        adds,
        tuple(effect.atom for effect in effects if not effect.positive and effect.atom not in adds),
        len(effects) == len(action.effects),
        frozenset(atoms_of(action.precondition)),
    )
