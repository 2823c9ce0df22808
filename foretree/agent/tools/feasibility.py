"""Goals that can certainly not be reached from what is known, and what would have to be found to reach it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

from foretree.agent.constraints.conflict import find_conflict
from foretree.agent.context import AgentContext
from foretree.agent.learning.complaints import complaints, denied_traits
from foretree.agent.planning_service import PlanningService
from foretree.planning.grounding.relaxed_reachability import is_relaxed_unreachable
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.solvers.base import Solution
from foretree.planning.task.problems import ProblemError, make_problem
from foretree.world_model.beliefs.facts import WHEREABOUTS, Atom

#: The name of a thing that is only imagined.
_IMAGINED = "imagined:thing"


class Feasibility:
    """Parts of a goal that can be reached, at a glance: no search is made.

    Args:
        context: knows what is believed, and what can be done.
    """

    def __init__(self, context: AgentContext) -> None:
        self._context = context
        self._version = -1
        self._known: dict[Formula, bool] = {}

    def is_hopeless(self, goal: Formula) -> bool:
        """Return whether *goal* can certainly not be reached from what is believed; False says nothing."""
        version = self._context.belief.version
        if version != self._version:
            self._version = version
            self._known.clear()
        if goal not in self._known:
            problem = self._problem(goal)
            self._known[goal] = problem is None or is_relaxed_unreachable(problem)
        return self._known[goal]

    def would_help(self, goal: Formula) -> tuple[str, ...]:
        """Return the classes of which one thing more would give hope for *goal*: a knife, to cut something.

        Those of things whose class the goal itself names are not among them.
        """
        problem = self._problem(goal)
        if problem is None or not is_relaxed_unreachable(problem):
            return ()
        ontology = self._context.catalogue.ontology
        helpful: dict[frozenset[str], bool] = {}
        found: list[str] = []
        for name, known in ontology.classes.items():
            if known.parent != "item":
                continue
            traits = frozenset(known.affords)
            if traits not in helpful:
                helpful[traits] = not is_relaxed_unreachable(self._with_one(problem, name))
            if helpful[traits]:
                found.append(name)
        return tuple(found)

    def barred_by_word(self, goal: Formula) -> dict[str, str]:
        """Return the complaints but for which there would be hope for *goal*, by thing."""
        context, problem = self._context, self._problem(goal)
        lost = denied_traits(context)
        if problem is None or not lost or not is_relaxed_unreachable(problem):
            return {}
        about = complaints(context)
        for names in (*((name,) for name in lost), tuple(lost)):
            traits = [atom for name in names for atom in lost[name]]
            if not is_relaxed_unreachable(replace(problem, init=problem.init.union(traits))):
                return {name: about[name] for name in names}
        return {}

    def explain(self, goal: Formula, service: PlanningService) -> Future[Solution]:
        """Begin to find out why *goal* cannot be reached."""
        task = self._context.task
        problem = self._problem(task.with_steps(goal))
        if problem is None:
            unknown: Future[Solution] = Future()
            unknown.set_result(Solution("unsolvable"))
            return unknown
        return find_conflict(task, problem, goal, service.submit, lambda: task.solve(problem, service.submit))

    def _problem(self, goal: Formula) -> Problem | None:
        context = self._context
        beliefs = context.belief.snapshot()
        context.task.refresh(beliefs)
        try:
            return make_problem(context.task.domain, beliefs, goal, context.task.functions).problem
        except ProblemError:
            return None

    def _with_one(self, problem: Problem, class_name: str) -> Problem:
        """*problem* with a thing of a class in it, wherever such a thing may be."""
        traits = self._context.catalogue.ontology.affordance_atoms(_IMAGINED, class_name)
        return replace(
            problem,
            objects={**problem.objects, _IMAGINED: class_name},
            init=frozenset([*problem.init, *traits, *self._whereabouts()]),
        )

    def _whereabouts(self) -> Iterator[Atom]:
        context = self._context
        furniture = [place.name for place in context.places.places() if place.kind == "asset"]
        for predicate, info in context.belief.vocabulary.predicates.items():
            if info.group == WHEREABOUTS and len(context.catalogue.domain.predicates[predicate]) == 2:
                yield from ((predicate, _IMAGINED, place) for place in furniture)
