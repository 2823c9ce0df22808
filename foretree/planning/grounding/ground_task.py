"""Ground tasks: the operators of a compiled problem with their arguments filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from foretree.world_model.beliefs.facts import Atom

#: An atom and whether it has to be true. Plain tuples: there are many of them.
SignedAtom: TypeAlias = tuple[Atom, bool]


class SignedEffect(NamedTuple):
    """A literal that becomes so if all of *condition* held before."""

    literal: SignedAtom
    condition: tuple[SignedAtom, ...] = ()


class GroundOperator(NamedTuple):
    """An operator with its arguments filled in; *precondition* lists only what can change."""

    name: str
    arguments: tuple[str, ...]
    precondition: tuple[SignedAtom, ...]
    effects: tuple[SignedEffect, ...]
    cost: int


@dataclass(frozen=True)
class GroundTask:
    """The part of a problem that can be reached from the initial state when nothing is ever deleted.

    Attributes:
        operators: all that can run, in the order they were found.
        init: the initially true atoms that operators can change.
        reached: all atoms that can become true, those that static facts make true left out.
        denied: the atoms of ``init`` that can become false.
        goal: the goal's literals over atoms that can change.
        unreachable: those of them that can never hold.
        refuted: whether static facts already make the goal false.
        exclusive: two atoms of the goal that never hold at once, if there are such.
        groups: sets of atoms of ``reached`` of which at most one holds at any time.
    """

    operators: tuple[GroundOperator, ...]
    init: frozenset[Atom]
    reached: frozenset[Atom]
    denied: frozenset[Atom]
    goal: tuple[SignedAtom, ...]
    unreachable: tuple[SignedAtom, ...]
    refuted: bool
    exclusive: tuple[Atom, Atom] | None
    groups: tuple[tuple[Atom, ...], ...] = ()

    @property
    def solvable(self) -> bool:
        """False if there is certainly no plan; True says nothing."""
        return not self.refuted and not self.unreachable and self.exclusive is None

    @property
    def conditional_effects(self) -> bool:
        """Return whether some effect depends on more than its operator's precondition."""
        return any(effect.condition for operator in self.operators for effect in operator.effects)

    def reaches(self, literal: SignedAtom) -> bool:
        """Return whether the literal, over an atom that can change, can come to hold."""
        atom, positive = literal
        if positive:
            return atom in self.reached
        return atom not in self.init or atom in self.denied

    def holds_initially(self) -> bool:
        """Return whether the goal holds without doing anything."""
        return not self.refuted and all((atom in self.init) == positive for atom, positive in self.goal)
