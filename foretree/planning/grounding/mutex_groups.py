"""Which atoms exclude each other: found in the operators alone, without grounding them.

A thing is in one place at a time: ``(on mug ?p)``, ``(in mug ?p)`` and ``(holding ?h mug)`` never hold two at
once, because every operator that adds one of them needs and deletes another one of the same thing. Such a
*kind* of atoms is found the way Helmert's invariant synthesis does it ("Concise finite-domain representations
for PDDL planning tasks", 2009), without its finer points: start with one predicate, and whenever an operator
adds one more atom than it takes away, let what it does take away be part of the kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from foretree.planning.grounding.work_limit import WorkLimit
from foretree.planning.pddl.syntax import TRUE, Equal, Formula, Literal, Not, Operator, Problem
from foretree.planning.semantics.evaluation import conjuncts
from foretree.world_model.beliefs.facts import Atom

#: For each predicate of a kind, the columns of the thing that its atoms are about.
LiftedGroup: TypeAlias = Mapping[str, "tuple[int, ...]"]

#: Kinds that are tried from one beginning, before that is given up.
_MOST_TRIALS = 50


@dataclass(frozen=True)
class MutexGroups:
    """Kinds of atoms of which at most one holds about each thing, except about those in ``spoiled``.

    A thing is spoiled for a kind if several atoms of it hold about it initially.
    """

    kinds: tuple[LiftedGroup, ...]
    spoiled: frozenset[tuple[int, tuple[str, ...]]]

    def exclude(self, one: Atom, other: Atom) -> bool:
        """Whether the two atoms never hold at once."""
        if one == other:
            return False
        for number, kind in enumerate(self.kinds):
            if one[0] in kind and other[0] in kind:
                thing = subject_of(one, kind)
                if thing == subject_of(other, kind) and (number, thing) not in self.spoiled:
                    return True
        return False

    def groups(self, atoms: Iterable[Atom]) -> Iterator[tuple[Atom, ...]]:
        """Of *atoms*, those that are about the same thing, where that never are two at once; no singles."""
        found: dict[tuple[int, tuple[str, ...]], list[Atom]] = {}
        for atom in atoms:
            for number, kind in enumerate(self.kinds):
                if atom[0] in kind and (key := (number, subject_of(atom, kind))) not in self.spoiled:
                    found.setdefault(key, []).append(atom)
        return (tuple(group) for group in found.values() if len(group) > 1)


def subject_of(atom: Atom, kind: LiftedGroup) -> tuple[str, ...]:
    """The thing that an atom of a kind is about."""
    return tuple(atom[column + 1] for column in kind[atom[0]])


def find_mutex_groups(problem: Problem, work: WorkLimit | None = None) -> MutexGroups:
    """The invariants of a compiled problem.

    Args:
        work: counts the steps.

    Raises:
        TooMuchWorkError: there are more steps than allowed.
    """
    work = work or WorkLimit()
    operators = tuple(problem.domain.operators.values())
    kinds: dict[tuple[tuple[str, tuple[int, ...]], ...], None] = {}
    added = {e.literal.atom[0]: len(e.literal.atom) - 1 for o in operators for e in o.effects}
    adding: dict[str, list[Operator]] = {}
    for operator in operators:
        for predicate in dict.fromkeys(e.literal.atom[0] for e in operator.effects if e.literal.positive):
            adding.setdefault(predicate, []).append(operator)
    for name, arity in added.items():
        # What has no arguments (most judgements) joins a kind that others begin.
        for counted in range(-1, arity) if arity else ():
            columns = tuple(column for column in range(arity) if column != counted)
            found = _grow({name: columns}, adding, added, work)
            # A predicate alone with all its columns fixed says only that an atom equals itself.
            if found is not None and (len(found) > 1 or counted >= 0):
                kinds[tuple(sorted(found.items()))] = None
    result = tuple(dict(kind) for kind in kinds)
    holding = Counter(
        (number, subject_of(atom, kind))
        for atom in problem.init
        for number, kind in enumerate(result)
        if atom[0] in kind
    )
    spoiled = {key for key, times in holding.items() if times > 1}
    for number, kind in enumerate(result):
        for confined in filter(None, (_confined(operator, kind, added) for operator in operators)):
            predicate, columns = confined
            spoiled |= {
                (number, tuple(atom[column + 1] for column in columns))
                for atom in problem.init
                if atom[0] == predicate
            }
    return MutexGroups(result, frozenset(spoiled))


def _grow(
    kind: dict[str, tuple[int, ...]],
    adding: Mapping[str, Sequence[Operator]],
    fluent: Collection[str],
    work: WorkLimit,
) -> LiftedGroup | None:
    """A kind that contains *kind* and is balanced, except for few things; None if there is none in sight.

    Args:
        adding: the operators that add atoms of each predicate.
    """
    trials = [kind]
    for _ in range(_MOST_TRIALS):
        if not trials:
            return None
        kind = trials.pop()
        culprit = next(
            (
                operator
                for predicate in kind
                for operator in adding.get(predicate, ())
                if not _is_harmless(operator, kind, fluent, work)
            ),
            None,
        )
        if culprit is None:
            return kind
        added = list(added_atoms(culprit, kind))
        if len(added) == 1:
            thing = subject_of(added[0], kind)
            larger = [
                {**kind, atom[0]: tuple(atom[1:].index(term) for term in thing)}
                for atom in consumed_atoms(culprit)
                if atom[0] not in kind and set(thing) <= set(atom[1:])
            ]
            trials += reversed(larger)
    return None


def _is_harmless(operator: Operator, kind: LiftedGroup, fluent: Collection[str], work: WorkLimit) -> bool:
    """Whether *operator* unbalances the kind nowhere, or in few places that are known."""
    work.spend(1 + len(operator.effects))
    return is_balanced(operator, kind) or _confined(operator, kind, fluent) is not None


def is_balanced(operator: Operator, kind: LiftedGroup) -> bool:
    """Whether *operator* never increases how many atoms of the kind hold about anything."""
    things: dict[tuple[str, ...], Atom] = {}
    certain = _certain(operator)
    lost = {subject_of(source, kind) for source in consumed_atoms(operator) if source[0] in kind}
    for atom in added_atoms(operator, kind):
        thing = subject_of(atom, kind)
        if things.setdefault(thing, atom) != atom or Literal(atom) not in certain or thing not in lost:
            return False
    return all(_differ(operator, one, other) for one, other in combinations(things, 2))


def _differ(operator: Operator, one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether *operator* demands that the two things are different ones."""
    return any(
        Not(Equal(a, b)) in parts or Not(Equal(b, a)) in parts
        for parts in [conjuncts(operator.precondition)]
        for a, b in zip(one, other, strict=True)
    )


def _confined(
    operator: Operator, kind: LiftedGroup, fluent: Collection[str]
) -> tuple[str, tuple[int, ...]] | None:
    """Where an operator that adds several atoms at once can do harm: the things that a static predicate, in
    some columns, lists. What is lifted with both hands is held twice; whatever else there is, is held once.
    """
    added = set(added_atoms(operator, kind))
    things = {subject_of(atom, kind) for atom in added}
    if len(added) == 1 or len(things) != 1:
        return None
    (thing,) = things
    for literal in literals_of(operator.precondition):
        if literal.positive and literal.atom[0] not in fluent and set(thing) <= set(literal.atom[1:]):
            return literal.atom[0], tuple(literal.atom[1:].index(term) for term in thing)
    return None


def added_atoms(operator: Operator, kind: LiftedGroup) -> Iterator[Atom]:
    """The atoms of the kind that *operator* adds, under whatever condition."""
    for effect in operator.effects:
        if effect.literal.positive and effect.literal.atom[0] in kind:
            yield effect.literal.atom


def consumed_atoms(operator: Operator) -> Iterator[Atom]:
    """The atoms that *operator* needs and deletes."""
    certain = _certain(operator)
    for literal in literals_of(operator.precondition):
        if literal.positive and ~literal in certain:
            yield literal.atom


def _certain(operator: Operator) -> set[Literal]:
    """What *operator* makes true and false whenever it runs."""
    return {
        effect.literal for effect in operator.effects if effect.condition == TRUE and not effect.variables
    }


def literals_of(formula: Formula) -> Iterator[Literal]:
    """The literals of a compiled condition, which is a conjunction; its equalities are left out."""
    return (part for part in conjuncts(formula) if isinstance(part, Literal))
