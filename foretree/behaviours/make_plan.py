"""The leaf that plans: belief and goal → plan."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.context import AgentContext
from foretree.agent.dangerous_plans import danger_of_plan
from foretree.agent.json_codec import plan_json
from foretree.agent.mission import Mission
from foretree.agent.plan_request import NoPlanError, makespan_of, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.clock import Deferred
from foretree.planning.pddl.syntax import TRUE, Formula, show
from foretree.planning.plan import Plan
from foretree.planning.task.problems import ProblemError
from foretree.reasoning.instruction_errors import UnsafeError
from foretree.world_model.beliefs.facts import ROBOT_AT

#: Where the robot stands, and has looked: no reason for another answer.
_BY_THE_WAY = frozenset({ROBOT_AT, "inspected"})


class MakePlan(Behaviour):
    """Plans for the goal, or for the subgoal that comes first.

    Fails when there is no plan; the mission's reason says why.

    Args:
        context: the shared ground.
        mission: says what is to be reached.
        service: does the planning.
        load: takes the plan, once there is one: a plan node's ``load``.
        subgoal: whether to plan for the mission's subgoal.
        part: whether that is a part of the goal, so that the plan counts as one for the goal.
        explain: whether it is found out at once why there is no plan. That may take longer than to find out
            that there is none, and who goes on in another way does not need it; otherwise the mission has
            what finds out more, for when it is given up.
    """

    def __init__(
        self,
        context: AgentContext,
        mission: Mission,
        service: PlanningService,
        load: Callable[[Plan], None],
        *,
        subgoal: bool = False,
        part: bool = False,
        explain: bool = True,
    ) -> None:
        name = "plan the part" if part else "plan the search" if subgoal else "make a plan"
        super().__init__(name=name)
        self._context = context
        self._mission = mission
        self._service = service
        self._load = load
        self._subgoal = subgoal
        self._part = part
        self._explain = explain
        self._pending: Deferred[Plan] | None = None
        self._asked: object = None
        #: What there was no plan from, and the reason.
        self._hopeless: tuple[object, str] | None = None

    def update(self) -> Status:
        context, mission = self._context, self._mission
        if self._pending is None:
            goal = mission.subgoal if self._subgoal else mission.goal
            assert goal is not None
            if not self._subgoal:
                mission.subgoal = None
                if mission.rounds >= context.settings.rounds:
                    said = "planned once." if mission.rounds == 1 else f"planned {mission.rounds} times."
                    if mission.reason.startswith(said):
                        said = ""
                    return self._fail(f"{said} {mission.reason}".strip())
                unfound = mission.unfound(context.belief.snapshot(), context.catalogue.domain)
                if unfound:
                    return self._fail(f"It is not known where to find {', '.join(unfound)}.")
                self._asked = self._planned_from(goal)
                if self._asked is not None and self._hopeless and self._hopeless[0] == self._asked:
                    return self._fail(self._hopeless[1])
                context.recorder.record("agent.chose", tool="plan", why=f"plans for {show(goal)}")
            try:
                self._pending = request_plan(
                    context, self._service, goal, explain=self._explain, on_the_way=self._subgoal
                )
            except ProblemError as error:
                return self._fail(str(error))
        if not self._pending.ready():
            self.feedback_message = "planning"
            return Status.RUNNING
        try:
            plan = self._pending.result()
        except NoPlanError as error:
            if self._subgoal and not self._part and mission.looked_at and error.constrained:
                return self._pass_over(mission.looked_at[-1])
            mission.find_out = error.find_out
            self._hopeless = (self._asked, str(error)) if self._asked is not None else None
            return self._fail(str(error))
        self._pending = None
        danger = danger_of_plan(plan, context) if mission.instruction else None
        if danger is not None:
            mission.refusal = UnsafeError(danger)
            return self._fail(danger)
        if self._part or not self._subgoal:
            # Only what can be carried out counts: looking for things may take as many attempts as it likes.
            mission.rounds += 1
            mission.plan = plan
        self._load(plan)
        made = plan_json(plan, context.settings.planner, makespan_of(context, plan))
        context.recorder.record("plan.made", **made)
        self.feedback_message = f"{len(plan.actions)} actions, cost {plan.cost}"
        return Status.SUCCESS

    def _planned_from(self, goal: Formula) -> object:
        """All that decides whether there is a plan, in a home that the robot discovers; else None.

        While it searches, ways and their ends come and go. A plan for the goal does not depend on these.
        """
        context = self._context
        if context.topological_map is None or context.running():
            return None
        from foretree.agent.discovery.topological_map import WAYPOINT  # it is loaded by then

        beliefs = context.belief.snapshot()
        passing = {name for name, one in beliefs.entities().items() if one.best_class == WAYPOINT}
        told = (atom for atom in beliefs.true_atoms() if atom[0] not in _BY_THE_WAY)
        known = frozenset(atom for atom in told if passing.isdisjoint(atom[1:]))
        return goal, tuple(context.task.constrained.constraints), known

    def _pass_over(self, place: str) -> Status:
        """Leave out a place that cannot be searched within the constraints: there are others."""
        self._pending = None
        self._mission.passed_over.append(place)
        self.feedback_message = f"{place} cannot be searched within the constraints"
        self._context.recorder.record("log", text=self.feedback_message)
        self._load(Plan(TRUE, ()))
        return Status.SUCCESS

    def _fail(self, reason: str) -> Status:
        self._mission.reason = self.feedback_message = reason
        return Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
