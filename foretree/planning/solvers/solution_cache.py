"""Solutions of problems that were solved before.

Several revisers ask in turn for a plan where there was none a moment ago: one that repairs a plan, then one
that makes a new one. To prove again that there is none takes as long as it took the first time.

An answer that a limit of time had a part in is not remembered: it may be another one next time, and must not
depend on earlier requests.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock

from foretree.planning.pddl.syntax import Problem
from foretree.planning.solvers.base import Solution

#: How many problems are remembered, and how many facts they may all begin with together: a suite that comes
#: back to the same thirty scenarios finds all their answers again, and a large building does not fill memory.
_MOST, _MOST_FACTS = 512, 200_000


class SolutionCache:
    """The solutions of the problems that were asked for last."""

    def __init__(self, most: int = _MOST, most_facts: int = _MOST_FACTS) -> None:
        self._most, self._most_facts = most, most_facts
        self._facts = 0
        self._known: OrderedDict[Hashable, tuple[Problem, Solution]] = OrderedDict()
        self._lock = Lock()  # answers come from a thread of the solver's

    def ask(
        self, problem: Problem, submit: Callable[[Problem], Future[Solution]], manner: Hashable = None
    ) -> Future[Solution]:
        """The solution of *problem*, remembered or asked for.

        Args:
            submit: begins to solve a problem.
            manner: how it is solved: answers that were found in another manner are others.
        """
        key = (manner, problem.name, problem.goal, problem.init, frozenset(problem.objects.items()))
        with self._lock:
            former, solution = self._known.get(key, (None, None))
            if solution is not None and former == problem:
                self._known.move_to_end(key)
                known: Future[Solution] = Future()
                known.set_result(solution)
                return known
        answer = submit(problem)
        answer.add_done_callback(lambda done: self._remember(key, problem, done))
        return answer

    def _remember(self, key: Hashable, problem: Problem, answer: Future[Solution]) -> None:
        if answer.cancelled() or answer.exception() is not None or answer.result().timed:
            return
        with self._lock:
            self._forget(self._known.pop(key, None))
            self._known[key] = (problem, answer.result())
            self._facts += len(problem.init)
            while self._known and (len(self._known) > self._most or self._facts > self._most_facts):
                self._forget(self._known.popitem(last=False)[1])

    def _forget(self, known: tuple[Problem, Solution] | None) -> None:
        if known is not None:
            self._facts -= len(known[0].init)
