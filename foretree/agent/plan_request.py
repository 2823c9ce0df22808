"""Requests for plans: belief and goal in, a validated plan or the reason for there being none out, later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from foretree.agent.constraints.conflict import find_conflict
from foretree.agent.context import AgentContext
from foretree.agent.mission import NO_PLAN, missing
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.planning.causal_links import analyse, links_by_id
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.grounding.relaxed_reachability import is_provably_unsolvable
from foretree.planning.incremental import run_to_end
from foretree.planning.makespan import makespan
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.actions import TypedObjects, instantiate, validate
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import BeliefProblem, make_problem, relevant_assumptions
from foretree.world_model.beliefs.belief import Snapshot


class NoPlanError(ForetreeError):
    """There is no plan; the message says why.

    Attributes:
        status: ``unsolvable`` where it is proved that there is none, ``out-of-limits`` where a limit was
            reached; empty where it is neither.
        timed: whether a clock had a part in it, so that it can be another answer next time.
        find_out: begins to find out why, if that was left open.
        constrained: whether it is proved that no plan keeps the constraints, of which there are some.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        status: str = "",
        timed: bool = False,
        find_out: Callable[[], Future[Solution]] | None = None,
        constrained: bool = False,
    ) -> None:
        super().__init__(message)
        self.find_out = find_out
        self.status = status
        self.timed = timed
        self.constrained = constrained


def request_plan(
    context: AgentContext,
    service: PlanningService,
    goal: Formula,
    *,
    explain: bool = True,
    on_the_way: bool = False,
    within: Sequence[Constraint] = (),
) -> Deferred[Plan]:
    """Begin to plan for *goal* from what is believed; the result, or :class:`NoPlanError`, comes later.

    What the robot is carrying out is taken as done: the plan begins where it will be then. It keeps the
    constraints that the context is to keep to.

    Args:
        explain: whether the error says why there is no plan, or leaves it to be found out; which constraints
            are in the way is always left to be found out.
        on_the_way: whether it is a goal on the way to another one, so that no step of a sequence is due.
        within: further constraints that it keeps.

    Raises:
        ProblemError: the goal names something that is not known.
    """
    beliefs = context.belief.snapshot()
    task = context.task
    if within:
        task = context.new_task()
        task.constrain(tuple(dict.fromkeys((*context.task.constrained.constraints, *within))))
    task.refresh(beliefs)
    domain = task.domain
    whole = goal if on_the_way else task.with_steps(goal)
    made = make_problem(domain, beliefs, whole, task.functions)
    running = context.running()
    if running:
        state = made.problem.init
        for action in running:
            state = task.advance(state, task.ground(action))
        made = replace(made, problem=replace(made.problem, init=state))
    if context.settings.goal_states == "opposite" and not on_the_way:
        from foretree.planning.task.opposite_states import with_opposite_states  # a baseline only

        states = [name for name, info in beliefs.vocabulary.predicates.items() if info.kind == "attribute"]
        made = replace(made, problem=with_opposite_states(made.problem, states))
    gone = missing(goal, beliefs, domain)
    busy = _where_from(context, running)

    def finish(solution: Solution) -> Plan:
        service.learn(made.problem, solution)
        if solution.status == "solved":
            return plan_from_solution(solution, made, beliefs, context.action_id)
        if gone:
            raise NoPlanError(f"It is not known where to find {', '.join(gone)}.")
        why = f"{solution.why or NO_PLAN}{busy}"
        find_out = None if solution.why else explanation
        constrained = solution.status == "unsolvable" and bool(task.constrained.constraints)
        if constrained:
            why, find_out = f"{NO_PLAN}{busy}", partial(conflict, solution)
        raise NoPlanError(why, solution.status, solution.timed, find_out, constrained)

    asked: list[Problem] = []

    def submit(problem: Problem, *, explain: bool = True) -> Future[Solution]:
        asked.append(problem)
        return service.submit(problem, explain=explain)

    def explanation() -> Future[Solution]:
        # Where it was plain that there is none, no planner was asked.
        return service.submit(asked[-1]) if asked else task.solve(made.problem, service.submit)

    def conflict(solution: Solution) -> Future[Solution]:
        def otherwise() -> Future[Solution]:
            if not solution.why:
                return explanation()
            known: Future[Solution] = Future()
            known.set_result(solution)
            return known

        return find_conflict(task, made.problem, goal, service.submit, otherwise)

    answer: Future[Solution]
    if (gone and is_provably_unsolvable(made.problem)) or (
        not gone and _is_forbidden(context, goal, task.constrained.constraints)
    ):
        # What is wrong is known, so no search is needed to find that there is no plan.
        answer = Future()
        answer.set_result(Solution("unsolvable"))
    else:
        answer = task.solve(made.problem, submit, explain=explain)
    return Deferred(answer, context.clock, context.settings.planning_latency, finish)


def _is_forbidden(context: AgentContext, goal: Formula, constraints: Sequence[Constraint]) -> bool:
    """Return whether a constraint plainly forbids the goal."""
    if not constraints:
        return False
    from foretree.agent.constraints.forbidden import is_forbidden  # few tasks have constraints

    return is_forbidden(context, goal, constraints)


def _where_from(context: AgentContext, running: Sequence[Action]) -> str:
    """Return what is to be added to a reason for there being no plan while the robot is busy."""
    said = ""
    if running:
        busy = dict.fromkeys(context.team.acting(action.arguments).robot.name for action in running)
        done = " and ".join(map(str, running))
        said = f" That is for when {done} is done, which {' and '.join(busy)} is at."
    hold = context.team.coming_free()
    if hold is not None and hold.holder.lost_at is None and hold.holder.cancelling:
        said += f" It is not known yet what has become of what was broken off: {hold}."
    return said


def makespan_of(context: AgentContext, plan: Plan) -> int:
    """Return the makespan of a plan, with the parts of robots that its skills hold."""
    skills = context.catalogue.skills

    def holds(action: Action) -> list[tuple[str, str]]:
        parts = skills[action.skill].resources_of(action) if action.skill in skills else ()
        robots = context.team.taking_part(action.arguments)
        return [(member.robot.name, part) for member in robots for part in parts]

    return makespan(plan.actions, plan.order, holds)


def plan_from_solution(
    solution: Solution, made: BeliefProblem, beliefs: Snapshot, fresh_id: Callable[[], str]
) -> Plan:
    """A solver's solution as a plan: validated, in its partial order, with what it takes for granted.

    Raises:
        NoPlanError: the solution is not valid by the domain's own semantics.
    """
    problem = made.problem
    validation = validate(problem, solution.steps)
    if not validation.ok:
        raise NoPlanError(f"the planner's answer does not hold: {validation.reason}")
    objects = TypedObjects(problem.domain, problem.objects)
    ground = [
        instantiate(problem.domain.operators[name], arguments, objects, problem.functions)
        for name, arguments in solution.steps
    ]
    actions = tuple(Action(fresh_id(), action.name, action.arguments, action.cost) for action in ground)
    causality = analyse(ground, problem.init, problem.goal, objects, objects.derivation)
    order = {
        action.id: frozenset(actions[index].id for index in before)
        for action, before in zip(actions, causality.order, strict=True)
        if before
    }
    needed = {literal.atom for needs in causality.needs for literal in needs}
    classes = {
        name: entity.best_class
        for action in actions
        for name in action.arguments
        if (entity := beliefs.entity(name)) is not None and not entity.told
    }
    return Plan(
        problem.goal,
        actions,
        order,
        relevant_assumptions(made.assumptions, needed),
        classes,
        run_to_end(links_by_id(causality.links, [action.id for action in actions])),
        solution.optimal,
        solution.cost if solution.optimal else solution.lower_bound,
        solution.timed,
    )
