"""Improvement: a cheaper rest of the plan, looked for while the robot is busy with the beginning of it.

The first plan is there at once, and the robot sets out; the best one takes longer. It is looked for from
where the robot will be when what it does now is done. Nobody waits for it: when it comes, it is taken over if
it begins with what has been begun meanwhile, and costs less than what is left.
"""

from __future__ import annotations

from foretree.behaviours.runtime import Runtime
from foretree.clock import Deferred
from foretree.planning.plan import Action, cost_of
from foretree.revision.revision import NoRevisionError, Reviser, Revision, Situation
from foretree.trees.mending import Rest, same

#: A rest of fewer actions is not worth the trouble.
_FEW = 2


class Improvement:
    """Looks for one better rest at a time.

    Args:
        runtime: whose improver is asked; without one, nothing ever is.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._wanted = False
        self._answer: Deferred[Revision] | None = None
        self._asked_for: tuple[Action, ...] = ()

    @property
    def open(self) -> bool:
        """Whether there is anything to ask or to wait for."""
        return self._wanted or self._answer is not None

    def begin(self) -> None:
        """The plan is new, or has another rest: what was looked for before is of no use."""
        self.forget()
        self._wanted = self._runtime.improver is not None

    def forget(self) -> None:
        """Look for nothing any more."""
        if self._answer is not None:
            self._answer.cancel()
        self._answer, self._wanted = None, False

    def offer(self, rest: Rest, situation: Situation) -> Revision | None:
        """A cheaper rest, if there is one by now. Call it while nothing is wrong with the plan."""
        if self._answer is None:
            self._ask(rest, situation)
            return None
        if not self._answer.ready():
            return None
        answer, self._answer = self._answer, None
        try:
            revision = answer.result()
        except NoRevisionError:
            return None  # not found within the limits: the plan is good as it is
        begun = len(self._asked_for) - len(rest.remaining)
        if begun < 0 or not same(self._asked_for[begun:], rest.remaining):
            return None
        if not same(revision.actions[:begun], self._asked_for[:begun]):
            # It goes another way from the start, and that way lies behind: look again from here.
            self._wanted = True
            return None
        before, after = cost_of(rest.remaining), cost_of(revision.actions[begun:])
        if after >= before:
            return None
        return Revision(
            revision.actions[begun:],
            f"A plan was found that costs {after} from here, where this one costs {before}.",
            revision.by,
            situation.beliefs.version,
        )

    def _ask(self, rest: Rest, situation: Situation) -> None:
        improver: Reviser | None = self._runtime.improver
        if improver is None or not rest.acting:
            return  # wait until the robot is busy: what it does now is part of every answer
        self._wanted = False
        if len(rest.remaining) < _FEW:
            return
        self._asked_for = rest.remaining
        proposed = improver.propose(situation)
        assert isinstance(proposed, Deferred), "an improver thinks elsewhere"
        self._answer = proposed
