"""Record of a plan node beside its place in the tree: belief, goal, plan and actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from foretree.agent.json_codec import plan_json
from foretree.agent.plan_request import makespan_of
from foretree.planning.pddl.syntax import show
from foretree.runs.events import Recorder, Silent
from foretree.trees.plan_node import PlanNode


class PlanRecord:
    """Has a plan node of a tree of the user's own tell a record what it does.

    A context that has a recorder of its own already keeps it, and nothing is told here.

    Args:
        plan: the node.
        recorder: where to.
    """

    def __init__(self, plan: PlanNode, recorder: Recorder) -> None:
        self._plan = plan
        self._journal = plan.context.journal
        self._closed: Callable[[], object] = lambda: None
        if isinstance(self._journal.to, Silent):
            self._closed = self._fall_silent
            self._journal.to = recorder
            plan.context.record_belief()
        if self._journal.to is recorder:
            self._record_plan()
            plan.on_splice.append(self._spliced)

    def close(self) -> None:
        """Tell nothing more."""
        if self._spliced in self._plan.on_splice:
            self._plan.on_splice.remove(self._spliced)
        self._closed()

    def _fall_silent(self) -> None:
        self._journal.to = Silent()

    def _spliced(self, removed: Sequence[Behaviour], added: Sequence[Behaviour]) -> None:
        if self._plan.status is not Status.RUNNING:  # a revision tells of its plan itself
            self._record_plan()

    def _record_plan(self) -> None:
        plan, context = self._plan.plan, self._plan.context
        if plan is None:
            return
        self._journal.record("goal.set", goal=show(plan.goal))
        made = plan_json(plan, context.settings.planner, makespan_of(context, plan))
        self._journal.record("plan.made", **made)
