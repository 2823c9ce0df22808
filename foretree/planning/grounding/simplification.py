"""Simplification of ground tasks: operators, effects and conditions that cannot matter are left out.

The rules are those of :mod:`foretree.planning.grounding._operator_relevance`, for ground operators.

The operators that can run are fewer than those that relevance took into account before grounding, and each of
them can be looked at by itself, so less matters. The rules, and why nothing is lost by them, are the same;
here with atoms in place of patterns.

*Excursions*: ``p`` is one atom and ``q`` one of several, with

A. every operator that adds a ``q`` needs and deletes ``p``, and adds no other atom of this kind,
B. every operator that adds ``p`` needs and deletes one of the ``q``, and adds no other atom of this kind,
C. every operator that deletes ``p`` needs ``p``,
D. initially at most one of ``p`` and the ``q`` holds.

*Undoing*: an operator that needs the opposite of what it makes true matters as a way to it only if that
opposite holds initially, or is made true by an operator that matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from foretree.planning.grounding.ground_task import GroundOperator, GroundTask, SignedAtom
from foretree.world_model.beliefs.facts import Atom


def simplify(grounding: GroundTask) -> GroundTask:
    """Without preconditions that always hold, and without operators and effects that do not matter."""
    fixed_true = grounding.init - grounding.denied

    def can_fail(literal: SignedAtom) -> bool:
        atom, positive = literal
        return atom not in fixed_true if positive else atom in grounding.reached

    operators = [
        operator._replace(precondition=tuple(filter(can_fail, operator.precondition)))
        for operator in grounding.operators
    ]
    goal = tuple(filter(can_fail, grounding.goal))
    kept, matters = _Relevance(operators, grounding.init, goal).find()
    mentioned = {atom for atom, _ in matters}
    return replace(
        grounding,
        operators=tuple(
            operator._replace(effects=tuple(e for e in operator.effects if e.literal[0] in mentioned))
            for number, operator in enumerate(operators)
            if number in kept
        ),
        goal=goal,
    )


class _Relevance:
    def __init__(
        self, operators: Sequence[GroundOperator], init: frozenset[Atom], goal: Sequence[SignedAtom]
    ) -> None:
        self._operators = operators
        self._init = init
        self._goal = goal
        self._achievers: dict[SignedAtom, list[int]] = {}
        for number, operator in enumerate(operators):
            for effect in operator.effects:
                self._achievers.setdefault(effect.literal, []).append(number)
        self._returns = _Excursions(operators, self._achievers, init).returns()
        self._sources = set(self._returns.values())
        self._kept: set[int] = set()
        self._matters: dict[SignedAtom, None] = {}
        self._queue: list[SignedAtom] = []
        #: What operators that matter make true.
        self._made: set[SignedAtom] = set()
        #: Operators that matter once something matters, or once something is made true.
        self._waiting: dict[tuple[str, SignedAtom], list[int]] = {}

    def find(self) -> tuple[set[int], Mapping[SignedAtom, None]]:
        """The numbers of the operators that matter, and the literals."""
        for literal in self._goal:
            self._add(literal)
        while self._queue:
            literal = self._queue.pop()
            for number in self._waiting.pop(("matters", literal), ()):
                self._keep(number)
            for number in self._achievers.get(literal, ()):
                if number not in self._kept:
                    self._achieve(number, literal)
        return self._kept, self._matters

    def _achieve(self, number: int, literal: SignedAtom) -> None:
        source = self._returns.get((number, literal))
        if source is not None:
            if source[0] in self._init or source in self._matters:
                self._keep(number)
            else:
                self._waiting.setdefault(("matters", source), []).append(number)
            return
        opposite = (literal[0], not literal[1])
        if (
            opposite in self._operators[number].precondition
            and (opposite[0] in self._init) != opposite[1]
            and opposite not in self._made
        ):
            self._waiting.setdefault(("made", opposite), []).append(number)
            return
        self._keep(number)

    def _keep(self, number: int) -> None:
        if number in self._kept:
            return
        self._kept.add(number)
        operator = self._operators[number]
        for literal in operator.precondition:
            self._add(literal)
        for effect in operator.effects:
            for atom, positive in effect.condition:
                # Whether it happens must be the same in a plan that leaves things out.
                self._add((atom, positive))
                self._add((atom, not positive))
            if effect.literal in self._sources:
                # It may be the start of an excursion that matters: then the way back matters as well.
                self._add(effect.literal)
            if effect.literal not in self._made:
                self._made.add(effect.literal)
                for other in self._waiting.pop(("made", effect.literal), ()):
                    self._keep(other)

    def _add(self, literal: SignedAtom) -> None:
        if literal not in self._matters:
            self._matters[literal] = None
            self._queue.append(literal)


class _Excursions:
    """The returns among the effects of ground operators, see the module's text.

    Args:
        operators: all there are.
        achievers: the numbers of those that have an effect.
        init: the atoms that are true initially.
    """

    def __init__(
        self,
        operators: Sequence[GroundOperator],
        achievers: Mapping[SignedAtom, Sequence[int]],
        init: frozenset[Atom],
    ) -> None:
        self._operators = operators
        self._achievers = achievers
        self._init = init
        self._conditional = {e.literal[0] for o in operators for e in o.effects if e.condition}
        self._needs = [frozenset(operator.precondition) for operator in operators]
        self._adds = [{e.literal[0] for e in o.effects if e.literal[1]} for o in operators]
        self._deletes = [{e.literal[0] for e in o.effects if not e.literal[1]} for o in operators]

    def returns(self) -> dict[tuple[int, SignedAtom], SignedAtom]:
        """Return, for each operator and effect that is a mere return, the precondition it returns from."""
        found: dict[tuple[int, SignedAtom], SignedAtom] = {}
        for literal, ways in self._achievers.items():
            p, positive = literal
            if not positive or p in self._conditional:
                continue
            sources: dict[int, Atom] = {}
            for number in ways:
                source = self._source(number, p)
                if source is None:
                    break
                sources[number] = source
            else:
                if self._alternate(p, sources):
                    found |= {(number, literal): (q, True) for number, q in sources.items()}
        return found

    def _source(self, number: int, p: Atom) -> Atom | None:
        """Return an atom that an operator which adds *p* takes away for it."""
        for atom, true in self._operators[number].precondition:
            if true and atom != p and atom in self._deletes[number] and atom not in self._adds[number]:
                return atom
        return None

    def _alternate(self, p: Atom, sources: Mapping[int, Atom]) -> bool:
        """Return whether *p* and the atoms that its achievers take away satisfy the conditions A to D."""
        kind = {p, *sources.values()}
        return (
            kind.isdisjoint(self._conditional)
            and len(kind & self._init) <= 1
            and all(len(self._adds[number] & kind) == 1 for number in sources)
            and all((p, True) in self._needs[number] for number in self._achievers.get((p, False), ()))
            and all(
                (p, True) in self._needs[number]
                and p in self._deletes[number]
                and len(self._adds[number] & kind) == 1
                for q in kind - {p}
                for number in self._achievers.get((q, True), ())
            )
        )
