"""What a session would do, without doing any of it."""

from __future__ import annotations

from foretree.behaviours.make_plan import NoPlanError
from foretree.behaviours.mission import missing
from foretree.behaviours.runtime import Runtime
from foretree.behaviours.serial import plan_json
from foretree.planning.plan import Plan
from foretree.planning.problems import make_problem
from foretree.planning.syntax import Formula, show
from foretree.planning.writer import write_domain, write_problem
from foretree.revision.expectation import say_atom
from foretree.runs.encoding import canonical
from foretree.trees import export
from foretree.trees.embedded import Wish, make_plan, understand
from foretree.trees.plan_node import PlanNode
from foretree.trees.session import Session


def preview(session: Session, form: str = "outline") -> str:
    """The goal, the plan and the tree of *session*, in one of the forms outline, pddl, dot, xml, ascii, json.

    Raises:
        ForetreeError: the instruction is not understood, or there is no plan.
    """
    runtime = session.runtime
    mission = session.mission
    if mission.goal is None:
        mission = understand(runtime, Wish(mission.instruction))
    assert mission.goal is not None
    if form == "pddl":
        return pddl(runtime, mission.goal)
    try:
        plan = make_plan(runtime, mission.goal)
    except NoPlanError as error:
        if missing(mission.goal, runtime.belief.snapshot(), runtime.catalogue.domain):
            why = f"{error} A run would look for it first, and then plan."
            raise NoPlanError(why, error.status, error.timed) from error
        raise
    if form == "json":
        return canonical(
            {"how": mission.how, "status": "solved", **plan_json(plan, runtime.settings.planner)}
        )
    node = PlanNode(runtime, plan)
    if form == "dot":
        return export.dot(node)
    if form == "xml":
        return export.xml(node)
    ascii_only = form == "ascii"
    tree = export.outline(node, ascii_only=ascii_only)
    if ascii_only:
        return tree
    return "\n".join([*_goal_lines(mission.goal, mission.how), *_plan_lines(plan), "", "tree", tree])


def pddl(runtime: Runtime, goal: Formula) -> str:
    """The planning task as PDDL text: the domain, then the problem."""
    made = make_problem(runtime.catalogue.domain, runtime.belief.snapshot(), goal, runtime.task.functions)
    return f"{write_domain(made.problem.domain)}\n{write_problem(made.problem)}"


def _goal_lines(goal: Formula, how: str) -> list[str]:
    return [f"goal  {show(goal)}", *([f"      {how}"] if how else [])]


def _plan_lines(plan: Plan) -> list[str]:
    lines = ["", f"plan  {len(plan.actions)} actions, cost {plan.cost}"]
    if plan.timed:
        lines.append("      a limit of the clock had a part in it: another run may get another plan")
    for action in plan.actions:
        after = ", ".join(sorted(plan.order.get(action.id, ())))
        lines.append(
            f"  {action.id:>4}  cost {action.cost:>3}  {action}" + (f"  after {after}" if after else "")
        )
    if plan.assumptions:
        lines.append("")
        lines.append("assumed, and checked before it matters")
        for assumption in plan.assumptions:
            lines.append(f"        {say_atom(assumption.atom, assumption.value)} ({assumption.source})")
    return lines
