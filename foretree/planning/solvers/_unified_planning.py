"""Other engines, through unified-planning's registry.

Importing unified-planning takes most of a second, so it happens on first use; it comes with the extra
``engines``. What an engine gets is the grounded problem as PDDL text, which unified-planning reads itself: no
names that mean two things (it forbids what PDDL allows), no functions, nothing but propositions.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from foretree.errors import suggest
from foretree.planning.grounding.compilation import Compiled, compile_away
from foretree.planning.grounding.ground_task import GroundTask, SignedAtom
from foretree.planning.grounding.grounding import ground
from foretree.planning.grounding.simplification import simplify
from foretree.planning.grounding.unsolvability import explain_unsolvable
from foretree.planning.pddl.syntax import And, Cost, Domain, Effect, Literal, Operator, Problem
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.semantics.actions import validate
from foretree.planning.solvers.base import Limits, Mode, Solution, SolverError, seconds_since
from foretree.world_model.beliefs.facts import Atom

_NO_LIMITS = Limits()


def unified_engines() -> tuple[str, ...]:
    """The names of the planners that unified-planning knows here.

    Raises:
        SolverError: unified-planning is not installed.
    """
    factory = _environment().factory
    planners = (name for name in factory.engines if factory.engine(name).is_oneshot_planner())
    return tuple(sorted(planners))


class UnifiedEngine:
    """A planner from unified-planning's registry.

    Limits on expansions mean nothing to these engines; only the clock stops them. Whether the answer to
    ``optimal`` is optimal depends on the engine, and is said in the solution.
    """

    def __init__(self, name: str) -> None:
        engines = unified_engines()
        if name not in engines:
            raise SolverError(f"unified-planning has no planner {name} here. {suggest(name, engines)}")
        self._name = name

    def solve(self, problem: Problem, mode: Mode = "optimal", limits: Limits = _NO_LIMITS) -> Solution:
        """Find a plan with the engine. *mode* is the engine's choice: many know only one.

        Raises:
            SolverError: the engine broke, or does not take this kind of problem.
        """
        start = time.monotonic()
        compiled = compile_away(problem)
        grounding = simplify(ground(compiled.problem))
        if grounding.holds_initially():
            return Solution("solved", optimal=True, seconds=seconds_since(start))
        if not grounding.solvable:
            return Solution("unsolvable", seconds=seconds_since(start), why=explain_unsolvable(problem))
        task = _propositional(grounding)
        translated = time.monotonic()
        result = self._ask(task, limits)
        return self._solution(problem, compiled, grounding, result, seconds_since(start, translated))

    def _ask(self, task: Problem, limits: Limits) -> Any:
        environment = _environment()
        from unified_planning.exceptions import UPException
        from unified_planning.io import PDDLReader

        try:
            read = PDDLReader().parse_problem_string(write_domain(task.domain), write_problem(task))
            with environment.factory.OneshotPlanner(name=self._name) as engine:
                missing = read.kind.features - engine.supported_kind().features - _HARMLESS
                if missing:
                    raise SolverError(
                        f"{self._name} cannot take this problem: it lacks {', '.join(sorted(missing))}."
                    )
                engine.skip_checks = True
                return engine.solve(read, timeout=limits.seconds)
        except (UPException, AssertionError) as error:
            raise SolverError(f"{self._name} failed: {error}") from error

    def _solution(
        self,
        problem: Problem,
        compiled: Compiled,
        grounding: GroundTask,
        result: Any,
        seconds: dict[str, float],
    ) -> Solution:
        from unified_planning.engines import PlanGenerationResultStatus as Outcome

        if result.status in (Outcome.SOLVED_OPTIMALLY, Outcome.SOLVED_SATISFICING):
            numbers = [int(str(step.action.name).removeprefix("do-")) for step in result.plan.actions]
            operators = [grounding.operators[number] for number in numbers]
            steps = compiled.restore((operator.name, operator.arguments) for operator in operators)
            optimal = result.status is Outcome.SOLVED_OPTIMALLY
            return Solution("solved", steps, validate(problem, steps).cost, optimal, 0, seconds)
        if result.status is Outcome.UNSOLVABLE_PROVEN:
            return Solution("unsolvable", seconds=seconds, why=explain_unsolvable(problem))
        if result.status is Outcome.UNSOLVABLE_INCOMPLETELY:
            why = f"{self._name} found no plan, which does not prove that there is none."
        elif result.status in (Outcome.TIMEOUT, Outcome.MEMOUT):
            which = "time" if result.status is Outcome.TIMEOUT else "memory"
            why = f"{self._name} ran out of {which}."
        else:
            said = " ".join(message.message.strip() for message in result.log_messages or ())
            raise SolverError(f"{self._name} failed ({result.status.name.lower()}): {said[-500:]}")
        starved = result.status is Outcome.MEMOUT
        return Solution("out-of-memory" if starved else "out-of-limits", seconds=seconds, why=why)


#: Features that unified-planning sees in any problem read from PDDL; constant costs are integers here.
_HARMLESS = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST"})


def _propositional(grounding: GroundTask) -> Problem:
    """The grounded problem with a proposition for each atom, and operators named by their number."""
    names: dict[Atom, Atom] = {}

    def conjunction(literals: Iterable[SignedAtom]) -> And:
        return And(tuple(literal(signed) for signed in literals))

    def literal(signed: SignedAtom) -> Literal:
        return Literal(names.setdefault(signed[0], (f"fact-{len(names)}",)), signed[1])

    operators = {
        f"do-{number}": Operator(
            f"do-{number}",
            (),
            conjunction(operator.precondition),
            tuple(Effect(literal(e.literal), conjunction(e.condition)) for e in operator.effects),
            Cost(operator.cost),
        )
        for number, operator in enumerate(grounding.operators)
    }
    goal = conjunction(grounding.goal)
    init = frozenset(name for atom, name in names.items() if atom in grounding.init)
    predicates = {name[0]: () for name in names.values()}
    return Problem("task", Domain("task", {}, (), predicates, {}, operators), {}, init, goal)


def _environment() -> Any:
    try:
        from unified_planning.environment import get_environment
    except ImportError:
        raise SolverError(
            "Other planning engines need unified-planning. Install it with: pip install 'foretree[engines]'"
        ) from None
    environment = get_environment()
    environment.credits_stream = None  # no advertisements between our lines
    return environment
