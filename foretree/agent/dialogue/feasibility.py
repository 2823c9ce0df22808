"""Feasibility of a goal: whether there is a plan for it, told in a sentence. Nothing is done."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import wait

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.telling import Teller
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.errors import ForetreeError
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.pddl.syntax import Formula
from foretree.reasoning.offline.phrases.known_things import conjoined
from foretree.revision.expectation import say_atom
from foretree.runs.views.run_state import ActionState

#: A question is not worth more seconds than these.
_PATIENCE = 10.0
#: So many steps are named.
_MOST_NAMED = 6


def feasibility(context: AgentContext, goal: Formula, constraints: Sequence[Constraint] = ()) -> str:
    """Return whether *goal* can be reached from what is believed within *constraints*, and how."""
    service = PlanningService(context.settings)
    try:
        pending = request_plan(context, service, goal, within=constraints)
        if not wait([pending.future], _PATIENCE).done:
            return "I cannot tell: I have found neither a plan for it nor that there is none."
        plan = pending.result()
    except NoPlanError as error:
        return _none(error)
    except ForetreeError as error:
        return f"I cannot tell: {error}"
    if not plan.actions:
        return "It is so already."
    teller = Teller(context)
    steps = [
        teller.words(ActionState(one.id, one.skill, one.arguments)) for one in plan.actions[:_MOST_NAMED]
    ]
    more = len(plan.actions) - _MOST_NAMED
    said = conjoined([*steps, *([f"{more} more steps"] if more > 0 else [])])
    assumed = "; ".join(say_atom(one.atom, one.value) for one in plan.assumptions)
    return f"Yes: {said}.{f' That takes for granted: {assumed}.' if assumed else ''}"


def _none(error: NoPlanError) -> str:
    if error.status != "unsolvable":
        return f"I do not know: {error}"
    if error.find_out is None:
        return f"No. {error}"
    found = error.find_out()
    why = found.result().why if wait([found], _PATIENCE).done else ""
    return f"No. {why or error}"
