"""A grounded problem over variables with finitely many values, as Fast Downward's search reads it.

Atoms that exclude each other (a thing is in one place, a hand is free or holds one thing) share a variable,
whose last value says that none of them holds; every other atom is a variable with two values. The operators
are named by their number, so that the plan that comes back needs no parsing of names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

from foretree.planning.grounding.ground_task import GroundOperator, GroundTask, SignedAtom
from foretree.planning.solvers.finite_domain.task import FiniteDomainTask, SasEffect, SasOperator
from foretree.world_model.beliefs.facts import Atom


def finite_domain(grounding: GroundTask) -> FiniteDomainTask:
    """*grounding*, simplified, over variables."""
    variables = _Variables(grounding)
    return FiniteDomainTask(
        tuple(_names(atoms) for atoms in variables.values),
        tuple(atoms[0][1:] if len(atoms) == 1 else None for atoms in variables.values),
        tuple(
            tuple(variables.place[atom] for atom in group)
            for group in variables.groups
            if len({variables.place[atom][0] for atom in group}) > 1
        ),
        tuple(
            next((v for v, atom in enumerate(atoms) if atom in grounding.init), len(atoms))
            for atoms in variables.values
        ),
        variables.conjunction(grounding.goal),
        tuple(
            encoded
            for number, operator in enumerate(grounding.operators)
            if (encoded := _encoded(number, operator, variables)) is not None
        ),
    )


def _names(atoms: Sequence[Atom]) -> tuple[str, ...]:
    last = f"NegatedAtom {_name(atoms[0])}" if len(atoms) == 1 else "<none of those>"
    return (*(f"Atom {_name(atom)}" for atom in atoms), last)


def _name(atom: Atom) -> str:
    return f"{atom[0]}({', '.join(atom[1:])})"


class _Variables:
    """The variable of each atom, and its value.

    An atom shares a variable only if it is always known what becomes of the variable: if nothing tests that
    the atom is false, no condition of an effect decides about it, and no operator deletes it without needing
    it, except one that needs another atom of the group, so that there is nothing to delete.
    """

    def __init__(self, grounding: GroundTask) -> None:
        atoms = _mentioned(grounding)
        rank = {atom: number for number, atom in enumerate(atoms)}
        self.groups = [
            group
            for whole in grounding.groups
            if len(group := tuple(sorted((a for a in whole if a in rank), key=rank.__getitem__))) > 1
        ]
        self._rivals: dict[Atom, set[Atom]] = {}
        for group in self.groups:
            for atom in group:
                self._rivals.setdefault(atom, set()).update(group)
        alone = self._alone(grounding)
        shared = _disjoint([tuple(atom for atom in group if atom not in alone) for group in self.groups])
        taken = {atom for group in shared for atom in group}
        self.values = shared + [(atom,) for atom in atoms if atom not in taken]
        self.values.sort(key=lambda group: rank[group[0]])
        self.place = {
            atom: (number, value)
            for number, group in enumerate(self.values)
            for value, atom in enumerate(group)
        }

    def _alone(self, grounding: GroundTask) -> set[Atom]:
        """The atoms that have to have a variable of their own."""
        alone = {atom for atom, positive in grounding.goal if not positive}
        for operator in grounding.operators:
            needed = {atom for atom, positive in operator.precondition if positive}
            alone.update(atom for atom, positive in operator.precondition if not positive)
            for effect in operator.effects:
                atom, positive = effect.literal
                alone.update(tested for tested, wanted in effect.condition if not wanted)
                if effect.condition or not (positive or atom in needed or self.excluded(atom, needed)):
                    alone.add(atom)
        return alone

    def excluded(self, atom: Atom, others: Collection[Atom]) -> bool:
        """Tell whether *atom* is false for sure where *others* hold."""
        return atom not in others and not self._rivals.get(atom, set()).isdisjoint(others)

    def conjunction(self, literals: Iterable[SignedAtom]) -> dict[int, int]:
        """The value of each variable that they ask for."""
        return dict(self.literal(*signed) for signed in literals)

    def literal(self, atom: Atom, positive: bool) -> tuple[int, int]:
        """The variable of *atom* and the value that it has, or loses it to."""
        variable, value = self.place[atom]
        return variable, value if positive else len(self.values[variable])


def _disjoint(groups: list[tuple[Atom, ...]]) -> list[tuple[Atom, ...]]:
    """Groups of two atoms at least that share none: always the largest, without what the others have."""
    found: list[tuple[Atom, ...]] = []
    while groups and len(largest := max(groups, key=len)) > 1:
        found.append(largest)
        gone = set(largest)
        groups = [rest for group in groups if (rest := tuple(atom for atom in group if atom not in gone))]
    return found


def _mentioned(grounding: GroundTask) -> list[Atom]:
    found = {atom: None for atom, _ in grounding.goal}
    for operator in grounding.operators:
        found.update((atom, None) for atom, _ in operator.precondition)
        for effect in operator.effects:
            found[effect.literal[0]] = None
            found.update((atom, None) for atom, _ in effect.condition)
    return list(found)


def _encoded(number: int, operator: GroundOperator, variables: _Variables) -> SasOperator | None:
    before = variables.conjunction(operator.precondition)
    needed = {atom for atom, positive in operator.precondition if positive}
    changes: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    for (atom, positive), condition in _without_conflicts(operator):
        variable, value = variables.literal(atom, positive)
        if not condition and before.get(variable) == value:
            continue
        if not positive and variables.excluded(atom, needed):
            continue
        tests = tuple(variables.conjunction(condition).items())
        if positive or (variable, tests) not in changes:
            changes[variable, tests] = value
    if not changes:
        return None
    made = tuple(SasEffect(variable, value, tests) for (variable, tests), value in changes.items())
    return SasOperator(number, before, made, operator.cost)


def _without_conflicts(operator: GroundOperator) -> Iterator[tuple[SignedAtom, tuple[SignedAtom, ...]]]:
    """The effects, none of which deletes an atom that another one adds at the same time.

    In PDDL the addition wins; the format leaves it open. So an atom is deleted only where every addition's
    condition fails, for each of them through one of its literals.
    """
    additions: dict[Atom, list[tuple[SignedAtom, ...]]] = {}
    for effect in operator.effects:
        if effect.literal[1]:
            additions.setdefault(effect.literal[0], []).append(effect.condition)
    for effect in operator.effects:
        atom, positive = effect.literal
        if positive or atom not in additions:
            yield effect.literal, effect.condition
            continue
        for failing in product(*additions[atom]):
            condition = dict(effect.condition)
            if all(condition.setdefault(tested, not value) != value for tested, value in failing):
                yield effect.literal, tuple(condition.items())
