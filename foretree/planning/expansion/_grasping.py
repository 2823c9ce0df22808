"""Candidates for hand predicates: pairs of predicates that change as grasping and letting go change them.

Grasping makes "held" true and "free" false, letting go does the opposite. Names do not matter for that, and
neither does arity: "held" has the arguments of "free" and the thing held besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

from foretree.planning.expansion._implied_literals import implied_atoms, implied_literals
from foretree.planning.expansion._role_words import role_of, words_about
from foretree.planning.pddl.syntax import Domain, Operator
from foretree.world_model.beliefs.facts import Atom

#: Words in the name of a predicate that say a hand holds nothing.
_FREE = frozenset({"available", "empty", "free", "handempty", "idle", "ready", "unbusy", "vacant"})


@dataclass(frozen=True, slots=True)
class GraspPair:
    """A "free" and a "held" predicate; ``shared[i]`` is where "held" has the argument *i* of "free"."""

    free: str
    held: str
    shared: tuple[int, ...]

    def free_of(self, held: Atom) -> Atom:
        """The atom that says the hand which *held* is about is free."""
        return (self.free, *(held[position + 1] for position in self.shared))


class _Change(NamedTuple):
    """An atom that an operator makes true or false, and when it does."""

    atom: Atom
    when: tuple[object, ...]


def _changes(operator: Operator) -> tuple[list[_Change], list[_Change]]:
    """The atoms that an operator makes true, and those that it makes false."""
    found: dict[bool, list[_Change]] = {True: [], False: []}
    for effect in operator.effects:
        found[effect.literal.positive].append(
            _Change(effect.literal.atom, (effect.condition, effect.variables))
        )
    return found[True], found[False]


def find_pairs(domain: Domain) -> Iterator[GraspPair]:
    """Every pair that at least one operator grasps with and another lets go with."""
    changes = [*map(_changes, domain.operators.values())]
    grasped = {pair for made, gone in changes for pair in _grasping(made, gone)}
    let_go = {pair for made, gone in changes for pair in _grasping(gone, made)}
    yield from sorted(grasped & let_go, key=lambda pair: (pair.free, pair.held, pair.shared))


def _grasping(made: Sequence[_Change], gone: Sequence[_Change]) -> Iterator[GraspPair]:
    """Every pair that an operator with these effects grasps with."""
    for held, free in product(made, gone):
        if held.when == free.when and len(held.atom) > len(free.atom):
            for shared in permutations(range(len(held.atom) - 1), len(free.atom) - 1):
                pair = GraspPair(free.atom[0], held.atom[0], shared)
                if pair.free_of(held.atom) == free.atom and _grasps(pair, made, gone):
                    yield pair


def _grasps(pair: GraspPair, made: Sequence[_Change], gone: Sequence[_Change]) -> bool:
    """True if "held" becomes true and "free" false, and nothing the other way round.

    An operator that does both at once moves something from one place to another, as a disk between pegs.
    """
    if any(c.atom[0] == pair.free for c in made) or any(c.atom[0] == pair.held for c in gone):
        return False
    return any(hand in gone for hand in _hands([pair], made))


def _hands(pairs: Iterable[GraspPair], changes: Iterable[_Change]) -> list[_Change]:
    """The changes of "free" that should go with those of "held" among *changes*."""
    return [_Change(p.free_of(c.atom), c.when) for p in pairs for c in changes if c.atom[0] == p.held]


@dataclass(frozen=True)
class Candidate:
    """A predicate that may mean "the hand is free", and its pairs with those that may mean "is held"."""

    domain: Domain
    free: str
    pairs: tuple[GraspPair, ...]

    def is_busy(self) -> bool:
        """True if "free" must be false before it becomes true.

        Where things lie and how busy the hand is change together just as what is held and a free hand do. But
        "busy" must be false before it becomes true, and "free" hardly ever must; where it must, its name may
        tell.
        """
        return _FREE.isdisjoint(re.split(r"[-_]", self.free)) and any(
            effect.literal.positive
            and effect.literal.atom[0] == self.free
            and ~effect.literal in implied_literals(operator.precondition)
            for operator in self.domain.operators.values()
            for effect in operator.effects
        )

    def changes_together(self) -> bool:
        """True if no operator changes the one without the other, but for swapping what the hand holds."""
        for operator in self.domain.operators.values():
            made, gone = _changes(operator)
            for one, other in ((made, gone), (gone, made)):
                freed = _hands(self.pairs, other)
                if any(change.atom[0] == self.free and change not in freed for change in one):
                    return False
                if any(hand not in other and hand not in freed for hand in _hands(self.pairs, one)):
                    return False
        return True

    def is_exclusive(self) -> bool:
        """True if nothing is grasped with a busy hand, and no hand is freed that may hold something else."""
        return self.changes_together() and all(
            self._keeps_exclusive(operator) for operator in self.domain.operators.values()
        )

    def _keeps_exclusive(self, operator: Operator) -> bool:
        for effect in operator.effects:
            sure = implied_atoms(operator.precondition) | implied_atoms(effect.condition)
            busy = [pair.free_of(atom) for pair in self.pairs for atom in sure if atom[0] == pair.held]
            atom = effect.literal.atom
            hands = [pair.free_of(atom) for pair in self.pairs if atom[0] == pair.held]
            if effect.literal.positive and (
                (atom[0] == self.free and atom not in busy)
                or any(hand not in sure and hand not in busy for hand in hands)
            ):
                return False
        return True

    def knows_its_arguments(self) -> bool:
        """True if each argument of "free" is called a robot or a hand."""
        return all(self.shared_role(position) is not None for position in range(len(self.pairs[0].shared)))

    def shared_role(self, position: int) -> str | None:
        """The role of the argument of "free" at *position* by its names, there or where "held" has it."""
        words = [*words_about(self.domain, self.free, position)]
        for pair in self.pairs:
            words += words_about(self.domain, pair.held, pair.shared[position])
        return role_of(words)

    def takes_things_away(self) -> bool:
        """True if a thing that is grasped loses some other fact about it: that it lies somewhere."""
        for operator in self.domain.operators.values():
            made, gone = _changes(operator)
            for pair, change in product(self.pairs, made):
                if change.atom[0] == pair.held and _grasps(pair, made, gone):
                    items = {term for i, term in enumerate(change.atom[1:]) if i not in pair.shared}
                    if any(items & set(other.atom[1:]) for other in gone):
                        return True
        return False

    def names_hands(self) -> bool:
        """True if the names of the predicates speak of robots or hands."""
        return role_of((self.free, *(pair.held for pair in self.pairs))) is not None

    def made_at_once(self, operator: Operator) -> list[str]:
        """The "held" predicates that an operator makes true, sorted."""
        held = {pair.held for pair in self.pairs}
        return sorted({change.atom[0] for change in _changes(operator)[0] if change.atom[0] in held})


def opposites(domain: Domain) -> list[tuple[str, str]]:
    """Predicates that must be false before they become true with another one, which each comes with.

    The first may mean that the hand is busy, the second that it holds something.
    """
    changes = [*map(_changes, domain.operators.values())]
    grasped = {names for made, _ in changes for names in _together(made)}
    let_go = {names for _, gone in changes for names in _together(gone)}
    conditions = [implied_literals(operator.precondition) for operator in domain.operators.values()]
    needed_false = {literal.atom[0] for found in conditions for literal in found if not literal.positive}
    return sorted(names for names in grasped & let_go if names[0] in needed_false)


def _together(changed: Sequence[_Change]) -> Iterator[tuple[str, str]]:
    """Predicates that change together, the first about some of what the second is about."""
    for one, other in product(changed, changed):
        if one.when == other.when and set(one.atom[1:]) < set(other.atom[1:]):
            yield one.atom[0], other.atom[0]
