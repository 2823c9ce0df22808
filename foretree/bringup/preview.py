"""Preview of a session: its goal, plan and tree, as text in several forms."""

from __future__ import annotations

from concurrent.futures import Future

from foretree.agent.context import AgentContext
from foretree.agent.json_codec import plan_json
from foretree.agent.mission import missing
from foretree.agent.plan_request import NoPlanError, makespan_of
from foretree.agent.planning_service import PlanningService
from foretree.behaviours.understand import Understand
from foretree.bringup.options import Wish
from foretree.bringup.understanding import make_plan, read_wish, refuse_unfound
from foretree.planning.constraints.constraints import show_constraint
from foretree.planning.grounding.compilation import compile_away
from foretree.planning.pddl.syntax import Count, Formula, Problem, show, walk
from foretree.planning.pddl.writer import write_domain, write_problem
from foretree.planning.plan import Plan
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import make_problem
from foretree.printable import counted
from foretree.revision.expectation import say_atom
from foretree.runs.encoding import canonical
from foretree.trees import export
from foretree.trees.plan_node import PlanNode
from foretree.trees.session import Session


def preview(session: Session, form: str = "outline") -> str:
    """The goal, the plan and the tree of *session*, in one of several forms.

    Args:
        session: what is to be done.
        form: outline, pddl (the task), compressed (the task that is really solved), dot, xml, ascii or json.

    Raises:
        ForetreeError: the instruction is not understood, or there is no plan.
    """
    context = session.context
    mission = session.mission
    if mission.goal is not None:
        context.keep_to(mission.constraints)
    else:
        nodes = session.tree.root.iterate()
        reasoner = next((node.reasoner for node in nodes if isinstance(node, Understand)), None)
        given = tuple(map(show_constraint, mission.given_constraints))
        mission = read_wish(context, Wish(mission.instruction, constraints=given), reasoner)
    assert mission.goal is not None
    if mission.answer and form in ("outline", "ascii"):
        return mission.answer  # nothing is to be done
    if form == "pddl":
        return pddl(context, context.task.with_steps(mission.goal))
    if form == "compressed":
        return compressed(context, context.task.with_steps(mission.goal))
    refuse_unfound(context, mission)
    try:
        plan = make_plan(context, mission.goal)
    except NoPlanError as error:
        if missing(mission.goal, context.belief.snapshot(), context.catalogue.domain):
            why = f"{error} A run would look for it first, and then plan."
            raise NoPlanError(why, error.status, error.timed) from error
        raise
    makespan = makespan_of(context, plan)
    if form == "json":
        made = plan_json(plan, context.settings.planner, makespan)
        return canonical({"how": mission.how, "status": "solved", **made})
    node = PlanNode(context, plan)
    if form == "dot":
        return export.dot(node)
    if form == "xml":
        return export.xml(node)
    ascii_only = form == "ascii"
    tree = export.outline(node, ascii_only=ascii_only)
    if ascii_only:
        return tree.replace("–", "-")
    how = [f"      {mission.how}"] if mission.how else []
    how += [f"keeps {show_constraint(constraint)}" for constraint in mission.constraints]
    return "\n".join(
        [
            f"goal  {show(mission.goal)}",
            *how,
            *_plan_lines(plan, makespan),
            "",
            "tree",
            tree,
        ]
    )


def pddl(context: AgentContext, goal: Formula) -> str:
    """The planning task as PDDL text: the domain, then the problem."""
    made = make_problem(context.task.domain, context.belief.snapshot(), goal, context.task.functions)
    return f"{write_domain(made.problem.domain)}\n{write_problem(made.problem)}"


def compressed(context: AgentContext, goal: Formula) -> str:
    """The task that is really solved as PDDL text: on the compressed map, with the things that matter.

    A comment before it says what came of it, so that another planner can check that. A goal that counts
    things, which PDDL cannot say, is compiled away; that changes no cost.
    """
    beliefs = context.belief.snapshot()
    context.task.refresh(beliefs)
    made = make_problem(context.task.domain, beliefs, goal, context.task.functions)
    service = PlanningService(context.settings)
    solved: list[Problem] = []

    def submit(problem: Problem, *, explain: bool = True) -> Future[Solution]:
        solved.append(problem)
        return service.submit(problem, explain=explain)

    solution = context.task.solve(made.problem, submit).result()
    problem = solved[-1]
    lines = [
        f"What is solved in place of {len(made.problem.objects)} objects and {len(made.problem.init)} facts: "
        f"{len(problem.objects)} objects and {len(problem.init)} facts.",
        _came_of_it(solution),
    ]
    if any(isinstance(part, Count) for part in walk(problem.goal)):
        problem = compile_away(problem).problem
        lines.append("The goal counts things; actions that cost nothing judge whether it is reached.")
    head = "".join(f"; {line}\n" for line in lines)
    return f"{head}{write_domain(problem.domain)}\n{write_problem(problem)}"


def _came_of_it(solution: Solution) -> str:
    if solution.status != "solved":
        return f"No plan was found: {solution.why or solution.status}"
    known = solution.optimal or solution.lower_bound >= solution.cost
    bound = "no plan is cheaper" if known else f"no plan costs less than {solution.lower_bound}"
    return f"The plan that was found costs {solution.cost}; {bound}."


def _plan_lines(plan: Plan, makespan: int) -> list[str]:
    lines = ["", f"plan  {counted(len(plan.actions), 'action')}, cost {plan.cost}, makespan {makespan}"]
    if plan.timed:
        lines.append("      a limit of the clock had a part in it: another run may get another plan")
    for action in plan.actions:
        before = plan.order.get(action.id)
        after = f"  after {', '.join(sorted(before))}" if before else ""
        lines.append(f"  {action.id:>4}  cost {action.cost:>3}  {action}{after}")
    if plan.assumptions:
        lines += ["", "assumed, and checked before it matters"]
    lines += [f"        {say_atom(one.atom, one.value)} ({one.source})" for one in plan.assumptions]
    return lines
