"""The leaf that plans: belief and goal → plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import Runtime
from foretree.agent.json_codec import plan_json
from foretree.agent.mission import NO_PLAN, Mission, missing
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.errors import ForetreeError
from foretree.incremental import run_to_end
from foretree.planning.causal_links import analyse, links_by_id
from foretree.planning.grounding.relaxed_reachability import is_provably_unsolvable
from foretree.planning.pddl.syntax import Formula, Problem, show
from foretree.planning.plan import Action, Plan
from foretree.planning.semantics.actions import TypedObjects, instantiate, validate
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import BeliefProblem, ProblemError, make_problem, relevant_assumptions
from foretree.world_model.beliefs.belief import Snapshot


class MakePlan(Behaviour):
    """Plans for the goal, or for the subgoal that comes first.

    Fails when there is no plan; the mission's reason says why.

    Args:
        runtime: the shared ground.
        mission: says what is to be reached.
        service: does the planning.
        load: takes the plan, once there is one: a plan node's ``load``.
        subgoal: whether to plan for the mission's subgoal.
        explain: whether it is found out at once why there is no plan. That may take longer than to find out
            that there is none, and who goes on in another way does not need it; otherwise the mission has
            what finds out more, for whoever gives up.
    """

    def __init__(
        self,
        runtime: Runtime,
        mission: Mission,
        service: PlanningService,
        load: Callable[[Plan], None],
        *,
        subgoal: bool = False,
        explain: bool = True,
    ) -> None:
        super().__init__(name="plan the search" if subgoal else "make a plan")
        self._runtime = runtime
        self._mission = mission
        self._service = service
        self._load = load
        self._subgoal = subgoal
        self._explain = explain
        self._pending: Deferred[Plan] | None = None

    def initialise(self) -> None:
        self._pending = None

    def update(self) -> Status:
        runtime, mission = self._runtime, self._mission
        if self._pending is None:
            goal = mission.subgoal if self._subgoal else mission.goal
            assert goal is not None
            if not self._subgoal:
                mission.subgoal = None
                if mission.rounds >= runtime.settings.rounds:
                    return self._fail(_said_once(_planned(mission.rounds), mission.reason))
                unfound = mission.unfound(runtime.belief.snapshot(), runtime.catalogue.domain)
                if unfound:
                    return self._fail(f"Nobody knows where to find {', '.join(unfound)}.")
                runtime.recorder.record("agent.chose", tool="plan", why=f"plans for {show(goal)}")
            try:
                self._pending = ask_for_plan(runtime, self._service, goal, explain=self._explain)
            except ProblemError as error:
                return self._fail(str(error))
        if not self._pending.ready():
            self.feedback_message = "planning"
            return Status.RUNNING
        try:
            plan = self._pending.result()
        except NoPlanError as error:
            mission.find_out = error.find_out
            return self._fail(str(error))
        self._pending = None
        if not self._subgoal:
            # Only what can be carried out counts: looking for things may take as many attempts as it likes.
            mission.rounds += 1
            mission.plan = plan
        self._load(plan)
        runtime.recorder.record("plan.made", **plan_json(plan, runtime.settings.planner))
        self.feedback_message = f"{len(plan.actions)} actions, cost {plan.cost}"
        return Status.SUCCESS

    def _fail(self, reason: str) -> Status:
        self._mission.reason = self.feedback_message = reason
        return Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None


def _planned(rounds: int) -> str:
    return "planned once." if rounds == 1 else f"planned {rounds} times."


def _said_once(beginning: str, reason: str) -> str:
    """A reason with a beginning, which it has already if the same was said before."""
    return reason if reason.startswith(beginning) else f"{beginning} {reason}".rstrip()


class NoPlanError(ForetreeError):
    """There is no plan; the message says why.

    Attributes:
        status: ``unsolvable`` where it is proved that there is none, ``out-of-limits`` where a limit was
            reached; empty where it is neither.
        timed: whether a clock had a part in it, so that it can be another answer next time.
        find_out: begins to find out why, if that was left open.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        status: str = "",
        timed: bool = False,
        find_out: Callable[[], Future[Solution]] | None = None,
    ) -> None:
        super().__init__(message)
        self.find_out = find_out
        self.status = status
        self.timed = timed


def ask_for_plan(
    runtime: Runtime, service: PlanningService, goal: Formula, *, explain: bool = True
) -> Deferred[Plan]:
    """Begin to plan for *goal* from what is believed; the result, or :class:`NoPlanError`, comes later.

    What the robot is carrying out is taken as done: the plan begins where it will be then.

    Args:
        explain: whether the error says why there is no plan, or leaves it to be found out.

    Raises:
        ProblemError: the goal names something that nobody knows of.
    """
    beliefs = runtime.belief.snapshot()
    runtime.task.refresh(beliefs)
    domain = runtime.catalogue.domain
    made = make_problem(domain, beliefs, goal, runtime.task.functions)
    running = runtime.running()
    if running:
        state = made.problem.init
        for action in running:
            state = runtime.task.advance(state, runtime.task.ground(action))
        made = replace(made, problem=replace(made.problem, init=state))
    gone = missing(goal, beliefs, domain)
    context = _where_from(runtime, running)

    def finish(solution: Solution) -> Plan:
        service.learn(made.problem, solution)
        if solution.status == "solved":
            return plan_from(solution, made, beliefs, runtime.action_id)
        if gone:
            raise NoPlanError(f"Nobody knows where to find {', '.join(gone)}.")
        why = f"{solution.why or NO_PLAN}{context}"
        find_out = None if solution.why else explanation
        raise NoPlanError(why, solution.status, solution.timed, find_out)

    asked: list[Problem] = []

    def submit(problem: Problem, *, explain: bool = True) -> Future[Solution]:
        asked.append(problem)
        return service.submit(problem, explain=explain)

    def explanation() -> Future[Solution]:
        # Where it was plain that there is none, no planner was asked.
        return service.submit(asked[-1]) if asked else runtime.task.solve(made.problem, service.submit)

    answer: Future[Solution]
    if gone and is_provably_unsolvable(made.problem):
        # What is wrong is known, so nobody has to search for a plan to find that there is none.
        answer = Future()
        answer.set_result(Solution("unsolvable"))
    else:
        answer = runtime.task.solve(made.problem, submit, explain=explain)
    return Deferred(answer, runtime.clock, runtime.settings.planning_latency, finish)


def _where_from(runtime: Runtime, running: Sequence[Action]) -> str:
    """What a reason for there being no plan has to add about a robot that is busy."""
    said = ""
    if running:
        said = (
            f" That is for when {' and '.join(map(str, running))} is done, which {runtime.robot.name} is at."
        )
    hold = runtime.executive.coming_free() if runtime.executive.held() else None
    if hold is not None and hold.holder.lost_at is None and hold.holder.cancelling:
        said += f" It is not known yet what has become of what was broken off: {hold}."
    return said


def plan_from(
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
