"""Mutex groups of a domain: found in the operators alone, without grounding them.

A thing is in one place at a time: ``(on mug ?p)``, ``(in mug ?p)`` and ``(holding ?h mug)`` never hold two at
once, because every operator that adds one of them needs and deletes another one of the same thing. Such a
*kind* of atoms is found the way Helmert's invariant synthesis does it ("Concise finite-domain representations
for PDDL planning tasks", 2009), without its finer points: start with one predicate, and whenever an operator
adds one more atom than it takes away, let what it does take away be part of the kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from foretree.planning.pddl.syntax import Equal, Literal, Not, Operator, Problem
from foretree.planning.semantics.operator_index import OperatorIndex, OperatorParts, index_of
from foretree.planning.work_limit import WorkLimit
from foretree.world_model.beliefs.facts import Atom

#: For each predicate of a kind, the columns of the thing that its atoms are about.
LiftedGroup: TypeAlias = Mapping[str, "tuple[int, ...]"]

#: Where at most one atom holds: the number of a kind, and a thing.
Room: TypeAlias = tuple[int, "tuple[str, ...]"]

#: Kinds that are tried from one beginning, before that is given up.
_MOST_TRIALS = 50


@dataclass(frozen=True)
class MutexGroups:
    """Kinds of atoms of which at most one holds about each thing, except about those in ``violated``.

    A thing is violated for a kind if several atoms of it hold about it initially.
    """

    lifted: tuple[LiftedGroup, ...]
    violated: frozenset[Room]

    def rooms(self, atom: Atom) -> Iterator[Room]:
        """Yield where *atom* leaves no room for other atoms while it holds."""
        for number, kind in enumerate(self.lifted):
            if atom[0] in kind and (room := (number, subject_of(atom, kind))) not in self.violated:
                yield room

    def exclude(self, one: Atom, other: Atom) -> bool:
        """Return whether the two atoms never hold at once."""
        return one != other and not set(self.rooms(one)).isdisjoint(self.rooms(other))

    def groups(self, atoms: Iterable[Atom]) -> Iterator[tuple[Atom, ...]]:
        """Yield the groups of at least two *atoms* of which at most one ever holds."""
        found: dict[Room, list[Atom]] = {}
        for atom in atoms:
            for room in self.rooms(atom):
                found.setdefault(room, []).append(atom)
        return (tuple(group) for group in found.values() if len(group) > 1)


def subject_of(atom: Atom, kind: LiftedGroup) -> tuple[str, ...]:
    """The thing that an atom of a kind is about."""
    return tuple(atom[column + 1] for column in kind[atom[0]])


def find_mutex_groups(problem: Problem, work: WorkLimit | None = None) -> MutexGroups:
    """Return the mutex groups of a compiled problem.

    Args:
        work: counts the steps.

    Raises:
        TooMuchWorkError: there are more steps than allowed.
    """
    index = index_of(problem.domain)
    groups = tuple(_lifted_groups(index, work or WorkLimit()))
    everywhere = MutexGroups(groups, frozenset())
    holding = Counter(room for atom in problem.init for room in everywhere.rooms(atom))
    violated = {room for room, times in holding.items() if times > 1}
    for operator in problem.domain.operators.values():
        for number, group in enumerate(groups):
            confined = _confined(index.parts(operator), group)
            if confined is not None:
                predicate, columns = confined
                violated |= {
                    (number, tuple(atom[column + 1] for column in columns))
                    for atom in problem.init
                    if atom[0] == predicate
                }
    return MutexGroups(groups, frozenset(violated))


def _lifted_groups(index: OperatorIndex, work: WorkLimit) -> Iterator[LiftedGroup]:
    """Find the balanced groups that begin with one predicate, each once."""
    found: set[tuple[tuple[str, tuple[int, ...]], ...]] = set()
    for name, arity in index.fluents.items():
        # What has no arguments (most judgements) joins a group that others begin.
        for counted in range(-1, arity) if arity else ():
            columns = tuple(column for column in range(arity) if column != counted)
            group = _grow({name: columns}, index, work)
            # A predicate alone with all its columns fixed says only that an atom equals itself.
            if group is None or (len(group) == 1 and counted < 0):
                continue
            key = tuple(sorted(group.items()))
            if key not in found:
                found.add(key)
                yield dict(key)


def _grow(kind: dict[str, tuple[int, ...]], index: OperatorIndex, work: WorkLimit) -> LiftedGroup | None:
    """A kind that contains *kind* and is balanced, except for few things; None if there is none in sight."""
    trials = [kind]
    for _ in range(_MOST_TRIALS):
        if not trials:
            return None
        kind = trials.pop()
        culprit = next(
            (
                operator
                for predicate in kind
                for operator in {o.name: o for o, _ in index.achievers(predicate, True)}.values()
                if not _is_harmless(index.parts(operator), kind, work)
            ),
            None,
        )
        if culprit is None:
            return kind
        added = list(_added_atoms(culprit, kind))
        if len(added) == 1:
            thing = subject_of(added[0], kind)
            larger = [
                {**kind, atom[0]: tuple(atom[1:].index(term) for term in thing)}
                for atom in index.parts(culprit).consumed
                if atom[0] not in kind and set(thing) <= set(atom[1:])
            ]
            trials += reversed(larger)
    return None


def _is_harmless(parts: OperatorParts, kind: LiftedGroup, work: WorkLimit) -> bool:
    """Return whether an operator unbalances the kind nowhere, or in few places that are known."""
    work.spend(1 + len(parts.operator.effects))
    return is_balanced(parts, kind) or _confined(parts, kind) is not None


def is_balanced(parts: OperatorParts, kind: LiftedGroup) -> bool:
    """Return whether an operator never increases how many atoms of the kind hold about anything."""
    things: dict[tuple[str, ...], Atom] = {}
    lost = {subject_of(source, kind) for source in parts.consumed if source[0] in kind}
    for atom in _added_atoms(parts.operator, kind):
        thing = subject_of(atom, kind)
        if things.setdefault(thing, atom) != atom or Literal(atom) not in parts.certain or thing not in lost:
            return False
    return all(_differ(parts, one, other) for one, other in combinations(things, 2))


def _differ(parts: OperatorParts, one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether an operator demands that the two things are different ones."""
    conditions = parts.conditions
    return any(
        Not(Equal(a, b)) in conditions or Not(Equal(b, a)) in conditions
        for a, b in zip(one, other, strict=True)
    )


def _confined(parts: OperatorParts, kind: LiftedGroup) -> tuple[str, tuple[int, ...]] | None:
    """Return where an operator that adds several atoms at once can do harm: a static predicate and columns of
    it. What is lifted with both hands is held twice; all else is held once.
    """
    added = set(_added_atoms(parts.operator, kind))
    things = {subject_of(atom, kind) for atom in added}
    if len(added) == 1 or len(things) != 1:
        return None
    (thing,) = things
    for literal in parts.static:
        if literal.positive and set(thing) <= set(literal.atom[1:]):
            return literal.atom[0], tuple(literal.atom[1:].index(term) for term in thing)
    return None


def _added_atoms(operator: Operator, kind: LiftedGroup) -> Iterator[Atom]:
    """The atoms of the kind that *operator* adds, under whatever condition."""
    for effect in operator.effects:
        if effect.literal.positive and effect.literal.atom[0] in kind:
            yield effect.literal.atom
