"""The planning task behind a plan: the domain, the objects and the costs, with ground actions kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from itertools import islice, product
from typing import Any, Protocol

from foretree.errors import suggest
from foretree.planning.constraints.compilation import ConstrainedDomain, constrain
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.grounding.relaxed_reachability import is_provably_unsolvable, is_relaxed_unreachable
from foretree.planning.incremental import Increments, run_to_end, weighted
from foretree.planning.pddl.syntax import TRUE, Domain, Formula, Problem
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction, SemanticsError, TypedObjects, fired, instantiate
from foretree.planning.semantics.evaluation import conjunction, evaluate, state_oracle
from foretree.planning.solvers.base import Solution
from foretree.planning.solvers.fallback import Fallback, solve_with_fallbacks
from foretree.planning.task.problem_forms import ProblemForms, ReducedProblem, WholeProblem
from foretree.world_model.beliefs.belief import Snapshot
from foretree.world_model.beliefs.facts import Atom, Truth

#: So many actions are simulated, and so many atoms looked at or copied, as one piece of work.
_AT_A_TIME, _ATOMS_AT_A_TIME, _COPIED_AT_A_TIME = 4, 40, 200


class Submit(Protocol):
    """Begins to solve a problem, elsewhere."""

    def __call__(self, problem: Problem, *, explain: bool = True) -> Future[Solution]:
        """The solution, once it is there; *explain*: where there is none, with the reason."""


class PlanTask:
    """A domain together with the objects that are believed to exist.

    Ground actions are made once and kept as long as the set of objects stays the same.

    Args:
        overview: makes problems smaller before they are solved; without one, they are solved as they are.
        single: predicates that are true of no subject in two ways at once.

    Attributes:
        constrained: the constraints, and what follows from them.
        keep: the nodes that matter for what is to be done; None while they are not known.
        things: the things that are known to matter for it; there may be others.
        weigh: gives actions other costs than the domain's before a problem is solved; None to leave them.
        worked_out: what others have found out about the task and would like to find again, by whatever tells
            it apart. Forgotten when the objects change.
    """

    def __init__(
        self,
        domain: Domain,
        functions: Mapping[Atom, int] | None = None,
        overview: ProblemForms | None = None,
        single: Collection[str] = (),
    ) -> None:
        self._unconstrained = domain
        self._single = single
        self.constrained = ConstrainedDomain(domain)
        self.keep: frozenset[str] | None = None
        self.things: frozenset[str] = frozenset()
        self._overview = overview
        self.functions = functions or {}
        self.weigh: Callable[[Problem], Problem] | None = None
        self.objects = TypedObjects(domain, {})
        self._names: Mapping[str, str] = {}
        self._entities: object = None
        self._believed: Snapshot | None = None
        self._state: frozenset[Atom] | None = None
        self.worked_out: dict[object, Any] = {}
        self._ground: dict[tuple[str, tuple[str, ...]], GroundAction] = {}

    @property
    def domain(self) -> Domain:
        """The domain, with operators that keep the constraints."""
        return self.constrained.domain

    def constrain(self, constraints: Sequence[Constraint]) -> None:
        """Have *constraints* kept from now on, and no others.

        Raises:
            ConstraintError: one of them cannot be kept to in this domain.
        """
        if tuple(constraints) != self.constrained.constraints:
            self.constrained = constrain(self._unconstrained, constraints, single=self._single)
            self.objects = TypedObjects(self.domain, self._names)
            self._forget()

    def relaxed(self, left_out: Collection[int]) -> ConstrainedDomain:
        """The domain without some of the constraints, by their numbers."""
        return constrain(self._unconstrained, self.constrained.constraints, left_out, self._single)

    def with_steps(self, goal: Formula) -> Formula:
        """*goal*, with all that has to have happened before it counts as reached."""
        steps = self.constrained.required
        return goal if steps == TRUE else conjunction(goal, steps)

    def _forget(self) -> None:
        self._ground.clear()
        self.worked_out.clear()
        self._state = None

    def refresh(self, beliefs: Snapshot) -> None:
        """Take note of the entities in *beliefs*; cheap when there are no new ones."""
        entities = beliefs.entities()
        if entities is self._entities:
            return
        self._entities = entities
        # Everything is an object, also where a domain declares no types at all.
        types = {*self.domain.types, "object"}
        names = {name: entity.best_class for name, entity in entities.items() if entity.best_class in types}
        if names != self._names:
            self._names = names
            self.objects = TypedObjects(self.domain, names)
            self._forget()

    def price(self, functions: Mapping[Atom, int]) -> None:
        """Take note of what things cost now."""
        self.functions = functions
        self._ground.clear()
        self.worked_out.clear()

    def solve(self, problem: Problem, submit: Submit, *, explain: bool = True) -> Future[Solution]:
        """Have *problem* solved in its smallest form, and the solution told in its own steps.

        If the nodes that were said to matter do not suffice for a plan, all are taken, unless it is
        certain that these would not either: to find that out by search takes long.

        Args:
            submit: begins to solve a problem, elsewhere.
            explain: whether it is said why there is no plan, where there is none.
        """
        if self.weigh is not None:
            return self._solve_weighed(self.weigh(problem), submit, explain)
        return self._solve(problem, submit, explain)

    def _solve_weighed(self, problem: Problem, submit: Submit, explain: bool) -> Future[Solution]:
        """Solve a problem with other costs; of the plan, only its steps are of use then."""

        def unweighed(solution: Solution) -> Solution:
            return replace(solution, cost=0, optimal=False, lower_bound=0)

        attempt = Fallback(lambda: self._solve(problem, submit, explain), unweighed)
        return solve_with_fallbacks([attempt], enough=lambda solution: True)

    def _solve(self, problem: Problem, submit: Submit, explain: bool) -> Future[Solution]:
        if not explain and is_relaxed_unreachable(problem):
            hopeless: Future[Solution] = Future()
            hopeless.set_result(Solution("unsolvable"))
            return hopeless
        forms: Sequence[ReducedProblem] = (
            [WholeProblem(problem)]
            if self._overview is None
            else self._overview.forms(problem, self.keep, self.things)
        )
        *narrowed, whole = forms

        def solve_whole() -> Future[Solution]:
            form = narrowed[-1] if narrowed and is_provably_unsolvable(problem) else whole
            attempt = Fallback(
                lambda: submit(form.problem, explain=explain), partial(_refined, form, form is whole)
            )
            return solve_with_fallbacks([attempt], enough=lambda solution: True)

        # To say why a smaller form has no plan takes longer than to see it, and is of no use: the reason is
        # what the last one says.
        first = [
            Fallback(partial(submit, form.problem, explain=False), partial(_refined, form, False))
            for form in narrowed
        ]
        return solve_with_fallbacks(
            [*first, Fallback(solve_whole)], enough=lambda solution: solution.status != "unsolvable"
        )

    @property
    def types(self) -> Mapping[str, str]:
        """The type of each object, the domain's constants included."""
        return {**self._names, **{constant.name: constant.type for constant in self.domain.constants}}

    def ground(self, action: Action) -> GroundAction:
        """The ground action behind *action*.

        Raises:
            SemanticsError: the domain has no such action, or it takes other arguments.
        """
        key = (action.skill, action.arguments)
        found = self._ground.get(key)
        if found is None:
            operator = self.domain.operators.get(action.skill)
            if operator is None:
                raise SemanticsError(
                    f"The domain {self.domain.name} has no action {action.skill}. "
                    f"{suggest(action.skill, self.domain.operators)}"
                )
            found = instantiate(operator, action.arguments, self.objects, self.functions)
            self._ground[key] = found
        return found

    def state(self, beliefs: Snapshot) -> frozenset[Atom]:
        """The state that planning starts from: what is believed true, and what is assumed to be."""
        return run_to_end(self.state_gradually(beliefs))

    def state_gradually(self, beliefs: Snapshot) -> Increments[frozenset[Atom]]:
        """:meth:`state`, in pieces. The last one is kept."""
        if beliefs is self._believed and self._state is not None:
            return self._state
        objects = self.objects
        state: set[Atom] = set()
        believed = beliefs.true_atoms()
        while more := list(islice(believed, _ATOMS_AT_A_TIME)):
            state.update(more)
            yield 1
        for predicate, parameters in self.domain.predicates.items():
            info = beliefs.vocabulary[predicate]
            if info.observable and info.default is True:
                for number, names in enumerate(product(*(objects.of_type(p.type) for p in parameters))):
                    if number % _ATOMS_AT_A_TIME == 0:
                        yield 1
                    if beliefs.truth((predicate, *names)) is Truth.UNKNOWN:
                        state.add((predicate, *names))
        yield from weighted(len(state) // _COPIED_AT_A_TIME)
        found = objects.close(frozenset(state))
        if objects is self.objects:
            self._believed, self._state = beliefs, found
        return found

    def assumes(self, atom: Atom, beliefs: Snapshot) -> bool:
        """Return whether *atom* is in the state that planning starts from."""
        truth = beliefs.truth(atom)
        info = beliefs.vocabulary[atom[0]]
        return truth is Truth.TRUE or (truth is Truth.UNKNOWN and info.observable and info.default is True)

    def advance(self, state: Collection[Atom], action: GroundAction) -> frozenset[Atom]:
        """The state after *action*."""
        after = set(state)
        self.carry_out(after, action)
        return frozenset(after)

    def carry_out(self, state: set[Atom], action: GroundAction) -> None:
        """Turn *state* into the one after *action*: at the price of what that changes, however large."""
        effects = fired(action, state_oracle(state), self.objects)
        state.difference_update([effect.atom for effect in effects if not effect.positive])
        state.update([effect.atom for effect in effects if effect.positive])
        if self.objects.derivation is not None:
            closed = self.objects.close(frozenset(state))
            state.clear()
            state.update(closed)

    def possible(self, state: Collection[Atom], action: GroundAction) -> bool:
        """Return whether *action* may be applied in *state*."""
        return evaluate(action.precondition, state_oracle(state), self.objects) is Truth.TRUE

    def reaches(self, state: Iterable[Atom], actions: Iterable[GroundAction], goal: Formula) -> str | None:
        """Carry out *actions* from *state*: None if they reach the goal, else what is in the way."""
        return run_to_end(self.reaches_gradually(set(state), actions, goal))

    def reaches_gradually(
        self, state: set[Atom], actions: Iterable[GroundAction], goal: Formula
    ) -> Increments[str | None]:
        """:meth:`reaches`, in pieces. It is *state* itself that the actions are carried out in."""
        for number, action in enumerate(actions):
            if number % _AT_A_TIME == 0:
                yield 1
            if not self.possible(state, action):
                return f"{action} is not possible when its turn comes"
            self.carry_out(state, action)
        if evaluate(goal, state_oracle(state), self.objects) is not Truth.TRUE:
            return "it does not reach the goal"
        return None


def _refined(form: ReducedProblem, whole: bool, solution: Solution) -> Solution:
    """*solution* in steps of the task; only if *form* was the whole of that, it may be known as the best."""
    return replace(solution, steps=form.refine(solution.steps), optimal=solution.optimal and whole)
