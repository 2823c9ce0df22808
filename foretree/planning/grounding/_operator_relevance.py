"""Operators that can matter for a goal: found backwards, without grounding them.

Starting from the goal, an operator matters if it makes a literal that matters true; then what it needs
matters too. Literals and operators are *partly* instantiated: ``None`` stands for any object, so the work
hardly grows with the number of objects. Dropping all that does not matter changes neither the cost of the
best plan nor whether there is one: leave the dropped actions out of a plan, and by induction over its steps
each literal that matters still holds wherever it held before.

**Excursions.** Plain relevance would keep every object that can be carried, because putting it down makes
the hand free, and a free hand matters. Take atoms ``p`` and ``q``, such as ``hand_free(h)`` and
``holding(h, i)``, with

A. every operator that adds a ``q`` needs and deletes its ``p``, and adds no other atom of this kind,
B. every operator that adds ``p`` needs and deletes one of its ``q``, and adds no other atom of this kind,
C. every operator that deletes ``p`` needs ``p``,
D. initially at most one of ``p`` and its ``q`` holds,

so that never two of them hold at once. An operator that makes ``p`` true out of ``q`` is a mere *return*: it
matters as a way to ``p`` only if that ``q`` matters itself, or holds initially, or is made true by an
operator that matters for some other reason. Otherwise what made ``q`` true is dropped, and at that moment
``p`` held in the original plan, therefore in the reduced one; as long as ``q`` holds in the original, no
operator that deletes ``p`` is applicable there (C, and D with A and B), so ``p`` still holds in the reduced
plan when the return would have happened, and leaving the return out changes nothing that matters.
Conditional effects never take part in this: a predicate that one of them changes has no excursions.

**Undoing.** An operator that needs the opposite of what it makes true (switching off needs what is on)
matters as a way to it only if that opposite holds initially, or is made true by an operator that matters:
otherwise the opposite never holds in the reduced plan, so what the operator makes true holds there all the
time. Without this, switching things on would matter wherever they must be off, in order to switch them off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from foretree.planning.grounding._excursions import find_returns
from foretree.planning.grounding._tuple_index import Relations, Row, picker
from foretree.planning.pddl.syntax import TRUE, Effect, Literal, Operator, Problem
from foretree.planning.semantics.evaluation import literals_of
from foretree.planning.semantics.operator_index import index_of, unify
from foretree.planning.work_limit import WorkLimit
from foretree.world_model.beliefs.facts import Atom

#: A predicate with arguments, of which ``None`` stands for any object.
Pattern: TypeAlias = tuple[str, "tuple[str | None, ...]", bool]
#: An operator's parameters, as far as they are fixed.
Arguments: TypeAlias = "tuple[str | None, ...]"

#: Where at most one in so many objects can be an argument, each is looked at apart.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Template:
    """An operator with some of its parameters fixed."""

    operator: str
    arguments: Arguments


def relevant_templates(
    problem: Problem, *, prune: bool = True, work: WorkLimit | None = None
) -> tuple[Template, ...]:
    """The partly instantiated operators that can matter for the goal of a compiled problem.

    None of the templates is an instance of another one.

    Args:
        prune: leave out what evidently can never run, and with it what only that would need.
        work: counts the steps.

    Raises:
        TooMuchWorkError: there are more of them than allowed.
    """
    return _Relevance(problem, prune, work or WorkLimit()).find()


def with_operators(problem: Problem, names: Collection[str]) -> Problem:
    """*problem* with those operators alone."""
    left = {name: operator for name, operator in problem.domain.operators.items() if name in names}
    return replace(problem, domain=replace(problem.domain, operators=left))


class _Relevance:
    def __init__(self, problem: Problem, prune: bool, work: WorkLimit) -> None:
        self._work = work
        self._candidates = _candidates(problem) if prune else None
        if self._candidates is not None:
            # An operator that can never run is in the way of none, and of no excursion either.
            problem = with_operators(problem, [n for n, own in self._candidates.items() if all(own.values())])
        self._problem = problem
        self._index = index_of(problem.domain)
        #: Effects whose operator needs their opposite.
        self._reversals = {
            (operator.name, effect.literal)
            for operator in problem.domain.operators.values()
            for effect in operator.effects
            if ~effect.literal in self._index.parts(operator).literals
        }
        self._returns = find_returns(problem, self._index)
        self._sources = {source[0] for source in self._returns.values()}
        self._sizes: dict[str, int] = {}
        self._held = Relations()
        for name, *arguments in sorted(problem.init):
            self._held.add(name, tuple(arguments))
        self._matters: dict[tuple[str, bool], _Patterns] = {}
        self._templates: dict[str, _Patterns] = {}
        #: Returns that wait for their source to matter: by the source's predicate.
        self._waiting: dict[str, list[tuple[Operator, Effect, Pattern]]] = {}
        #: What operators that matter make true, and the operators that wait for it in order to undo it.
        self._made: dict[tuple[str, bool], _Patterns] = {}
        self._undoing: dict[tuple[str, bool], list[tuple[Operator, Effect, dict[str, str]]]] = {}
        self._queue: deque[Pattern] = deque()

    def find(self) -> tuple[Template, ...]:
        for literal in literals_of(self._problem.goal):
            self._add_literal(literal, {})
        while self._queue:
            pattern = self._queue.popleft()
            if pattern[2]:
                for operator, effect, wanted in tuple(self._waiting.get(pattern[0], ())):
                    self._wake(operator, effect, wanted, pattern[1])
            achievers = self._index.achievers(pattern[0], pattern[2])
            self._work.spend(len(achievers))
            for operator, effect in achievers:
                self._achieve(operator, effect, pattern)
        return tuple(
            Template(name, arguments)
            for name in self._problem.domain.operators
            for arguments in self._templates.get(name, _Patterns()).most_general()
        )

    def _achieve(self, operator: Operator, effect: Effect, pattern: Pattern) -> None:
        source = self._returns.get((operator.name, effect.literal))
        if source is None:
            if (operator.name, effect.literal) in self._reversals:
                self._undo(operator, effect, pattern[1])
            else:
                binding = unify(effect.literal.atom[1:], pattern[1])
                if binding is not None:
                    self._add_template(operator, binding)
            return
        self._waiting.setdefault(source[0], []).append((operator, effect, pattern))
        held = self._agreeing(source[0], (None,) * (len(source) - 1))
        for arguments in [*self._matters.get((source[0], True), _Patterns()), *held]:
            self._wake(operator, effect, pattern, arguments)

    def _undo(self, operator: Operator, effect: Effect, wanted: Arguments) -> None:
        """Let *operator* matter for what it makes true where the opposite can hold."""
        opposite = ~effect.literal
        binding = unify(effect.literal.atom[1:], wanted)
        if binding is None or self._covered(operator, binding):
            return
        key = (opposite.atom[0], opposite.positive)
        self._undoing.setdefault(key, []).append((operator, effect, binding))
        for arguments in [*self._initially(opposite, wanted), *self._made.get(key, _Patterns())]:
            self._undo_made(operator, effect, binding, arguments)

    def _initially(self, literal: Literal, wanted: Arguments) -> Sequence[Arguments]:
        """Return the literals that agree with *wanted* and hold initially, or patterns that cover them."""
        if literal.positive:
            return self._agreeing(literal.atom[0], wanted)
        return () if (literal.atom[0], *wanted) in self._problem.init else (wanted,)

    def _undo_made(
        self, operator: Operator, effect: Effect, wanted: Mapping[str, str], made: Arguments
    ) -> None:
        binding = unify(effect.literal.atom[1:], made, wanted)
        if binding is not None:
            self._add_template(operator, binding)

    def _make(self, literal: Literal, binding: Mapping[str, str]) -> None:
        """Note that an operator that matters makes *literal* true: others may have to undo it."""
        key = (literal.atom[0], literal.positive)
        arguments = _fix(literal.atom, binding)[1:]
        if self._made.setdefault(key, _Patterns()).add(arguments):
            for operator, effect, wanted in tuple(self._undoing.get(key, ())):
                self._undo_made(operator, effect, wanted, arguments)

    def _wake(
        self, operator: Operator, effect: Effect, wanted: Pattern, arguments: tuple[str | None, ...]
    ) -> None:
        binding = unify(effect.literal.atom[1:], wanted[1])
        if binding is not None:
            source = self._returns[operator.name, effect.literal]
            binding = unify(source[1:], arguments, binding)
        if binding is not None:
            self._add_template(operator, binding)

    def _add_template(self, operator: Operator, binding: dict[str, str]) -> None:
        self._work.spend()
        if self._covered(operator, binding):
            return
        templates = self._templates.setdefault(operator.name, _Patterns())
        for special in self._split(operator, binding):
            if templates.add(_arguments(operator, special)):
                self._add_conditions(operator, special)

    def _covered(self, operator: Operator, binding: Mapping[str, str]) -> bool:
        """Return whether *operator* matters with *binding* already, whatever else is bound besides."""
        templates = self._templates.get(operator.name)
        return templates is not None and templates.covers(_arguments(operator, binding))

    def _split(self, operator: Operator, binding: dict[str, str]) -> Iterator[dict[str, str]]:
        """The bindings to look at apart, where few objects can take part.

        Cutting needs a blade: only what the knives take part in matters then, not what any tool does.
        """
        if self._candidates is None:
            yield binding
            return
        candidates = self._candidates[operator.name]
        if any(value not in candidates[name] for name, value in binding.items()):
            return
        static = self._index.parts(operator).static
        if all(self._may_hold(part, binding) for part in static):
            few = [
                parameter.name
                for parameter in operator.parameters
                if parameter.name not in binding
                and len(candidates[parameter.name]) * _FEW <= self._size(parameter.type)
            ]
            yield from self._fill(candidates, static, binding, few)

    def _fill(
        self,
        candidates: Mapping[str, frozenset[str]],
        static: Sequence[Literal],
        binding: dict[str, str],
        names: Sequence[str],
    ) -> Iterator[dict[str, str]]:
        """*binding* with each of *names* bound, in all ways that the *static* conditions leave.

        Only what goes with those bound before is tried: else the pieces of one loaf would be tried with all
        other loaves, and each of them with the pieces of any.
        """
        if not names:
            yield binding
            return
        name = names[0]
        own = [part for part in static if name in part.atom]
        some = candidates[name]
        for part in own:
            if part.positive:
                some &= self._going_with(part.atom, name, binding)
        self._work.spend(len(some))
        for value in sorted(some):
            more = {**binding, name: value}
            if all(self._may_hold(part, more) for part in own):
                yield from self._fill(candidates, static, more, names[1:])

    def _going_with(self, pattern: Atom, name: str, binding: Mapping[str, str]) -> Set[str]:
        """Return the values of *name* that a static condition allows, with what is bound already."""
        column = pattern.index(name) - 1
        return {row[column] for row in self._agreeing(pattern[0], _fix(pattern, binding)[1:])}

    def _agreeing(self, name: str, arguments: Arguments) -> Sequence[Row]:
        """Return the initial atoms of *name* that agree with *arguments* where these are fixed."""
        columns = tuple(column for column, value in enumerate(arguments) if value is not None)
        return self._held.index(name, columns).get(picker(columns)(arguments), ())

    def _may_hold(self, literal: Literal, binding: Mapping[str, str]) -> bool:
        """Return whether a static condition can hold; one with an open argument counts as possible."""
        atom = _fix(literal.atom, binding)
        return None in atom or (atom in self._problem.init) == literal.positive

    def _size(self, type_name: str) -> int:
        if type_name not in self._sizes:
            self._sizes[type_name] = len(self._problem.of_type(type_name))
        return self._sizes[type_name]

    def _add_conditions(self, operator: Operator, binding: Mapping[str, str]) -> None:
        conditions = self._index.parts(operator).literals
        self._work.spend(len(conditions) + len(operator.effects))
        for literal in conditions:
            self._add_literal(literal, binding)
        for effect in operator.effects:
            self._make(effect.literal, binding)
            if effect.condition != TRUE:
                # Whether it happens must be the same in a plan that leaves things out.
                for literal in literals_of(effect.condition):
                    self._add_literal(literal, binding)
                    self._add_literal(~literal, binding)
            elif effect.literal.positive and effect.literal.atom[0] in self._sources:
                # It may be the start of an excursion that matters: then the way back matters as well.
                self._add_literal(effect.literal, binding)

    def _add_literal(self, literal: Literal, binding: Mapping[str, str]) -> None:
        name = literal.atom[0]
        if name not in self._index.fluents:
            return
        arguments = _fix(literal.atom, binding)[1:]
        if self._matters.setdefault((name, literal.positive), _Patterns()).add(arguments):
            self._queue.append((name, arguments, literal.positive))


class _Patterns:
    """Partly fixed arguments, each of which covers all that agree with it where it is fixed."""

    def __init__(self) -> None:
        self._all: dict[Arguments, None] = {}
        #: For each set of fixed columns, the values there.
        self._fixed: dict[tuple[int, ...], set[Arguments]] = {}

    def __iter__(self) -> Iterator[Arguments]:
        return iter(self._all)

    def add(self, arguments: Arguments) -> bool:
        """Return whether it was not covered before."""
        if self.covers(arguments):
            return False
        self._all[arguments] = None
        columns = tuple(i for i, value in enumerate(arguments) if value is not None)
        self._fixed.setdefault(columns, set()).add(tuple(arguments[i] for i in columns))
        return True

    def covers(self, arguments: Arguments, by_others: bool = False) -> bool:
        """Return whether one of the patterns covers *arguments*."""
        return any(
            tuple(arguments[i] for i in columns) in values
            for columns, values in self._fixed.items()
            if not (
                by_others and all((value is not None) == (i in columns) for i, value in enumerate(arguments))
            )
        )

    def most_general(self) -> Iterator[Arguments]:
        """The patterns that no other one covers."""
        return (arguments for arguments in self._all if not self.covers(arguments, by_others=True))


def _arguments(operator: Operator, binding: Mapping[str, str]) -> Arguments:
    return tuple(binding.get(parameter.name) for parameter in operator.parameters)


def _fix(atom: Atom, binding: Mapping[str, str]) -> tuple[str | None, ...]:
    return tuple(binding.get(term) if term.startswith("?") else term for term in atom)


# -- who can take part ---------------------------------------------------------------------------------------


def _candidates(problem: Problem) -> dict[str, dict[str, frozenset[str]]]:
    """For each operator and parameter, the objects it can stand for when each argument is judged alone."""
    found: dict[tuple[str, int], set[str]] = {}
    for name, *arguments in problem.init:
        for column, argument in enumerate(arguments):
            found.setdefault((name, column), set()).add(argument)
    candidates: dict[str, dict[str, frozenset[str]]] = {}
    members: dict[str, frozenset[str]] = {}
    operators = list(problem.domain.operators.values())
    needs = {
        operator.name: [
            (term, (literal.atom[0], column))
            for literal in literals_of(operator.precondition)
            if literal.positive
            for column, term in enumerate(literal.atom[1:])
        ]
        for operator in operators
    }
    adds = {
        operator.name: [
            (term, (effect.literal.atom[0], column))
            for effect in operator.effects
            if effect.literal.positive
            for column, term in enumerate(effect.literal.atom[1:])
        ]
        for operator in operators
    }
    changed = True
    while changed:
        changed = False
        for operator in operators:
            own: dict[str, frozenset[str]] = {}
            for parameter in operator.parameters:
                if parameter.type not in members:
                    members[parameter.type] = frozenset(problem.of_type(parameter.type))
                own[parameter.name] = members[parameter.type]
            for term, place in needs[operator.name]:
                if term in own:
                    own[term] &= found.get(place, frozenset())
            if own == candidates.get(operator.name):
                continue
            candidates[operator.name] = own
            if not all(own.values()):
                continue
            for term, place in adds[operator.name]:
                known = found.setdefault(place, set())
                before = len(known)
                known |= own.get(term, {term})
                changed |= len(known) > before
    return candidates


# -- excursions --------------------------------------------------------------------------------------------
