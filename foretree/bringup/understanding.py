"""From a wish to a goal, and to a plan for it."""

from __future__ import annotations

from concurrent.futures import wait

from foretree.agent.context import AgentContext
from foretree.agent.instruction_reader import situation
from foretree.agent.mission import Mission
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.bringup.options import Wish
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.offline.commands import CommandReasoner
from foretree.reasoning.reasoner import Reasoner


def understand(context: AgentContext, wish: Wish, reasoner: Reasoner | None = None) -> Mission:
    """Return the mission for a wish, with a goal that can be planned for.

    Raises:
        ForetreeError: the instruction or the goal is not understood.
        NoPlanError: something that the instruction names has to be found first.
    """
    mission = read_wish(context, wish, reasoner)
    refuse_unfound(context, mission)
    return mission


def refuse_unfound(context: AgentContext, mission: Mission) -> None:
    """Refuse a mission in which something has to be found first: of unknown cups, all are washed already.

    Raises:
        NoPlanError: it has.
    """
    unfound = mission.unfound(context.belief.snapshot(), context.catalogue.domain)
    if unfound:
        names = ", ".join(unfound)
        raise NoPlanError(
            f"It is not known where to find {names}. A run would look for it first, and then plan."
        )


def read_wish(context: AgentContext, wish: Wish, reasoner: Reasoner | None = None) -> Mission:
    """Return the mission for a wish, with a goal, whatever has to be found before.

    Raises:
        ForetreeError: the instruction or the goal is not understood.
    """
    if not wish.goal:
        understood = (reasoner or CommandReasoner()).understand(wish.instruction, situation(context))
        mission = Mission(wish.instruction, understood.goal, understood.sentence, understood.wanted)
        mission.answer = understood.answer
        return mission
    types = {name: entity.best_class for name, entity in context.belief.entities().items()}
    parsed = parse_goal(wish.goal, context.catalogue.domain, types)
    return Mission(wish.instruction, parsed.formula, parsed.repair or "")


def make_plan(context: AgentContext, goal: Formula) -> Plan:
    """A plan for *goal* from what is believed. Waits for it.

    Raises:
        NoPlanError: there is none; the message says why.
        ProblemError: the goal names something that is not known.
    """
    pending = request_plan(context, PlanningService(context.settings), goal)
    wait([pending.future])
    return pending.result()
