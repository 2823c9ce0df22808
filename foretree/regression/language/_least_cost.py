"""The cost of the cheapest plan for a goal, from how things truly are."""

from __future__ import annotations

from concurrent.futures import wait
from dataclasses import replace

from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.bringup.embedded import embedded_context
from foretree.bringup.options import Options
from foretree.planning.pddl.syntax import Formula
from foretree.simulation.household.scene import Scene
from foretree.skills.catalogue import Catalogue

#: Seconds on the wall that a proof is waited for.
PATIENCE = 30.0

#: The settings of a planner that proves its plans, with every thing that there is; only time is short.
_PROVED = {"plans": "optimal", "select": "false", "expansions": "1000000000"}


def least_cost(scene: Scene, goal: Formula, catalogue: Catalogue) -> int | None:
    """The cost of the cheapest plan for *goal* at the start of *scene*; None if none was proved in time."""
    told = replace(scene, known="everything", believed={})
    context, _ = embedded_context(told, Options(overrides=_PROVED), catalogue=catalogue)
    pending = request_plan(context, PlanningService(context.settings), goal)
    if not wait([pending.future], timeout=PATIENCE).done:
        pending.future.cancel()
        return None
    try:
        return pending.result().cost
    except NoPlanError:
        return None
