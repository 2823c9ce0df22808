"""Ground a compiled problem: only the operators that can ever run, and only those that matter.

Operators are found forwards from the initial state as in relaxed reachability, where nothing is ever deleted
(a negative literal counts as reached once it held initially, or once something that can run deletes its
atom). Each new atom is joined with those found before through the preconditions it occurs in, so operators
that can never run are not even looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TypeAlias

from foretree.planning.grounding._operator_relevance import Template, relevant_templates, with_operators
from foretree.planning.grounding.ground_task import GroundOperator, GroundTask, SignedAtom, SignedEffect
from foretree.planning.grounding.mutex_groups import LiftedGroup, find_mutex_groups
from foretree.planning.pddl.syntax import Equal, Formula, Literal, Not, Problem
from foretree.planning.semantics.evaluation import conjuncts, literals_of
from foretree.planning.semantics.operator_index import OperatorParts, index_of
from foretree.planning.semantics.relations import Relations, Row, picker
from foretree.planning.work_limit import WorkLimit
from foretree.world_model.beliefs.facts import Atom


class TooManyActionsError(Exception):
    """There may be more actions than are to be looked at."""


def ground(
    problem: Problem, *, prune: bool = True, most: int | None = None, work: WorkLimit | None = None
) -> GroundTask:
    """Ground a problem that :mod:`foretree.planning.grounding.compilation` compiled, as far as it matters for
    its goal.

    Args:
        prune: see :func:`foretree.planning.grounding._operator_relevance.relevant_templates`.
        most: as many actions are looked at.
        work: counts the steps.

    Raises:
        TooManyActionsError: there are more actions.
        TooMuchWorkError: there are more steps than allowed.
    """
    work = work or WorkLimit()
    return _Grounder(problem, relevant_templates(problem, prune=prune, work=work), most, work).run()


# -- schemas -----------------------------------------------------------------------------------------------

#: Builds an atom from an array of values.
_Maker: TypeAlias = "tuple[str, tuple[int, ...]]"


class _OperatorSchema:
    """An operator prepared for joins: terms are places in an array of arguments and constants."""

    def __init__(self, parts: OperatorParts, number: int, groups: Sequence[LiftedGroup]) -> None:
        operator = parts.operator
        self.name = operator.name
        self.number = number
        self.arity = len(operator.parameters)
        self.types = [parameter.type for parameter in operator.parameters]
        self._places = {parameter.name: i for i, parameter in enumerate(operator.parameters)}
        self.constants: list[str] = []
        positive = [part for part in parts.literals if part.positive]
        negative = [part for part in parts.literals if not part.positive]
        self.positive = [self._maker(part.atom) for part in positive]
        self.static_negative = [self._maker(part.atom) for part in negative if part in parts.static]
        self.fluent_negative = [self._maker(part.atom) for part in negative if part not in parts.static]
        #: Preconditions that exclude each other when they are about the same thing.
        self.rivals = [
            (one, other)
            for one, other in combinations(self.positive, 2)
            if any(one[0] in group and other[0] in group for group in groups)
        ]
        self.equalities = self._equalities(parts.conditions)
        self.effects = [
            (
                self._maker(effect.literal.atom),
                effect.literal.positive,
                [(self._maker(part.atom), part.positive) for part in literals_of(effect.condition)],
                self._equalities(conjuncts(effect.condition)),
            )
            for effect in operator.effects
        ]
        self.cost = operator.cost.constant
        self.cost_function = operator.cost.function and self._maker(operator.cost.function)
        #: Join plans by the atom that starts them and the parameters known before.
        self.plans: dict[tuple[int | None, tuple[bool, ...]], list[_Lookup]] = {}

    def _equalities(self, parts: Iterable[Formula]) -> list[tuple[int, int, bool]]:
        """The pairs of places that have to hold the same value, or different ones."""
        found = []
        for part in parts:
            equal = part.part if isinstance(part, Not) else part
            if isinstance(equal, Equal):
                found.append((self._place(equal.left), self._place(equal.right), equal is part))
        return found

    def _place(self, term: str) -> int:
        if term not in self._places:
            self._places[term] = self.arity + len(self.constants)
            self.constants.append(term)
        return self._places[term]

    def _maker(self, atom: Atom) -> _Maker:
        return (atom[0], tuple(self._place(term) for term in atom[1:]))


# -- joins -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lookup:
    """One step of a join: how to find matching rows, and which of their columns are new or to be checked.

    *typed* are the columns that may hold objects of other types than the parameters, with those that fit.
    """

    rows: Mapping[Hashable, Sequence[Row]]
    key: Callable[[Sequence[str | None]], Hashable]
    new: tuple[tuple[int, int], ...]
    check: tuple[tuple[int, int], ...]
    typed: tuple[tuple[int, frozenset[str]], ...]


# -- the grounder ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Start:
    """A template and the precondition through which a new atom may complete it."""

    schema: _OperatorSchema
    values: tuple[str | None, ...]
    atom: int
    typed: tuple[tuple[int, frozenset[str]], ...]


class _Grounder:
    def __init__(
        self, problem: Problem, templates: Sequence[Template], most: int | None, work: WorkLimit
    ) -> None:
        self._problem = problem
        self._work = work
        self._most = most
        self._index = index_of(problem.domain)
        self._fluent = self._index.fluents
        self._init = frozenset(atom for atom in problem.init if atom[0] in self._fluent)
        self._relations = Relations()
        self._members: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[int, tuple[str, ...]], None] = {}
        self._operators: list[GroundOperator] = []
        self._reached: set[Atom] = set()
        self._denied: set[Atom] = set()
        self._queue: deque[Atom] = deque()
        self._pending: dict[SignedAtom, list[Callable[[], None]]] = {}
        self._starts: dict[str, dict[tuple[int, ...], dict[Hashable, list[_Start]]]] = {}
        self._schemas: dict[str, _OperatorSchema] = {}
        self._templates = templates
        # What matters is all that happens, so nothing else can break an invariant.
        self._mutexes = find_mutex_groups(with_operators(problem, {t.operator for t in templates}), work)

    def run(self) -> GroundTask:
        for atom in sorted(self._problem.init):
            if atom[0] in self._fluent:
                self._reach(atom)
            else:
                self._relations.add(atom[0], atom[1:])
        for template in self._templates:
            self._prepare(template)
        while self._queue:
            name, *row = self._queue.popleft()
            self._relations.add(name, tuple(row))
            for columns, starts in self._starts.get(name, {}).items():
                for start in starts.get(picker(columns)(row), ()):
                    self._start(start, row)
        goal = self._goal()
        wanted = [atom for atom, positive in goal or () if positive]
        return GroundTask(
            tuple(self._operators),
            self._init,
            frozenset(self._reached),
            frozenset(self._denied),
            goal or (),
            () if goal is None else tuple(literal for literal in goal if not self._is_reached(literal)),
            goal is None,
            next((pair for pair in combinations(wanted, 2) if self._mutexes.exclude(*pair)), None),
            tuple(self._mutexes.groups(sorted(self._reached))),
        )

    def _goal(self) -> tuple[SignedAtom, ...] | None:
        """The goal's literals that can change; None if the static facts refute one of the others."""
        goal: list[SignedAtom] = []
        for part in conjuncts(self._problem.goal):
            if not isinstance(part, Literal):
                return None  # compilation leaves nothing else but a falsehood
            if part.atom[0] in self._fluent:
                goal.append((part.atom, part.positive))
            elif (part.atom in self._problem.init) != part.positive:
                return None
        return tuple(goal)

    def _is_reached(self, literal: SignedAtom) -> bool:
        atom, positive = literal
        if positive:
            return atom in self._reached
        return atom not in self._init or atom in self._denied

    def _prepare(self, template: Template) -> None:
        schema = self._schemas.get(template.operator)
        if schema is None:
            operator = self._problem.domain.operators[template.operator]
            schema = _OperatorSchema(self._index.parts(operator), len(self._schemas), self._mutexes.lifted)
            self._schemas[template.operator] = schema
            for type_name in set(schema.types) - self._members.keys():
                self._members[type_name] = frozenset(self._problem.of_type(type_name))
                for member in self._problem.of_type(type_name):
                    self._relations.add(f"?type {type_name}", (member,))
        values = (*template.arguments, *schema.constants)
        waits = False
        for number, (name, places) in enumerate(schema.positive):
            if name in self._fluent:
                waits = True
                columns = tuple(c for c, place in enumerate(places) if values[place] is not None)
                key = picker(columns)([values[place] for place in places])
                by_columns = self._starts.setdefault(name, {}).setdefault(columns, {})
                typed = self._typed(schema, name, places)
                by_columns.setdefault(key, []).append(_Start(schema, values, number, typed))
        if not waits:
            self._join(schema, self._plan(schema, None, values), 0, list(values))

    def _start(self, start: _Start, row: Sequence[str]) -> None:
        """Join the template with a new atom at one of its preconditions."""
        schema = start.schema
        if any(row[column] not in fitting for column, fitting in start.typed):
            return
        values = list(start.values)
        for column, place in enumerate(schema.positive[start.atom][1]):
            known = values[place]
            if known is None:
                values[place] = row[column]
            elif known != row[column]:
                return
        self._join(schema, self._plan(schema, start.atom, start.values), 0, values)

    def _plan(
        self, schema: _OperatorSchema, first: int | None, values: Sequence[str | None]
    ) -> list[_Lookup]:
        """In which order to match the other preconditions: always the one with the fewest open columns."""
        known = [value is not None for value in values]
        key = (first, tuple(known))
        plan = schema.plans.get(key)
        if plan is not None:
            return plan
        plan = schema.plans[key] = []
        left = list(schema.positive)
        if first is not None:
            for place in left.pop(first)[1]:
                known[place] = True
        while left or not all(known):
            if left:
                chosen = min(
                    left,
                    key=lambda m: (
                        len({p for p in m[1] if not known[p]}),
                        m[0] in self._fluent,
                        self._relations.size(m[0]),
                    ),
                )
                left.remove(chosen)
            else:
                place = known.index(False)
                chosen = (f"?type {schema.types[place]}", (place,))
            name, places = chosen
            bound = tuple(c for c, place in enumerate(places) if known[place])
            new: dict[int, int] = {}
            check: list[tuple[int, int]] = []
            for column, place in enumerate(places):
                if known[place]:
                    continue
                if place in new.values():
                    check.append((column, place))
                else:
                    new[column] = place
            for place in new.values():
                known[place] = True
            plan.append(
                _Lookup(
                    self._relations.index(name, bound),
                    picker(tuple(places[c] for c in bound)),
                    tuple(new.items()),
                    tuple(check),
                    self._typed(schema, name, places),
                )
            )
        return plan

    def _typed(
        self, schema: _OperatorSchema, name: str, places: Sequence[int]
    ) -> tuple[tuple[int, frozenset[str]], ...]:
        """The columns of a precondition that may hold what does not fit its parameter, with what does."""
        declared = self._problem.domain.predicates.get(name, ())
        is_a = self._problem.domain.is_a
        return tuple(
            (column, self._members[schema.types[place]])
            for column, (place, parameter) in enumerate(zip(places, declared, strict=False))
            if place < schema.arity and not is_a(parameter.type, schema.types[place])
        )

    def _join(
        self, schema: _OperatorSchema, plan: Sequence[_Lookup], depth: int, values: list[str | None]
    ) -> None:
        if depth == len(plan):
            self._found_operator(schema, values)  # type: ignore[arg-type]
            return
        step = plan[depth]
        rows = step.rows.get(step.key(values))
        if rows is None:
            return
        self._work.spend(len(rows))
        new, check, typed = step.new, step.check, step.typed
        for row in rows:
            if typed and any(row[column] not in fitting for column, fitting in typed):
                continue
            for column, place in new:
                values[place] = row[column]
            if not check or all(values[place] == row[column] for column, place in check):
                self._join(schema, plan, depth + 1, values)

    def _found_operator(self, schema: _OperatorSchema, values: list[str]) -> None:
        arguments = tuple(values[: schema.arity])
        key = (schema.number, arguments)
        if key in self._found:
            return
        init = self._problem.init
        if (
            any((values[a] == values[b]) != same for a, b, same in schema.equalities)
            or any(value not in self._members[t] for value, t in zip(arguments, schema.types, strict=True))
            or any(_make(maker, values) in init for maker in schema.static_negative)
        ):
            return
        if self._most is not None and len(self._found) >= self._most:
            raise TooManyActionsError
        self._found[key] = None
        self._work.spend(len(schema.positive) + len(schema.effects))
        needed = [(_make(maker, values), True) for maker in schema.positive if maker[0] in self._fluent]
        negative = [(_make(maker, values), False) for maker in schema.fluent_negative]
        if any((atom, True) in needed for atom, _ in negative):
            return  # different terms turned out to be the same object
        if any(self._mutexes.exclude(_make(a, values), _make(b, values)) for a, b in schema.rivals):
            return
        effects = _without_repeats(self._effects(schema, values))
        cost = schema.cost
        if schema.cost_function:
            cost += self._problem.functions.get(_make(schema.cost_function, values), 0)
        precondition = tuple(dict.fromkeys((*needed, *negative)))
        operator = GroundOperator(schema.name, arguments, precondition, effects, cost)
        if negative:
            self._when(negative, 0, lambda: self._run(operator))
        else:
            self._run(operator)

    def _effects(self, schema: _OperatorSchema, values: list[str]) -> Iterable[SignedEffect]:
        """The effects; those whose condition can never hold are left out."""
        for maker, positive, tests, equalities in schema.effects:
            literal = (_make(maker, values), positive)
            if not tests and not equalities:
                yield SignedEffect(literal)
            elif all((values[a] == values[b]) == same for a, b, same in equalities):
                condition = self._condition(tests, values)
                if condition is not None:
                    yield SignedEffect(literal, condition)

    def _condition(
        self, tests: Sequence[tuple[_Maker, bool]], values: list[str]
    ) -> tuple[SignedAtom, ...] | None:
        """Return the changeable part of an effect's condition; None if all of it together is false."""
        condition: dict[SignedAtom, None] = {}
        for maker, wanted in tests:
            atom = _make(maker, values)
            if maker[0] in self._fluent:
                condition[atom, wanted] = None
            elif (atom in self._problem.init) != wanted:
                return None
        if any((atom, not wanted) in condition for atom, wanted in condition):
            return None
        return tuple(condition)

    def _run(self, operator: GroundOperator) -> None:
        self._operators.append(operator)
        for effect in operator.effects:
            if effect.condition:
                self._when(effect.condition, 0, partial(self._happen, effect.literal))
            else:
                self._happen(effect.literal)

    def _happen(self, literal: SignedAtom) -> None:
        atom, positive = literal
        if positive:
            self._reach(atom)
        elif atom in self._init and atom not in self._denied:
            self._denied.add(atom)
            self._release(literal)

    def _reach(self, atom: Atom) -> None:
        if atom not in self._reached:
            self._reached.add(atom)
            self._queue.append(atom)
            self._release((atom, True))

    def _when(self, literals: Sequence[SignedAtom], done: int, then: Callable[[], None]) -> None:
        """Call *then* once all literals are reached, possibly now."""
        for number in range(done, len(literals)):
            if not self._is_reached(literals[number]):
                waiting = self._pending.setdefault(literals[number], [])
                waiting.append(lambda: self._when(literals, number + 1, then))  # noqa: B023
                return
        then()

    def _release(self, literal: SignedAtom) -> None:
        for then in self._pending.pop(literal, ()):
            then()


def _without_repeats(effects: Iterable[SignedEffect]) -> tuple[SignedEffect, ...]:
    """Each effect once, and none with a condition if it happens anyway."""
    distinct = dict.fromkeys(effects)
    if any(effect.condition for effect in distinct):
        return tuple(e for e in distinct if not e.condition or SignedEffect(e.literal) not in distinct)
    return tuple(distinct)


def _make(maker: _Maker, values: Sequence[str]) -> Atom:
    return (maker[0], *[values[place] for place in maker[1]])
