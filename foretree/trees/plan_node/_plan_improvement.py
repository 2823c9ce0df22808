"""A cheaper rest of the plan, looked for while the robot is busy with the beginning of it.

The first plan is there at once, and the robot sets out; the best one takes longer. It is looked for from
where the robot will be when what it does now is done. Nothing waits for it: it is taken over if it begins
with what has been begun meanwhile, and costs less than what is left.

To look takes more computing than all else that a robot does on a short errand, so that is only done where it
may be worth it: where it is not known that hardly anything could be saved, where the rest was repaired
and still has several things to see to, and not for ever where it was in vain before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foretree.agent.context import AgentContext
from foretree.planning.plan import Action, cost_of
from foretree.planning.solvers.base import SolverError
from foretree.revision.revision import NoRevisionError, PendingRevision, Reviser, Revision
from foretree.trees.plan_node._plan_state import RemainingPlan, same_actions
from foretree.trees.plan_node._repair import PlanRepair
from foretree.trees.plan_node._revision_check import Proposal

#: A rest of fewer actions is not worth the trouble.
_LEAST_ACTIONS = 2
#: A rest that can be cheaper by no more than this share is good enough as it is.
WORTHWHILE_SAVING = 0.05
#: It is not known how good a rest is that was repaired. One that brings about fewer of the goal's facts
#: than this leaves nothing to put in a better order: it was repaired where it was wrong.
_LEAST_GOAL_FACTS = 2
#: After so many searches in a row that brought nothing, what is repaired is taken as it is.
_MAX_FRUITLESS = 2


class PlanImprovement:
    """Looks for one better rest at a time.

    Args:
        context: whose improver is asked; without one, nothing ever is.
        repair: checks what was found; nothing is looked for while it is busy.
    """

    def __init__(self, context: AgentContext, repair: PlanRepair) -> None:
        self._context = context
        self._repair = repair
        #: A cheaper rest that is being checked.
        self._better: Proposal | None = None
        self._wanted = False
        self._answer: PendingRevision | None = None
        self._asked_for: tuple[Action, ...] = ()
        #: What the rest was proved to cost at least, and what it cost, when it was new; None where
        #: that is not known, since it was repaired.
        self._bound: int | None = None
        self._cost = 0
        self._fruitless = 0

    @property
    def open(self) -> bool:
        """True if there is anything to ask or to wait for."""
        return self._wanted or self._answer is not None

    @property
    def busy(self) -> bool:
        """True if there is anything to ask, to wait for or to check."""
        return self.open or self._better is not None

    def begin(self, actions: Sequence[Action], bound: int | None) -> None:
        """The plan is new, or has another rest: what was looked for before is of no use.

        Args:
            actions: what is to be done now.
            bound: no plan from here is cheaper; None where that is not known.
        """
        self._cancel()
        self._bound, self._cost = bound, cost_of(actions)
        self._wanted = self._context.improver is not None and (
            self._fruitless < _MAX_FRUITLESS if bound is None else self._is_worthwhile(self._cost)
        )

    def forget(self) -> None:
        """Look for nothing any more."""
        self._better = None
        self._cancel()

    def _cancel(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
        self._answer, self._wanted = None, False

    def poll(self, remaining: Callable[[], RemainingPlan]) -> Proposal | None:
        """Return a cheaper rest of the plan that is ready to be taken over, if there is one by now."""
        if self._repair.busy:
            self._better = None
            return None
        if not self.busy:
            return None
        rest = remaining()
        if self._better is None:
            revision = self._offer(rest)
            if revision is None:
                return None
            self._better = self._repair.propose(revision, rest)
        if not self._better.is_about(rest):
            self._better = None
        elif self._better.go_on(self._repair.allowance):
            better, self._better = self._better, None
            if better.still_valid() and better.objection is None:
                return better
        return None

    def _offer(self, rest: RemainingPlan) -> Revision | None:
        """A cheaper rest, if there is one by now. Call it while nothing is wrong with the plan."""
        if self._answer is None:
            self._ask(rest)
            return None
        if not self._answer.ready():
            return None
        answer, self._answer = self._answer, None
        self._fruitless += 1
        try:
            revision = answer.result()
        except SolverError as error:
            # That the plan cannot be improved is no reason not to carry it out.
            self._context.recorder.record("log", text=f"no cheaper plan was looked for: {error}")
            return None
        except NoRevisionError:
            return None  # not found within the limits: the plan is good as it is
        begun = len(self._asked_for) - len(rest.remaining)
        if begun < 0 or not same_actions(self._asked_for[begun:], rest.remaining):
            return None
        if not same_actions(revision.actions[:begun], self._asked_for[:begun]):
            # It goes another way from the start, and that way lies behind: look again from here.
            self._wanted = True
            return None
        before, after = cost_of(rest.remaining), cost_of(revision.actions[begun:])
        if after >= before:
            return None
        self._fruitless = 0
        return Revision(
            revision.actions[begun:],
            f"A plan was found that costs {after} from here, where this one costs {before}.",
            revision.by,
            self._context.belief.version,
        )

    def _ask(self, rest: RemainingPlan) -> None:
        improver: Reviser | None = self._context.improver
        if improver is None or not rest.acting:
            return  # wait until the robot is busy: what it does now is part of every answer
        self._wanted = False
        if len(rest.remaining) < _LEAST_ACTIONS or not self._may_be_better(rest):
            return
        self._asked_for = rest.remaining
        proposed = improver.propose(self._repair.revision_request(rest))
        assert not isinstance(proposed, Revision), "an improver thinks elsewhere"
        self._answer = proposed

    def _may_be_better(self, rest: RemainingPlan) -> bool:
        """Return whether a search for something better than what is left could be worth it."""
        if self._bound is not None:
            return self._is_worthwhile(cost_of(rest.remaining))
        return len(rest.state.still_for_goal()) >= _LEAST_GOAL_FACTS

    def _is_worthwhile(self, cost: int) -> bool:
        """Return whether a rest at that *cost* may be cheaper than it is by more than a small share.

        What has been done since it was new has brought the goal nearer by no more than it cost.
        """
        assert self._bound is not None
        least = self._bound - (self._cost - cost)
        return cost - least > WORTHWHILE_SAVING * cost
