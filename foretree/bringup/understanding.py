"""From a wish to a goal, and to a plan for it."""

from __future__ import annotations

from concurrent.futures import wait

from foretree.agent.context import AgentContext
from foretree.agent.dialogue.instruction_reader import situation
from foretree.agent.mission import Mission
from foretree.agent.plan_request import NoPlanError, request_plan
from foretree.agent.planning_service import PlanningService
from foretree.bringup.options import Wish
from foretree.planning.constraints.constraints import Constraint
from foretree.planning.constraints.reader import parse_constraints
from foretree.planning.pddl.syntax import Formula
from foretree.planning.plan import Plan
from foretree.planning.task.goals import parse_goal
from foretree.reasoning.goal_meaning import refuse_excluded
from foretree.reasoning.instruction_errors import AmbiguousError
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
    given = read_constraints(context, wish)
    if not wish.goal:
        understood = (reasoner or CommandReasoner()).understand(wish.instruction, situation(context))
        if understood.readings:
            meant = " or ".join(reading.words for reading in understood.readings)
            raise AmbiguousError(f'"{wish.instruction}" may be about {meant}. Say which.')
        mission = Mission(wish.instruction, understood.goal, understood.sentence, understood.wanted)
        mission.answer = understood.answer
        mission.constraints = (*given, *understood.constraints)
    else:
        parsed = parse_goal(wish.goal, context.catalogue.domain, _types(context))
        mission = Mission(wish.instruction, parsed.formula, parsed.repair or "", constraints=given)
    assert mission.goal is not None
    refuse_excluded(mission.goal, situation(context))
    context.keep_to(mission.constraints)
    return mission


def read_constraints(context: AgentContext, wish: Wish) -> tuple[Constraint, ...]:
    """Return the constraints that a wish states beside its goal or its instruction.

    Raises:
        ConstraintError: one of them makes no sense.
    """
    return parse_constraints(wish.constraints, context.catalogue.domain, _types(context))


def _types(context: AgentContext) -> dict[str, str]:
    return {name: entity.best_class for name, entity in context.belief.entities().items()}


def make_plan(context: AgentContext, goal: Formula) -> Plan:
    """A plan for *goal* from what is believed, which keeps the constraints. Waits for it.

    Raises:
        NoPlanError: there is none; the message says why.
        ProblemError: the goal names something that is not known.
    """
    pending = request_plan(context, PlanningService(context.settings), goal)
    wait([pending.future])
    try:
        return pending.result()
    except NoPlanError as error:
        if error.find_out is None:
            raise
        why = error.find_out().result().why or str(error)
        raise NoPlanError(why, error.status, error.timed) from error
