"""Planning as the agent asks for it: by the configured solver, never on the tick thread."""

from __future__ import annotations

import os
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache, partial

from foretree.agent.settings import Settings
from foretree.planning.pddl.syntax import Formula, Problem
from foretree.planning.solvers.base import UNDECIDED, Limits, Mode, Solution
from foretree.planning.solvers.in_thread import InThread
from foretree.planning.solvers.registry import find_solver
from foretree.planning.solvers.solution_cache import SolutionCache

#: How a solver is asked for what the setting ``plans`` says.
_MODES: dict[str, Mode] = {"first": "satisficing", "good": "good", "fair": "fair", "optimal": "optimal"}
#: However often it was in vain, this part of what is enough for a good plan is searched.
_LEAST_SHARE = 8
#: A problem with less than this share of the things is a smaller form of one that was searched in vain.
_REDUCED_SHARE = 0.5


class PlanningService:
    """Hands problems to a solver.

    The setting ``plans`` says what is wanted: the ``first`` plan; a ``good`` one if a quick search finds it,
    else the first, or a cheaper one if that is found soon; a ``fair`` one where there is no good one at once,
    or none; or an ``optimal`` one, or none.

    Where there is no plan within the limit, the agent asks again once it knows a little more, and seldom
    is that what was missing. So a search for a goal that was searched for in vain is half as long as the last
    one, down to a part of what is enough for a good plan, until a plan is found. Not so where only an optimal
    plan will do: to find none is no news then.

    Args:
        settings: which solver, which plans, how far to search.
        answers: what was answered before, to others with the same settings as well; without it, the service
            remembers its own answers only.
    """

    def __init__(self, settings: Settings, answers: SolutionCache | None = None) -> None:
        self._answers = answers or SolutionCache()
        self._solver = find_solver(settings.planner)
        self._wanted = settings.plans
        self._expansions, self._quick_expansions = settings.expansions, settings.good_expansions
        self._actions = settings.actions
        self._unsolved: dict[Formula, tuple[int, Problem]] = {}
        self._aside: InThread | None = None

    def submit(
        self, problem: Problem, enough: int | None = None, *, explain: bool = True
    ) -> Future[Solution]:
        """Begin to plan; the future's cancel() stops the search.

        Args:
            problem: what to plan for.
            enough: an optimal plan is not looked for any further once none can be cheaper than this.
            explain: whether it is said why there is no plan, where there is none.
        """
        halvings = self._halvings(problem)
        search = partial(self._search, halvings=halvings, enough=enough, explain=explain)
        return self._answers.ask(problem, search, manner=(halvings, enough, explain))

    def learn(self, problem: Problem, solution: Solution) -> None:
        """Take note of what came of a problem.

        It is called by what asked once it has the answer: what is searched next must not depend on whether a
        search that was given up has come to its end.
        """
        if solution.status == "solved":
            self._unsolved.pop(problem.goal, None)
        elif solution.status in UNDECIDED and not solution.timed:
            self._unsolved[problem.goal] = self._halvings(problem) + 1, problem

    def _halvings(self, problem: Problem) -> int:
        """Return how often the limit is halved for a problem."""
        times, former = self._unsolved.get(problem.goal, (0, None))
        if former is None or self._wanted == "optimal":
            return 0
        if len(problem.objects) < _REDUCED_SHARE * len(former.objects):
            return 0  # a smaller form of it: a proof that there is no plan is worth having
        # The very same problem is no other search: what came of it is remembered.
        return times - 1 if problem == former else times

    def _search(self, problem: Problem, halvings: int, enough: int | None, explain: bool) -> Future[Solution]:
        long, soon = (self._limit(most, halvings) for most in (self._expansions, self._quick_expansions))
        limits = replace(long, soon=soon.expansions, enough=enough, explain=explain)
        return self._ask(problem, _MODES[self._wanted], limits)

    def _limit(self, most: int, halvings: int) -> Limits:
        least = min(most, self._quick_expansions // _LEAST_SHARE)
        return Limits(expansions=max(least, most >> halvings), actions=self._actions)

    def _ask(self, problem: Problem, mode: Mode, limits: Limits) -> Future[Solution]:
        submit = getattr(self._solver, "submit", None)
        if submit is not None:
            future: Future[Solution] = submit(problem, mode, limits)
            return future
        if self._aside is None:
            self._aside = InThread(self._solver)
        return self._aside.submit(problem, mode, limits)


@lru_cache(maxsize=8)
def shared_answers(settings: Settings) -> SolutionCache:
    """Return the answers that planners with these settings have given in this process."""
    return SolutionCache()


# Another thread of the parent's may have been about to write something down.
os.register_at_fork(after_in_child=shared_answers.cache_clear)
