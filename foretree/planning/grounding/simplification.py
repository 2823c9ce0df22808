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

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from foretree.planning.grounding.ground_task import GroundOperator, GroundTask, SignedAtom
from foretree.world_model.beliefs.facts import Atom

#: A literal comes to matter, or an operator that matters makes it true.
_Event: TypeAlias = tuple[str, SignedAtom]
#: For each operator and effect that is a mere return, the precondition that it returns from.
_Returns: TypeAlias = dict[tuple[int, SignedAtom], SignedAtom]


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
    kept, mentioned = _Relevance(operators, grounding.init).find(goal)
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
    def __init__(self, operators: Sequence[GroundOperator], init: frozenset[Atom]) -> None:
        self._operators = operators
        self._init = init
        self._achievers: dict[SignedAtom, list[int]] = {}
        for number, operator in enumerate(operators):
            for effect in operator.effects:
                self._achievers.setdefault(effect.literal, []).append(number)
        self._conditional = {e.literal[0] for o in operators for e in o.effects if e.condition}
        self._needs = [frozenset(operator.precondition) for operator in operators]
        self._adds = [{e.literal[0] for e in o.effects if e.literal[1]} for o in operators]
        self._deletes = [{e.literal[0] for e in o.effects if not e.literal[1]} for o in operators]
        self._kept: set[int] = set()
        #: The literals that matter, and those that operators which matter make true.
        self._known: set[_Event] = set()
        self._queue: list[_Event] = []
        #: Operators that matter once something matters, or once something is made true.
        self._waiting: dict[_Event, list[int]] = {}

    def find(self, goal: Iterable[SignedAtom]) -> tuple[set[int], set[Atom]]:
        """The numbers of the operators that matter, and the atoms."""
        returns = self._returns()
        sources = set(returns.values())
        for literal in goal:
            self._note("matters", literal)
        while self._queue:
            event = self._queue.pop()
            kept = self._waiting.pop(event, [])
            if event[0] == "matters":
                kept += [n for n in self._achievers.get(event[1], ()) if self._achieves(n, event[1], returns)]
            for number in kept:
                self._keep(number, sources)
        return self._kept, {literal[0] for kind, literal in self._known if kind == "matters"}

    def _note(self, kind: str, literal: SignedAtom) -> None:
        if (kind, literal) not in self._known:
            self._known.add((kind, literal))
            self._queue.append((kind, literal))

    def _achieves(self, number: int, literal: SignedAtom, returns: _Returns) -> bool:
        """Return whether an operator matters as a way to *literal*; it may have to wait for that."""
        source = returns.get((number, literal))
        event = ("made", (literal[0], not literal[1])) if source is None else ("matters", source)
        atom, positive = event[1]
        if (source is None and event[1] not in self._needs[number]) or (atom in self._init) == positive:
            return True
        if event not in self._known:
            self._waiting.setdefault(event, []).append(number)
        return event in self._known

    def _keep(self, number: int, sources: Container[SignedAtom]) -> None:
        if number in self._kept:
            return
        self._kept.add(number)
        operator = self._operators[number]
        for literal in operator.precondition:
            self._note("matters", literal)
        for effect in operator.effects:
            for atom, positive in effect.condition:
                # Whether it happens must be the same in a plan that leaves things out.
                self._note("matters", (atom, positive))
                self._note("matters", (atom, not positive))
            if effect.literal in sources:
                # It may be the start of an excursion that matters: then the way back matters as well.
                self._note("matters", effect.literal)
            self._note("made", effect.literal)

    # -- excursions ----------------------------------------------------------------------------------------

    def _returns(self) -> _Returns:
        found: _Returns = {}
        for literal, ways in self._achievers.items():
            p, positive = literal
            if positive and p not in self._conditional:
                sources = {number: self._source(number, p) for number in ways}
                if self._alternate(p, sources):
                    found |= {(number, literal): (q, True) for number, q in sources.items() if q is not None}
        return found

    def _source(self, number: int, p: Atom) -> Atom | None:
        """Return an atom that an operator which adds *p* takes away for it."""
        for atom, true in self._operators[number].precondition:
            if true and atom != p and atom in self._deletes[number] and atom not in self._adds[number]:
                return atom
        return None

    def _alternate(self, p: Atom, sources: Mapping[int, Atom | None]) -> bool:
        """Return whether *p* and the atoms that its achievers take away satisfy the conditions A to D."""
        kind = {p, *sources.values()}
        return (
            None not in kind
            and kind.isdisjoint(self._conditional)
            and len(kind & self._init) <= 1
            and all(len(self._adds[number] & kind) == 1 for number in sources)
            and all((p, True) in self._needs[number] for number in self._achievers.get((p, False), ()))
            and all(
                (p, True) in self._needs[number]
                and p in self._deletes[number]
                and len(self._adds[number] & kind) == 1
                for q in sources.values()
                if q is not None
                for number in self._achievers.get((q, True), ())
            )
        )
