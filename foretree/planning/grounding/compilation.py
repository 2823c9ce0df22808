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
from itertools import count

from foretree.errors import ForetreeError
from foretree.planning.grounding._normal_form import NormalForm, Normalizer, Threshold, conjunction, dnf
from foretree.planning.pddl.syntax import (
    TRUE,
    And,
    Cost,
    Effect,
    Equal,
    Formula,
    Literal,
    Not,
    Operator,
    Or,
    PlanStep,
    Problem,
    Typed,
    constants_of,
    substitute,
    substitute_atom,
)
from foretree.planning.semantics.axioms import without_axioms
from foretree.planning.semantics.evaluation import bindings, conjuncts
from foretree.planning.work_limit import WorkLimit
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
        judgements: for each atom that judgements make true, what it stands for.
        begins: whether some action takes several operators, of which the first begins it.
    """

    problem: Problem
    conditional_effects: bool
    origin: Mapping[str, tuple[str, int]]
    judgements: Mapping[Atom, Judgement]
    begins: bool = False

    @property
    def chooses(self) -> bool:
        """Return whether the goal leaves a choice, such as three of fifty things, that judgements make."""
        goal = conjuncts(self.problem.goal)
        return any(isinstance(part, Literal) and part.atom in self.judgements for part in goal)

    def restore(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """The plan of the original problem that a plan of the compiled one stands for."""
        return tuple(
            (self.origin[name][0], tuple(arguments[: self.origin[name][1]]))
            for name, arguments in steps
            if name in self.origin
        )


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
        self._normal = Normalizer(problem, work).normal_form
        self._operators: dict[str, Operator] = {}
        self._origin: dict[str, tuple[str, int]] = {}
        self._beginnings: list[str] = []
        self._judgements: dict[Atom, Judgement] = {}
        self._predicates: dict[str, tuple[Typed, ...]] = dict(self._domain.predicates)
        self._init: set[Atom] = set()
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
        return Compiled(problem, conditional, self._origin, self._judgements, bool(self._beginnings))

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
                    condition = conjunction((Literal(guard), operator.precondition))
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

    def _constants(self) -> tuple[Typed, ...]:
        """The domain's constants, and the objects that expansion has put into operators."""
        named: set[str] = set()
        for operator in self._operators.values():
            named |= constants_of(operator.precondition)
            for effect in operator.effects:
                named |= constants_of(effect.literal) | constants_of(effect.condition)
        known = {constant.name for constant in self._domain.constants}
        objects = self._problem.objects
        extra = sorted(name for name in named - known if name in objects)
        return (*self._domain.constants, *(Typed(name, objects[name]) for name in extra))

    # -- operators -----------------------------------------------------------------------------------------

    def _compile_operator(self, operator: Operator) -> None:
        condition = self._normal(operator.precondition, keep_exists=True)
        effects = tuple(compiled for effect in operator.effects for compiled in self._effect(effect))
        alternatives = dnf(condition, _MOST_VARIANTS)
        if alternatives is None:
            self._judge_operator(operator, effects)
            return
        for number, (extra, literals) in enumerate(alternatives, start=1):
            name = operator.name if len(alternatives) == 1 else self._name(f"{operator.name}-{number}")
            self._add_action(operator, name, extra, And(literals), effects)

    def _add_action(
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
        for binding in bindings(effect.variables, self._problem):
            literal = Literal(substitute_atom(effect.literal.atom, binding), effect.literal.positive)
            condition = self._normal(substitute(effect.condition, binding), keep_exists=False)
            alternatives = dnf(condition, _MOST_EFFECTS)
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
        self._add_action(
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

    def _judge(self, part: NormalForm, judge: _JudgementScope) -> tuple[Literal | Equal | Not, ...]:
        """Return the literals under which *part* is judged to hold; add the operators that judge it."""
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
            assert isinstance(part, Threshold)
            needed = part.number
            conditions = [self._judge(inner, judge) for inner in part.parts]
            self._judge_count(needed, conditions, judge, verdict)
        self._judgements[verdict] = Judgement(
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
