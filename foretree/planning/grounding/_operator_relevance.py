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

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from foretree.planning.grounding.mutex_groups import is_balanced, subject_of
from foretree.planning.pddl.syntax import TRUE, Effect, Literal, Operator, Problem
from foretree.planning.semantics.evaluation import literals_of
from foretree.planning.semantics.operator_index import OperatorIndex, OperatorParts, index_of, unify
from foretree.planning.semantics.relations import Relations
from foretree.planning.work_limit import WorkLimit
from foretree.world_model.beliefs.facts import Atom

#: The arguments of an operator or a predicate; ``None`` stands for any object.
Arguments: TypeAlias = "tuple[str | None, ...]"
#: Atoms of a predicate come to matter, or an operator that matters makes them true, or false.
_Event: TypeAlias = tuple[str, str, bool]

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
        self._returns = _find_returns(problem, self._index)
        self._sources = {source[0] for source in self._returns.values()}
        self._held = Relations()
        for name, *arguments in sorted(problem.init):
            self._held.add(name, tuple(arguments))
        self._templates: dict[str, _Patterns] = defaultdict(_Patterns)
        #: The literals that matter, and those that operators which matter make true.
        self._known: dict[_Event, _Patterns] = defaultdict(_Patterns)
        #: Operators that matter once a literal of theirs matters, or is made true.
        self._waiting: dict[_Event, list[tuple[Operator, Atom, dict[str, str]]]] = defaultdict(list)
        self._queue: deque[tuple[_Event, Arguments]] = deque()

    def find(self) -> tuple[Template, ...]:
        for literal in literals_of(self._problem.goal):
            self._add_literal(literal, {})
        while self._queue:
            event, arguments = self._queue.popleft()
            self._wake(event, arguments)
            achievers = self._index.achievers(*event[1:])
            self._work.spend(len(achievers))
            for operator, effect in achievers:
                binding = unify(effect.literal.atom[1:], arguments)
                if binding is not None:
                    self._achieve(operator, effect.literal, binding)
        return tuple(
            Template(name, arguments)
            for name in self._problem.domain.operators
            for arguments in self._templates[name].most_general()
        )

    def _achieve(self, operator: Operator, literal: Literal, binding: dict[str, str]) -> None:
        """Let *operator* matter as a way to *literal*, if need be once something else matters or can hold."""
        source = self._returns.get((operator.name, literal))
        if source is None and ~literal not in self._index.parts(operator).literals:
            self._add_template(operator, binding)
            return
        if source is not None:
            event: _Event = ("matters", source[0], True)
            known = [*self._known[event], *self._held.agreeing(source[0], _fix(source, binding)[1:])]
        elif self._covered(operator, binding):
            return
        else:
            source = literal.atom
            event = ("made", source[0], not literal.positive)
            known = [*self._initially(~literal, _fix(source, binding)[1:]), *self._known[event]]
        self._waiting[event].append((operator, source, binding))
        for arguments in known:
            self._complete(operator, source, binding, arguments)

    def _initially(self, literal: Literal, wanted: Arguments) -> Sequence[Arguments]:
        """Return the literals that agree with *wanted* and hold initially, or patterns that cover them."""
        if literal.positive:
            return self._held.agreeing(literal.atom[0], wanted)
        return () if (literal.atom[0], *wanted) in self._problem.init else (wanted,)

    def _wake(self, event: _Event, arguments: Arguments) -> None:
        for operator, source, binding in tuple(self._waiting[event]):
            self._complete(operator, source, binding, arguments)

    def _complete(
        self, operator: Operator, source: Atom, binding: Mapping[str, str], arguments: Arguments
    ) -> None:
        """Let *operator* matter where *source* has these *arguments*."""
        complete = unify(source[1:], arguments, binding)
        if complete is not None:
            self._add_template(operator, complete)

    def _add_template(self, operator: Operator, binding: dict[str, str]) -> None:
        self._work.spend()
        if self._covered(operator, binding):
            return
        for special in self._split(operator, binding):
            if self._templates[operator.name].add(_arguments(operator, special)):
                self._add_conditions(operator, special)

    def _covered(self, operator: Operator, binding: Mapping[str, str]) -> bool:
        """Return whether *operator* matters with *binding* already, whatever else is bound besides."""
        return self._templates[operator.name].covers(_arguments(operator, binding))

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
                and len(candidates[parameter.name]) * _FEW <= len(self._problem.of_type(parameter.type))
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
        return {row[column] for row in self._held.agreeing(pattern[0], _fix(pattern, binding)[1:])}

    def _may_hold(self, literal: Literal, binding: Mapping[str, str]) -> bool:
        """Return whether a static condition can hold; one with an open argument counts as possible."""
        atom = _fix(literal.atom, binding)
        return None in atom or (atom in self._problem.init) == literal.positive

    def _add_conditions(self, operator: Operator, binding: Mapping[str, str]) -> None:
        conditions = self._index.parts(operator).literals
        self._work.spend(len(conditions) + len(operator.effects))
        for literal in conditions:
            self._add_literal(literal, binding)
        for effect in operator.effects:
            made: _Event = ("made", effect.literal.atom[0], effect.literal.positive)
            arguments = _fix(effect.literal.atom, binding)[1:]
            if self._known[made].add(arguments):
                self._wake(made, arguments)
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
        event: _Event = ("matters", name, literal.positive)
        arguments = _fix(literal.atom, binding)[1:]
        if self._known[event].add(arguments):
            self._queue.append((event, arguments))


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
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    for atom in problem.init:
        for argument, place in _places(atom):
            found[place].add(argument)
    candidates: dict[str, dict[str, frozenset[str]]] = {}
    members = cache(lambda name: frozenset(problem.of_type(name)))
    operators = problem.domain.operators.values()
    needs = {o.name: _terms(literals_of(o.precondition)) for o in operators}
    adds = {o.name: _terms(effect.literal for effect in o.effects) for o in operators}
    changed = True
    while changed:
        changed = False
        for operator in operators:
            own = {parameter.name: members(parameter.type) for parameter in operator.parameters}
            for term, place in needs[operator.name]:
                if term in own:
                    own[term] &= found[place]
            if own == candidates.get(operator.name):
                continue
            candidates[operator.name] = own
            for term, place in adds[operator.name] if all(own.values()) else ():
                before = len(found[place])
                found[place] |= own.get(term, {term})
                changed |= len(found[place]) > before
    return candidates


def _terms(literals: Iterable[Literal]) -> list[tuple[str, tuple[str, int]]]:
    """The terms of the positive literals, each with its place."""
    return [found for literal in literals if literal.positive for found in _places(literal.atom)]


def _places(atom: Atom) -> Iterator[tuple[str, tuple[str, int]]]:
    """The arguments of an atom, each with its predicate and column."""
    return ((term, (atom[0], column)) for column, term in enumerate(atom[1:]))


# -- excursions --------------------------------------------------------------------------------------------


def _find_returns(problem: Problem, index: OperatorIndex) -> dict[tuple[str, Literal], Atom]:
    """For each operator and effect that is a mere return, the precondition that it returns from."""
    found: dict[tuple[str, Literal], Atom] = {}
    for p in index.fluents:
        starts: dict[tuple[str, Literal], Atom] = {}
        places: dict[str, tuple[int, ...]] = {}
        for operator, effect in index.achievers(p, True):
            source = _source(index.parts(operator), effect)
            if source is None or places.setdefault(source[0], at := _columns(effect, source)) != at:
                break
            starts[operator.name, effect.literal] = source
        else:
            if _alternate(problem, index, p, places):
                found |= starts
    return found


def _source(parts: OperatorParts, effect: Effect) -> Atom | None:
    """Return the atom that an operator needs and deletes and that has all arguments of the one it adds."""
    p = effect.literal.atom
    fitting = (q for q in parts.consumed if q[0] != p[0] and set(p[1:]) <= set(q[1:]))
    return next(fitting, None) if effect.condition == TRUE else None


def _columns(effect: Effect, source: Atom) -> tuple[int, ...]:
    """Return the places of the added atom's arguments among those of the source."""
    return tuple(source[1:].index(term) for term in effect.literal.atom[1:])


def _alternate(problem: Problem, index: OperatorIndex, p: str, places: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether ``p`` and its ``q`` (the keys of *places*) satisfy the conditions A to D."""
    kind = {p: tuple(range(len(problem.domain.predicates[p]))), **places}
    operators = problem.domain.operators.values()
    if not all(is_balanced(index.parts(operator), kind) for operator in operators):
        return False
    for q, at in places.items():
        for operator, effect in index.achievers(q, True):
            arguments = effect.literal.atom[1:]
            if (p, *(arguments[place] for place in at)) not in index.parts(operator).consumed:
                return False
    for operator, effect in index.achievers(p, False):
        if effect.condition != TRUE or ~effect.literal not in index.parts(operator).literals:
            return False
    things = [subject_of(atom, kind) for atom in problem.init if atom[0] in kind]
    return len(things) == len(set(things))
