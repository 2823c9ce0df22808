"""Compile a problem into one that any classical engine takes, and map its plans back.

What comes out has preconditions and goals that are conjunctions of literals (and (in)equalities), and
effects whose conditions are such conjunctions; it has no axioms. Everything stays polynomial:

* ``forall`` is expanded over the known objects; ``exists`` in a precondition becomes extra parameters, in a
  goal a disjunction; negation is pushed down to the atoms.
* A small disjunctive precondition splits its operator into variants.
* A disjunction or a count that would need too many variants, and every one in a goal, is *judged*: it
  becomes one new atom, made true by judgement operators of cost zero. A count is judged by walking once
  along its objects, so that "two of thirty pillows" costs sixty atoms, not four hundred pairs.

Judgements hold only for the state they are made in, so no real action may run between a judgement and its
use: every real operator needs the atom ``acting``, which the first judgement of the goal deletes for good,
and the atom ``idle``, which the judgement of a precondition takes away until its operator has acted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, product
from math import comb
from typing import Any, TypeAlias

from foretree.errors import ForetreeError
from foretree.planning.grounding.work_limit import WorkLimit
from foretree.planning.pddl.syntax import (
    FALSE,
    TRUE,
    And,
    Cost,
    Count,
    Effect,
    Equal,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    PlanStep,
    Problem,
    Typed,
    substitute,
    substitute_atom,
)
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.semantics.evaluation import conjuncts
from foretree.planning.semantics.operator_index import index_of
from foretree.world_model.beliefs.facts import Atom

#: A precondition with more alternatives than this is judged instead of split into variants.
_MOST_VARIANTS = 16

#: An effect's condition cannot be judged (it is tested while its operator acts), only split.
_MOST_EFFECTS = 1000


class CompilationError(ForetreeError):
    """An operator has a condition that cannot be compiled into a size one can work with."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """At least *needed* of the alternatives hold; an alternative holds if all its literals do."""

    needed: int
    alternatives: tuple[tuple[Literal, ...], ...]


@dataclass(frozen=True)
class Compiled:
    """A problem that any classical engine takes.

    Attributes:
        problem: the compiled problem. Its cost is what has to be minimised: where the original does not
            say so, every action costs one.
        conditional_effects: whether some operator still has them.
        origin: for each operator that stands for an action of the original problem, its name there and
            how many of its parameters it had. Judgements are missing.
        verdicts: for each atom that judgements make true, what it stands for.
        begins: whether some action takes several operators, of which the first begins it.
    """

    problem: Problem
    conditional_effects: bool
    origin: Mapping[str, tuple[str, int]]
    verdicts: Mapping[Atom, Judgement]
    begins: bool = False

    @property
    def chooses(self) -> bool:
        """Whether the goal leaves a choice, such as three of fifty things, that judgements make."""
        goal = conjuncts(self.problem.goal)
        return any(isinstance(part, Literal) and part.atom in self.verdicts for part in goal)

    def restore(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The plan of the original problem that a plan of the compiled one stands for."""
        return tuple(
            (self.origin[name][0], tuple(arguments[: self.origin[name][1]]))
            for name, arguments in steps
            if name in self.origin
        )


@dataclass(frozen=True, slots=True)
class _AtLeast:
    """At least *number* of the parts hold, where that is neither all nor any of them."""

    number: int
    parts: tuple[_Normal, ...]


#: Negation normal form: literals, equalities and their negations, And, Or, Exists, and ``_AtLeast`` anywhere
#: among the parts, which is why the types of the syntax tree cannot say it.
_Normal: TypeAlias = Any
#: One alternative of a disjunctive normal form: extra parameters and what they have to satisfy.
_Conjunction: TypeAlias = "tuple[tuple[Typed, ...], tuple[Literal | Equal | Not, ...]]"


def compile_away(problem: Problem, work: WorkLimit | None = None) -> Compiled:
    """Compile *problem*: see the module for what is left and what is not.

    Args:
        work: counts the steps.

    Raises:
        CompilationError: a condition becomes too large, or a derived predicate depends on itself.
        TooMuchWorkError: there are more steps than allowed.
    """
    problem = without_axioms(problem)
    left = sorted({axiom.predicate for axiom in problem.domain.axioms})
    if left:
        raise CompilationError(
            f"Derived predicates depend on themselves, which takes axioms to say: {', '.join(left)}."
        )
    return _Compiler(problem, work or WorkLimit()).compile()


@dataclass(frozen=True, slots=True)
class _JudgementScope:
    """Under what circumstances judgements of one condition may be made.

    ``begun`` must hold (what the operator's first half left behind, over ``parameters``); ``also`` is what
    every judgement does besides. ``atoms`` collects all the atoms that judgements make true, ``starts``
    those that are true from the beginning.
    """

    label: str
    parameters: tuple[Typed, ...]
    begun: tuple[Literal, ...]
    also: tuple[Effect, ...]
    atoms: list[Atom]
    starts: list[Atom]


class _Compiler:
    def __init__(self, problem: Problem, work: WorkLimit) -> None:
        self._problem = problem
        self._work = work
        self._domain = problem.domain
        self._names: set[str] = set(self._domain.operators) | set(self._domain.predicates)
        self._fluent = index_of(self._domain).fluents
        self._fresh = count()
        self._operators: dict[str, Operator] = {}
        self._origin: dict[str, tuple[str, int]] = {}
        self._beginnings: list[str] = []
        self._verdicts: dict[Atom, Judgement] = {}
        self._predicates: dict[str, tuple[Typed, ...]] = dict(self._domain.predicates)
        self._init: set[Atom] = set()
        self._of_type: dict[str, tuple[str, ...]] = {}
        self._acting: Atom | None = None
        self._idle: Atom | None = None

    def compile(self) -> Compiled:
        for operator in self._domain.operators.values():
            try:
                self._compile_operator(operator)
            except CompilationError as error:
                where = f"{operator.place}: " if operator.place else ""
                raise CompilationError(f"{where}The action {operator.name}: {error}") from None
        goal = self._compile_goal()
        self._guard()
        constants = self._constants()
        named = {constant.name for constant in constants}
        problem = replace(
            self._problem,
            objects={name: type_ for name, type_ in self._problem.objects.items() if name not in named},
            domain=replace(
                self._domain,
                constants=constants,
                predicates=self._predicates,
                operators=self._operators,
            ),
            init=self._problem.init | self._init,
            goal=goal,
        )
        conditional = any(
            effect.condition != TRUE for operator in self._operators.values() for effect in operator.effects
        )
        return Compiled(problem, conditional, self._origin, self._verdicts, bool(self._beginnings))

    def _guard(self) -> None:
        """Keep real actions from running between a judgement and its use."""
        for guard in (self._acting, self._idle):
            if guard is None:
                continue
            self._init.add(guard)
            for name in [*self._origin, *self._beginnings]:
                operator = self._operators[name]
                ends_judging = guard is self._idle and Effect(Literal(guard)) in operator.effects
                if not ends_judging:
                    condition = _and((Literal(guard), operator.precondition))
                    self._operators[name] = replace(operator, precondition=condition)

    # -- names and objects ---------------------------------------------------------------------------------

    def _name(self, wish: str) -> str:
        name = wish
        for number in count(2):
            if name not in self._names:
                break
            name = f"{wish}-{number}"
        self._names.add(name)
        return name

    def _new_atom(self, wish: str) -> Atom:
        name = self._name(wish)
        self._predicates[name] = ()
        return (name,)

    def _objects(self, type_name: str) -> tuple[str, ...]:
        found = self._of_type.get(type_name)
        if found is None:
            found = self._of_type[type_name] = self._problem.of_type(type_name)
        return found

    def _bindings(self, variables: Sequence[Typed]) -> Iterable[dict[str, str]]:
        names = [variable.name for variable in variables]
        for values in product(*(self._objects(variable.type) for variable in variables)):
            yield dict(zip(names, values, strict=True))

    def _constants(self) -> tuple[Typed, ...]:
        """The domain's constants, and the objects that expansion has put into operators."""
        known = {constant.name for constant in self._domain.constants}
        named: set[str] = set()
        for operator in self._operators.values():
            for part in conjuncts(operator.precondition):
                named.update(_terms(part))
            for effect in operator.effects:
                named.update(effect.literal.atom[1:])
                for part in conjuncts(effect.condition):
                    named.update(_terms(part))
        objects = self._problem.objects
        extra = sorted(name for name in named - known if not name.startswith("?") and name in objects)
        return (*self._domain.constants, *(Typed(name, objects[name]) for name in extra))

    # -- normal forms --------------------------------------------------------------------------------------

    def _normal(self, formula: Formula, *, positive: bool = True, keep_exists: bool) -> _Normal:
        """Negation normal form, with everything simplified that the static facts decide."""
        self._work.spend()
        if isinstance(formula, Literal):
            return self._literal(formula if positive else ~formula)
        if isinstance(formula, Equal):
            if formula.left == formula.right:
                return TRUE if positive else FALSE
            if not formula.left.startswith("?") and not formula.right.startswith("?"):
                return FALSE if positive else TRUE
            return formula if positive else Not(formula)
        if isinstance(formula, Not):
            return self._normal(formula.part, positive=not positive, keep_exists=keep_exists)
        if isinstance(formula, (And, Or)):
            parts = (self._normal(part, positive=positive, keep_exists=keep_exists) for part in formula.parts)
            return _and(parts) if isinstance(formula, And) == positive else _or(parts)
        if isinstance(formula, Count):
            return self._count(formula, positive=positive, keep_exists=keep_exists)
        if isinstance(formula, Exists) == positive and keep_exists:
            return self._exists(formula, positive)
        bodies = (
            self._normal(substitute(formula.body, binding), positive=positive, keep_exists=keep_exists)
            for binding in self._bindings(formula.variables)
        )
        return _or(bodies) if isinstance(formula, Exists) == positive else _and(bodies)

    def _literal(self, literal: Literal) -> _Normal:
        atom = literal.atom
        if atom[0] in self._fluent or any(term.startswith("?") for term in atom[1:]):
            return literal
        return TRUE if (atom in self._problem.init) == literal.positive else FALSE

    def _exists(self, formula: Exists | Forall, positive: bool) -> _Normal:
        """An existential whose variables are renamed apart, so that they can become parameters."""
        fresh = tuple(Typed(f"{v.name}-{next(self._fresh)}", v.type) for v in formula.variables)
        renaming = {old.name: new.name for old, new in zip(formula.variables, fresh, strict=True)}
        body = self._normal(substitute(formula.body, renaming), positive=positive, keep_exists=True)
        if body == FALSE:
            return FALSE
        return Exists(fresh, body)

    def _count(self, formula: Count, *, positive: bool, keep_exists: bool) -> _Normal:
        variable, body = formula.variable, formula.body
        if keep_exists and formula.at_most is None and formula.at_least == 1:
            return self._normal(Exists((variable,), body), positive=positive, keep_exists=True)
        if keep_exists and formula.at_most == 0 and formula.at_least == 0:
            return self._normal(Exists((variable,), body), positive=not positive, keep_exists=True)
        bodies = [substitute(body, {variable.name: name}) for name in self._objects(variable.type)]
        ayes = [self._normal(body, keep_exists=keep_exists) for body in bodies]
        noes = [self._normal(body, positive=False, keep_exists=keep_exists) for body in bodies]
        total = len(bodies)
        if positive:
            return _and(
                (
                    _at_least(formula.at_least, ayes),
                    TRUE if formula.at_most is None else _at_least(total - formula.at_most, noes),
                )
            )
        return _or(
            (
                _at_least(total - formula.at_least + 1, noes),
                FALSE if formula.at_most is None else _at_least(formula.at_most + 1, ayes),
            )
        )

    # -- operators -----------------------------------------------------------------------------------------

    def _compile_operator(self, operator: Operator) -> None:
        condition = self._normal(operator.precondition, keep_exists=True)
        effects = tuple(compiled for effect in operator.effects for compiled in self._effect(effect))
        alternatives = _alternatives(condition, _MOST_VARIANTS)
        if alternatives is None:
            self._judge_operator(operator, effects)
            return
        for number, (extra, literals) in enumerate(alternatives, start=1):
            name = operator.name if len(alternatives) == 1 else self._name(f"{operator.name}-{number}")
            self._add_real(operator, name, extra, And(literals), effects)

    def _add_real(
        self,
        operator: Operator,
        name: str,
        extra: tuple[Typed, ...],
        precondition: And,
        effects: tuple[Effect, ...],
    ) -> None:
        self._operators[name] = replace(
            operator,
            name=name,
            parameters=operator.parameters + extra,
            precondition=precondition,
            effects=effects,
            cost=operator.cost if self._problem.minimise_cost else Cost(1),
        )
        self._origin[name] = (operator.name, len(operator.parameters))

    def _effect(self, effect: Effect) -> Iterable[Effect]:
        """The effect with its quantifier expanded and its condition split into conjunctions."""
        for binding in self._bindings(effect.variables):
            literal = Literal(substitute_atom(effect.literal.atom, binding), effect.literal.positive)
            condition = self._normal(substitute(effect.condition, binding), keep_exists=False)
            alternatives = _alternatives(condition, _MOST_EFFECTS)
            if alternatives is None:
                raise CompilationError(
                    f"an effect on {literal.atom[0]} depends on a condition with more than {_MOST_EFFECTS} "
                    "alternatives. Split it into several actions, or name the condition by a predicate."
                )
            self._work.spend(len(alternatives))
            for _, literals in alternatives:
                yield Effect(literal, And(literals))

    def _judge_operator(self, operator: Operator, effects: tuple[Effect, ...]) -> None:
        """Two halves: the first stops the world, the second acts once every part is judged to hold."""
        if self._idle is None:
            self._idle = self._new_atom("idle")
        # A judgement's atom has no arguments, so nothing it depends on may be left to a quantifier.
        condition = self._normal(operator.precondition, keep_exists=False)
        simple = [part for part in conjuncts(condition) if isinstance(part, (Literal, Equal, Not))]
        hard = [part for part in conjuncts(condition) if not isinstance(part, (Literal, Equal, Not))]
        busy_name = self._name(f"judging-{operator.name}")
        self._predicates[busy_name] = operator.parameters
        busy: Atom = (busy_name, *(parameter.name for parameter in operator.parameters))
        judge = _JudgementScope(operator.name, operator.parameters, (Literal(busy),), (), [], [])
        judged = tuple(literal for part in hard for literal in self._judge(part, judge))
        begin = self._name(f"begin-{operator.name}")
        self._beginnings.append(begin)
        self._operators[begin] = Operator(
            begin,
            operator.parameters,
            And(tuple(simple)),
            (
                Effect(Literal(self._idle, False)),
                Effect(Literal(busy)),
                *(Effect(Literal(atom)) for atom in judge.starts),
            ),
            Cost(0),
        )
        self._add_real(
            operator,
            operator.name,
            (),
            And((Literal(busy), *judged)),
            (
                *effects,
                Effect(Literal(self._idle)),
                Effect(Literal(busy, False)),
                *(Effect(Literal(atom, False)) for atom in judge.atoms),
            ),
        )

    # -- goals ---------------------------------------------------------------------------------------------

    def _compile_goal(self) -> Formula:
        goal: Formula = self._normal(self._problem.goal, keep_exists=False)
        if all(isinstance(part, (Literal, Equal, Not)) for part in conjuncts(goal)):
            return goal
        self._acting = self._new_atom("acting")
        judge = _JudgementScope("goal", (), (), (Effect(Literal(self._acting, False)),), [], [])
        literals = tuple(literal for part in conjuncts(goal) for literal in self._judge(part, judge))
        self._init.update(judge.starts)
        return And(literals)

    # -- judgements ----------------------------------------------------------------------------------------

    def _judge(self, part: _Normal, judge: _JudgementScope) -> tuple[Literal | Equal | Not, ...]:
        """What has to hold so that *part* is judged to hold; adds the operators that judge it."""
        if isinstance(part, (Literal, Equal, Not)):
            return (part,)
        if isinstance(part, And):
            return tuple(literal for inner in part.parts for literal in self._judge(inner, judge))
        verdict = self._judgement_atom(judge, "judged")
        if isinstance(part, Or):
            needed = 1
            conditions = [self._judge(inner, judge) for inner in part.parts]
            for condition in conditions:
                self._add_judgement(judge, condition, (), verdict)
        else:
            assert isinstance(part, _AtLeast)
            needed = part.number
            conditions = [self._judge(inner, judge) for inner in part.parts]
            self._judge_count(needed, conditions, judge, verdict)
        self._verdicts[verdict] = Judgement(
            needed, tuple(tuple(c for c in condition if isinstance(c, Literal)) for condition in conditions)
        )
        return (Literal(verdict),)

    def _judge_count(
        self,
        needed: int,
        conditions: Sequence[tuple[Literal | Equal | Not, ...]],
        judge: _JudgementScope,
        verdict: Atom,
    ) -> None:
        """Walk once along the conditions, counting: ``at[k, i]`` is "of the first k, i were taken".

        What holds already comes first: to pass over a condition takes a step, so searches for few steps take
        the first ones that they can.
        """
        conditions = sorted(conditions, key=self._lacking)
        total = len(conditions)
        at = {
            (k, i): self._judgement_atom(judge, "counted")
            for k in range(total)
            for i in range(max(0, needed - (total - k)), min(k + 1, needed))
        }
        judge.starts.append(at[0, 0])
        for (k, i), here in at.items():
            taken = verdict if i + 1 == needed else at[k + 1, i + 1]
            self._add_judgement(judge, conditions[k], (here,), taken)
            if (k + 1, i) in at:
                self._add_judgement(judge, (), (here,), at[k + 1, i])

    def _lacking(self, condition: Sequence[Literal | Equal | Not]) -> int:
        """Return the number of literals of *condition* that do not hold in the beginning."""
        literals = [part for part in condition if isinstance(part, Literal)]
        return sum((literal.atom in self._problem.init) != literal.positive for literal in literals)

    def _judgement_atom(self, judge: _JudgementScope, word: str) -> Atom:
        atom = self._new_atom(f"{word}-{judge.label}")
        judge.atoms.append(atom)
        return atom

    def _add_judgement(
        self,
        judge: _JudgementScope,
        condition: Sequence[Literal | Equal | Not],
        used_up: Sequence[Atom],
        makes: Atom,
    ) -> None:
        name = self._name(f"judge-{judge.label}")
        self._operators[name] = Operator(
            name,
            judge.parameters,
            And((*judge.begun, *map(Literal, used_up), *condition)),
            (Effect(Literal(makes)), *(Effect(Literal(atom, False)) for atom in used_up), *judge.also),
            Cost(0),
        )


def _terms(part: _Normal) -> tuple[str, ...]:
    if isinstance(part, Literal):
        return part.atom[1:]
    equal = part.part if isinstance(part, Not) else part
    assert isinstance(equal, Equal)
    return (equal.left, equal.right)


def _and(parts: Iterable[_Normal | Formula]) -> And:
    found: dict[_Normal, None] = {}
    for part in parts:
        if part == FALSE:
            return _NEVER
        found.update(dict.fromkeys(conjuncts(part)))
    if FALSE in found or any(isinstance(part, Literal) and ~part in found for part in found):
        return _NEVER
    return And(tuple(found))


#: A conjunction that is false: so that a conjunction always comes out as one.
_NEVER = And((FALSE,))


def _or(parts: Iterable[_Normal]) -> _Normal:
    found: dict[_Normal, None] = {}
    for part in parts:
        if isinstance(part, And) and len(part.parts) == 1:
            part = part.parts[0]
        if part == TRUE:
            return TRUE
        found.update(dict.fromkeys(part.parts if isinstance(part, Or) else (part,)))
    if any(isinstance(part, Literal) and ~part in found for part in found):
        return TRUE
    return next(iter(found)) if len(found) == 1 else Or(tuple(found))


def _at_least(number: int, parts: Sequence[_Normal]) -> _Normal:
    certain = sum(part == TRUE for part in parts)
    open_parts = tuple(part for part in parts if part not in (TRUE, FALSE, _NEVER))
    number -= certain
    if number <= 0:
        return TRUE
    if number > len(open_parts):
        return FALSE
    if number == len(open_parts):
        return _and(open_parts)
    if number == 1:
        return _or(open_parts)
    return _AtLeast(number, open_parts)


def _alternatives(formula: _Normal, most: int) -> list[_Conjunction] | None:
    """Disjunctive normal form; None when it would have more than *most* alternatives."""
    if isinstance(formula, (Literal, Equal, Not)):
        return [((), (formula,))]
    if isinstance(formula, Exists):
        inner = _alternatives(formula.body, most)
        return inner and [(formula.variables + extra, literals) for extra, literals in inner]
    if isinstance(formula, _AtLeast):
        if comb(len(formula.parts), formula.number) > most:
            return None
        choices = combinations(formula.parts, formula.number)
        return _alternatives(_or(_and(choice) for choice in choices), most)
    result: list[_Conjunction]
    if isinstance(formula, Or):
        result = []
        for part in formula.parts:
            inner = _alternatives(part, most)
            if inner is None or len(result) + len(inner) > most:
                return None
            result.extend(inner)
        return result
    result = [((), ())]
    for part in formula.parts:
        inner = _alternatives(part, most)
        if inner is None or len(result) * len(inner) > most:
            return None
        combined = ((a[0] + b[0], a[1] + b[1]) for a in result for b in inner)
        result = [(extra, tuple(dict.fromkeys(literals))) for extra, literals in combined]
    return [
        option for option in result if not any(isinstance(p, Literal) and ~p in option[1] for p in option[1])
    ]
