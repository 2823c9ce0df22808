"""What was answered before: the same problem has the same solution.

Whoever cannot go on asks often, and from several sides, for what there was no plan for a moment ago: the one
who mends a plan, then the one who makes a new one. To prove again that there is none takes as long as it took
the first time.

What came of a limit of time is not remembered: it may come out otherwise next time, and whoever asks must not
depend on who asked before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock

from foretree.planning.solvers.base import Solution
from foretree.planning.syntax import Problem

#: How many problems are remembered.
_MOST = 64


class Answers:
    """The solutions of the problems that were asked for last."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
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
            if former == problem:
                self._known.move_to_end(key)
        if solution is not None and former == problem:
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
            self._known[key] = (problem, answer.result())
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
