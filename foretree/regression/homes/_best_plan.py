"""The best plan known for a task in a home, made with full knowledge of it.

Runs are measured by it: to search, look twice or mend a mistake takes longer than that. It is the
planner's plan of low cost on the true state and the true ways: as many controls as the ways take, from before
the middle of the front of one piece of furniture to before that of the next, and one control for each
manipulation. It is not proved to be the shortest there is.
"""

from __future__ import annotations

from functools import lru_cache

from foretree.agent.planning_service import PlanningService
from foretree.agent.settings import Settings
from foretree.planning.pddl.syntax import Formula, PlanStep, Problem
from foretree.planning.semantics.actions import TypedObjects, instantiate
from foretree.planning.task.problem_forms import ProblemForms
from foretree.planning.task.problems import ProblemError, make_problem
from foretree.regression.homes._full_knowledge import full_knowledge
from foretree.revision.plan_task import PlanTask
from foretree.simulation.grid_homes.home import Home
from foretree.skills.catalogue import Catalogue

#: Seconds on the wall that a plan is waited for: the searches have limits of their own.
_PATIENCE = 120.0


def best_length(home: Home, goal: Formula, catalogue: Catalogue) -> int | None:
    """Number of controls of the best plan known; None if there is no plan."""
    knowledge = full_knowledge(home, catalogue)
    domain = catalogue.domain
    resting = [
        name
        for name, parameters in domain.predicates.items()
        if len(parameters) == 2 and catalogue.vocabulary[name].group == "rests"
    ]
    task = PlanTask(domain, knowledge.places.travel_costs(), ProblemForms(domain, knowledge.places, resting))
    task.refresh(knowledge.beliefs)
    try:
        problem = make_problem(domain, knowledge.beliefs, goal, task.functions).problem
    except ProblemError:
        return None
    solution = task.solve(problem, _service().submit).result(timeout=_PATIENCE)
    return _controls(problem, solution.steps) if solution.status == "solved" else None


def _controls(problem: Problem, steps: tuple[PlanStep, ...]) -> int:
    objects = TypedObjects(problem.domain, problem.objects)
    return sum(
        instantiate(problem.domain.operators[name], arguments, objects, problem.functions).cost
        for name, arguments in steps
    )


@lru_cache(maxsize=1)
def _service() -> PlanningService:
    """One service for all plans, so that the planner stays warm."""
    return PlanningService(Settings())
